import LocalDataFoundation
import LocalDataStores

/// A change of one key's value, with its effects on the key's migration and on the copies of the value. The caller holds the
/// key's turn.
///
/// Every change has three steps: ``prepare(_:)`` notes it, the caller changes the value, and ``conclude(_:isPurged:)`` does what
/// follows. If the process is killed in between, the next use of the key continues.
package struct KeyChange: Sendable {
  package enum Kind: Sendable {
    case write, removal
    /// The removal of a value whose retention has ended. Bytes that were moved aside have a retention of their own.
    case ending
  }

  /// A change that was noted.
  package struct Prepared: Sendable {
    let kind: Kind
    /// The sources to remove after the value; `nil` if there are none.
    let noted: UnfinishedMigration?
  }

  let key: AnyStorageKey
  package let plan: KeyPlan
  let router: StorageRouter

  package init(_ key: AnyStorageKey, _ plan: KeyPlan, on router: StorageRouter) {
    self.key = key
    self.plan = plan
    self.router = router
  }

  /// Notes in the log of migrations that the value is about to be changed, if a release has to know that.
  ///
  /// - Throws: An error if this cannot be noted now. Then the caller must not change the value.
  package func prepare(_ kind: Kind) async throws(StorageError) -> Prepared {
    Prepared(kind: kind, noted: try await migration.note(kind))
  }

  /// Ends the migration of a value that was written. Removes the sources and the copies of a value that was removed.
  ///
  /// - Parameter isPurged: False if the caller removes the copies of several secured values together.
  /// - Throws: An error if a source or a copy cannot be removed now. The next removal removes it.
  package func conclude(_ prepared: Prepared, isPurged: Bool = true) async throws(StorageError) {
    if case .write = prepared.kind {
      // The value is stored even if the sources cannot be handled now. The next read tries again.
      do throws(StorageError) { return try await migration.settle() } catch { return }
    }
    try await removeSources(prepared)
    let isPurged = isPurged && (plan.isSecured || MigrationTurn.isRunning(on: router))
    if case .ending = prepared.kind { return isPurged ? try await values.purge(plan) : () }
    // This also happens if nothing was stored, because an earlier process may have been killed between the steps.
    try await values.removeCopies(plan, isPurged: isPurged)
  }

  /// Removes the sources of a value that is removed, and what was moved aside from them.
  package func removeSources(_ prepared: Prepared) async throws(StorageError) {
    if let noted = prepared.noted { try await Migrator(for: plan, on: router).removeSources(noted) }
    if case .ending = prepared.kind { return }
    for source in await migration.sources() { try await values.removeCopies(source, isPurged: false) }
  }

  /// Stores a value, or removes what is stored if the value means absence.
  func store<Value>(_ value: Value, _ coding: KeyCoding<Value>) async throws(StorageError) {
    // The app has set a newer value since the custom migration began.
    if isKept { return }
    if coding.meansAbsence(value) { return try await remove() }
    let isMigrating = MigrationTurn.isRunning(on: router)
    var serialized: Data?
    // The log must not record a write of a value that cannot be serialized.
    if key.migration != nil || plan.sealing != nil || isMigrating {
      serialized = try plan.naming { () throws(StorageProblem) in try coding.serialize(value) }
    }
    let prepared = try await prepare(.write)
    // The switch of threads takes most of the time. So the value is serialized, sealed and written in one step.
    try await values.change(plan) { [plan, serialized] (stored, sealer) throws(StorageError) in
      try plan.naming(.write) { () throws(StorageProblem) in
        let bytes = if let serialized { serialized } else { try coding.serialize(value) }
        guard let bytes else { throw .cannotEncode }
        try stored.write(try sealer.secured(bytes))
      }
    }
    // A custom migration of the app removes its source next.
    if isMigrating { try await values.makeDurable(plan) }
    try await conclude(prepared)
  }

  /// Reads, changes and writes a value. No other call writes the value in between.
  func update<Value, Failure: Error>(
    _ coding: KeyCoding<Value>,
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Value, Failure> {
    let prepared = try await prepare(.write)
    let step = ValueStep(coding: coding, plan: plan, values: values)
    if isKept {
      // The app has set a newer value since the custom migration began. The result is not stored.
      var value = try await step.value()
      do throws(Failure) { try change(&value) } catch { return .failure(error) }
      return .success(value)
    }
    // If another process changes the value before its removal, the update is repeated.
    let end = CallDeadline.end(of: router.timeout)
    repeat {
      switch try await step.update(change) {
      case .written(let value):
        try await conclude(prepared)
        return .success(value)
      case .abandoned(let failure): return .failure(failure)
      case .removal(let value, let stored):
        if try await remove(stored, plan, prepare(.removal)) { return .success(value) }
      }
    } while ContinuousClock.now < end
    throw StorageError(.busy, plan.subject)
  }

  /// Removes a value with its sources, so that no source provides the value again.
  ///
  /// - Parameter isPurged: False if the caller removes the copies of several values together.
  func remove(isPurged: Bool = true) async throws(StorageError) {
    if isKept { return }
    let prepared = try await prepare(.removal)
    try await values.write(plan) { [isNoted = prepared.noted != nil] (value) throws(StorageProblem) in
      // A process that is storing the value now may have read the log before the note. Its lock is waited for.
      if isNoted { try value.update { _ in .remove } } else { try value.remove() }
    }
    try await conclude(prepared, isPurged: isPurged)
  }

  /// Removes a value with its sources if it is still `seen`; returns true if it was.
  private func remove(
    _ seen: Data?, _ plan: KeyPlan, _ prepared: Prepared, isPurged: Bool = true
  ) async throws(StorageError) -> Bool {
    guard try await values.removeStored(seen, plan) else { return false }
    try await conclude(prepared, isPurged: isPurged)
    return true
  }

  /// Takes the turn of a key, removes its value, and returns its plan.
  ///
  /// - Parameter isPurged: False if the caller removes the copies of several values together.
  static func remove(
    _ key: AnyStorageKey, on router: StorageRouter, isPurged: Bool, _ waits: CallWaits? = nil
  ) async throws(StorageError) -> KeyPlan {
    try await router.change(key, .remove, .readOrRemove, waits) { (_, change) throws(StorageError) in
      try await change.remove(isPurged: isPurged)
      return (change.plan, { nil })
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
    do throws(StorageError) { stored = try await values.stored(plan, mayPrompt: mayPrompt) } catch {
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
      // The current value may be at a source. Then only the old value is removed, and the paired device keeps its value.
      if try await migration.isLeftover() {
        return try await remove(stored, plan.unversioned, Prepared(kind: .ending, noted: nil), isPurged: isPurged)
      }
      return try await remove(stored, plan, prepare(.ending), isPurged: isPurged)
    }
  }

  private var values: ValueAccess { router.values(for: plan) }

  private var migration: KeyMigration { KeyMigration(key, plan, on: router) }

  /// A Boolean value that indicates whether the caller is a custom migration that must not change the key's value.
  private var isKept: Bool { MigrationTurn.keepsValue(on: router, at: plan.address) }
}
