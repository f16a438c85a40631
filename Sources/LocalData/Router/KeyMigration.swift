import Foundation
import StorageVocabulary

/// The migration of one key during a call of a verb. The caller holds the key's turn.
///
/// Within a custom migration of the same key, its calls are those of the migration itself: nothing is migrated then.
struct KeyMigration: Sendable {
  let key: AnyStorageKey
  let plan: KeyPlan
  let declaration: @Sendable () -> AnyStorageMigration
  let router: StorageRouter

  /// Brings the value to its destination before it is read or changed.
  ///
  /// A source that cannot be removed yet stays, and the next call tries again.
  func settle(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    guard let candidate = await unsettled() else { return }
    guard let move = try await migrator.commit(candidate, for: .access) else { return }
    _ = await migrator.finish([move])
  }

  /// Prepares the log for a value that is about to be written.
  func prepareWrite(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    guard let candidate = await unsettled() else { return }
    try await migrator.prepareWrite(candidate)
  }

  /// Lets a value that was just stored win over what its sources hold.
  func settleAfterWriting(isolation: isolated (any Actor)? = #isolation) async {
    // The value is stored, whatever becomes of the sources; the next read asks again.
    do throws(StorageError) { try await settle() } catch {}
  }

  /// Removes the value with its sources, so that none of them brings it back.
  func remove(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    guard let noted = try await noteRemoval() else { return try await router.values(for: plan).removeStored(plan) }
    try await migrator.removeInTurn(plan)
    try await migrator.removeSources(noted)
  }

  /// Removes the value with its sources if it is still `seen`; returns true if it was.
  func remove(
    ifStill seen: Data?, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Bool {
    let noted = try await noteRemoval()
    guard try await router.values(for: plan).removeStored(seen, plan) else { return false }
    if let noted { try await migrator.removeSources(noted) }
    return true
  }

  /// Records that the value is about to be removed in another way, so that its sources do not give it back.
  func prepareRemoval(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    _ = try await noteRemoval()
  }

  /// Removes the sources of a value that is about to be removed in another way, or was.
  func removeSources(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    if let noted = try await noteRemoval() { try await migrator.removeSources(noted) }
  }

  /// Returns the sources at other addresses. An earlier release may have moved their values aside.
  func sources(isolation: isolated (any Actor)? = #isolation) async -> [KeyPlan] {
    guard !isRunning else { return [] }
    let candidate = await migrator.candidate(key, plan, declaration().steps)
    return candidate.steps.flatMap(\.sources).filter { !$0.isInPlace }.map(\.plan)
  }

  /// Returns true if a source would give the key its value.
  func findsSource(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) -> Bool {
    guard let candidate = await unsettled() else { return false }
    return try await migrator.findsSource(candidate)
  }

  /// Records that the value is about to be removed, if its sources would bring it back.
  private func noteRemoval(isolation: isolated (any Actor)? = #isolation) async throws(StorageError) -> CommittedMove? {
    guard !isRunning else { return nil }
    return try await migrator.noteRemoval(await migrator.candidate(key, plan, declaration().steps))
  }

  /// Returns the key as something whose sources may still matter, or `nil` for most calls.
  private func unsettled(isolation: isolated (any Actor)? = #isolation) async -> MigrationCandidate? {
    guard !router.migrationCache.isSettled(plan.place), !isRunning else { return nil }
    return await migrator.candidate(key, plan, declaration().steps)
  }

  private var migrator: Migrator { router.migrator(for: plan) }

  private var isRunning: Bool { MigrationTurn.isRunning(on: router, at: plan.place) }
}
