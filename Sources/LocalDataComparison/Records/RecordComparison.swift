import LocalDataModel
import LocalDataShapes

/// The comparison of today's databases and records with those of earlier states, by the merge that opens a database.
struct RecordComparison {
  let today: CatalogState
  /// The names of catalogs that other runs report on.
  let unread: Set<String>
  private let numbers: FreeNumbers
  /// The stored names that records have had.
  private let names: Set<String>
  private let structs: StructHistory
  /// The numbers that a release has made fields from, with those fields, by the stored name of the record.
  private let replaced: [String: [Int: Set<Int>]]

  init(_ baselines: [Baseline], today: CatalogState, unread: Set<String>) {
    self.today = today
    self.unread = unread
    let states = baselines.map(\.state)
    numbers = FreeNumbers(states + [today])
    names = Set((states + [today]).flatMap(\.records.values).map { $0.storedName.lowercased() })
    structs = StructHistory(states)
    var replaced: [String: [Int: Set<Int>]] = [:]
    for record in baselines.flatMap(\.state.records.values) {
      for field in record.fields {
        for source in field.sources.joined() {
          replaced[record.storedName, default: [:]][source.number, default: []].insert(field.number)
        }
      }
    }
    self.replaced = replaced
  }

  /// Returns the findings against one state.
  func findings(of old: CatalogState) -> [Finding] {
    var findings: [Finding] = []
    for member in Set(old.databases.keys).union(old.records.values.map(\.database)).sorted() {
      let before = old.databases[member]
      let now = today.database(for: member, of: old)
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
      + old.reservedRecords.filter { !unread.contains($0.catalog) }.compactMap { reuse(of: $0, from: old) }
  }

  /// Returns the findings against the tables of users who installed every release. Those against one release are left out.
  func findings(ofAll baselines: [Baseline], besides known: [Finding]) -> [Finding] {
    var tables: [String: InstalledTable] = [:]
    for baseline in baselines {
      for record in baseline.state.records.values {
        guard let now = successor(of: record, from: baseline.state), !unread.contains(record.catalog) else { continue }
        let shape = RecordShape.Record(record, baseline.state.types)
        let fields = Dictionary(record.fields.map { ($0.number, $0) }) { first, _ in first }
        var table = tables[now.name] ?? InstalledTable(shape: shape, last: record, types: baseline.state.types)
        table.shape = table.shape.opened(by: shape, named: now.storedName)
        table.last = record
        table.types = baseline.state.types
        table.fields.merge(fields) { $1 }
        table.titles.append(baseline.state.title)
        tables[now.name] = table
      }
    }
    let seen = Set(known.map(\.subject))
    return tables.sorted { $0.key < $1.key }.flatMap { name, table -> [Finding] in
      guard let now = today.records[name] else { return [] }
      let change = change(from: table.last, of: table.types, to: now)
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

  private func successor(of record: DeclaredRecord, from old: CatalogState) -> DeclaredRecord? {
    guard let database = today.database(for: record.database, of: old) else { return nil }
    return today.records.values.first { $0.database == database.member && $0.storedName == record.storedName }
  }

  private func findings(
    of record: DeclaredRecord, from old: CatalogState, in database: DeclaredDatabase
  ) -> [Finding] {
    guard let now = successor(of: record, from: old) else {
      let isReserved = today.reserves(record.storedName, in: database.member)
      return isReserved ? [] : [removed(record, from: old, in: database)]
    }
    let rows = DeletedRows(old, today, member: record.database, in: database)
      .findings(change(from: record, of: old.types, to: now))
    return [OutdatedReview(of: record, in: old.databases[record.database], now, in: database).finding].compactMap(
      \.self)
      + findings(of: record, from: old, to: now, deleted: rows)
      + StructComparison(structs, old, today, numbers).findings(from: record, to: now)
  }

  /// - Parameter deleted: The findings about rows that the update would delete.
  private func findings(
    of record: DeclaredRecord, from old: CatalogState, to now: DeclaredRecord, deleted: [Finding]
  ) -> [Finding] {
    let change = change(from: record, of: old.types, to: now)
    let stored = RecordShape.Record(record, old.types)
    let declared = RecordShape.Record(now, today.types)
    let refusals = stored.refusals(of: declared, named: now.storedName)
    // To say which of equal rows stays does not help where all are equal.
    let equal = Set(deleted.filter { $0.rule == .uniqueDefault }.map(\.subject))
    let refused = refusals.compactMap { change.finding($0, record.field($0.number)) }
      .filter { $0.rule != .uniqueAdded || !equal.contains($0.subject) }
    if refusals.contains(where: { $0.reason == .keyChanged }) { return refused }
    let made = Set(declared.sources.filter { stored.stored(of: $0.value) != nil }.keys)
    let unread = change.unreadSources(replaced[now.storedName] ?? [:])
    return refused
      + change.findings(made: made.union(unread.map(\.number)), besides: Set(refusals.map(\.number)))
      + unread.map(\.finding) + deleted
  }

  /// - Parameter types: The types of the earlier state.
  private func change(
    from old: DeclaredRecord, of types: [String: DeclaredType], to new: DeclaredRecord
  ) -> RecordChange {
    RecordChange(
      old: old, new: new, numbers: numbers, check: ReadingCheck(oldTypes: types, newTypes: today.types))
  }

  /// The finding about a table that a release reserved and a record of today has.
  private func reuse(of reserved: CatalogState.ReservedRecord, from old: CatalogState) -> Finding? {
    let record = reserved.reserved.record
    let member = reserved.reserved.database
    guard let database = today.database(for: member, of: old),
      let now = today.record(storedAs: record, in: database.member)
    else { return nil }
    let name = FieldValue.text(freeName(like: record))
    return Finding(
      rule: .nameReused, subject: .record(now.name),
      message: "reserved the record '\(record)' of '\(member)', and '\(now.name)' has its table now",
      help: "write `name: \(name)`, or another name that was never used, in '\(now.name)', and "
        + "\(Self.reserving(record, in: database))",
      remedy: Remedy(
        fields: [.init("name", name)],
        reserved: ResolvedReservedRecord(record: record, database: database.member).entry), keys: [])
  }

  /// A stored name that no record has had.
  private func freeName(like name: String) -> String {
    let free = (2...).lazy.map { "\(name)_\($0)" }.first { !names.contains($0.lowercased()) }
    return free ?? name
  }

  /// `add `- {record: Visit, database: wallet}` to 'reserved'`.
  private static func reserving(_ record: String, in database: DeclaredDatabase) -> String {
    "add `- \(ResolvedReservedRecord(record: record, database: database.member).entry)` to 'reserved'"
  }

  private func removed(_ record: DeclaredRecord, from old: CatalogState, in database: DeclaredDatabase) -> Finding {
    let name = "`name: \(FieldValue.text(record.storedName))`"
    let fields = "\(name) and `database: \(FieldValue.text(database.member))`"
    let again = "with \(fields)"
    let giveUp =
      "\(Self.reserving(record.storedName, in: database)): the app can no longer read its rows, which stay on the devices"
    let known = Set(old.records.values.map(\.storedName))
    let similar = today.records.values.filter { now in
      now.database == database.member && !known.contains(now.storedName) && record.isSimilar(to: now)
    }
    var subject = Finding.Subject.catalog(record.catalog)
    var remedy = Remedy(
      reserved: ResolvedReservedRecord(record: record.storedName, database: database.member).entry)
    var help = "declare it again, \(again); or, if its rows are not needed any more, \(giveUp)"
    if let other = today.records[record.name] {
      subject = .record(other.name)
      remedy = Remedy(fields: [
        .init("name", .text(record.storedName)), .init("database", .text(database.member)),
      ])
      help =
        "write \(fields) in '\(other.name)' again; or declare the released one as another Swift type, \(again); or, if "
        + "its rows are not needed any more, \(giveUp)"
    } else if let other = similar.first, similar.count == 1 {
      subject = .record(other.name)
      remedy = Remedy()
      help = "if '\(other.name)' replaces it, write \(name) there, so that it keeps its rows; otherwise \(help)"
    }
    return Finding(
      rule: .recordRemoved, subject: subject,
      message:
        "stored rows of '\(record.storedName)' in '\(database.member)', and nothing declares the record there now",
      help: help, remedy: remedy, keys: [])
  }
}

/// The table of a user who has installed several releases, one after the other.
private struct InstalledTable {
  var shape: RecordShape.Record
  /// The record of the newest release, and the types of that release.
  var last: DeclaredRecord
  var types: [String: DeclaredType]
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
