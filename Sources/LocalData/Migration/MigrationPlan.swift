public import StorageVocabulary

/// The steps that a run over all keys would carry out now.
public struct MigrationPlan: Sendable, Hashable {
  /// The steps that would change something, and the sources that would stay, in the order of registration. A value that an
  /// earlier release has stored at a source after the last move is moved again.
  public var moves: [Move]

  /// One step of the plan.
  public struct Move: Sendable, Hashable {
    /// The destination key of the step.
    public var key: StorageError.Subject
    /// The sources of the step that have a value. It is empty for a custom migration.
    public var sources: [StorageError.Subject]
    /// The effect on the sources.
    public var kind: Kind
    /// The protection downgrades of the step: the ways in which the value would be protected less.
    public var downgrades: [ProtectionDowngrade]
    /// The error if the step cannot be examined or carried out now.
    public var problem: StorageError?
  }

  /// The effect of a step on its sources.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The value is moved to the key.
    case move
    /// The protection of the value is changed at its address, for example it is encrypted.
    case secureInPlace
    /// The key has a value. The source is removed.
    case removeSource
    /// The source stays, and no later read uses it, because the key has another value. `remove` of the key removes it.
    case keepSource
    /// A custom migration runs.
    case custom
    /// The step cannot be examined now.
    case unknown
  }
}

extension MigrationPlan.Move: CustomStringConvertible {
  /// One line, without a value: `'token' in keychain: move from 'old_token' in userDefaults`.
  public var description: String {
    var line = "\(key): \(kind.words)"
    if !sources.isEmpty { line += " from " + sources.map(\.description).joined(separator: ", ") }
    if !downgrades.isEmpty { line += "; weaker: " + downgrades.map(\.words).joined(separator: ", ") }
    if let problem { line += "; \(problem)" }
    return line
  }
}

extension MigrationPlan.Kind {
  fileprivate var words: String {
    switch self {
    case .move: "move"
    case .secureInPlace: "change the protection in place"
    case .removeSource: "remove what is left"
    case .keepSource: "keep aside what differs"
    case .custom: "custom migration"
    case .unknown: "unknown"
    }
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

/// A dry run: it makes the decisions of a migration without carrying out the actions.
extension Migrator {
  /// Returns what each step of a key would do.
  func plannedMoves(
    of candidate: MigrationCandidate, isolation: isolated (any Actor)? = #isolation
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
        return moves + (await storedAgain())
      case .fail(let problem): throw error(of: problem)
      case .done: return moves + (await storedAgain())
      }
    }
  }

  /// Returns the sources that contain a value again after they were moved or removed, and those that cannot be examined now.
  private func storedAgain(isolation: isolated (any Actor)? = #isolation) async -> [MigrationPlan.Move] {
    var moves: [MigrationPlan.Move] = []
    for step in state.steps.indices
    where candidate.rules[step].isMove && state.steps[step].log == .completed
      && [.restored, .keptAside].contains(state.steps[step].source)
    {
      let record = records[step]
      do throws(StorageError) {
        let sources = try await present(step).filter { source in
          record.isRemoval || record.entry?.moved.contains(source.id) == true
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

  private func kind(of fate: StepFate, _ step: Int) -> MigrationPlan.Kind? {
    switch fate {
    case .moved: state.steps[step].source == .taken ? nil : .removeSource
    case .discarded, .resumed: .removeSource
    case .kept: .keepSource
    case .retired, .finished, .unseen: nil
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
