import LocalDataComparison
import LocalDataModel
import LocalDataShapes
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary
import TestSupport
import Testing

@_spi(Generated) @testable import LocalDataRecords

/// Random pairs of releases over filled tables: rows that refer to each other, in long chains too, missing and equal values. If
/// the comparison has no finding, the update opens the file, and keeps every value that it does not say it gives up.
struct ReleasePairTests {
  private static let parts = 4

  @Test(arguments: 0..<parts) func anUpdateWithoutAFindingKeepsTheValues(part: Int) throws {
    let fixture = try StoreFixture(isInMemory: true)
    let folder = try fixture.locations.folder(of: .directory(.documents))
    let count = Sweep.count(quick: 60, full: 5_000) / Self.parts
    var (accepted, tried, deleting, seed) = (0, 0, 0, Sweep.seed &* 1_000_003 &+ UInt64(part) &* 100_000_007)
    while accepted < count {
      seed &+= 1
      tried += 1
      var random = SeededRandom(seed: seed)
      var pair = ReleasePair(&random)
      guard try pair.hasNoFinding else { continue }
      accepted += 1
      let location = FileLocation(folder: folder, name: "\(accepted).db")
      do {
        let problems = try pair.problems(location, &random)
        if pair.mayDelete { deleting += 1 }
        #expect(problems == [], "seed \(seed)\n\(pair.text)")
      } catch { Issue.record("seed \(seed): \(error)\n\(pair.text)") }
    }
    Sweep.report("pairs of releases, part \(part)", "\(accepted) of \(tried) pairs, \(deleting) that delete rows")
  }
}

/// Two releases, and the rows of the first.
private struct ReleasePair {
  private typealias Rows = [String: [String: [Int: String]]]

  private var old: PairRelease
  private var new: PairRelease
  private var before: Rows = [:]

  init(_ random: inout SeededRandom) {
    old = PairRelease(&random)
    before = Self.rows(of: old, &random)
    Self.addUnique(to: &old, before, &random)
    new = old
    for _ in 0..<Int.random(in: 1...4, using: &random) { new.change(&random) }
  }

  var text: String { "\(old.tables)\n\(new.tables)\n\(before)" }

  var hasNoFinding: Bool {
    get throws {
      let baseline = Baseline(state: try old.catalog.release("1.0"))
      return ReleaseComparison(today: new.catalog.state).findings(against: [baseline]).isEmpty
    }
  }

  // MARK: Rows

  private static func rows(of release: PairRelease, _ random: inout SeededRandom) -> Rows {
    let counts = release.tables.mapValues { _ in
      Int.random(in: 0..<16, using: &random) == 0 ? 200 : Int.random(in: 1...9, using: &random)
    }
    var rows: Rows = [:]
    for (name, table) in release.tables.sorted(by: { $0.key < $1.key }) {
      let count = counts[name] ?? 1
      for row in 0..<count {
        var values: [Int: String] = [:]
        for field in table.fields {
          if field.isOptional, Int.random(in: 0..<4, using: &random) == 0 { continue }
          guard let parent = field.reference?.record else {
            // Some are keys of rows, some of none.
            values[field.number] = ["", "x", "0", "1", "2", "99"].randomElement(using: &random)
            continue
          }
          let isChain = parent == name && count > 9
          let key = isChain ? max(row - 1, 0) : Int.random(in: 0..<(counts[parent] ?? 1), using: &random)
          values[field.number] = "\(key)"
        }
        rows[name, default: [:]]["\(row)"] = values
      }
    }
    return rows
  }

  /// Adds unique indexes that the rows do not break.
  private static func addUnique(to release: inout PairRelease, _ rows: Rows, _ random: inout SeededRandom) {
    for (name, table) in release.tables.sorted(by: { $0.key < $1.key }) {
      let index = Array(table.fields.map(\.number).shuffled(using: &random).prefix(2))
      guard Bool.random(using: &random), !index.isEmpty, equal(rows[name] ?? [:], index).isEmpty else { continue }
      release.tables[name]?.unique[index] = .some(nil)
    }
  }

