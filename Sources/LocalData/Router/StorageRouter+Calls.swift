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

  /// Runs a verb that changes the value of a key: takes the key's turn, makes the change, and lets the key's feature act on it.
  ///
  /// - Parameters:
  ///   - waits: The shared waits of a call on many values; `nil` for a call on one value.
  ///   - body: Makes the change. Returns the result of the verb, and a function that returns the serialized bytes of the value that
  ///     is stored now: `nil` for none. There is no function if nothing has changed, or if the change was left to the feature.
  package func change<Result: Sendable>(
    _ key: AnyStorageKey, _ operation: StorageLogEntry.Operation, _ use: KeyUse, _ waits: CallWaits? = nil,
    _ body: @Sendable (isolated StorageRouter, KeyChange) async throws(StorageError) -> (Result, FeatureChange.Bytes?)
  ) async throws(StorageError) -> Result {
    let meter = log.begin(operation, key)
    return try await meter.run { () throws(StorageError) in
      let plan = try await plan(for: key, use).measured(by: meter)
      let isTold = plan.hook != nil
      let waits = waits ?? (isTold ? CallWaits(timeout, of: .call) : nil)
      let (result, bytes) = try await inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
        try await body(router, KeyChange(key, plan, on: router))
      }
      if isTold, let waits {
        let changes = bytes.map { [FeatureChange(key: key, plan: plan, bytes: $0)] } ?? []
        await feature?.catchUp(on: self, with: changes, waits)
      }
      return result
    }
  }
}

extension StorageKey {
  /// Returns the value of a key if it can be read without waiting. Returns `nil` if the caller has to take its turn. If nothing is
  /// stored, it also returns `nil`, because a migration may be moving the value.
  ///
  /// A single read needs no turn: it returns the value before or after any overlapping change. If it fails, the caller takes its
  /// turn and decodes the value again, with the serializer and the upgrades of the app.
  func valueAtOnce(_ plan: KeyPlan, on router: StorageRouter) -> Value? {
    guard plan.retention == nil, !MigrationTurn.isRunning(on: router),
      migration == nil || router.migrationCache.isSettled(plan.address)
    else { return nil }
    // If one of these throws an error, the read that may wait throws the same error.
    do throws(StorageError) {
      return try CallDeadline.withoutWaiting { () throws(StorageError) in
        if isPlainPreference { return try PlainPreference(self, plan, router).read().value }
        let values = router.values(for: plan)
        let opener = values.knownOpener(plan)
        if plan.sealing != nil, opener == nil { return nil }
        var attributes = plan.attributes
        attributes.maxPromptSize = StorageAttributes.largestPromptSize
        attributes.areBytesTransient = opener != nil
        let step = ValueStep(coding: coding, plan: plan, values: values)
        guard case .value(let value, .some) = try step.read(opener, attributes) else { return nil }
        return value
      }
    } catch { return nil }
  }
}
