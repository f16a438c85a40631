import StorageVocabulary

/// Migrations that are requested.
extension StorageRouter {
  /// Migrates a key now, instead of with its next read, and removes what is left of its sources.
  ///
  /// - Parameter key: The key.
  /// - Returns: What was moved, or nothing if there was nothing to move.
  /// - Throws: ``StorageError/migrationFailed(_:)`` if a transform or a custom migration throws, or if a condition asks
  ///   for the version of the app and it is not known. ``StorageError/locked(_:)`` and other errors of a source, with the
  ///   name of the source. What ``set(_:for:)`` throws. The sources stay then.
  @discardableResult
  public func forceMigration<Value>(for key: StorageKey<Value>) async throws(StorageError) -> MigrationResult {
    let key = AnyStorageKey(key)
    guard let migration = key.migration?() else {
      _ = try await plan(for: key)
      return .nothing
    }
    // A migration that requests itself is running already.
    if MigrationTurn.isRunning(on: self, at: try await plan(for: key, .write).place) { return .nothing }
    return try await runMigration(of: key, migration.steps)
  }

  /// Registers the keys of a catalog and migrates all of its keys that have something to migrate.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - migrateImmediately: Whether its keys are migrated now.
  ///   - progress: Called after each batch of keys.
  /// - Returns: What was moved, and what failed and why. A key that cannot be migrated now does not keep the others from
  ///   being migrated, and is tried again with its next read.
  /// - Throws: What ``registerCatalog(_:)`` throws. Nothing was migrated then.
  @discardableResult
  public func registerCatalog(
    _ catalog: (some StorageKeyCatalog).Type, migrateImmediately: Bool,
    progress: @Sendable (MigrationProgress) -> Void = { _ in }
  ) async throws(StorageError) -> MigrationResult {
    try registerCatalog(catalog)
    guard migrateImmediately else { return .nothing }
    return await migrateAll(
      catalog.allKeys.filter { $0.migration != nil }, catalog.allFamilies.filter { $0.migration != nil }, progress)
  }

  /// Runs the steps of a key's migration in its turn.
  func runMigration(of key: AnyStorageKey, _ steps: [MigrationStep]) async throws(StorageError) -> MigrationResult {
    let plan = try await plan(for: key, .write)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      let migrator = router.migrator(for: plan)
      let candidate = await migrator.candidate(key, plan, steps)
      guard let move = try await migrator.commit(candidate, for: .finish) else { return .nothing }
      let finished = await migrator.finish([move])
      if let failure = finished.failures.first { throw failure }
      return MigrationResult(success: true, migrated: move.record.map { [$0] } ?? [])
    }
  }

  /// Returns true if a source of these steps holds a value.
  func findsSource(of key: AnyStorageKey, _ steps: [MigrationStep]) async throws(StorageError) -> Bool {
    let plan = try await plan(for: key)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      let migrator = router.migrator(for: plan)
      return try await migrator.findsSource(await migrator.candidate(key, plan, steps))
    }
  }

  // MARK: All keys

  /// Migrates keys in batches: what waits for the disk is waited for once a batch.
  ///
  /// No turn is held but that of one key, while its value is stored at its destination. App code runs in the turn of its
  /// own key alone.
  func migrateAll(
    _ keys: [AnyStorageKey], _ families: [StorageKeyFamily] = [], _ progress: @Sendable (MigrationProgress) -> Void
  ) async -> MigrationResult {
    var result = MigrationResult.nothing
    let members = await members(of: families)
    for problem in members.problems { result.add(MigrationResult(success: false, failures: [problem.error])) }
    let plans = await plans(of: keys + members.keys, &result)
    for start in stride(from: 0, to: plans.count, by: Self.batch) {
      let batch = plans[start..<min(start + Self.batch, plans.count)]
      result.add(await migrate(batch))
      progress(MigrationProgress(completed: batch.endIndex, total: plans.count))
    }
    return result
  }

  /// Large enough to share the waits for the disk.
  private static let batch = 100

  private func plans(
    of keys: [AnyStorageKey], _ result: inout MigrationResult
  ) async -> [(key: AnyStorageKey, plan: KeyPlan)] {
    var plans: [(AnyStorageKey, KeyPlan)] = []
    for key in keys {
      do throws(StorageError) {
        let plan = try await plan(for: key, .write)
        // A migration that requests all of them is running already.
        if !MigrationTurn.isRunning(on: self, at: plan.place) { plans.append((key, plan)) }
      } catch {
        // A key that does not exist on this platform has nothing to migrate here.
        if case .notAvailableOnPlatform = error { continue }
        result.add(MigrationResult(success: false, failures: [error]))
      }
    }
    return plans
  }

  private func migrate(_ batch: ArraySlice<(key: AnyStorageKey, plan: KeyPlan)>) async -> MigrationResult {
    var (moves, failures): ([CommittedMove], [StorageError]) = ([], [])
    for (key, plan) in batch {
      guard let migration = key.migration?() else { continue }
      do throws(StorageError) {
        let move = try await inTurn(at: plan.place) { router throws(StorageError) in
          let migrator = router.migrator(for: plan)
          return try await migrator.commit(await migrator.candidate(key, plan, migration.steps), for: .finish)
        }
        if let move { moves.append(move) }
      } catch {
        failures.append(error)
      }
    }
    let finished = await migrator(for: batch.first?.plan).finish(moves)
    return MigrationResult(
      success: true, migrated: finished.moves.compactMap(\.record), failures: failures + finished.failures)
  }

  // MARK: What would happen, and what has happened

  func migrationPlan() async throws(StorageError) -> MigrationPlan {
    let registry = setup.withLock(\.registry)
    let members = await members(of: registry.migratingFamilies)
    var plan = MigrationPlan(moves: members.problems.map(\.move))
    for key in registry.migrating + members.keys {
      guard let migration = key.migration?() else { continue }
      let keyPlan: KeyPlan
      do throws(StorageError) {
        keyPlan = try await self.plan(for: key)
      } catch {
        if case .notAvailableOnPlatform = error { continue }
        throw error
      }
      // A migration that asks is running already.
      if MigrationTurn.isRunning(on: self, at: keyPlan.place) { continue }
      plan.moves += try await inTurn(at: keyPlan.place) { router throws(StorageError) in
        let migrator = router.migrator(for: keyPlan)
        return await migrator.plannedMoves(of: await migrator.candidate(key, keyPlan, migration.steps))
      }
    }
    return plan
  }

  func migrationHistory() async throws(StorageError) -> [MigrationRecord] {
    var records: [MigrationRecord] = []
    for keyset in setup.withLock(\.registry.keysets) {
      do throws(StorageFault) {
        records += try values(for: nil).services.migrationLog(keyset).records()
      } catch {
        throw StorageError(error, .init(key: nil, domain: nil), limit: 0)
      }
    }
    return records.sorted { $0.date < $1.date }
  }
}

extension FamilyListing.Problem {
  /// The problem as a plan says it.
  fileprivate var move: MigrationPlan.Move {
    MigrationPlan.Move(key: family, sources: [source], kind: .unknown, downgrades: [], problem: error)
  }
}