  /// Returns the keys of rows with equal values of an index, in the order of their insertion.
  private static func equal(_ rows: [String: [Int: String]], _ index: [Int]) -> [[String]] {
    var groups: [[String]: [String]] = [:]
    for key in rows.keys.sorted(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) {
      let values = index.compactMap { rows[key]?[$0] }
      if values.count == index.count { groups[values, default: []].append(key) }
    }
    return groups.values.filter { $0.count > 1 }
  }

  // MARK: The update

  /// Returns what is wrong after the update.
  mutating func problems(_ location: FileLocation, _ random: inout SeededRandom) throws -> [String] {
    let first = try file(old, location)
    let (rows, old) = (before, old)
    let victim = old.tables.keys.sorted().randomElement(using: &random) ?? ""
    let obstacle = try first.write { (session) throws(StorageProblem) in
      let connection = try session.use(changing: true)
      try connection.execute("PRAGMA defer_foreign_keys = ON")
      for (name, table) in old.tables.sorted(by: { $0.key < $1.key }) {
        for key in 0..<(rows[name]?.count ?? 0) {
          let values = rows[name]?["\(key)"] ?? [:]
          let columns = ["id"] + table.fields.map(\.name)
          try connection.run(
            "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))",
            [.text("\(key)")] + table.fields.map { values[$0.number].map { .text($0) } ?? .null })
        }
      }
    }
    #expect(obstacle == nil)
    // A deletion leaves gaps, unless a reference restricts it.
    do throws(StorageProblem) {
      _ = try first.write { (session) throws(StorageProblem) in
        try session.use(changing: true).execute("DELETE FROM \(victim) WHERE id = '1'")
      }
    } catch {}
    before = try Self.content(first)
    let after = try Self.content(try file(new, location))
    let again = try Self.content(try file(new, location))
    return compare(after) + (after == again ? [] : ["the second launch finds other rows"])
  }

  private func file(_ release: PairRelease, _ location: FileLocation) throws -> RecordFile {
    let declarations = release.declarations
    return try RecordFile(
      RecordDatabaseDeclaration("pair", .fileSystem(directory: .documents), records: { declarations }), at: location,
      patience: .seconds(60), clock: SystemClock())
  }

  private static func content(_ file: RecordFile) throws -> Rows {
    var result: Rows = [:]
    let obstacle = try file.read { (session) throws(StorageProblem) in
      let connection = try session.use()
      guard try connection.first("PRAGMA foreign_key_check", [], { _ in true }) == nil else { throw .missingReference }
      for (name, record) in session.tables.shape.records {
        let order = record.order
        let columns = order.map { RecordShape.quoted(record.columns[$0]?.name ?? "") }.joined(separator: ", ")
        try connection.rows("SELECT \(columns) FROM \(name)") { (row) throws(StorageProblem) in
          var values: [Int: String] = [:]
          for (position, number) in order.enumerated() { values[number] = row.text(Int32(position)) }
          result[name, default: [:]][values.removeValue(forKey: 1) ?? ""] = values
          return true
        }
      }
    }
    #expect(obstacle == nil)
    return result
  }

  // MARK: What is kept

  /// The records of which the update says that it may delete rows.
  private var deleting: Set<String> {
    var result: Set<String> = []
    for (name, table) in new.tables {
      guard let before = old.tables[name] else { continue }
      if !addedUnique(name).isEmpty { result.insert(name) }
      let isAdded = table.fields.contains { field in
        field.reference?.onDelete == .cascade && isUnchecked(field, before)
      }
      if isAdded { result.insert(name) }
      let cascades = table.fields.contains { field in
        guard let parent = field.reference?.record else { return false }
        return addedUnique(parent).values.contains(where: \.cascades)
      }
      if cascades { result.insert(name) }
    }
    while true {
      let more = new.tables.filter { name, table in
        !result.contains(name)
          && (table.fields + (old.tables[name]?.fields ?? [])).contains { field in
            field.reference.map { $0.onDelete == .cascade && result.contains($0.record) } ?? false
          }
      }
      if more.isEmpty { return result }
      result.formUnion(more.keys)
    }
  }

