import LocalDataFoundation
import LocalDataStores

/// Migrations that the app requests, for one key or for all keys.
extension StorageRouter.Migrations {
  /// Runs the steps of a key's migration in its turn.
  func run(_ key: AnyStorageKey, _ steps: [MigrationStep]) async throws(StorageError) -> MigrationResult {
    let plan = try await router.plan(for: key, .write)
    return try await router.inTurn(at: plan.address, plan.subject) { router throws(StorageError) in
      let migrator = Migrator(for: plan, on: router)
      let candidate = await migrator.candidate(key, plan, steps)
      guard let move = try await migrator.commit(candidate, for: .finish) else { return .nothing }
      let finished = await migrator.finish([move])
      if let failure = finished.failures.first { throw failure }
      return MigrationResult(success: true, migrated: move.event.map { [$0] } ?? [])
    }
  }

  /// Returns true if a source of these steps has a value.
  func findsSource(of key: AnyStorageKey, _ steps: [MigrationStep]) async throws(StorageError) -> Bool {
    let plan = try await router.plan(for: key)
    return try await router.inTurn(at: plan.address, plan.subject) { router throws(StorageError) in
      let migrator = Migrator(for: plan, on: router)
      return try await migrator.providingStep(await migrator.candidate(key, plan, steps)) != nil
    }
  }

  // MARK: All keys

  /// Migrates keys in batches, so that each batch waits only once for the disk.
  ///
  /// The function holds one turn at a time: the turn of a key, while its value is stored at its destination. Code of the app
  /// runs only in the turn of its own key. Each key waits for as long as a call, unless an earlier key of its container timed
  /// out.
  @concurrent func run(
    _ keys: [AnyStorageKey], _ families: [StorageKeyFamily] = [], _ progress: @Sendable (MigrationProgress) -> Void
  ) async -> MigrationResult {
    var result = MigrationResult.nothing
    let waits = CallWaits(router.timeout, of: .step)
    let members = await members(of: families, waits)
    for problem in members.problems { result.add(MigrationResult(success: false, failures: [problem.error])) }
    let plans = await plans(of: keys + members.keys, &result)
    for start in stride(from: 0, to: plans.count, by: Self.batch) {
      let batch = plans[start..<min(start + Self.batch, plans.count)]
      result.add(
        await migrate(batch, waits) { progress(MigrationProgress(completed: start + $0, total: plans.count)) })
    }
    return result
  }

  /// The number of keys of a batch. It is large enough to share the waits for the disk.
  private static let batch = 100

  private func plans(
    of keys: [AnyStorageKey], _ result: inout MigrationResult
  ) async -> [(key: AnyStorageKey, plan: KeyPlan)] {
    var plans: [(AnyStorageKey, KeyPlan)] = []
    for key in keys {
      do throws(StorageError) {
        let plan = try await router.plan(for: key, .write)
        // The caller is a custom migration of this key, which requests the migration of all keys.
        if !MigrationTurn.isRunning(on: router, at: plan.address) { plans.append((key, plan)) }
      } catch {
        // A key that does not exist on this platform has nothing to migrate here.
        if error.code == .notAvailableOnPlatform { continue }
        result.add(MigrationResult(success: false, failures: [error]))
      }
    }
    return plans
  }

