import RecordShapes
import SmallFoundation
import StorageSQLite
import StorageSystem

extension RecordSession {
  func save<Record: StorageRecord>(_ record: Record, isNew: Bool = false) throws(StorageFault) {
    let statements = try statements(Record.declaration)
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
    var record: Record?
    try row(Record.declaration, id.recordLiteral) { (row) throws(RecordFault) in record = try Record(row) }
    return record
  }

  /// Calls `read` with the row that has a key, if there is one.
  func row(
    _ declaration: RecordDeclaration, _ key: RecordLiteral, _ read: (borrowing RecordRow) throws(RecordFault) -> Void
  ) throws(StorageFault) {
    let sealer = sealer
    let statements = try statements(declaration)
    let end = statements.retention?.lasting?.end(at: now)
    try use().rows(
      statements.fetch,
      binding: { values in
        values.append(key.value)
        if let end { values.append(end) }
      }
    ) { (row) throws(StorageFault) in
      do throws(RecordFault) { try read(RecordRow(row, sealer: sealer)) } catch { throw error.fault }
      return false
    }
  }

  /// Returns the records with some keys, in the order of the keys, as lists do.
  func fetch<Record: StorageRecord>(_ ids: [Record.ID]) throws(StorageFault) -> [Record] {
    var records: [Record] = []
    for id in ids {
      do throws(StorageFault) { if let record: Record = try fetch(id) { records.append(record) } } catch {
        try leaveOut(Record.declaration, error)
      }
    }
    return records
  }

  func all<Record: StorageRecord>(_ selection: RecordSelection) throws(StorageFault) -> [Record] {
    try page(selection).records
  }

  /// Returns records, and the number of rows that were read for them. These are more if damaged rows are left out.
  func page<Record: StorageRecord>(
    _ selection: RecordSelection
  ) throws(StorageFault) -> (records: [Record], rows: Int) {
    let statements = try statements(Record.declaration)
    var (rows, limit) = (selection, Int?.none)
    // A damaged row does not count, so SQLite cannot know where to stop.
    if Record.declaration.skipsDamaged, rows.limit ?? 0 > 0 { swap(&rows.limit, &limit) }
    let (sql, values) = try rows.clauses(statements, self, isStable: rows.offset != nil)
    let query = statements.select + sql
    try examine(Record.self, selection, query, values)
    let before = damaged[statements.name, default: 0]
    let records: [Record] = try records(query, values, upTo: limit ?? .max)
    return (records, records.count + damaged[statements.name, default: 0] - before)
  }

  /// Returns the first record, in the order of the selection, for each value of a column.
  func firstOfEach<Record: StorageRecord>(
    _ position: Int, _ selection: RecordSelection
  ) throws(StorageFault) -> [Record] {
    if Record.declaration.skipsDamaged { return try firstUndamagedOfEach(position, selection) }
    let statements = try statements(Record.declaration)
    var (sql, values) = try selection.condition(statements, self)
    let order = selection.order(statements, isStable: true)
    let column = RecordShape.quoted(statements.columns[position])
    sql = """
      SELECT \(statements.list) FROM (SELECT *, row_number() OVER (PARTITION BY \(column) ORDER BY \(order)) \
      AS "local_data.row" FROM \(statements.table)\(sql)) WHERE "local_data.row" = 1 ORDER BY \(order)
      """
    if let limit = selection.limit {
      sql += " LIMIT ?"
      values.append(.integer(Int64(max(limit, 0))))
    }
    // Without a condition, every row is needed.
    if selection.condition != nil { try examine(Record.self, selection, sql, values) }
    return try records(sql, values)
  }

