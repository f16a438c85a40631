import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
package import LocalDataSystem

extension RecordSession {
  package func save<Record: StorageRecord>(_ record: Record, isNew: Bool = false) throws(StorageProblem) {
    let sealer = sealer
    try store(Record.declaration, isNew: isNew, key: { record.id.recordLiteral.value }) {
      (bindings) throws(StorageProblem) in try RecordWriter.bind(record, to: &bindings, sealer: sealer)
    }
  }

  /// Stores a row, whose columns `bind` binds. `bind` returns the encrypted fields that this release does not know.
  private func store(
    _ declaration: RecordDeclaration, isNew: Bool, key: () -> SQLiteValue,
    _ bind: (inout SQLiteBindings) throws(StorageProblem) -> RecordUnknownFields
  ) throws(StorageProblem) {
    let statements = try statements(declaration)
    var unknown = RecordUnknownFields()
    do throws(StorageProblem) {
      let sql = isNew ? statements.insert : statements.save
      let count = try use(changing: true).run(sql) { (bindings) throws(StorageProblem) in unknown = try bind(&bindings)
      }
      // A row that has a key alone may be stored already.
      guard count == 1 || !isNew && count == 0 && statements.columns.count == 1 else { throw .databaseDamaged }
    } catch {
      guard error.code == .alreadyStored, let column = error.field, let number = statements.number(ofColumn: column)
      else {
        throw error
      }
      // The column has the name that the field had first.
      throw .alreadyStored(column: declaration.columns.first { $0.number == number }?.name)
    }
    try setIndexes(statements, unknown, key)
    note(declaration.name)
  }

  /// Sets the blind indexes of fields that only another release declares. The saved record may have another value of such a
  /// field, or none, and another record key may have sealed it before.
  private func setIndexes(
    _ statements: RecordStatements, _ unknown: RecordUnknownFields, _ key: () -> SQLiteValue
  ) throws(StorageProblem) {
    for (index, isRequired, setting) in statements.foreignIndexes {
      let value = try sealer?.blindIndex(index, in: Data(unknown.bytes), record: statements.name, isZero: isRequired)
      try use(changing: true).writeRow(setting, [value.map(SQLiteValue.integer) ?? .null, key()])
    }
  }

  /// Returns the changed record, or `nil` if there is none with this key.
  func update<Record: StorageRecord, Failure: Error>(
    _ id: Record.ID, _ change: (inout Record) throws(Failure) -> Void
  ) throws(StorageProblem) -> Result<Record?, Failure> {
    guard var record: Record = try fetch(id) else { return .success(nil) }
    do throws(Failure) { try change(&record) } catch { return .failure(error) }
    // A save would add a second record. Equal texts may have different Unicode scalars, and be different keys.
    guard record.id.canonicalBytes == id.canonicalBytes else { throw .cannotEncode }
    try save(record)
    // A value may have another form now, for example a date in nanoseconds.
    return .success(try fetch(id))
  }

  package func fetch<Record: StorageRecord>(_ id: Record.ID) throws(StorageProblem) -> Record? {
    var record: Record?
    try row(Record.declaration, id.recordLiteral) { (row) throws(StorageProblem) in record = try Record(row) }
    return record
  }

  /// Calls `read` with the row that has a key, if there is one.
  func row(
    _ declaration: RecordDeclaration, _ key: RecordLiteral, _ read: (borrowing RecordRow) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    let sealer = sealer
    let statements = try statements(declaration)
    let end = statements.retention?.lasting?.end(at: now)
    try use().rows(
      statements.fetch,
      binding: { values in
        values.append(key.value)
        if let end { values.append(end) }
      }
    ) { (row) throws(StorageProblem) in
      try read(RecordRow(row, sealer: sealer))
      return false
    }
  }

