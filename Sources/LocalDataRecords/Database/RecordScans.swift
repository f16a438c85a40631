import LocalData
import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary

/// The queries of a router that read every row of a record, although they ask for some of them: no index serves them.
///
/// Nothing is examined unless calls are logged or a test refuses such queries. SQLite is asked once for each statement.
final class RecordScans: Sendable {
  private let log: StorageLog
  private let domain: StorageDomain.Kind
  private let isRefused: @Sendable () -> Bool

  init(_ log: StorageLog, _ domain: StorageDomain.Kind, isRefused: @escaping @Sendable () -> Bool) {
    self.log = log
    self.domain = domain
    self.isRefused = isRefused
  }

  /// A Boolean value that indicates whether calls are logged, or a test refuses queries that read every row.
  var isAsked: Bool { log.isOn || isRefused() }

  /// Logs a query that reads every row.
  ///
  /// - Parameters:
  ///   - record: The name of the record.
  ///   - fields: The names of the fields without an index.
  /// - Throws: ``StorageProblem/refusedScan(fields:)`` if a test refuses it.
  func report(_ record: String, _ fields: [String]) throws(StorageProblem) {
    let fields = fields.joined(separator: ", ")
    log.report(.scan, StorageError.Subject(key: record, domain: domain).field(fields))
    if isRefused() { throw .refusedScan(fields: fields) }
  }
}

extension RecordSession {
  /// Reports a query if it reads every row.
  func examine(
    _ declaration: RecordDeclaration, _ selection: RecordSelection, _ sql: String, _ values: [SQLiteValue]
  ) throws(StorageProblem) {
    guard let scans, scans.isAsked else { return }
    let positions = selection.neededColumns
    guard !positions.isEmpty else { return }
    // The table with its schema, as the statements name it.
    let table = "SCAN main.\(declaration.name)"
    let isScan = try tables.plan(of: sql, values, on: use()).contains { step in
      if selection.condition == nil { return step == "USE TEMP B-TREE FOR ORDER BY" }
      return step == table || step.hasPrefix(table + " ")
    }
    if isScan { try scans.report(declaration.name, declaration.withoutIndex(positions)) }
  }
}

extension RecordSelection {
  /// The positions of the columns that an index should serve: those of the condition, and of the order if there is a limit.
  fileprivate var neededColumns: Set<Int> {
    let ordered = limit == nil ? [] : orders.map(\.position)
    return (condition?.columns ?? []).union(ordered)
  }
}

extension RecordDeclaration {
  /// Returns the names of the fields that no index begins with. If there are none, no index can serve the comparison, and
  /// all names are returned.
  fileprivate func withoutIndex(_ positions: Set<Int>) -> [String] {
    let indexed = Set((indexes + unique).compactMap(\.first) + [key])
    let all = positions.inOrder.map { columns[$0] }
    let missing = all.filter { !indexed.contains($0.number) }
    return (missing.isEmpty ? all : missing).map(\.fieldName)
  }
}

extension RecordDeclaration.Column {
  /// The declared name of the field. That of a blind index is the beginning of the column's name.
  fileprivate var fieldName: String { storage == .blindIndex ? String(name.prefix { $0 != "." }) : name }
}
