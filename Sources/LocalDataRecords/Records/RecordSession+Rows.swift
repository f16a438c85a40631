import SmallFoundation
import StorageSQLite
import StorageSystem

extension RecordSession {
  func save<Record: StorageRecord>(_ record: Record, isNew: Bool = false) throws(StorageFault) {
    let statements = try tables.statements(Record.declaration)
    let (connection, sealer) = (try use(changing: true), sealer)
    var unknown = RecordUnknownFields()
    do throws(StorageFault) {
      try connection.run(isNew ? statements.insert : statements.save) { (bindings) throws(StorageFault) in
        unknown = try RecordWriter.bind(record, to: &bindings, sealer: sealer)
      }
    } catch {
      guard case .alreadyStored(let column?) = error, let number = statements.number(ofColumn: column) else {
        throw error
      }
      // The column has the name that the field had first.
      throw .alreadyStored(column: Record.declaration.columns.first { $0.number == number }?.name)
    }
    if !isNew { try clearIndexes(of: record, statements, unknown) }
    note(Record.declaration.name)
  }

  /// Clears the blind indexes of a newer release whose fields the saved record does not have any more. A query by such an
  /// index would find the record by its former value.
  private func clearIndexes<Record: StorageRecord>(
    of record: Record, _ statements: RecordStatements, _ unknown: RecordUnknownFields
  ) throws(StorageFault) {
    for index in statements.foreignIndexes {
      do throws(RecordFault) { if try unknown.contains(index.number) { continue } } catch { throw error.fault }
      try use(changing: true).run(index.clearing, [record.id.recordLiteral.value])
    }
  }

  /// Returns the changed record, or `nil` if there is none with this key.
  func update<Record: StorageRecord, Failure: Error>(
    _ id: Record.ID, _ change: (inout Record) throws(Failure) -> Void
  ) throws(StorageFault) -> Result<Record?, Failure> {
    guard var record: Record = try fetch(id) else { return .success(nil) }
    do throws(Failure) { try change(&record) } catch { return .failure(error) }
    // A save would add a second record. Equal texts may have different Unicode scalars, and be different keys.
    guard record.id.canonicalBytes == id.canonicalBytes else { throw .cannotEncode }
    try save(record)
    return .success(record)
  }

  func fetch<Record: StorageRecord>(_ id: Record.ID) throws(StorageFault) -> Record? {
    let statements = try tables.statements(Record.declaration)
    let sealer = sealer
    return try use().first(statements.fetch, [id.recordLiteral.value]) { (row) throws(StorageFault) in
      do throws(RecordFault) { return try Record(RecordRow(row, sealer: sealer)) } catch { throw error.fault }
    }
  }

  func all<Record: StorageRecord>(_ selection: RecordSelection<Record>) throws(StorageFault) -> [Record] {
    let statements = try tables.statements(Record.declaration)
    let (sql, values) = try selection.clauses(statements, self, isStable: selection.offset != nil)
    return try records(statements.select + sql, values)
  }

  /// Returns the first record, in the order of the selection, for each value of a column.
  func firstOfEach<Record: StorageRecord>(
    _ position: Int, _ selection: RecordSelection<Record>
  ) throws(StorageFault) -> [Record] {
    let statements = try tables.statements(Record.declaration)
    var (sql, values) = try selection.condition(statements, self)
    let order = selection.order(statements, isStable: true)
    let column = statements.columns[position].quotedAsName
    sql = """
      SELECT \(statements.list) FROM (SELECT *, row_number() OVER (PARTITION BY \(column) ORDER BY \(order)) \
      AS "local_data.row" FROM \(statements.table)\(sql)) WHERE "local_data.row" = 1 ORDER BY \(order)
      """
    if let limit = selection.limit {
      sql += " LIMIT ?"
      values.append(.integer(Int64(max(limit, 0))))
    }
    return try records(sql, values)
  }

  func count<Record: StorageRecord>(_ selection: RecordSelection<Record>) throws(StorageFault) -> Int {
    let statements = try tables.statements(Record.declaration)
    let (sql, values) = try selection.clauses(statements, self)
    let query = "SELECT count(*) FROM (SELECT 1 FROM \(statements.table)\(sql))"
    return Int(try use().first(query, values, { $0.integer(0) }) ?? 0)
  }

  func exists<Record: StorageRecord>(_ selection: RecordSelection<Record>) throws(StorageFault) -> Bool {
    let statements = try tables.statements(Record.declaration)
    let (sql, values) = try selection.clauses(statements, self)
    return try use().first("SELECT 1 FROM \(statements.table)\(sql)", values, { _ in true }) ?? false
  }

  func delete<Record: StorageRecord>(_ type: Record.Type, _ id: Record.ID) throws(StorageFault) -> Bool {
    let statements = try tables.statements(Record.declaration)
    return try delete(type, statements.delete, [id.recordLiteral.value]) > 0
  }

  /// Deletes the records of a selection, and returns their number.
  func delete<Record: StorageRecord>(_ selection: RecordSelection<Record>) throws(StorageFault) -> Int {
    let statements = try tables.statements(Record.declaration)
    let isLimited = selection.limit != nil
    // SQLite's DELETE has no limit.
    let (sql, values) =
      isLimited ? try selection.clauses(statements, self) : try selection.condition(statements, self)
    let rows = isLimited ? " WHERE \(statements.key) IN (SELECT \(statements.key) FROM \(statements.table)\(sql))" : sql
    return try delete(Record.self, "DELETE FROM \(statements.table)\(rows)", values)
  }

  private func delete<Record: StorageRecord>(
    _ type: Record.Type, _ sql: String, _ values: [SQLiteValue]
  ) throws(StorageFault) -> Int {
    let count = try use(changing: true).run(sql, values)
    if count > 0 { note(Record.declaration.name, isDeletion: true) }
    return count
  }

  private func records<Record: StorageRecord>(
    _ sql: String, _ values: [SQLiteValue]
  ) throws(StorageFault) -> [Record] {
    var records: [Record] = []
    let sealer = sealer
    try use().rows(sql, values) { (row) throws(StorageFault) in
      do throws(RecordFault) { records.append(try Record(RecordRow(row, sealer: sealer))) } catch { throw error.fault }
      return true
    }
    return records
  }
}