  /// Returns the records with some keys, in the order of the keys, as lists do.
  func fetch<Record: StorageRecord>(_ ids: [Record.ID]) throws(StorageProblem) -> [Record] {
    var records: [Record] = []
    for id in ids {
      do throws(StorageProblem) { if let record: Record = try fetch(id) { records.append(record) } } catch {
        try leaveOut(Record.declaration, error)
      }
    }
    return records
  }

  func all<Record: StorageRecord>(_ selection: RecordSelection) throws(StorageProblem) -> [Record] {
    try page(selection).records
  }

  /// A query in SQL.
  private struct Query {
    var sql: String
    var values: [SQLiteValue]
    /// The number of undamaged rows after which the query ends.
    var limit = Int.max
  }

  /// Returns records, and the number of rows that were read for them. These are more if damaged rows are left out.
  func page<Record: StorageRecord>(
    _ selection: RecordSelection
  ) throws(StorageProblem) -> (records: [Record], rows: Int) {
    let query = try query(Record.declaration, selection)
    let name = Record.declaration.name
    let before = damaged[name, default: 0]
    let records: [Record] = try records(query)
    return (records, records.count + damaged[name, default: 0] - before)
  }

  private func query(_ declaration: RecordDeclaration, _ selection: RecordSelection) throws(StorageProblem) -> Query {
    let statements = try statements(declaration)
    var rows = selection
    var limit = Int?.none
    // A damaged row does not count, so SQLite cannot know where to stop.
    if declaration.skipsDamaged, rows.limit ?? 0 > 0 { swap(&rows.limit, &limit) }
    let (sql, values) = try rows.clauses(statements, self, isStable: rows.offset != nil)
    let query = statements.select + sql
    try examine(declaration, selection, query, values)
    return Query(sql: query, values: values, limit: limit ?? .max)
  }

  /// Returns the first record, in the order of the selection, for each value of a column. All rows are read in this order: SQLite
  /// does not know damaged ones, which may be left out.
  func firstOfEach<Record: StorageRecord>(
    _ position: Int, _ selection: RecordSelection
  ) throws(StorageProblem) -> [Record] {
    var records: [Record] = []
    var found: Set<[UInt8]?> = []
    let query = try query(inOrder: selection, Record.declaration)
    let sealer = sealer
    guard query.limit > 0 else { return [] }
    try use().rows(query.sql, query.values) { (row) throws(StorageProblem) in
      let value = SQLiteValue(row, Int32(position)).canonicalBytes.map { Array($0) }
      if found.contains(value) { return true }
      do throws(StorageProblem) {
        records.append(try Record(RecordRow(row, sealer: sealer)))
        found.insert(value)
      } catch { try leaveOut(Record.declaration, error) }
      return records.count < query.limit
    }
    return records
  }

  private func query(
    inOrder selection: RecordSelection, _ declaration: RecordDeclaration
  ) throws(StorageProblem) -> Query {
    let statements = try statements(declaration)
    let (condition, values) = try selection.condition(statements, self)
    let sql = "\(statements.select)\(condition) ORDER BY \(selection.order(statements, isStable: true))"
    // Without a condition, every row is needed.
    if selection.condition != nil { try examine(declaration, selection, sql, values) }
    return Query(sql: sql, values: values, limit: selection.limit ?? .max)
  }

  func count(_ declaration: RecordDeclaration, _ selection: RecordSelection) throws(StorageProblem) -> Int {
    let statements = try statements(declaration)
    let (sql, values) = try selection.clauses(statements, self)
    let query = "SELECT count(*) FROM (SELECT 1 FROM \(statements.table)\(sql))"
    try examine(declaration, selection, query, values)
    if declaration.isBlind(selection) { return try keys(declaration, statements.select + sql, values).count }
    return Int(try use().first(query, values, { $0.integer(0) }) ?? 0)
  }

  func exists(_ declaration: RecordDeclaration, _ selection: RecordSelection) throws(StorageProblem) -> Bool {
    let statements = try statements(declaration)
    let (sql, values) = try selection.clauses(statements, self)
    let query = "SELECT 1 FROM \(statements.table)\(sql)"
    try examine(declaration, selection, query, values)
    if declaration.isBlind(selection) {
      return try !keys(declaration, statements.select + sql, values, isFirst: true).isEmpty
    }
    return try use().first(query, values, { _ in true }) ?? false
  }