  /// Migrates the keys of a batch.
  ///
  /// - Parameter report: Called for each key with the number of keys of the batch that are done. The last call is made after
  ///   the sources of all of them were removed.
  private func migrate(
    _ batch: ArraySlice<(key: AnyStorageKey, plan: KeyPlan)>, _ waits: CallWaits, _ report: @Sendable (Int) -> Void
  ) async -> MigrationResult {
    var attempts: [MigrationAttempt] = []
    var moves: [UnfinishedMigration] = []
    var failures: [StorageError] = []
    for (key, plan) in batch {
      guard let migration = key.migration?() else { continue }
      do throws(StorageError) {
        attempts.append(
          try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
            let migrator = Migrator(for: plan, on: router)
            let candidate = await migrator.candidate(key, plan, migration.steps)
            var attempt = try await MigrationAttempt(migrator, candidate, .finish)
            // Code of the app runs after the keys before were migrated.
            if !candidate.rules.contains(.custom) { try await attempt.announce() }
            return attempt
          })
      } catch {
        failures.append(error)
      }
    }
    let migrator = Migrator(for: batch.first?.plan, on: router)
    await migrator.note(attempts.compactMap(\.announcement), waits)
    for completed in 1...batch.count {
      defer { if completed < batch.count { report(completed) } }
      guard completed <= attempts.count else { continue }
      let attempt = attempts[completed - 1]
      do throws(StorageError) {
        let move = try await router.inTurn(at: attempt.plan.address, attempt.plan.subject, waits) {
          _ throws(StorageError) in
          try await attempt.migrator.commit(attempt.candidate, for: .finish, attempt)
        }
        if let move { moves.append(move) }
      } catch {
        failures.append(error)
      }
    }
    let finished = await migrator.finish(moves, waits)
    report(batch.count)
    return MigrationResult(
      success: true, migrated: finished.moves.compactMap(\.event), failures: failures + finished.failures)
  }

  // MARK: Families

  /// Lists the members of families whose sources may have values. The function holds no turn.
  ///
  /// - Parameters:
  ///   - isRemoval: True if the members will be removed. Members whose source values were moved aside are listed too then.
  ///   - waits: The waits of the call.
  @concurrent package func members(
    of families: [StorageKeyFamily], isRemoval: Bool = false, _ waits: CallWaits
  ) async -> FamilyListing.Members {
    var members = FamilyListing.Members()
    let services = router.values(for: nil).services
    let migrating = await migrating(families, services, &members, waits)
    guard !migrating.isEmpty else { return members }
    let (registry, encryption) = router.setup.withLock { ($0.registry, $0.encryption) }
    let registered = FamilyListing.Registered(isTaken: registry.isTaken, familyNames: registry.familyNames)
    var listing = FamilyListing(migrating, registered, isReserved: encryption.reserves)
    for container in listing.containers {
      do throws(StorageProblem) {
        let isWanted = listing.isWanted
        let names = try await waits.step(on: .container(container)) { () async throws(StorageProblem) in
          try await services.run { () throws(StorageProblem) in
            try services.names(in: container, of: services.base(for: container), isRemoval) { isWanted($0, container) }
          }
        }
        listing.add(names, in: container)
      } catch {
        listing.fail(container, error)
      }
    }
    members.keys += listing.members.keys
    members.problems += listing.members.problems
    members.ambiguous += listing.members.ambiguous
    for family in families {
      do throws(StorageError) {
        let listed = try await listed(by: family)
        if !listed.isEmpty { members.keys += Set(listed).subtracting(members.keys).sortedByName }
      } catch {
        members.problems.append(.init(family: family.subject, source: family.subject, error: error))
      }
    }
    for family in families { await addParts(of: family, to: &members, waits) }
    return members
  }

  /// Returns the members that the custom migrations of a family list, or removes them.
  func listed(by family: StorageKeyFamily, isRemoval: Bool = false) async throws(StorageError) -> [AnyStorageKey] {
    guard let custom = family.migration?.custom, !custom.isEmpty else { return [] }
    let plan = try await router.plan(for: family.template)
    let context = try await Migrator(for: plan, on: router).context(for: plan)
    var keys: [AnyStorageKey] = []
    for migration in custom {
      keys += try await MigrationTurn.run(of: plan.address, plan.subject, on: router) { router in
        try await migration.keys(isRemoval, router, context)
      }
    }
    guard keys.allSatisfy({ $0.options.declaredName == family.name }) else {
      throw StorageError(.migrationFailed, family.subject)
    }
    return keys
  }

  /// Adds the members of a family that have a part in the value of a legacy key.
  private func addParts(
    of family: StorageKeyFamily, to members: inout FamilyListing.Members, _ waits: CallWaits
  ) async {
    for source in family.migration?.shared ?? [] {
      do throws(StorageError) {
        let known = Set(members.keys)
        members.keys += try await waits.step { () async throws(StorageError) in
          try await Migrator(for: nil, on: router).members(of: family, in: source)
        }
        .filter { !known.contains($0) }
      } catch {
        members.problems.append(.init(family: family.subject, source: source.subject, error: error))
      }
    }
  }

  /// Resolves the containers of families, and reads their logs. A failure is a problem of its family.
  private func migrating(
    _ families: [StorageKeyFamily], _ services: StorageServices, _ members: inout FamilyListing.Members,
    _ waits: CallWaits
  ) async -> [(family: MigratingFamily, log: MigrationLedger)] {
    var migrating: [(MigratingFamily, MigrationLedger)] = []
    for family in families {
      do throws(StorageError) {
        for source in [family] + (family.migration?.sources ?? []) {
          try await router.accessGroup?.learn(for: source.domain, source.subject, router.setup)
        }
        let found = try router.setup.withLock { (setup) throws(StorageError) in
          try MigratingFamily(family) { (family) throws(StorageError) in try setup.container(of: family) }
        }
        guard let found else { continue }
        let ledger = try await waits.step(on: .keyset(KeysetID(of: found.own.container))) {
          () async throws(StorageError) in try await services.ledger(of: found)
        }
        migrating.append((found, ledger))
      } catch {
        members.problems.append(.init(family: family.subject, source: family.subject, error: error))
      }
    }
    return migrating
  }
}

extension StorageServices {
  /// Returns the log of a family's keyset.
  fileprivate func ledger(of family: MigratingFamily) async throws(StorageError) -> MigrationLedger {
    do throws(StorageProblem) {
      let log = try migrationLog(KeysetID(of: family.own.container))
      return try await run { () throws(StorageProblem) in try log.ledger() }
    } catch {
      throw StorageError(error, family.own.subject)
    }
  }

  /// Returns the names of a container that are wanted.
  ///
  /// - Parameters:
  ///   - store: The store of the container.
  ///   - isWithQuarantined: True if the names of values that were moved aside are listed too.
  func names(
    in container: StorageContainer, of store: any ValueStore, _ isWithQuarantined: Bool,
    where isWanted: (String) -> Bool
  ) throws(StorageProblem) -> [String] {
    // A value that is moved aside meanwhile is in one of the lists.
    let stored = try store.storedNames(in: container, where: isWanted)
    return isWithQuarantined ? try quarantine.names(in: container).filter(isWanted) + stored : stored
  }
}
