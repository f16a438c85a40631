package import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary

/// The tables of a file, with the names that its columns have, as the statements of the declared records use them.
package final class RecordTables: Sendable {
  /// The identity of the ``RecordFile`` whose declarations the statements serve.
  final class Owner: Sendable {}

  let owner: Owner
  /// The recorded text of the shape.
  let text: String
  package let shape: RecordShape
  /// The records whose deletion may be followed by others without end.
  let chained: Set<String>
  private let statements: [ObjectIdentifier: RecordStatements]
  /// The plans of statements that were asked for.
  private let plans = Lock<[String: [String]]>([:])
  /// The views through which SQL of the app reads the tables.
  let views: Deferred<[String]>
  /// The statements of the records that are not kept until they are deleted.
  let retained: [RecordStatements]

  init(_ text: String, _ shape: RecordShape, _ declarations: [RecordDeclaration], _ owner: Owner) {
    self.text = text
    self.shape = shape
    self.owner = owner
    chained = shape.chained
    var statements: [ObjectIdentifier: RecordStatements] = [:]
    for declaration in declarations {
      let record = shape.records[declaration.name]
      statements[ObjectIdentifier(declaration)] = record.map { RecordStatements(declaration, $0) }
    }
    self.statements = statements
    retained = declarations.compactMap { statements[ObjectIdentifier($0)] }.filter { $0.retention != nil }
    views = Deferred {
      declarations.map { shape.view(of: $0.name, RecordShape.Record($0), maxAge: $0.retention.maxAge) }
    }
  }

  /// Returns the statements of a record.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if the database does not declare it.
  func statements(_ declaration: RecordDeclaration) throws(StorageProblem) -> RecordStatements {
    guard let statements = statements[ObjectIdentifier(declaration)] else { throw .databaseDamaged }
    return statements
  }

  /// Returns the steps by which a statement finds its rows.
  func plan(
    of sql: String, _ values: [SQLiteValue], on connection: SQLiteConnection
  ) throws(StorageProblem) -> [String] {
    if let known = plans.withLock({ $0[sql] }) { return known }
    let steps = try connection.plan(of: sql, values)
    plans.withLock { $0[sql] = steps }
    return steps
  }

  /// Returns a record and the records that change when its rows are deleted.
  func affected(by name: String) -> Set<String> {
    var affected = Set([name])
    var next = [name]
    while let parent = next.popLast() {
      for (child, record) in shape.records where !affected.contains(child) {
        let refers = record.references.values.contains { $0.record == parent && $0.onDelete != .restrict }
        if refers {
          affected.insert(child)
          next.append(child)
        }
      }
    }
    return affected
  }
}

/// The statements of one record. Each names every column, so that the columns of other releases keep their values.
package final class RecordStatements: Sendable {
  /// The stored name of the record.
  let name: String
  /// The names in the file, in the order of the declared columns.
  package let columns: [String]
  private let numbers: [Int]
  /// The names as SQL writes them.
  package let table, key, list: String
  let insert, save, select, fetch, delete: String
  /// A name for the number that SQLite gives each row.
  package let rowNumber: String
  let retention: RecordRetention?
  /// The blind indexes of encrypted fields that the release does not declare, and the statements that set them. There are none
  /// if the release has no encrypted fields: it keeps those of the row.
  let foreignIndexes: [(index: BlindIndex, isRequired: Bool, setting: String)]

  init(_ declaration: RecordDeclaration, _ record: RecordShape.Record) {
    name = declaration.name
    numbers = declaration.columns.map(\.number)
    rowNumber = record.rowNumber
    columns = declaration.columns.map { record.columns[$0.number]?.name ?? $0.name }
    let quoted = columns.map { RecordShape.quoted($0) }
    // Without the schema it would be the view of the record.
    table = "main." + RecordShape.quoted(declaration.name)
    key = RecordShape.quoted(record.columns[record.key]?.name ?? "")
    list = quoted.joined(separator: ", ")
    insert = "INSERT INTO \(table) (\(list)) VALUES (\(quoted.map { _ in "?" }.joined(separator: ", ")))"
    let updates = quoted.filter { [key] in $0 != key }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    save = "\(insert) ON CONFLICT (\(key)) DO " + (updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates)")
    select = "SELECT \(list) FROM \(table)"
    retention = declaration.retention.map { RecordRetention($0, declaration.name, record) }
    fetch = "\(select) WHERE \(key) = ?" + (retention?.lasting.map { " AND \($0.condition)" } ?? "")
    delete = "DELETE FROM \(table) WHERE \(key) = ?"
    let indexes = declaration.sealed.isEmpty ? [] : record.blindIndexes
    foreignIndexes = indexes.filter { [numbers] in !numbers.contains($0.number) }.map { [table, key] index in
      let isRequired = record.required.contains(index.number) && !record.retired.contains(index.number)
      return (index, isRequired, "UPDATE \(table) SET \(index.column) = ? WHERE \(key) = ?")
    }
  }

  /// Returns the number of the field that a column of the file belongs to.
  func number(ofColumn name: String) -> Int? { columns.firstIndex(of: name).map { numbers[$0] } }
}
