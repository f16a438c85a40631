import TestSupport
import Testing

@testable import LocalData

/// Tests every combination of what can be known about a key: calls ``decide(_:_:for:)`` until the key is finished.
@Suite struct MigrationDecisionTests {
  /// The values that are really stored. Nothing is known about them before they are looked up.
  private struct World {
    var destination: DestinationState
    var sources: [StepState.SourceState]
  }

  private struct Case {
    var rules: [StepRule]
    var state: MigrationState
    var world: World
    var use: MigrationUse
  }

  static let rules: [StepRule] = [.move(.keepSource), .move(.removeSource), .inPlace, .custom]
  static let sources: [StepState.SourceState] = [
    .absent, .equal, .different, .newer, .restored, .keptAside, .part, .unreadable,
  ]
  static let destinations: [DestinationState] = [
    .absent, .current, .leftover, .older(step: 0), .older(step: 1), .unreadable,
  ]

  @Test func oneStep() {
    var count = 0
    for rule in Self.rules {
      for log in StepState.LogState.allCases {
        for source in Self.sources {
          for condition in StepState.ConditionState.allCases {
            for mustWait in [true, false] {
              for hasRun in [true, false] {
                var step = StepState(log: log, condition: condition, mustWait: mustWait, hasRun: hasRun)
                step.isNoted = isNoted(log, source, rule)
                count += check([rule], [step], [source])
              }
            }
          }
        }
      }
    }
    Sweep.report("decisions about one step", "\(count) combinations")
    #expect(count > 5_000)
  }

  @Test func twoSteps() {
    var (count, number) = (0, Int(Sweep.seed % 8))
    for first in Self.rules {
      for second in Self.rules {
        for (one, other) in pairs(StepState.LogState.allCases) {
          for (left, right) in pairs(Self.sources) {
            number += 1
            guard Sweep.isFull || number % 8 == 0 else { continue }
            var steps = [StepState(log: one), StepState(log: other)]
            steps[0].isNoted = isNoted(one, left, first)
            steps[1].isNoted = isNoted(other, right, second)
            count += check([first, second], steps, [left, right])
          }
        }
      }
    }
    Sweep.report("decisions about two steps", "\(count) combinations")
    #expect(count > 10_000)
  }

  /// Returns true if the state of a step exists. Only a custom migration starts before it ends. The log dates the values of the
  /// sources of a move that has ended, unless it was not able to record what they were.
  private func isPossible(_ log: StepState.LogState, _ source: StepState.SourceState, _ rule: StepRule) -> Bool {
    let isDated = [.newer, .restored, .keptAside, .part].contains(source)
    guard rule.isMove else { return !isDated }
    return switch log {
    case .none: source != .restored && source != .keptAside
    case .started, .superseded: false
    case .committed: true
    case .removing, .removed, .completed: isDated || source == .absent || source == .unreadable
    }
  }

  /// Returns true if the log has an entry about the sources of a step. Without one, it dates no value.
  private func isNoted(_ log: StepState.LogState, _ source: StepState.SourceState, _ rule: StepRule) -> Bool {
    rule.isMove && (log != .none || [.newer, .restored, .keptAside, .part].contains(source))
  }

  private func pairs<Value>(_ values: [Value]) -> [(Value, Value)] {
    values.flatMap { one in values.map { (one, $0) } }
  }

  /// Runs all destinations and uses, and returns how many there were.
  private func check(_ rules: [StepRule], _ steps: [StepState], _ sources: [StepState.SourceState]) -> Int {
    guard rules.indices.allSatisfy({ isPossible(steps[$0].log, sources[$0], rules[$0]) }) else { return 0 }
    var count = 0
    for destination in Self.destinations {
      if case .older(let step) = destination, step >= rules.count || rules[step] != .inPlace { continue }
      for use in MigrationUse.allCases {
        count += 1
        run(
          Case(
            rules: rules, state: MigrationState(steps: steps), world: World(destination: destination, sources: sources),
            use: use))
      }
    }
    return count
  }

  // MARK: A run

  private func run(_ original: Case) {
    var (state, world) = (original.state, original.world)
    for _ in 0..<20 {
      let action = decide(state, original.rules, for: original.use)
      if let violation = violation(of: action, state, world, original) {
        Issue.record("\(violation): \(action) in \(state), \(world), \(original.rules), \(original.use)")
        return
      }
      switch action {
      case .inspectDestination: state.destination = world.destination
      case .inspect(let step): state.steps[step].source = seen(step, state, world, original)
      case .secure, .adopt: (state.destination, world.destination) = (.current, .current)
      case .create(let step), .replace(let step):
        (state.destination, world.destination) = (.current, .current)
        state.steps[step].source = .taken
        lookAgain(exceptAt: step, &state, original)
      case .run(let step, _):
        (state.destination, world.destination) = (.current, .current)
        state.steps[step].source = .taken
        state.steps[step].hasRun = true
        lookAgain(exceptAt: step, &state, original)
      case .commit, .fail, .done:
        if let loss = loss(action, state, world, original) {
          Issue.record("\(loss): \(action) in \(state), \(world), \(original.rules), \(original.use)")
        }
        return
      }
    }
    Issue.record("no end: \(state), \(world), \(original.rules), \(original.use)")
  }

