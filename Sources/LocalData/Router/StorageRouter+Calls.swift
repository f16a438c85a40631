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
        await change.announce(effect)
        return result
      }
      if plan.hook != nil, let waits { await feature?.catchUp(on: self, waits) }
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
  func promptValue(_ plan: KeyPlan, on router: StorageRouter) -> Value? {
    guard plan.retention == nil, !MigrationTurn.isRunning(on: router),
      migration == nil || router.migrationCache.isSettled(plan.address)
    else { return nil }
    // If one of these throws an error, the read that may wait throws the same error.
    if isPlainPreference {
      do throws(StorageError) {
        return try CallDeadline.withoutWaiting { () throws(StorageError) in
          try PlainPreference(self, plan, router).read().value
        }
      } catch { return nil }
    }
    do throws(StorageProblem) { return try plan.promptValue(coding, in: router.values(for: plan)) } catch { return nil }
  }
}

extension KeyPlan {
  /// Returns the value of a key without waiting. Returns `nil` if the store or a key would have to be waited for, nothing is
  /// stored, or the bytes are no value of the key.
  fileprivate func promptValue<Value>(
    _ coding: KeyCoding<Value>, in values: ValueAccess
  ) throws(StorageProblem) -> Value? {
    var opener: Opener?
    if let policy = sealing {
      opener = values.services.encryption.knownOpener(for: policy, keyset: keyset)
      if opener == nil { return nil }
    }
    var attributes = attributes
    attributes.maxPromptSize = StorageAttributes.largestPromptSize
    attributes.areBytesTransient = opener != nil
    let store = values.store(of: self)
    let stored = try CallDeadline.withoutWaiting { [attributes] () throws(StorageProblem) in
      try store.read(address, attributes)
    }
    guard let stored, stored.count <= attributes.maxPromptSize else { return nil }
    guard case .value(let value) = try decoded(stored, opener, coding) else { return nil }
    meter?.note(stored.count)
    return value
  }
}

/// The effect of a verb on the stored value of a key, which the key's feature is told of.
enum ValueEffect: Sendable {
  case none, removed
  /// A value was written. The closure returns its serialized bytes.
  case written(@Sendable () throws -> Data?)
}
