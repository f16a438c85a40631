import LocalData
public import LocalDataFoundation
import LocalDataSystem

/// A record that expires at a date: its catalog declares `expires`. The library does not delete expired records.
///
/// ```swift
/// let soon = try await router.credentials.expiring(within: 14 * 86_400).order { $0.exp.ascending }.fetchAll()
/// ```
public protocol ExpiringRecord: StorageRecord {
  /// The date at which a record expires. Generated code declares it.
  static var expiry: RecordExpiry<Self> { get }
}

/// The date at which a record expires.
public struct RecordExpiry<Record: StorageRecord>: Sendable {
  /// The position in the columns of the record's declaration.
  fileprivate let position: Int
  fileprivate let date: @Sendable (Record) -> Date?

  /// - Parameters:
  ///   - column: The column of the date.
  ///   - date: Returns the date of a record.
  @_spi(Generated) public init<Value: RecordValue>(
    _ column: RecordColumn<Record, Value>, _ date: @escaping @Sendable (Record) -> Date?
  ) where Value.Unwrapped == Date {
    position = column.position
    self.date = date
  }

  fileprivate var column: RecordColumn<Record, Date> { RecordColumn(position) }
}

extension ExpiringRecord {
  /// Returns true if the record has expired at a time. A record without a date never expires.
  ///
  /// A record expires at its date: at exactly that time, the function returns true.
  public func isExpired(at time: Date) -> Bool { Self.expiry.date(self).map { $0 <= time } ?? false }
}

extension Records where Record: ExpiringRecord {
  /// Returns the query for the records that have not expired yet, but expire within a duration.
  ///
  /// The duration begins with this call, by the clock of the router. ``expired`` finds the records that have expired already.
  ///
  /// - Parameter seconds: The duration in seconds, for example `14 * 86_400` for two weeks.
  /// - Returns: The query. Nothing is read yet.
  public func expiring(within seconds: TimeInterval) -> RecordQuery<Record> {
    let now = router.clock.now
    let column = Record.expiry.column
    return all.where { _ in column > now && column <= now.addingTimeInterval(seconds) }
  }

  /// The query for the records that have expired when the query is created, by the clock of the router.
  public var expired: RecordQuery<Record> {
    let now = router.clock.now
    let column = Record.expiry.column
    return all.where { _ in column <= now }
  }
}
