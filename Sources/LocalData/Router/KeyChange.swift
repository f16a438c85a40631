import LocalDataFoundation
import LocalDataStores

/// A change of one key's value, including the effects on the key's migration. The caller holds the key's turn.
package struct KeyChange: Sendable {
  let key: AnyStorageKey
  let plan: KeyPlan
  let router: StorageRouter

  package init(_ key: AnyStorageKey, _ plan: KeyPlan, on router: StorageRouter) {
    self.key = key
    self.plan = plan
    self.router = router
  }

  /// Stores a value, or removes what is stored if the value means absence.
  func store<Value>(
    _ value: Value, _ coding: KeyCoding<Value>
  ) async throws(StorageError) {
    // The app has set a newer value since the custom migration began.
    if isKept { return }
    if coding.meansAbsence(value) { return try await remove() }
    let isMigrating = MigrationTurn.isRunning(on: router)
    guard key.migration != nil || plan.sealing != nil || isMigrating else {
      try await migration.prepareWrite()
      return try await values.store(plan) { () throws(StorageProblem) in try coding.serialize(value) }
    }
    // The log must not record a write of a value that cannot be serialized.
    let bytes = try plan.naming { () throws(StorageProblem) in try coding.serialize(value) }
    try await migration.prepareWrite()
    try await values.store(plan) { bytes }
    // A custom migration of the app removes its source next.
    if isMigrating { try await values.makeDurable(plan) }
    await migration.settleAfterWriting()
  }

  /// Reads, changes and writes a value. No other call writes the value in between.
  func update<Value, Failure: Error>(
    _ coding: KeyCoding<Value>,
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Value, Failure> {
    try await migration.prepareWrite()
    if isKept {
      // The app has set a newer value since the custom migration began. The result is not stored.
      var value = try await ValueStep(coding: coding, plan: plan, values: values).value()
      do throws(Failure) { try change(&value) } catch { return .failure(error) }
      return .success(value)
    }
    // If another process changes the value before its removal, the update is repeated.
    let end = CallDeadline.end(of: router.timeout)
    repeat {
      switch try await ValueStep(coding: coding, plan: plan, values: values).update(change) {
      case .written(let value): return .success(value)
      case .abandoned(let failure): return .failure(failure)
      case .removal(let value, let stored):
        if try await remove(ifStill: stored) { return .success(value) }
      }
    } while ContinuousClock.now < end
    throw StorageError(.busy, plan.subject)
  }

  /// Removes a value with its sources, so that no source provides the value again.
  ///
  /// - Parameter isPurged: False if the caller removes the copies of several values together.
  func remove(isPurged: Bool = true) async throws(StorageError) {
    if isKept { return }
    try await migration.remove()
    // This also happens if nothing was stored, because an earlier process may have been killed between the two steps.
    try await removeCopies(isPurged: isPurged)
  }

  /// Removes a value with its sources if it is still `seen`; returns true if it was.
  private func remove(
    ifStill seen: Data?
  ) async throws(StorageError) -> Bool {
    let isRemoved = try await migration.remove(ifStill: seen)
    if isRemoved { try await removeCopies() }
    return isRemoved
  }

  private func removeCopies(isPurged: Bool = true) async throws(StorageError) {
    try await removeQuarantined()
    if isPurged, plan.isSecured || MigrationTurn.isRunning(on: router) { try await values.purge(plan) }
  }

  /// Takes the turn of a key, removes its value, and returns its plan.
  ///
  /// - Parameter isPurged: False if the caller removes the copies of several values together.
  static func remove(
    _ key: AnyStorageKey, on router: StorageRouter, isPurged: Bool, _ waits: CallWaits? = nil
  ) async throws(StorageError) -> KeyPlan {
    try await router.change(key, .remove, .readOrRemove, waits) { (_, change) throws(StorageError) in
      try await change.remove(isPurged: isPurged)
      return (change.plan, .removed)
    }
  }

  /// Removes the value of a key if its retention has ended, and returns true if it was removed. The caller holds the turn.
  ///
  /// - Parameters:
  ///   - mayPrompt: False if the user must not be asked. A value with an access control is not changed then.
  ///   - isPurged: False if the caller removes the copies of several secured values together.
  ///   - isReadNext: True if the caller reads the value next. If it is false, a value that cannot be read now is an error.
  /// - Throws: An error if the value cannot be removed now. An ended value is never read.
  @discardableResult
  package func endRetention(
    mayPrompt: Bool, isPurged: Bool = true, isReadNext: Bool = true
  ) async throws(StorageError) -> Bool {
    guard plan.retention != nil, mayPrompt || !plan.mayPrompt, !isKept else { return false }
    let stored: Data?
    // A value that cannot be read now has not ended. The next read of the caller throws the error.
    do throws(StorageError) {
      stored =
        if mayPrompt {
          try await values.stored(plan)
        } else {
          try await AuthenticationSession.silently { () throws(StorageError) in try await values.stored(plan) }
        }
    } catch {
      if isReadNext { return false }
      throw error
    }
    guard let stored else { return false }
    let time = await values.writingTime(of: stored, plan)
    guard await values.hasEnded(time.known, plan) else {
      if case .ofStore(let known) = time { await values.date(stored, known, plan) }
      return false
    }
    let meter = router.log.begin(.expire, key)
    meter?.note(stored.count)
    return try await meter.run(if: \.self) { () throws(StorageError) in
      defer { plan.hook?.noteChange() }
      let isRemoved = try await migration.removeEnded(stored)
      if isRemoved, plan.isSecured, isPurged { try await values.purge(plan) }
      return isRemoved
    }
  }

  /// Removes the quarantined values of the key and of its sources.
  func removeQuarantined() async throws(StorageError) {
    try await values.removeQuarantined(plan)
    for source in await migration.sources() { try await values.removeQuarantined(source) }
  }

  private var values: ValueAccess { router.values(for: plan) }

  private var migration: KeyMigration { KeyMigration(key, plan, on: router) }

  /// A Boolean value that indicates whether the caller is a custom migration that must not change the key's value.
  private var isKept: Bool { MigrationTurn.keepsValue(on: router, at: plan.address) }
}
