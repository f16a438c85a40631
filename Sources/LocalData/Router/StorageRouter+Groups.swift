import Foundation
import StorageVocabulary

/// Changes of several values together, and values that are created once.
extension StorageRouter {
  /// Returns the stored value, or stores a new one if nothing is stored.
  ///
  /// ```swift
  /// let identifier = try await router.get(.installationID, orSet: UUID())
  /// ```
  ///
  /// One value is created, even if several processes ask for the first time together, and all of them get it. On Apple's
  /// platforms, for preferences, this holds for the calls of one process.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - make: Creates the value. It is called with the value's lock held: it must be quick and must not call the router.
  ///     Its result may be dropped.
  /// - Returns: The value that is stored now.
  /// - Throws: What `make` throws, and what ``get(_:)`` and ``set(_:for:)`` throw.
  public func get<Value>(
    _ key: StorageKey<Value?>, orSet make: @autoclosure @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    if let value = try await get(key) { return value }
    do {
      let written = try await update(key) { value in
        if let value { throw AlreadyStored(value: value) }
        value = try make()
      }
      guard let written else { throw StorageError.notFound(AnyStorageKey(key).subject) }
      return written
    } catch let found as AlreadyStored<Value> {
      return found.value
    }
  }

  /// Changes several values of one store together: all of them, or none.
  ///
  /// ```swift
  /// try await router.transaction { transaction in
  ///   let balance = try await transaction.get(.balance)
  ///   guard balance >= 10 else { throw PurchaseError.tooExpensive }
  ///   try await transaction.set(balance - 10, for: .balance)
  ///   try await transaction.set("ticket", for: .lastPurchase)
  /// }
  /// ```
  ///
  /// Nothing is stored before `body` returns, and nothing at all if it throws. If another process or call changes a value
  /// that `body` has read, `body` is called again: it must do nothing that cannot be done twice.
  ///
  /// All keys must be of one store that can do this: one suite of preferences or, on Linux, one keychain service. On Apple's
  /// platforms no call of this process sees a part of the changes, but a process that is killed while they are made may
  /// leave a part of them.
  ///
  /// The changes have one deadline, also if `body` is called again. The calls in `body` have their own.
  ///
  /// - Parameter body: Reads and changes values through the transaction that it is given.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws. ``StorageError/cannotJoinTransaction(_:)`` if a key is of another store than the others,
  ///   or of one that cannot change several values together. ``StorageError/busy(_:)`` if others keep changing the values,
  ///   or write for longer than the configured timeout. If all changes were stored, but copies of a removed value could not
  ///   be removed, the error of that: then ``remove(_:)-(StorageKey<Value>)`` removes them.
  public nonisolated func transaction<Result: Sendable>(
    _ body: @Sendable (StorageTransaction) async throws -> Result
  ) async throws -> Result {
    let waits = CallWaits(timeout, of: .call)
    for attempt in 1...Self.transactionAttempts {
      let transaction = StorageTransaction(router: self)
      let result: Result
      do {
        defer { transaction.end() }
        result = try await body(transaction)
      }
      if try await transaction.commit(isLastAttempt: attempt == Self.transactionAttempts, waits) { return result }
    }
    throw StorageTransaction.overtaken
  }

  /// Attempts before values that others keep changing are busy.
  private static let transactionAttempts = 64
}

/// A value that was found instead of being created. It never leaves this file.
private struct AlreadyStored<Value: Sendable>: Error {
  let value: Value
}
