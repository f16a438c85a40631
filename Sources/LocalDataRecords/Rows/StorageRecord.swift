public import LocalDataSystem

/// A row of a table in a database. The generator emits one struct for each record of a catalog.
///
/// ```swift
/// try await router.credentials.save(degree)
/// let one: Credential? = try await router.credentials.fetch(id: "urn:1")
/// ```
public protocol StorageRecord: Sendable, Hashable, Identifiable where ID: RecordKey {
  /// The database that the record is stored in.
  associatedtype Database: RecordDatabase
  /// The columns that queries can compare and sort by. An encrypted field has none.
  associatedtype Columns: Sendable

  /// The table of the record.
  static var declaration: RecordDeclaration { get }
  /// The columns that queries can compare and sort by.
  static var columns: Columns { get }

  /// Creates a record from a row.
  ///
  /// - Throws: ``StorageProblem`` if the row does not contain the values of the record.
  init(_ row: borrowing RecordRow) throws(StorageProblem)
  /// Reads a record from a row, and appends it to an array. The default is compiled for each record in the app.
  ///
  /// - Throws: ``StorageProblem`` if the row does not contain the values of the record.
  static func append(_ row: borrowing RecordRow, to records: inout [Self]) throws(StorageProblem)
  /// Writes the values to a row, in the order of the columns.
  ///
  /// - Throws: ``StorageProblem`` if a value cannot be stored.
  func write(to row: inout RecordWriter) throws(StorageProblem)
}

extension StorageRecord {
  /// Reads a record from a row, and appends it to an array.
  ///
  /// - Throws: ``StorageProblem`` if the row does not contain the values of the record.
  @inlinable public static func append(_ row: borrowing RecordRow, to records: inout [Self]) throws(StorageProblem) {
    // Each growth copies the records to new pages. Arrays grow by two otherwise.
    if records.count == records.capacity { records.reserveCapacity(max(16, 4 * records.count)) }
    records.append(try Self(row))
  }
}

/// A database of records. The generator emits one type for each database of a catalog.
public protocol RecordDatabase: Sendable {
  /// The file of the database, its protection, and its records.
  static var declaration: RecordDatabaseDeclaration { get }
}
