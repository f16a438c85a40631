import SmallFoundation
import StorageStores

/// A change of one key's value, including the effects on the key's migration. The caller holds the key's turn.
struct KeyChange: Sendable {
  let key: AnyStorageKey
  let plan: KeyPlan
  let router: StorageRouter

  /// Removes what is stored for a key in the key's turn, and returns the key's plan.
  ///
  /// - Parameter waits: The shared waits of a call that removes many values. `nil` for a call on one value.
  static func remove(
    _ key: AnyStorageKey, isPurged: Bool = true, on router: StorageRouter, _ waits: CallWaits? = nil
  ) async throws(StorageError) -> KeyPlan {
    try await router.log.begin(.remove, key).run { () throws(StorageError) in
      let plan = try await router.plan(for: key)
      let waits = waits ?? CallWaits(ofChangeOf: plan, router.timeout)
      try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
        try await KeyChange(key: key, plan: plan, router: router).remove(isPurged: isPurged)
        if plan.hook != nil { await router.feature?.changed(key, plan, on: router, isolation: router) { nil } }
      }
      if let waits, plan.hook != nil { await router.feature?.catchUp(on: router, waits) }
      return plan
    }
  }

  /// Stores a value, or removes what is stored if the value means absence.
  func store<Value>(
    _ value: Value, _ coding: KeyCoding<Value>, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) {
    // The app has set a newer value since the custom migration began.
    if isKept { return }
    if plan.sealing == nil, key.migration == nil, !MigrationTurn.isRunning(on: router) {
      // The value is serialized and written in one step on another thread, because the switch of threads takes most of the
      // time.
      try await migration.prepareWrite()
      if try await !values.store(value, coding, plan) { try await remove() }
      return
    }
    let bytes = try await values.perform(plan) { (_) throws(StorageFault) in try coding.serialize(value) }
    guard let bytes else { return try await remove() }
    try await migration.prepareWrite()
    try await values.store(bytes, plan)
    // A custom migration of the app removes its source next.
    if MigrationTurn.isRunning(on: router) { try await values.makeDurable(plan) }
    await migration.settleAfterWriting()
  }

  /// Reads, changes and writes a value. No other call writes the value in between.
  func update<Value, Failure: Error>(
    _ coding: KeyCoding<Value>, isolation: isolated (any Actor)? = #isolation,
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Value, Failure> {
    if isKept {
      // The app has set a newer value since the custom migration began. The result is not stored.
      var value = try await values.value(coding, plan)
      do throws(Failure) { try change(&value) } catch { return .failure(error) }
      return .success(value)
    }
    // If another process changes the value before its removal, the update is repeated.
    let end = CallDeadline.end(of: router.timeout)
    repeat {
      switch try await values.update(coding, plan, change) {
      case .written(let value): return .success(value)
      case .abandoned(let failure): return .failure(failure)
      case .removal(let value, let stored):
        if try await remove(ifStill: stored) { return .success(value) }
      }
    } while ContinuousClock.now < end
    throw .busy(plan.subject)
  }

  /// Removes a value with its sources, so that no source provides the value again.
  ///
  /// - Parameter isPurged: False if the caller removes the copies of several values together.
  func remove(isPurged: Bool = true, isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    if isKept { return }
    try await migration.remove()
    // This also happens if nothing was stored, because an earlier process may have been killed between the two steps.
    try await removeQuarantined()
    if isPurged, leavesNoCopy { try await values.purge(plan) }
  }

  /// Removes a value with its sources if it is still `seen`; returns true if it was.
  private func remove(
    ifStill seen: Data?, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Bool {
    let isRemoved = try await migration.remove(ifStill: seen)
    if isRemoved { try await removeQuarantined() }
    if isRemoved, leavesNoCopy { try await values.purge(plan) }
    return isRemoved
  }

  /// Removes the quarantined values of the key and of its sources.
  func removeQuarantined(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    try await values.removeQuarantined(plan)
    for source in await migration.sources() { try await values.removeQuarantined(source) }
  }

  private var values: StoredValues { router.values(for: plan) }

  private var migration: KeyMigration { router.migration(of: key, plan) }

  /// A Boolean value that indicates whether the caller is a custom migration that must not change the key's value.
  private var isKept: Bool { MigrationTurn.keepsValue(on: router, at: plan.address) }

  private var leavesNoCopy: Bool { plan.isSecured || MigrationTurn.isRunning(on: router) }
}
