import Foundation
import StorageVocabulary

/// The same decisions without their actions.
extension Migrator {
  /// Returns what each step of a key would do.
  func plannedMoves(
    of candidate: MigrationCandidate, isolation: isolated (any Actor)? = #isolation
  ) async -> [MigrationPlan.Move] {
    do throws(StorageError) {
      var attempt = try MigrationAttempt(self, candidate, .finish)
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
  fileprivate mutating func plannedMoves(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> [MigrationPlan.Move] {
    isDryRun = true
    var moves: [MigrationPlan.Move] = []
    while true {
      switch decide(state, candidate.rules, for: use) {
      case .inspectDestination: await inspectDestination()
      case .inspect(let step): await inspect(step)
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
        return moves
      case .fail(let problem): throw error(of: problem)
      case .done: return moves
      }
    }
  }

  private mutating func pretendToProvide(_ step: Int) {
    state.destination = .current
    state.steps[step].source = .taken
    state.steps[step].hasRun = true
  }

  private func kind(of fate: StepFate, _ step: Int) -> MigrationPlan.Kind? {
    switch fate {
    case .moved: state.steps[step].source == .taken ? nil : .removeSource
    case .discarded, .resumed: .removeSource
    case .kept: .keepSource
    case .retired, .finished: nil
    }
  }

  private func present(
    _ step: Int, isolation: isolated (any Actor)? = #isolation
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
