import Foundation
import LocalDataShapes
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary
import TestSupport
import Testing

@_spi(Generated) @testable import LocalDataRecords

/// Random histories of releases that replace a field again and again, by a plain or an encrypted one. A model knows each value.
/// A user skips releases, and an extension is older than the app.
struct SealedHistoryTests {
  /// A release: the number of its field, and whether each field is encrypted.
  private struct Release {
    var number: Int
    var isSealed: [Int: Bool]

    /// Each earlier field with its own transform, the newest first. A transform adds the numbers of both fields.
    var declaration: RecordDeclaration {
      let transforms = (2..<number).reversed().map { [isSealed] old in
        let source =
          isSealed[old] == true
          ? RecordTransform.Source(old, sealed: "String") : RecordTransform.Source(old, .text)
        @Sendable func made(_ row: borrowing RecordRow, _ reader: inout WireReader) throws -> String {
          let text = isSealed[old] == true ? try SealedHistoryTests.text(old, &reader) ?? "" : try row.text(0)
          return "\(text) \(old)>\(number)"
        }
        guard isSealed[number] == true else {
          return RecordTransform(number, from: [source]) { row, reader, column in column.text(try made(row, &reader)) }
        }
        return .sealed(number, from: [source]) { row, reader, writer in
          let text = try made(row, &reader)
          writer.text(text, number)
          return text.recordLiteral
        }
      }
      return RecordDeclaration(
        "Note", key: 1,
        [.init(1, "id", .integer)]
          + [isSealed[number] == true ? .init(number, "a.blind", .blindIndex) : .init(number, "a", .text)]
          + [.init(0, "sealed", .sealed)],
        sealed: [.init(100, "String")] + (isSealed[number] == true ? [.init(number, "String", isRequired: true)] : []),
        transforms: transforms)
    }
  }

  private let sealer = RecordSealer(
    database: "notes", keys: [1: SecretBytes(Data(repeating: 7, count: 32))], algorithm: .aes256GCM)

  fileprivate static func text(_ number: Int, _ reader: inout WireReader) throws(StorageProblem) -> String? {
    var text: String?
    while let field = try reader.next() {
      if field.tag == UInt32(number) << 3 | 2 { text = try reader.text() } else { try reader.skip(field) }
    }
    return text
  }

  private static func text(_ number: Int, in message: Data) throws(StorageProblem) -> String? {
    let result: Result<String?, StorageProblem> = message.withUnsafeBytes { bytes in
      var reader = WireReader(bytes)
      do throws(StorageProblem) { return .success(try text(number, &reader)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  @Test(arguments: 0..<80) func everyValueIsMadeFromTheOneBefore(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let sealer = try #require(sealer)
    let encryption = Dictionary(uniqueKeysWithValues: (2..<9).map { ($0, Bool.random(using: &random)) })
    let memory = SQLiteMemory(SQLiteFormat(applicationID: 1, version: 1), patience: .seconds(60)) { _ in }
    var (shape, model, current) = (RecordShape(), [Int64: String](), 0)
    for step in 0..<12 {
      let release = Release(number: Int.random(in: 2..<9, using: &random), isSealed: encryption)
      let declaration = release.declaration
      let merge: RecordMerge
      do throws(RecordMerge.Refusal) { merge = try shape.merging(RecordShape([declaration])) } catch {
        #expect(error.reason == .retired && release.number < current, "seed \(seed), step \(step): \(error)")
        continue
      }
      #expect(release.number >= current, "seed \(seed), step \(step)")
      for (id, text) in model where release.number > current { model[id] = "\(text) \(current)>\(release.number)" }
      (shape, current) = (merge.shape, release.number)
      model[Int64(step)] = "\(step)"
      let expected = model
      try memory.write { (connection) throws(StorageProblem) in
        try Self.run(merge, declaration, sealer, connection)
        try Self.insert(Int64(step), "\(step)", release, sealer, connection)
        let found = try Self.values(release, merge.shape, sealer, connection, "seed \(seed), step \(step)")
        #expect(found == expected, "seed \(seed), step \(step)")
      }
    }
  }

  private static func run(
    _ merge: RecordMerge, _ declaration: RecordDeclaration, _ sealer: RecordSealer, _ connection: SQLiteConnection
  ) throws(StorageProblem) {
    var transformer = RecordTransformer(declaration, merge, sealer, connection)
    for step in merge.steps {
      switch step {
      case .transform, .deleteSealed:
        try transformer?.run()
        transformer = nil
      default: try connection.execute(merge.shape.sql(step))
      }
    }
  }

  /// Inserts a row of a release, with another encrypted field.
  private static func insert(
    _ id: Int64, _ text: String, _ release: Release, _ sealer: RecordSealer, _ connection: SQLiteConnection
  ) throws(StorageProblem) {
    var writer = WireWriter()
    writer.text("kept", 100)
    var value = SQLiteValue.text(text)
    if release.isSealed[release.number] == true {
      writer.text(text, release.number)
      value = try sealer.blindIndex(of: value, record: "Note", field: release.number).map(SQLiteValue.integer) ?? .null
    }
    let key = SQLiteValue.integer(id)
    let sealed = try sealer.seal(Data(writer.bytes), record: "Note", key: key.canonicalBytes ?? Data())
    let column = try name(release, connection)
    try connection.run("INSERT INTO Note (id, \(column), sealed) VALUES (?, ?, ?)", [key, value, .blob(sealed)])
  }

  private static func name(_ release: Release, _ connection: SQLiteConnection) throws(StorageProblem) -> String {
    // Later columns of a name have their number behind it.
    let name = release.isSealed[release.number] == true ? "a.blind" : "a"
    let numbered = "\(name).\(release.number)"
    let isNumbered = try connection.first("SELECT 1 FROM pragma_table_info('Note') WHERE name = ?", [.text(numbered)]) {
      _ in true
    }
    return RecordShape.quoted(isNumbered == nil ? name : numbered)
  }

  /// Returns the values as a release reads them. Nothing else of the earlier fields is left.
  private static func values(
    _ release: Release, _ shape: RecordShape, _ sealer: RecordSealer, _ connection: SQLiteConnection, _ comment: String
  ) throws(StorageProblem) -> [Int64: String] {
    var values: [Int64: String] = [:]
    let column = try name(release, connection)
    try connection.rows("SELECT id, sealed, \(column) FROM Note") { (row) throws(StorageProblem) in
      let key = SQLiteValue.integer(row.integer(0))
      let message = try sealer.open(row.blob(1), record: "Note", key: key.canonicalBytes ?? Data())
      var texts: [Int: String] = [:]
      for number in Array(2..<9) + [100] { texts[number] = try text(number, in: message) }
      #expect(texts.removeValue(forKey: 100) == "kept", "\(comment)")
      if release.isSealed[release.number] == true {
        let text = texts.removeValue(forKey: release.number)
        values[row.integer(0)] = text
        let index = try sealer.blindIndex(of: .text(text ?? ""), record: "Note", field: release.number)
        #expect(row.integer(2) == index, "\(comment)")
      } else {
        values[row.integer(0)] = row.text(2)
      }
      #expect(texts.isEmpty, "\(comment): \(texts.keys)")
      return true
    }
    return values
  }
}