  func delete(_ declaration: RecordDeclaration, _ key: RecordLiteral) throws(StorageProblem) -> Bool {
    try delete(declaration, statements(declaration).delete, [key.value]) > 0
  }

  /// Deletes the records of a selection, and returns their number.
  func delete(_ declaration: RecordDeclaration, _ selection: RecordSelection) throws(StorageProblem) -> Int {
    let statements = try statements(declaration)
    let isLimited = selection.limit != nil
    // SQLite's DELETE has no limit.
    let (sql, values) =
      isLimited ? try selection.clauses(statements, self) : try selection.condition(statements, self)
    let rows = isLimited ? " WHERE \(statements.key) IN (SELECT \(statements.key) FROM \(statements.table)\(sql))" : sql
    let statement = "DELETE FROM \(statements.table)\(rows)"
    try examine(declaration, selection, statement, values)
    guard declaration.isBlind(selection) else { return try delete(declaration, statement, values) }
    let keys = try keys(declaration, statements.select + rows, values)
    try use(changing: true).undoneIfThrown { () throws(StorageProblem) in
      for key in keys { _ = try delete(declaration, statements.delete, [key]) }
    }
    return keys.count
  }

  /// Returns the keys of the rows that a query by a blind index finds. Each row is opened, because an index that was copied from
  /// another row finds the wrong one.
  private func keys(
    _ declaration: RecordDeclaration, _ query: String, _ values: [SQLiteValue], isFirst: Bool = false
  ) throws(StorageProblem) -> [SQLiteValue] {
    var keys: [SQLiteValue] = []
    let sealer = sealer
    let part = Int32(declaration.columns.count - 1)
    try use().rows(query, values) { (row) throws(StorageProblem) in
      let key = SQLiteValue(row, 0)
      do throws(StorageProblem) {
        _ = try RecordRow(row, sealer: sealer).opened(part, declaration, key: key.canonicalBytes ?? Data())
        keys.append(key)
      } catch { try leaveOut(declaration, error) }
      return !isFirst || keys.isEmpty
    }
    return keys
  }

  private func delete(
    _ declaration: RecordDeclaration, _ sql: String, _ values: [SQLiteValue]
  ) throws(StorageProblem) -> Int {
    let count = try delete(declaration.name, sql, values)
    if count > 0 { note(declaration.name, .byApp) }
    return count
  }

  private func records<Record: StorageRecord>(_ query: Query) throws(StorageProblem) -> [Record] {
    var records: [Record] = []
    let sealer = sealer
    let limit = query.limit
    try use().rows(query.sql, query.values) { (row) throws(StorageProblem) in
      do throws(StorageProblem) { try Record.append(RecordRow(row, sealer: sealer), to: &records) } catch {
        try leaveOut(Record.declaration, error)
      }
      // The array is not looked at for each row: its type would be looked up.
      return limit == .max || records.count < limit
    }
    return records
  }

  /// Leaves a row that this release cannot read out of a list if the catalog says so. A row whose key cannot be read now stays.
  private func leaveOut(_ declaration: RecordDeclaration, _ fault: StorageProblem) throws(StorageProblem) {
    guard declaration.skipsDamaged else { throw fault }
    switch fault {
    case .corrupted, .authenticationFailed, .cannotDecode, .newerValue: noteDamaged(declaration.name)
    default: throw fault
    }
  }
}

extension RecordDeclaration {
  /// Returns true if a selection compares the blind index of an encrypted field.
  fileprivate func isBlind(_ selection: RecordSelection) -> Bool {
    selection.condition?.columns.contains { columns[$0].storage == .blindIndex } ?? false
  }
}

extension SQLiteValue {
  /// Creates the value of a column.
  init(_ row: SQLiteRow, _ column: Int32) {
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
