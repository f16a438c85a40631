public import LocalData
import LocalDataFoundation
import LocalDataAudit

extension StorageRouter.Migrations {
  /// Returns the steps that ``LocalData/StorageRouter/Migrations/migrateAll(progress:)`` would carry out now. Changes nothing.
  ///
  /// The plan has a move for each step of a registered key that would move, remove or encrypt something, and for each source
  /// that would stay. A value that an earlier release has stored after the last move is moved again. Members of families that have a stored
  /// source are included. If a key cannot be examined now, or the members of a family cannot be listed, the move has a
  /// ``MigrationPlan/Move/problem``.
  ///
  /// - Returns: The plan.
  /// - Throws: ``StorageProblem/Code/invalidName`` and ``StorageProblem/Code/invalidAppGroupIdentifier`` if a key has no
  ///   address on this device.
  @concurrent public func plan() async throws(StorageError) -> MigrationPlan {
    let registry = router.setup.withLock(\.registry)
    let waits = CallWaits(router.timeout, of: .step)
    let members = await members(of: registry.migratingFamilies, waits)
    var plan = MigrationPlan(moves: members.problems.map(\.move))
    for key in registry.migrating + members.keys {
      guard let migration = key.migration?() else { continue }
      let keyPlan: KeyPlan
      do throws(StorageError) {
        keyPlan = try await router.plan(for: key)
      } catch {
        if error.code == .notAvailableOnPlatform { continue }
        throw error
      }
      // The caller is a custom migration of this key.
      if MigrationTurn.isRunning(on: router, at: keyPlan.address) { continue }
      plan.moves += try await router.inTurn(at: keyPlan.address, keyPlan.subject, waits) {
        router throws(StorageError) in
        let migrator = Migrator(for: keyPlan, on: router)
        return await migrator.plannedMoves(of: await migrator.candidate(key, keyPlan, migration.steps))
      }
    }
    return plan
  }
}

extension FamilyListing.Problem {
  /// The problem as a move of a plan.
  fileprivate var move: MigrationPlan.Move {
    MigrationPlan.Move(key: family, sources: [source], kind: .unknown, downgrades: [], problem: error)
  }
}

/// A dry run: it makes the decisions of a migration without carrying out the actions.
extension Migrator {
  /// Returns what each step of a key would do.
  func plannedMoves(
    of candidate: MigrationCandidate
  ) async -> [MigrationPlan.Move] {
    do throws(StorageError) {
      var attempt = try await MigrationAttempt(self, candidate, .finish)
      return try await attempt.plannedMoves()
    } catch {
      return [
        MigrationPlan.Move(key: candidate.plan.subject, sources: [], kind: .unknown, downgrades: [], problem: error)
      ]
    }
  }
}

extension MigrationAttempt {
  /// Goes through the decisions as if each action had succeeded.
  fileprivate mutating func plannedMoves() async throws(StorageError) -> [MigrationPlan.Move] {
    isDryRun = true
    var moves: [MigrationPlan.Move] = []
    while true {
      switch await look() {
      case .inspectDestination, .inspect: continue
      case .secure(let step):
        moves.append(planned(.secureInPlace, candidate.steps[step].sources))
        state.destination = .current
      case .create(let step), .replace(let step):
        moves.append(planned(.move, try await present(step)))
        pretendToProvide(step)
      case .run(let step, _):
        moves.append(planned(.custom, []))
        pretendToProvide(step)
      case .adopt: adopt()
      case .commit(let fates):
        for (step, fate) in fates.enumerated() {
          guard let fate, let kind = kind(of: fate, step) else { continue }
          let sources = try await present(step)
          if !sources.isEmpty { moves.append(planned(kind, sources)) }
        }
        return moves + (await storedAgain())
      case .fail(let problem): throw error(of: problem)
      case .done: return moves + (await storedAgain())
      }
    }
  }

  /// Returns the sources that contain a value again after they were moved or removed, and those that cannot be examined now.
  private func storedAgain() async -> [MigrationPlan.Move] {
    var moves: [MigrationPlan.Move] = []
    for step in state.steps.indices
    where candidate.rules[step].isMove
      && (state.steps[step].source == .part && state.destination == .absent
        || state.steps[step].log == .completed && [.restored, .keptAside].contains(state.steps[step].source))
    {
      let logged = stepEntries[step]
      do throws(StorageError) {
        let sources = try await present(step).filter { source in
          state.steps[step].source == .part || logged.isRemoval || logged.entry?.moved.contains(source.id) == true
        }
        if !sources.isEmpty { moves.append(planned(.keepSource, sources)) }
      } catch {
        var move = planned(.unknown, candidate.steps[step].sources)
        move.problem = error
        moves.append(move)
      }
    }
    return moves
  }

  private mutating func pretendToProvide(_ step: Int) {
    state.destination = .current
    state.steps[step].source = .taken
    state.steps[step].hasRun = true
  }

  private func kind(of fate: StepConclusion, _ step: Int) -> MigrationPlan.Kind? {
    switch fate {
    case .moved: state.steps[step].source == .taken ? nil : .removeSource
    case .discarded, .resumed: .removeSource
    case .kept: .keepSource
    case .retired, .finished, .unseen: nil
    }
  }

  private func present(
    _ step: Int
  ) async throws(StorageError) -> [MigrationSource] {
    var present: [MigrationSource] = []
    for source in candidate.steps[step].sources where !source.isInPlace {
      if try await migrator.values.isStored(source.plan) { present.append(source) }
    }
    return present
  }

  private func planned(_ kind: MigrationPlan.Kind, _ sources: [MigrationSource]) -> MigrationPlan.Move {
    var downgrades: [ProtectionDowngrade] = []
    if kind == .move || kind == .secureInPlace {
      for source in sources {
        downgrades += [ProtectionDowngrade](from: source.key, to: candidate.key).filter { !downgrades.contains($0) }
      }
    }
    return MigrationPlan.Move(
      key: candidate.plan.subject, sources: sources.map(\.plan.subject), kind: kind, downgrades: downgrades)
  }
}

extension [ProtectionDowngrade] {
  /// The downgrades of a value that goes from one key to another.
  init(from source: AnyStorageKey, to key: AnyStorageKey) {
    let downgrades = Protection(key).downgrades(from: Protection(source))
    self = ProtectionDowngrade.allCases.filter(downgrades.contains)
  }
}

extension Protection {
  fileprivate init(_ key: AnyStorageKey) { self.init(key.domain, key.security, isBackedUp: key.options.isBackedUp) }
}
