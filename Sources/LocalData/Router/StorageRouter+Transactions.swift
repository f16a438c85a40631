import LocalDataFoundation
import LocalDataVocabulary

/// Changes of several values together, and values that are created once.
extension StorageRouter {
  /// Returns the stored value, or stores a new one if nothing is stored.
  ///
  /// ```swift
  /// let identifier = try await router.get(.installationID, orSet: UUID())
  /// ```
  ///
  /// If several processes call this at the same time, one value is created and all of them get it. For preferences on Apple's
  /// platforms, this is guaranteed only for the calls of one process.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - make: Creates the value. It is called while the value's lock is held, so it must be quick and must not call the
  ///     router. Its result may be discarded.
  /// - Returns: The stored value.
  /// - Throws: Every error that `make`, ``get(_:)`` and ``set(_:for:)`` throw.
  public func get<Value>(
    _ key: StorageKey<Value?>, orSet make: @autoclosure @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    if let value = try await get(key) { return value }
    do {
      let written = try await update(key) { value in
        if let value { throw AlreadyStored(value: value) }
        value = try make()
      }
      guard let written else { throw StorageError(.notFound, AnyStorageKey(key).subject) }
      return written
    } catch let found as AlreadyStored<Value> {
      return found.value
    }
  }

  /// Changes several values of one container together: all of them, or none.
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
  /// The changes are stored after `body` returns. If `body` throws an error, nothing is stored. If another process or call
  /// changes a value that `body` has read, `body` is called again. It must therefore have no other effects.
  ///
  /// All keys must be in the same container: one suite of preferences or, on Linux, one keychain service. On Apple's platforms
  /// no call of this process reads only a part of the changes. If the process is killed while the changes are made, a part of
  /// them may be stored there.
  ///
  /// The changes have one deadline, even if `body` is called again. Each call in `body` has its own deadline.
  ///
  /// - Parameter body: Reads and changes values with the transaction that it receives.
  /// - Returns: The result of `body`.
  /// - Throws: Every error that `body` throws. ``StorageProblem/Code/cannotJoinTransaction`` if a key is in another container
  ///   than the other keys, or in a store that cannot change several values together. ``StorageProblem/Code/busy`` if other
  ///   callers keep changing the values, or write for longer than the configured timeout. If all changes were stored, but a
  ///   copy or a source of a removed value could not be erased, the call throws that error. A later
  ///   ``remove(_:)-(StorageKey<Value>)`` erases them.
  @concurrent public nonisolated func transaction<Result: Sendable>(
    _ body: @concurrent @Sendable (StorageTransaction) async throws -> Result
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

  /// The number of attempts after which the transaction throws `busy`.
  private static let transactionAttempts = 64
}

/// The error with which the closure of the update returns a value that is stored already. It is used only in this file.
private struct AlreadyStored<Value: Sendable>: Error {
  let value: Value
}
