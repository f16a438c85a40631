import SmallFoundation
import StorageStores

extension StorageRouter {
  /// Removes the value of a key if its retention has ended, and returns true if it was removed. The caller holds the turn.
  ///
  /// - Parameters:
  ///   - mayPrompt: False if the user must not be asked. A value with an access control is not changed then.
  ///   - isPurged: False if the caller removes the copies of several secured values together.
  ///   - isReadNext: True if the caller reads the value next. If it is false, a value that cannot be read now is an error.
  /// - Throws: An error if the value cannot be removed now. An ended value is never read.
  @discardableResult
  package func endRetention(
    of key: AnyStorageKey, _ plan: KeyPlan, mayPrompt: Bool, isPurged: Bool = true, isReadNext: Bool = true
  ) async throws(StorageError) -> Bool {
    guard plan.retention != nil, mayPrompt || !plan.mayPrompt,
      !MigrationTurn.keepsValue(on: self, at: plan.address)
    else { return false }
    let values = values(for: plan)
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
    let meter = log.begin(.expire, key)
    meter?.note(stored.count)
    return try await meter.run(if: \.self) { () throws(StorageError) in
      defer { plan.hook?.noteChange() }
      let isRemoved = try await migration(of: key, plan).removeEnded(stored)
      if isRemoved, plan.isSecured, isPurged { try await values.purge(plan) }
      return isRemoved
    }
  }
}
