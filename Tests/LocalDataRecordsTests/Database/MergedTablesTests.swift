import LocalDataShapes
import LocalDataSQLite
import LocalDataSystem
import TestSupport
import Testing

@_spi(Generated) @testable import LocalDataRecords

/// Random histories of releases on SQLite, with a model of the values beside it. A field that is made from another one has its
/// value and its own number behind it.
struct MergedTablesTests {
  @Test(arguments: 0..<60) func everyReleaseReadsItsValues(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let releases = Self.releases(&random)
    var (shape, model) = (RecordShape(), [Int: [Int: String]]())
    let memory = SQLiteMemory(SQLiteFormat(applicationID: 1, version: 1), patience: .seconds(60)) { _ in }
    for step in 0..<15 {
      let release = releases[Int.random(in: releases.indices, using: &random)]
      let merge: RecordMerge
      do throws(RecordMerge.Refusal) { merge = try shape.merging(RecordShape(records: ["Note": release])) } catch {
        #expect(release != releases.last, "seed \(seed), step \(step)")
        continue
      }
      let before = shape.records["Note"]?.columns ?? [:]
      let record = try #require(merge.shape.records["Note"])
      for (number, column) in record.columns where before[number] == nil && !before.isEmpty {
        for row in model.keys { model[row]?[number] = column.defaultValue.map { String($0.dropFirst().dropLast()) } }
      }
      for step in merge.steps {
        switch step {
        case .transform(_, let number, from: let sources):
          for (row, values) in model { model[row]?[number] = values[sources[0]].map { "\($0)>\(number)" } }
        case .deleteValues(_, let number): for row in model.keys { model[row]?[number] = nil }
        default: break
        }
      }
      shape = merge.shape
      let row = Int.random(in: 0..<5, using: &random)
      var values =
        model[row] ?? record.columns.compactMapValues { $0.defaultValue.map { String($0.dropFirst().dropLast()) } }
      for number in release.order { values[number] = number == 1 ? "\(row)" : "\(step).\(number)" }
      model[row] = values
      let (written, expected) = (values, model)
      try memory.write { (connection) throws(StorageProblem) in
        try Self.run(merge, release, connection)
        let statements = try connection.statements()
        #expect(merge.shape.isShape(of: statements), "seed \(seed), step \(step): \(statements)")
        try Self.save(written, release, record, connection)
        try Self.check(expected, release, record, connection, "seed \(seed), step \(step)")
      }
    }
  }

  /// Runs the steps as the runtime does.
  private static func run(
    _ merge: RecordMerge, _ release: RecordShape.Record, _ connection: SQLiteConnection
  ) throws(StorageProblem) {
    let transforms = release.sources.flatMap { number, groups in
      groups.map { group in
        RecordTransform(number, from: group.map { .init($0.number, .text, isOptional: true) }) { row, _, column in
          column.text((row.isNull(0) ? nil : try row.text(0)).map { "\($0)>\(number)" })
        }
      }
    }
    var transformer = RecordTransformer(
      RecordDeclaration("Note", key: 1, [], transforms: transforms), merge, nil, connection)
    for step in merge.steps {
      guard case .transform = step else {
        try connection.execute(merge.shape.sql(step))
        continue
      }
      try transformer?.run()
      transformer = nil
    }
  }

  private static func names(_ release: RecordShape.Record, _ record: RecordShape.Record) -> [String] {
    release.order.map { RecordShape.quoted(record.columns[$0]?.name ?? "") }
  }

  private static func save(
    _ values: [Int: String], _ release: RecordShape.Record, _ record: RecordShape.Record, _ connection: SQLiteConnection
  ) throws(StorageProblem) {
    let names = names(release, record)
    let updates = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    try connection.run(
      "INSERT INTO Note (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) "
        + "ON CONFLICT (id) DO UPDATE SET \(updates)", release.order.map { .text(values[$0] ?? "") })
  }

  private static func check(
    _ model: [Int: [Int: String]], _ release: RecordShape.Record, _ record: RecordShape.Record,
    _ connection: SQLiteConnection, _ comment: String
  ) throws(StorageProblem) {
    var count = 0
    try connection.rows("SELECT \(names(release, record).joined(separator: ", ")) FROM Note") {
      row throws(StorageProblem) in
      count += 1
      let expected = model[Int(row.text(0) ?? "") ?? -1] ?? [:]
      for (position, number) in release.order.enumerated() {
        #expect(row.text(Int32(position)) == expected[number], "\(comment), number \(number)")
      }
      return true
    }
    #expect(count == model.count, "\(comment)")
  }

  /// Releases that add, rename and reserve fields.
  private static func releases(_ random: inout SeededRandom) -> [RecordShape.Record] {
    var (release, last, releases) = (
      RecordShape.Record(key: 1, columns: [1: .init("id", "TEXT")]), 1, [RecordShape.Record]()
    )
    for _ in 0..<Int.random(in: 3...6, using: &random) {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let field = release.columns.keys.filter { $0 != 1 }.sorted().randomElement(using: &random)
        let name = "a\(Int.random(in: 0..<4, using: &random))"
        switch (Int.random(in: 0..<5, using: &random), field) {
        case (0, let field?): release.columns[field]?.name = name
        case (1, let field?) where Bool.random(using: &random):
          // Another number for the field, whose values it is made from.
          guard let column = release.columns.removeValue(forKey: field) else { continue }
          last += 1
          release.columns[last] = .init(column.name, column.type)
          release.sources[last] =
            [[.init(field, column: "TEXT", isOptional: true)]] + (release.sources.removeValue(forKey: field) ?? [])
          release.reserved[field] = .keep
          release.required.removeAll { $0 == field }
          release.indexes.removeAll { $0.contains(field) }
        case (1, let field?):
          release.columns[field] = nil
          release.sources[field] = nil
          release.required.removeAll { $0 == field }
          release.indexes.removeAll { $0.contains(field) }
          release.reserved[field] = RecordShape.Cleanup.allCases.randomElement(using: &random)
        case (2, let field?) where !release.indexes.contains([field]): release.indexes.append([field])
        default:
          last += 1
          let hasDefault = Bool.random(using: &random)
          release.columns[last] = .init(name, "TEXT", default: hasDefault ? "'none'" : nil)
          if !hasDefault, Bool.random(using: &random) { release.required.append(last) }
        }
      }
      releases.append(release)
    }
    return releases
  }
}
