package import LocalDataFoundation
import LocalDataStores

/// The logger of a router.
package final class StorageLog: Sendable {
  private let logger = Lock<(@Sendable (StorageLogEntry) -> Void)?>(nil)

  func set(_ logger: (@Sendable (StorageLogEntry) -> Void)?) { self.logger.withLock { $0 = logger } }

  /// A Boolean value that indicates whether calls are logged.
  package var isOn: Bool { logger.withLock { $0 != nil } }

  /// Returns the measurement of a call that begins now; `nil` if calls are not logged.
  package func begin(_ operation: StorageLogEntry.Operation, _ key: @autoclosure () -> AnyStorageKey) -> CallMeter? {
    begin(operation, on: key().subject)
  }

  /// Returns the measurement of a call on records that begins now; `nil` if calls are not logged.
  package func begin(_ operation: StorageLogEntry.Operation, on subject: @autoclosure () -> StorageError.Subject)
    -> CallMeter?
  {
    logger.withLock { $0 }.map { CallMeter(operation, subject(), $0) }
  }

  /// Logs an operation on stored bytes or rows that is not a call of a verb.
  package func report(
    _ operation: StorageLogEntry.Operation, _ key: StorageError.Subject, _ bytes: Data? = nil,
    _ duration: Duration = .zero, _ error: StorageError? = nil, rows: Int? = nil
  ) {
    guard let logger = logger.withLock({ $0 }) else { return }
    logger(
      StorageLogEntry(
        operation: operation, key: key, bytes: bytes?.count, rows: rows, duration: duration, error: error))
  }
}
