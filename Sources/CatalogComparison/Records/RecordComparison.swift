import CatalogModel
import RecordShapes

/// The comparison of today's databases and records with those of earlier states, by the merge that opens a database.
struct RecordComparison {
  let today: CatalogState
  /// The names of catalogs that other runs report on.
  let unread: Set<String>
  /// The numbers that a state has used, by the stored name of the record.
  private let numbers: [String: Set<Int>]

  init(_ baselines: [Baseline], today: CatalogState, unread: Set<String>) {
    self.today = today
    self.unread = unread
    var numbers: [String: Set<Int>] = [:]
    for record in (baselines.map(\.state) + [today]).flatMap(\.records.values) {
      numbers[record.storedName, default: []].formUnion(record.fields.map(\.number))
      numbers[record.storedName, default: []].formUnion(record.reservedNumbers.keys)
    }
    self.numbers = numbers
  }

  /// Returns the findings against one state.
  func findings(of old: CatalogState) -> [Finding] {
    var findings: [Finding] = []
    for member in Set(old.databases.keys).union(old.records.values.map(\.database)).sorted() {
      let before = old.databases[member]
      let now = database(for: member, of: old)
      if let before, !unread.contains(before.catalog) {
        findings += DatabaseComparison(old: before, new: now).findings
      }
      guard let now else { continue }
      for record in old.records.values.filter({ $0.database == member }).sorted(by: { $0.name < $1.name })
      where !unread.contains(record.catalog) {
        findings += self.findings(of: record, from: old, in: now)
      }
    }
    return findings
  }

  /// Returns the findings against the tables of users who installed every release. Those against one release are left out.
  func findings(ofAll baselines: [Baseline], besides known: [Finding]) -> [Finding] {
    var tables: [String: InstalledTable] = [:]
    for baseline in baselines {
      for record in baseline.state.records.values {
        guard let now = successor(of: record, from: baseline.state), !unread.contains(record.catalog) else { continue }
        let shape = RecordShape.Record(record, baseline.state.types)
        let fields = Dictionary(record.fields.map { ($0.number, $0) }) { first, _ in first }
        var table = tables[now.name] ?? InstalledTable(shape: shape, last: record)
        table.shape = table.shape.opened(by: shape, named: now.storedName)
        table.last = record
        table.fields.merge(fields) { $1 }
        table.titles.append(baseline.state.title)
        tables[now.name] = table
      }
    }
    let seen = Set(known.map(\.subject))
    return tables.sorted { $0.key < $1.key }.flatMap { name, table -> [Finding] in
      guard let now = today.records[name] else { return [] }
      let change = change(from: table.last, to: now)
      return table.shape.refusals(of: RecordShape.Record(now, today.types), named: now.storedName)
        .compactMap { change.finding($0, table.fields[$0.number]) }.filter { !seen.contains($0.subject) }
        .map { finding in
          var finding = finding
          finding.titles = table.titles
          return finding
        }
    }
  }

  // MARK: Records

  /// The database that has the file of an earlier one today, or else the one with its member.
  private func database(for member: String, of old: CatalogState) -> DeclaredDatabase? {
    let same = old.databases[member].flatMap { before in
      today.databases.values.filter { $0.address == before.address }.min { $0.member < $1.member }
    }
    return same ?? today.databases[member]
  }

  private func successor(of record: DeclaredRecord, from old: CatalogState) -> DeclaredRecord? {
    guard let database = database(for: record.database, of: old) else { return nil }
    return today.records.values.first { $0.database == database.member && $0.storedName == record.storedName }
  }

  private func findings(
    of record: DeclaredRecord, from old: CatalogState, in database: DeclaredDatabase
  ) -> [Finding] {
    guard let now = successor(of: record, from: old) else { return [removed(record, from: old, in: database)] }
    let change = change(from: record, to: now)
    let refusals = RecordShape.Record(record, old.types)
      .refusals(of: RecordShape.Record(now, today.types), named: now.storedName)
    let refused = refusals.compactMap { change.finding($0, record.field($0.number)) }
    if refusals.contains(where: { $0.reason == .keyChanged }) { return refused }
    let check = ReadingCheck(oldTypes: old.types, newTypes: today.types)
    return refused + change.findings(check, besides: Set(refusals.map(\.number)))
  }

  private func change(from old: DeclaredRecord, to new: DeclaredRecord) -> RecordChange {
    RecordChange(old: old, new: new, freeNumber: FieldNumbers.free(besides: numbers[new.storedName] ?? []))
  }

  private func removed(_ record: DeclaredRecord, from old: CatalogState, in database: DeclaredDatabase) -> Finding {
    let name = "`name: \(FieldValue.text(record.storedName))`"
    let fields = "\(name) and `database: \(FieldValue.text(database.member))`"
    let until = "with \(fields), until `local-data release --retire` has retired the release"
    let known = Set(old.records.values.map(\.storedName))
    let similar = today.records.values.filter { now in
      now.database == database.member && !known.contains(now.storedName) && record.isSimilar(to: now)
    }
    var subject = Finding.Subject.catalog(record.catalog)
    var help = "declare it again, \(until)"
    if let other = today.records[record.name] {
      subject = .record(other.name)
      help = "write \(fields) in '\(other.name)' again; or declare the released one as another Swift type, \(until)"
    } else if let other = similar.first, similar.count == 1 {
      subject = .record(other.name)
      help = "if '\(other.name)' replaces it, write \(name) there, so that it keeps its rows; otherwise \(help)"
    }
    return Finding(
      rule: .recordRemoved, subject: subject,
      message:
        "stored rows of '\(record.storedName)' in '\(database.member)', and nothing declares the record there now",
      help: help, remedy: Remedy(), keys: [])
  }
}

/// The table of a user who has installed several releases, one after the other.
private struct InstalledTable {
  var shape: RecordShape.Record
  /// The record of the newest release.
  var last: DeclaredRecord
  /// The newest field with each number.
  var fields: [Int: DeclaredRecord.Field] = [:]
  var titles: [String] = []
}

extension DeclaredRecord {
  /// Returns true if another record has the key and most fields of this one.
  fileprivate func isSimilar(to other: DeclaredRecord) -> Bool {
    let same = fields.count { field in
      other.field(field.number).map { $0.name == field.name && $0.type == field.type } ?? false
    }
    return key == other.key && same * 2 > max(fields.count, other.fields.count)
  }
}
