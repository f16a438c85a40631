@_spi(Generated) @testable import LocalDataRecords
import LocalDataShapes
import LocalDataSQLite
import LocalDataSystem

/// The table of a record, in a database of one test.
struct RecordTable<Record: StorageRecord> {
  let database: TestDatabase
  var sealer: RecordSealer?

  private static var name: String { Record.declaration.name }

  init(sealer: RecordSealer? = nil) throws {
    let columns = Record.declaration.columns.map { column in
      let type =
        switch column.storage {
        case .text: "TEXT"
        case .integer, .blindIndex: "INTEGER"
        case .real: "REAL"
        case .blob, .sealed: "BLOB"
        }
      return
        "\(RecordShape.quoted(column.name)) \(type)\(column.number == Record.declaration.key ? " NOT NULL PRIMARY KEY" : "")"
    }
    database = try TestDatabase("CREATE TABLE \(Self.name) (\(columns.joined(separator: ", "))) STRICT")
    self.sealer = sealer
  }

  func insert(_ record: Record) throws(StorageProblem) {
    let places = Record.declaration.columns.map { _ in "?" }.joined(separator: ", ")
    try database.connection.run("INSERT INTO \(Self.name) VALUES (\(places))") { (bindings) throws(StorageProblem) in
      try RecordWriter.bind(record, to: &bindings, sealer: sealer)
    }
  }

  func all() throws(StorageProblem) -> [Record] {
    var records: [Record] = []
    try database.connection.rows("SELECT * FROM \(Self.name) ORDER BY rowid") { (row) throws(StorageProblem) in
      let row = RecordRow(row, sealer: sealer)
      records.append(try Record(row))
      return true
    }
    return records
  }

  func execute(_ sql: String, _ values: [SQLiteValue] = []) throws { try database.connection.run(sql, values) }
}
