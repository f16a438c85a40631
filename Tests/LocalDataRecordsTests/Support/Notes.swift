@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// The table of ``Note``, with rows that SQL has inserted.
struct Notes {
  let database: TestDatabase

  init(texts: [String] = []) throws {
    database = try TestDatabase(
      """
      CREATE TABLE Note (id BLOB NOT NULL PRIMARY KEY, text TEXT, title TEXT, count INTEGER, createdAt REAL,
        endsAt REAL, kind TEXT, "owner.blind" INTEGER) STRICT;
      CREATE INDEX byText ON Note (text)
      """)
    for text in texts { try insert(text: text) }
  }

  func insert(
    id: UUID = UUID(), text: String = "", count: Int32 = 0, endsAt: Date? = nil, kind: Note.Kind = .draft
  ) throws {
    try database.connection.run(
      "INSERT INTO Note (id, text, count, endsAt, kind) VALUES (?, ?, ?, ?, ?)",
      [id.recordLiteral, text.recordLiteral, count.recordLiteral, endsAt.recordLiteral, kind.recordLiteral]
        .map(\.value))
  }

  var name: (Int) -> String { { Note.declaration.columns[$0].name } }

  func count(_ condition: RecordPredicate<Note>) throws -> Int { try select("id", condition) { _ in }.count }

  func counts(_ condition: RecordPredicate<Note>) throws -> [Int32] {
    try select("count", condition) { Int32(truncatingIfNeeded: $0.integer(0)) }.sorted()
  }

  func texts(_ condition: RecordPredicate<Note>) throws -> Set<[Unicode.Scalar]> {
    try Set(select("text", condition) { Array(($0.text(0) ?? "").unicodeScalars) })
  }

  private func select<Value>(
    _ column: String, _ condition: RecordPredicate<Note>, _ read: (SQLiteRow) -> Value
  ) throws -> [Value] {
    let (sql, values) = try condition.condition.sql(name, blindIndexes: { _, _ in [0] })
    var result: [Value] = []
    try database.connection.rows("SELECT \(column) FROM Note WHERE \(sql)", values) { row in
      result.append(read(row))
      return true
    }
    return result
  }
}
