import StorageVocabulary

/// How far a sweep has come.
public struct MigrationProgress: Sendable, Hashable {
  /// Keys that are done, whether anything was to be moved or not.
  public var completed: Int
  /// Keys that have a migration and exist on this platform.
  public var total: Int
}

/// Migrating every key at once.
extension StorageRouter {
  /// Adds the keys of a catalog to those that may be used, and migrates all that have something to migrate.
  ///
  /// - Parameter progress: Called after each batch of keys.
  /// - Returns: What was moved, and what failed and why: a key that cannot be migrated now keeps the others from nothing,
  ///   and is tried again with its next read.
  /// - Throws: What keeps the catalog from being registered; nothing was migrated then.
  @discardableResult
  public func registerCatalog(
    _ catalog: (some StorageKeyCatalog).Type, migrateImmediately: Bool,
    progress: @Sendable (MigrationProgress) -> Void = { _ in }
  ) async throws(StorageError) -> MigrationResult {
    try registerCatalog(catalog)
    guard migrateImmediately else { return .nothing }
    return await sweep(catalog.allKeys.filter { $0.migration != nil }, progress)
  }

  /// Migrates keys in batches: what waits for the disk is waited for once a batch.
  func sweep(
    _ keys: [AnyStorageKey], _ progress: @Sendable (MigrationProgress) -> Void
  ) async -> MigrationResult {
    var result = MigrationResult.nothing
    let candidates = await candidates(of: keys, &result)
    for start in stride(from: 0, to: candidates.count, by: Self.batch) {
      let batch = candidates[start..<min(start + Self.batch, candidates.count)]
      result.add(await migrate(batch))
      progress(MigrationProgress(completed: batch.endIndex, total: candidates.count))
    }
    return result
  }

  /// Large enough to share the waits for the disk, and small enough that nobody who needs one of its keys waits long.
  private static let batch = 100

  /// In one order for all sweeps, so that none of two that overlap waits for the other's turns.
  private func candidates(of keys: [AnyStorageKey], _ result: inout MigrationResult) async -> [MigrationCandidate] {
    var candidates: [MigrationCandidate] = []
    for key in keys {
      guard let migration = key.migration?() else { continue }
      do throws(StorageError) {
        let plan = try await plan(for: key, .write)
        // A migration that sweeps is running already.
        if MigrationTurn.isRunning(on: self, at: plan.place) { continue }
        candidates.append(MigrationCandidate(key, plan, migration.steps))
      } catch {
        // What does not exist on this platform has nothing to migrate here.
        if case .notAvailableOnPlatform = error { continue }
        result.add(MigrationResult(success: false, failures: [error]))
      }
    }
    return candidates.sorted { $0.id < $1.id }
  }

  private func migrate(_ batch: ArraySlice<MigrationCandidate>) async -> MigrationResult {
    await inTurns(of: batch.map(\.plan.place)) { router in
      var (moves, failures): ([CommittedMove], [StorageError]) = ([], [])
      for candidate in batch {
        do throws(StorageError) {
          if let move = try await router.migrateNow(candidate) { moves.append(move) }
        } catch {
          failures.append(error)
        }
      }
      let finished = await router.finish(moves)
      return MigrationResult(
        success: true, migrated: finished.moves.map(\.entry.record), failures: failures + finished.failures)
    }
  }
}