  private func lookAgain(exceptAt step: Int, _ state: inout MigrationState, _ original: Case) {
    for other in state.steps.indices where other != step && original.rules[other].isMove {
      if [.present, .unreadable, .newer].contains(state.steps[other].source) { state.steps[other].source = .unknown }
    }
  }

  private func seen(_ step: Int, _ state: MigrationState, _ world: World, _ original: Case) -> StepState.SourceState {
    let isCompared = state.destination == .current && original.rules[step].isMove
    let source = world.sources[step]
    if state.steps[step].isNoted, [.newer, .restored, .keptAside, .part].contains(source) {
      // If the destination was lost before the source was removed, the source still provides the value.
      let isOnlyCopy = source == .restored && [.committed, .removing].contains(state.steps[step].log)
      return isOnlyCopy && state.destination != .current ? .present : source
    }
    return isCompared || source == .absent || source == .unreadable ? source : .present
  }

  /// Returns what an action must never do.
  private func violation(
    of action: MigrationAction, _ state: MigrationState, _ world: World, _ original: Case
  ) -> String? {
    switch action {
    case .create(let step):
      if world.destination != .absent { return "a stored value is overwritten" }
      return provides(step, state, world, original)
    case .replace(let step):
      if world.destination != .leftover, state.steps[step].source != .newer {
        return "a value that is neither a leftover nor older is overwritten"
      }
      return provides(step, state, world, original)
    case .secure(let step):
      if world.destination != .older(step: step) { return "a form is accepted that is not stored" }
      if state.steps[step].log == .completed { return "a retired form is accepted" }
      return state.steps[step].condition == .holds ? nil : "a condition is ignored"
    case .run(let step, let keepsValue):
      let log = state.steps[step].log
      if state.steps[step].hasRun { return "a custom migration runs twice" }
      if log == .superseded, !keepsValue { return "a newer value is overwritten" }
      if log == .none, world.destination != .absent { return "a custom migration runs beside a value" }
      return [.none, .started, .superseded].contains(log) ? nil : "a finished custom migration runs"
    case .commit(let fates):
      if original.use == .exists { return "a question changes something" }
      for (step, fate) in fates.enumerated() {
        if let fate, let violation = violation(of: fate, step, state, world, original) { return violation }
      }
      return nil
    case .adopt: return original.use == .exists ? "a question changes something" : nil
    case .inspectDestination, .inspect, .fail, .done: return nil
    }
  }

  private func provides(_ step: Int, _ state: MigrationState, _ world: World, _ original: Case) -> String? {
    let log = state.steps[step].log
    if original.use == .exists { return "a question changes something" }
    if world.sources[step] == .newer { return nil }
    if log == .completed { return "a completed step is consulted" }
    if log == .removed { return "a removed value is stored again" }
    if log == .none, state.steps[step].condition != .holds { return "a condition is ignored" }
    return [.equal, .different, .restored].contains(world.sources[step]) ? nil : "nothing is stored as a value"
  }

  private func violation(
    of fate: StepConclusion, _ step: Int, _ state: MigrationState, _ world: World, _ original: Case
  ) -> String? {
    let (log, source, rule) = (state.steps[step].log, state.steps[step].source, original.rules[step])
    switch fate {
    case .moved:
      if log == .committed, state.steps[step].mustWait, source != .taken { return "a source is removed too early" }
      return source == .equal || source == .taken ? nil : "a source is removed that was not compared"
    case .discarded:
      return [.different, .newer].contains(source) && rule == .move(.removeSource) ? nil : "a source is removed"
    case .kept:
      if source == .part { return nil }
      return [.different, .newer].contains(source) && rule == .move(.keepSource) ? nil : "an equal source stays"
    case .retired: return rule == .inPlace && world.destination == .current ? nil : "a form is retired without a value"
    case .resumed:
      if log == .removed { return source == .newer ? "a newer value is removed" : nil }
      if source == .restored { return log == .none ? "a source is removed that was never moved" : nil }
      return log != .none && [.absent, .keptAside].contains(source) ? nil : "a source is removed without a comparison"
    case .unseen: return log == .none && source == .absent ? nil : "a value is recorded as absent"
    case .finished: return rule == .custom ? nil : "a step finishes that did not run"
    }
  }

  /// Returns what was lost or left undone at the end.
  private func loss(_ action: MigrationAction, _ state: MigrationState, _ world: World, _ original: Case) -> String? {
    guard case .done(let hasValue, _) = action else { return nil }
    let isStored = world.destination != .absent
    let isLate = original.rules.indices.contains { step in
      original.rules[step].isMove && world.sources[step] == .newer && state.steps[step].source != .taken
        && (original.state.steps[step].log != .none || original.state.steps[step].condition == .holds)
    }
    let isTaken = original.rules.indices.contains { world.sources[$0] == .newer && state.steps[$0].source == .taken }
    if isLate, !isTaken, original.use != .exists, !original.world.destination.isOlder {
      return "the value that was written last is not taken"
    }
    if isStored, !hasValue { return "a stored value is not found" }
    let waiting = original.rules.indices.contains { step in
      let before = original.state.steps[step]
      return original.rules[step].isMove && [.equal, .different].contains(world.sources[step])
        && (before.log == .none ? before.condition == .holds : [.committed, .removing].contains(before.log))
    }
    if !isStored, waiting, !hasValue { return "the value of a source is not found" }
    return nil
  }
}

extension DestinationState {
  fileprivate var isOlder: Bool { if case .older = self { true } else { false } }
}
