import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite

/// The statements that find and delete the rows whose retention has ended.
struct RecordRetention: Sendable {
  /// The rows whose date is not too old. A date in the future was written before the clock was set back, and is not too old.
  final class Lasting: Sendable {
    private let maxAge: TimeInterval
    /// The condition for a row that has not ended. Its parameter is the end.
    ///
    /// A row without a date is damaged. The condition is true for it, so that reads report the damage. SQLite uses no index for
    /// the condition, because nearly all rows meet it.
    let condition: String
    /// Finds a row that has ended.
    let search: String
    /// Deletes the rows that have ended.
    let deletion: String

    fileprivate init(_ maxAge: Int, _ column: String, of table: String) {
      self.maxAge = TimeInterval(maxAge)
      condition = "(\(column) <= ?) IS NOT TRUE"
      search = "SELECT 1 FROM \(table) WHERE \(column) <= ? LIMIT 1"
      deletion = "DELETE FROM \(table) WHERE \(column) <= ?"
    }

    /// Returns the newest date of rows that have ended.
    func end(at time: Date) -> SQLiteValue { .real(time.timeIntervalSinceReferenceDate - maxAge) }
  }

  /// The rows with the newest dates. Of rows with equal dates, those are the newest that were inserted last.
  final class Newest: Sendable {
    let count: Int64
    /// Finds a row that is not among the newest. Its parameter is the count.
    let search: String
    /// Deletes the rows that are not among the newest.
    let deletion: String

    fileprivate init(_ count: Int, _ column: String, of table: String, _ row: String) {
      self.count = Int64(count)
      let surplus = "SELECT \(row) FROM \(table) ORDER BY \(column) DESC, \(row) DESC LIMIT -1 OFFSET ?"
      search = surplus
      deletion = "DELETE FROM \(table) WHERE \(row) IN (\(surplus))"
    }
  }

  private(set) var lasting: Lasting?
  private(set) var newest: Newest?
  private(set) var endsAtRelaunch = false

  init(_ declared: RecordDeclaration.Retention, _ name: String, _ record: RecordShape.Record) {
    switch declared {
    case .untilRelaunch: endsAtRelaunch = true
    case .dated(let field, let maxAge, let maxCount):
      let table = "main." + RecordShape.quoted(name)
      let column = RecordShape.quoted(record.columns[field]?.name ?? "")
      lasting = maxAge.map { Lasting($0, column, of: table) }
      newest = maxCount.map { Newest($0, column, of: table, record.rowNumber) }
    }
  }
}

extension RecordDeclaration.Retention? {
  /// A Boolean value that indicates whether rows are deleted when the app is launched again.
  var endsAtRelaunch: Bool { if case .untilRelaunch = self { true } else { false } }

  /// The field of the date after which a row ends, and the age in seconds; nil if no age ends a row.
  var maxAge: (field: Int, seconds: Int)? {
    if case .dated(let field, let seconds?, _) = self { (field, seconds) } else { nil }
  }
}
