import SmallFoundation
import StorageStores

/// The steps of every verb before and after it uses a value.
extension StorageRouter {
  /// Prepares a value for its use: moves it from the address of an earlier release, and removes it if its retention has ended.
  /// The caller holds the key's turn.
  ///
  /// - Throws: An error if the value cannot be moved or removed now.
  package func prepare(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    try await migration(of: key, plan).settle()
    if plan.retention != nil { try await endRetention(of: key, plan, mayPrompt: true) }
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
        let (result, effect) = try await body(router, KeyChange(key: key, plan: plan, router: router))
        await router.announce(effect, on: key, plan)
        return result
      }
      if plan.hook != nil, let waits { await feature?.catchUp(on: self, waits) }
      return result
    }
  }

  /// Tells the feature of a key of a change, in the key's turn.
  private func announce(_ effect: ValueEffect, on key: AnyStorageKey, _ plan: KeyPlan) async {
    guard plan.hook != nil, let feature else { return }
    switch effect {
    case .none: return
    case .removed: await feature.changed(key, plan, on: self, isolation: self) { nil }
    case .written(let bytes):
      await feature.changed(key, plan, on: self, isolation: self) { () throws(StorageFault) in
        do { return try bytes() } catch { throw error as? StorageFault ?? .cannotEncode }
      }
    }
  }

  /// Removes the value of a key, and returns the key's plan.
  ///
  /// - Parameter isPurged: False if the caller removes the copies of several values together.
  func remove(
    _ key: AnyStorageKey, isPurged: Bool, _ waits: CallWaits? = nil
  ) async throws(StorageError) -> KeyPlan {
    try await change(key, .remove, .readOrRemove, waits) { (_, change) throws(StorageError) in
      try await change.remove(isPurged: isPurged)
      return (change.plan, .removed)
    }
  }

  /// Returns the value of a key if it can be read without waiting. Returns `nil` if the caller has to take its turn. If nothing is
  /// stored, it also returns `nil`, because a migration may be moving the value.
  ///
  /// A single read needs no turn: it returns the value before or after any overlapping change. If it fails, the caller takes its
  /// turn and decodes the value again, with the serializer and the upgrades of the app.
  nonisolated func promptValue<Value>(of key: StorageKey<Value>, _ plan: KeyPlan) -> Value? {
    guard plan.retention == nil, !MigrationTurn.isRunning(on: self),
      key.migration == nil || migrationCache.isSettled(plan.address)
    else { return nil }
    // If one of these throws an error, the read that may wait throws the same error.
    if key.isPlainPreference {
      do throws(StorageError) {
        return try CallDeadline.withoutWaiting { () throws(StorageError) in
          try PlainPreference(key, plan, self).read().value
        }
      } catch { return nil }
    }
    do throws(StorageFault) { return try values(for: plan).promptValue(key.coding, plan) } catch { return nil }
  }
}

/// The effect of a verb on the stored value of a key, which the key's feature is told of.
enum ValueEffect: Sendable {
  case none, removed
  /// A value was written. The closure returns its serialized bytes.
  case written(@Sendable () throws -> Data?)
}
