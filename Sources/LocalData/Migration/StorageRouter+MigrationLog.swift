import Foundation
import StorageVocabulary

/// What is noted of migrations.
extension StorageRouter {
  /// Tells what this process wrote from what another did before it.
  private static let launch = UUID()

  /// The log of the app, or of the group that the destination belongs to: every app of the group must see it.
  func log(of plan: KeyPlan) throws(StorageError) -> any MigrationLog {
    do throws(StorageFault) {
      return try ready(for: plan).migrationLog(plan.keyset)
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }

  /// The last that was noted of a key; `nil` where nothing was. A log that cannot be read throws.
  func logEntry(_ candidate: MigrationCandidate) throws(StorageError) -> MigrationEntry? {
    let log = try log(of: candidate.plan)
    do throws(StorageFault) {
      return try log.entries()[candidate.id]
    } catch {
      throw StorageError(error, candidate.plan.subject, limit: candidate.plan.maxSize)
    }
  }

  /// Durable on return.
  func append(_ entries: [MigrationEntry], of plan: KeyPlan) async throws(StorageError) {
    guard !entries.isEmpty else { return }
    let log = try log(of: plan)
    do throws(StorageFault) {
      try await BlockingExecutor.shared.run { () throws(StorageFault) in try log.append(entries) }
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }

  func entry(
    _ candidate: MigrationCandidate, sources: [KeyPlan], _ outcome: MigrationRecord.Outcome,
    _ phase: MigrationEntry.Phase, moved: [KeyPlan] = []
  ) -> MigrationEntry {
    MigrationEntry(
      place: candidate.id, phase: phase, moved: moved.map { PlaceID($0) }, launch: Self.launch,
      record: MigrationRecord(
        key: candidate.plan.subject.key ?? "", domain: candidate.plan.identity.domain,
        sources: sources.map { .init(key: $0.subject.key ?? "", domain: $0.identity.domain) }, outcome: outcome,
        date: clock.now, appVersion: setup.withLock { $0.storage.resolvedApplicationVersion }))
  }

  /// Whether sources must wait for the next launch: what this one wrote may not be on disk before it.
  func isEarly(_ move: CommittedMove) -> Bool {
    move.entry.launch == Self.launch
      && move.removals.contains { !$0.isFoundation && store(for: $0).removesAtNextLaunch }
  }

  /// A source by its plan; what is registered, legacy or available is no question of it.
  func sourcePlan(of key: AnyStorageKey) async throws(StorageError) -> KeyPlan {
    try await learnAccessGroup(for: key)
    return try setup.withLock { (setup) throws(StorageError) in
      let plan = try setup.plan(key)
      // The master key is nobody's source.
      if setup.encryption.reserves(plan.place) { throw .invalidName(plan.subject) }
      return plan.unversioned
    }
  }
}

extension KeyPlan {
  /// Whether it is a source that lies where a key does: its bytes are secured there, and nothing is moved.
  func isInPlace(of key: KeyPlan) -> Bool { !isFoundation && place.isSameItem(as: key.place) }
}

extension MigrationEntry {
  /// The same, with the sources gone.
  var completed: MigrationEntry {
    var entry = self
    entry.phase = .completed
    return entry
  }
}
