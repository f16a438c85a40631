import StorageVocabulary

/// What would happen, without its happening.
extension StorageRouter {
  func migrationPlan() async throws(StorageError) -> MigrationPlan {
    var plan = MigrationPlan(moves: [])
    for key in setup.withLock(\.registry.migrating) {
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
      let candidate = MigrationCandidate(key, keyPlan, migration.steps)
      let move = await inTurns(of: [keyPlan.place]) { router in await router.plannedMove(candidate) }
      if let move { plan.moves.append(move) }
    }
    return plan
  }

  private func plannedMove(_ candidate: MigrationCandidate) async -> MigrationPlan.Move? {
    do throws(StorageError) {
      let entry = try logEntry(candidate)
      if entry?.phase == .completed { return nil }
      let isThere = try await isStored(candidate.plan)
      for step in candidate.steps {
        guard let move = try await plannedMove(step, candidate, isThere: isThere, isCommitted: entry != nil) else {
          continue
        }
        return move
      }
      return nil
    } catch {
      return MigrationPlan.Move(
        key: candidate.plan.subject, sources: [], kind: .unknown, weakenings: [], problem: error)
    }
  }

  private func plannedMove(
    _ step: MigrationStep, _ candidate: MigrationCandidate, isThere: Bool, isCommitted: Bool
  ) async throws(StorageError) -> MigrationPlan.Move? {
    switch step.action {
    case .custom(let migration):
      guard !isCommitted, try holds(step, candidate), try await shouldRun(migration, candidate) else { return nil }
      return MigrationPlan.Move(key: candidate.plan.subject, sources: [], kind: .custom, weakenings: [])
    case .move(let move):
      if let source = try await samePlace(move, candidate) {
        guard isThere, let key = move.sources.first, try await isSecuredOtherwise(source, key, candidate) else {
          return nil
        }
        return planned(.secureInPlace, move.sources, candidate)
      }
      var present: [AnyStorageKey] = []
      for key in move.sources where try await isStored(try await sourcePlan(of: key)) { present.append(key) }
      guard !present.isEmpty, try holds(step, candidate) else { return nil }
      let kind: MigrationPlan.Kind =
        if isCommitted { .removeSource } else if !isThere { .move } else if move.onConflict == .remove {
          .removeSource
        } else {
          try await isEqual(move, candidate) ? .removeSource : .keepSource
        }
      return planned(kind, present, candidate)
    }
  }

  private func isEqual(_ move: ValueMove, _ candidate: MigrationCandidate) async throws(StorageError) -> Bool {
    try await isStored(converted(move, find(move, candidate), candidate), candidate)
  }

  private func planned(
    _ kind: MigrationPlan.Kind, _ sources: [AnyStorageKey], _ candidate: MigrationCandidate
  ) -> MigrationPlan.Move {
    let isMoved = kind == .move || kind == .secureInPlace
    var weakenings: [MigrationPlan.Weakening] = []
    for source in sources where isMoved {
      weakenings += [MigrationPlan.Weakening](from: source, to: candidate.key).filter { !weakenings.contains($0) }
    }
    return MigrationPlan.Move(
      key: candidate.plan.subject, sources: sources.map(\.subject), kind: kind, weakenings: weakenings)
  }

  func migrationHistory() async throws(StorageError) -> [MigrationRecord] {
    var records: [MigrationRecord] = []
    for keyset in setup.withLock(\.registry.keysets) {
      do throws(StorageFault) {
        records += try ready(for: nil).migrationLog(keyset).records()
      } catch {
        throw StorageError(error, .init(key: nil, domain: nil), limit: 0)
      }
    }
    return records.sorted { $0.date < $1.date }
  }
}