  /// Returns the first record that is not damaged, in the order of the selection, for each value of a column.
  private func firstUndamagedOfEach<Record: StorageRecord>(
    _ position: Int, _ selection: RecordSelection
  ) throws(StorageFault) -> [Record] {
    let limit = selection.limit ?? .max
    guard limit > 0 else { return [] }
    let statements = try statements(Record.declaration)
    let (condition, values) = try selection.condition(statements, self)
    let order = selection.order(statements, isStable: true)
    var (records, found): ([Record], Set<Data?>) = ([], [])
    let sealer = sealer
    let query = "\(statements.select)\(condition) ORDER BY \(order)"
    if selection.condition != nil { try examine(Record.self, selection, query, values) }
    try use().rows(query, values) { (row) throws(StorageFault) in
      let value = SQLiteValue(row, Int32(position)).canonicalBytes
      if found.contains(value) { return true }
      do throws(RecordFault) {
        records.append(try Record(RecordRow(row, sealer: sealer)))
        found.insert(value)
      } catch { try leaveOut(Record.declaration, error.fault) }
      return records.count < limit
    }
    return records
  }

  func count<Record: StorageRecord>(_ type: Record.Type, _ selection: RecordSelection) throws(StorageFault) -> Int {
    let statements = try statements(Record.declaration)
    let (sql, values) = try selection.clauses(statements, self)
    let query = "SELECT count(*) FROM (SELECT 1 FROM \(statements.table)\(sql))"
    try examine(Record.self, selection, query, values)
    return Int(try use().first(query, values, { $0.integer(0) }) ?? 0)
  }

  func exists<Record: StorageRecord>(_ type: Record.Type, _ selection: RecordSelection) throws(StorageFault) -> Bool {
    let statements = try statements(Record.declaration)
    let (sql, values) = try selection.clauses(statements, self)
    let query = "SELECT 1 FROM \(statements.table)\(sql)"
    try examine(Record.self, selection, query, values)
    return try use().first(query, values, { _ in true }) ?? false
  }

  func delete<Record: StorageRecord>(_ type: Record.Type, _ id: Record.ID) throws(StorageFault) -> Bool {
    let statements = try statements(Record.declaration)
    return try delete(type, statements.delete, [id.recordLiteral.value]) > 0
  }

  /// Deletes the records of a selection, and returns their number.
  func delete<Record: StorageRecord>(_ type: Record.Type, _ selection: RecordSelection) throws(StorageFault) -> Int {
    let statements = try statements(Record.declaration)
    let isLimited = selection.limit != nil
    // SQLite's DELETE has no limit.
    let (sql, values) =
      isLimited ? try selection.clauses(statements, self) : try selection.condition(statements, self)
    let rows = isLimited ? " WHERE \(statements.key) IN (SELECT \(statements.key) FROM \(statements.table)\(sql))" : sql
    let statement = "DELETE FROM \(statements.table)\(rows)"
    try examine(Record.self, selection, statement, values)
    return try delete(Record.self, statement, values)
  }

  private func delete<Record: StorageRecord>(
    _ type: Record.Type, _ sql: String, _ values: [SQLiteValue]
  ) throws(StorageFault) -> Int {
    let count = try use(changing: true).run(sql, values)
    if count > 0 { note(Record.declaration.name, .byApp) }
    return count
  }

  private func records<Record: StorageRecord>(
    _ sql: String, _ values: [SQLiteValue], upTo limit: Int = .max
  ) throws(StorageFault) -> [Record] {
    var records: [Record] = []
    let sealer = sealer
    try use().rows(sql, values) { (row) throws(StorageFault) in
      do throws(RecordFault) { try Record.append(RecordRow(row, sealer: sealer), to: &records) } catch {
        try leaveOut(Record.declaration, error.fault)
      }
      // The array is not looked at for each row: its type would be looked up.
      return limit == .max || records.count < limit
    }
    return records
  }

  /// Leaves a damaged row out of a list if the catalog says so. A row whose key cannot be read now is not damaged.
  private func leaveOut(_ declaration: RecordDeclaration, _ fault: StorageFault) throws(StorageFault) {
    guard declaration.skipsDamaged, fault == .corrupted || fault == .authenticationFailed else { throw fault }
    noteDamaged(declaration.name)
  }
}

extension SQLiteValue {
  /// Creates the value of a column.
  fileprivate init(_ row: SQLiteRow, _ column: Int32) {
    self =
      switch row.form(column) {
      case .integer: .integer(row.integer(column))
      case .real: .real(row.real(column))
      case .text: .text(row.text(column) ?? "")
      case .blob: .blob(row.blob(column))
      case .null: .null
      }
  }
}
