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

/// The measurement of one call, for the log.
package final class CallMeter: Sendable {
  private let operation: StorageLogEntry.Operation
  private let key: StorageError.Subject
  private let logger: @Sendable (StorageLogEntry) -> Void
  private let start = ContinuousClock.now
  private let bytes = Lock<Int?>(nil)

  init(
    _ operation: StorageLogEntry.Operation, _ key: StorageError.Subject,
    _ logger: @escaping @Sendable (StorageLogEntry) -> Void
  ) {
    self.operation = operation
    self.key = key
    self.logger = logger
  }

  /// Counts the stored bytes that were read or written.
  func note(_ count: Int?) { bytes.withLock { $0 = count } }

  /// Logs the call, which ends now.
  func end(_ error: StorageError?) {
    logger(
      StorageLogEntry(
        operation: operation, key: key, bytes: bytes.withLock { $0 }, duration: .now - start, error: error))
  }
}

extension KeyPlan {
  /// A copy whose reads and writes are measured.
  func measured(by meter: CallMeter?) -> KeyPlan {
    guard let meter else { return self }
    var plan = self
    plan.meter = meter
    return plan
  }
}

extension CallMeter? {
  /// Runs a call, and logs it.
  ///
  /// - Parameter isLogged: Returns false if no part of the call has to be logged.
  package func run<Result>(
    if isLogged: (Result) -> Bool = { _ in true },
    _ body: () async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageError) {
      let result = try await body()
      if isLogged(result) { self?.end(nil) }
      return result
    } catch {
      self?.end(error)
      throw error
    }
  }

  /// Runs a call that does not wait, and logs it.
  func runNow<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    do throws(StorageError) {
      let result = try body()
      self?.end(nil)
      return result
    } catch {
      self?.end(error)
      throw error
    }
  }
}
