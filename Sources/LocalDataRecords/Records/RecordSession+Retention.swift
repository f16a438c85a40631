import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

extension RecordSession {
  /// Deletes the rows that are too old.
  func deleteEnded() throws(StorageProblem) {
    for record in tables.retained {
      guard let lasting = record.retention?.lasting else { continue }
      try delete(record, lasting.deletion, [lasting.end(at: now)])
    }
  }

  /// Deletes the rows of stored records that are not among the newest ones.
  ///
  /// - Parameter isOfAll: True for all records, and not only for those that this transaction has stored.
  func deleteSurplus(ofAll isOfAll: Bool = false) throws(StorageProblem) {
    for record in tables.retained where isOfAll || saved.contains(record.name) {
      guard let newest = record.retention?.newest else { continue }
      try delete(record, newest.deletion, [.integer(newest.count)])
    }
  }

  /// Returns true if there are rows to delete.
  func hasEnded() throws(StorageProblem) -> Bool {
    for retention in tables.retained.compactMap(\.retention) {
      if let lasting = retention.lasting, try isAny(lasting.search, [lasting.end(at: now)]) { return true }
      if let newest = retention.newest, try isAny(newest.search, [.integer(newest.count)]) { return true }
    }
    return false
  }

  /// Deletes the rows that are kept until the app is launched again, if no other call of this launch has done it.
  func begin(_ launch: ProcessLaunch) throws(StorageProblem) {
    let connection = try use(changing: true)
    let recorded = try connection.first("SELECT value FROM local_data WHERE name = 'launch'", []) { $0.text(0) }
    guard recorded ?? nil != launch.id.uuidString else { return }
    for record in tables.retained where record.retention?.endsAtRelaunch == true {
      try delete(record, "DELETE FROM \(record.table)", [])
    }
    try connection.run("INSERT OR REPLACE INTO local_data VALUES ('launch', ?)", [.text(launch.id.uuidString)])
  }

  private func isAny(_ sql: String, _ values: [SQLiteValue]) throws(StorageProblem) -> Bool {
    try use().first(sql, values, { _ in true }) ?? false
  }

  private func delete(
    _ record: RecordStatements, _ sql: String, _ values: [SQLiteValue]
  ) throws(StorageProblem) {
    do throws(StorageProblem) {
      let count = try use(changing: true).undoneIfThrown { () throws(StorageProblem) in
        try delete(record.name, sql, values)
      }
      if count > 0 { note(record.name, .byRetention) }
    } catch {
      // The call of the app must not fail because of rows that it does not use. For example, a record that only another release
      // declares may refer to one of them.
      guard try use().isInTransaction else { throw error }
      undeleted[record.name] = error
    }
  }
}