  var mayDelete: Bool { !deleting.isEmpty }

  private func addedUnique(_ name: String) -> [[Int]: ResolvedRecord.Existing] {
    guard let table = new.tables[name], let before = old.tables[name] else { return [:] }
    return table.unique.filter { before.unique[$0.key] == nil }.compactMapValues(\.self)
  }

  /// Returns true if no reference has checked the values of a field.
  private func isUnchecked(_ field: PairRelease.Field, _ before: PairRelease.Table) -> Bool {
    guard let former = before.field(field.source ?? field.number) else { return false }
    return former.reference?.record != field.reference?.record
  }

  private func compare(_ after: Rows) -> [String] {
    let deleting = deleting
    var problems: [String] = []
    for (name, table) in new.tables {
      guard let former = old.tables[name] else { continue }
      for (key, values) in before[name] ?? [:] {
        guard let now = after[name]?[key] else {
          if !deleting.contains(name) { problems.append("\(name) \(key) is lost") }
          continue
        }
        for field in table.fields {
          let wanted = former.field(field.source ?? field.number).map { values[$0.number] } ?? field.defaultValue
          if now[field.number] == wanted || mayChange(field, former, deleting, now[field.number], wanted, name) {
            continue
          }
          problems.append("\(name) \(key).\(field.number) is \(now[field.number] ?? "nil"), not \(wanted ?? "nil")")
        }
      }
      for index in table.unique.keys where !Self.equal(after[name] ?? [:], index).isEmpty {
        problems.append("\(name) has equal rows of \(index)")
      }
      problems += survivors(name, after, deleting)
    }
    return problems
  }

  /// Returns true if a field refers to another row, or to none, because the one that it referred to is not there.
  private func mayChange(
    _ field: PairRelease.Field, _ former: PairRelease.Table, _ deleting: Set<String>, _ now: String?, _ wanted: String?,
    _ name: String
  ) -> Bool {
    let before = former.field(field.source ?? field.number)
    guard let reference = field.reference ?? before?.reference else { return false }
    let isDeletable = deleting.contains(reference.record)
    if now == nil { return reference.onDelete == .setNull && (isDeletable || isUnchecked(field, former)) }
    guard let (index, existing) = addedUnique(reference.record).first, addedUnique(reference.record).count == 1,
      !existing.cascades || reference.record == name
    else { return !addedUnique(reference.record).isEmpty }
    // The row that it refers to is equal to the one before, if no other reason has changed them.
    let parents = before.map { _ in self.before[reference.record] ?? [:] } ?? [:]
    guard let table = old.tables[reference.record], index.allSatisfy({ table.field($0)?.reference == nil }),
      let wanted, let now
    else { return true }
    return index.allSatisfy { parents[wanted]?[$0] == parents[now]?[$0] || table.field($0) == nil }
  }

  /// Checks that of equal rows the declared one stays, where nothing else deletes rows.
  private func survivors(_ name: String, _ after: Rows, _ deleting: Set<String>) -> [String] {
    let added = addedUnique(name)
    guard added.count == 1, let (index, existing) = added.first, deleting == [name], let table = new.tables[name],
      index.allSatisfy({ number in old.tables[name]?.field(number).map { $0.reference == nil } ?? false }),
      table.fields.allSatisfy({ $0.reference == nil })
    else { return [] }
    return Self.equal(before[name] ?? [:], index).compactMap { keys in
      let kept = existing.kept == .keepFirst ? keys.first : keys.last
      let found = keys.filter { after[name]?[$0] != nil }
      return found == [kept] ? nil : "\(name): \(found) stay of \(keys)"
    }
  }
}
