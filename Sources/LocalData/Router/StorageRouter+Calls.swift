import LocalDataFoundation
import LocalDataStores

/// The steps of every verb before and after it uses a value.
extension StorageRouter {
  /// Prepares a value for its use: moves it from the address of an earlier release, and removes it if its retention has ended.
  /// The caller holds the key's turn.
  ///
  /// - Throws: An error if the value cannot be moved or removed now.
  package func prepare(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    try await KeyMigration(key, plan, on: self).settle()
    if plan.retention != nil { try await KeyChange(key, plan, on: self).endRetention(mayPrompt: true) }
  }

  /// Runs a verb that reads the value of a key: takes the key's turn, prepares the value, and reads it.
  ///
  /// - Parameter waits: The shared waits of a call on many values; `nil` for a call on one value.
  func read<Result: Sendable>(
    _ key: AnyStorageKey, _ plan: KeyPlan, _ waits: CallWaits? = nil,
    _ body: @Sendable (ValueAccess) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    try await inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
      try await router.prepare(key, plan)
      return try await body(router.values(for: plan))
    }
  }

  /// Runs a verb that changes the value of a key: takes the key's turn, makes the change, and announces it.
  ///
  /// - Parameters:
  ///   - waits: The shared waits of a call on many values; `nil` for a call on one value.
  ///   - body: Makes the change, and returns the result of the verb and the effect on the value.
  func change<Result: Sendable>(
    _ key: AnyStorageKey, _ operation: StorageLogEntry.Operation, _ use: KeyUse, _ waits: CallWaits? = nil,
    _ body: @Sendable (isolated StorageRouter, KeyChange) async throws(StorageError) -> (Result, ValueEffect)
  ) async throws(StorageError) -> Result {
    let meter = log.begin(operation, key)
    return try await meter.run { () throws(StorageError) in
      let plan = try await plan(for: key, use).measured(by: meter)
      let waits = waits ?? CallWaits(ofChangeOf: plan, timeout)
      let result = try await inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
        let change = KeyChange(key, plan, on: router)
        let (result, effect) = try await body(router, change)
        if plan.hook != nil { await router.feature?.changed(effect, key, plan, on: router) }
        return result
      }
      if plan.hook != nil, let waits { await feature?.catchUp(on: self, waits) }
      return result
    }
  }
}
