/// The known state of the storage of one key. A part of it is read only after ``decide(_:_:for:)`` has requested it.
package struct MigrationState: Sendable, Hashable {
  package var destination = DestinationState.unknown
  /// The state of each step, in the order of the steps.
  package var steps: [StepState]
}

/// The state of the address of the key.
package enum DestinationState: Sendable, Hashable {
  case unknown
  case absent
  /// A value that the key reads.
  case current
  /// The value of an earlier release that a migration left behind when the key moved away from this address. The key was
  /// stored at the address again, and a source may have a newer value.
  case leftover
  /// A value in the form that this step accepts.
  case older(step: Int)
  /// A value may be stored, but it cannot be read now.
  case unreadable
}

/// The known state of one step.
package struct StepState: Sendable, Hashable {
  /// The progress of the step, according to the log.
  package var log = LogState.none
  package var source = SourceState.unknown
  var condition = ConditionState.holds
  /// A Boolean value that indicates whether a migration to another address has left the value of the source. Another source
  /// may have a newer value.
  var isLeftover = false
  /// A Boolean value that indicates whether the source must not be removed before the next launch of the app.
  var mustWait = false
  /// A Boolean value that indicates whether the code of a custom migration was run by this call, or failed before.
  package var hasRun = false
  /// A Boolean value that indicates whether the log has an entry about a source of the step. A value that is stored there now
  /// may have been written later, by an earlier release.
  var isNoted = false
  /// A Boolean value that indicates whether only other keys have such entries, for example the key's earlier name.
  var isOfOtherKey = false
  /// The position in the log of the last write of an app to a source of the step. Nil if no write is newer than the key's value.
  /// If the sources have several logs, it is the position of the step: the releases before would have moved an older value.
  var writtenAt: Int?

  package enum LogState: Sendable, Hashable, CaseIterable {
    /// No entry is noted, or the entry is void.
    case none
    /// A custom migration has started.
    case started
    /// A custom migration has started, and the app has set or removed the value since.
    case superseded
    /// The destination is durable, and the source is to be compared and removed.
    case committed
    /// The destination is durable, and the source is being removed.
    case removing
    /// The key is being removed, and its source with it.
    case removed
    case completed
  }

  package enum SourceState: Sendable, Hashable, CaseIterable {
    case unknown
    case absent
    /// A value is stored, or a custom migration finds something to do.
    case present
    /// The value is the destination's.
    case equal
    case different
    /// An earlier release has written the value after the log's last entry about the source. It is the newest value.
    case newer
    /// The value that the log notes as moved or removed: a copy that was restored, or that could not be removed.
    case restored
    /// A value that stays at the source, and is not used.
    case keptAside
    /// Some of the values that the key's value was made of are stored again. They stay until all are.
    case part
    /// This call has stored the value at the destination.
    case taken
    case unreadable
  }

  enum ConditionState: Sendable, Hashable, CaseIterable {
    case holds, fails
    /// The version of the running app is unknown.
    case unknown
  }
}

/// The kind of a step, as far as a decision depends on it.
package enum StepRule: Sendable, Hashable {
  case move(ConflictPolicy)
  case inPlace
  case custom

  package var isMove: Bool { if case .move = self { true } else { false } }
}

/// The reason for a decision.
package enum MigrationUse: Sendable, Hashable, CaseIterable {
  /// A value is about to be read or changed, or has just been set. A source that cannot be read now is left for later if
  /// the destination has a value.
  case access
  /// The caller checks whether a value exists. No value is changed.
  case exists
  /// The migration was requested. It is an error if the migration cannot be finished.
  case finish
}

/// The next action of an executor.
package enum MigrationAction: Sendable, Hashable {
  case inspectDestination
  /// Read the sources of a step, or call `shouldMigrate` of a custom migration.
  case inspect(step: Int)
  /// Encrypt the destination's value anew, from the form that the step accepts.
  case secure(step: Int)
  /// Store the value of the step's sources if the destination has no value.
  case create(step: Int)
  /// Store the value of the step's sources instead of the leftover at the destination.
  case replace(step: Int)
  /// Run a custom migration. If `keepsValue` is true, it cannot change the destination.
  case run(step: Int, keepsValue: Bool)
  /// Record that the leftover at the destination is the key's value.
  case adopt
  /// Make the destination durable, note what becomes of each step, and remove sources. A step without a fate is not
  /// touched.
  case commit([StepConclusion?])
  case fail(Problem)
  /// No action is needed now. If `isSettled` is false, an action will be needed at another time.
  case done(hasValue: Bool, isSettled: Bool)

  package enum Problem: Sendable, Hashable {
    /// The destination cannot be read now.
    case destination
    /// The sources of a step cannot be read now.
    case source(step: Int)
    /// A condition needs the version of the app, which is unknown.
    case condition(step: Int)
  }
}

/// The end of a step.
package enum StepConclusion: Sendable, Hashable {
  /// The source is removed, because its value is the destination's.
  case moved
  /// The source has another value and stays.
  case kept
  /// The source has another value and is removed.
  case discarded
  /// The form is no longer accepted.
  case retired
  /// A noted removal of sources is finished.
  case resumed
  /// The source has no value. The entry shows later that a value there was written after the destination's.
  case unseen
  /// A custom migration is finished.
  case finished
}

/// Returns what to do next for a key. Pure, so that a table tests every combination.
///
/// The invariants: a value is at its source or at its destination at any time. A value of the destination is replaced only if
/// it is a leftover, or if an earlier release has written a newer one. A removed value is not stored again. A form that the
/// log has retired is not accepted.
package func decide(_ state: MigrationState, _ rules: [StepRule], for use: MigrationUse) -> MigrationAction {
  switch state.destination {
  case .unknown: .inspectDestination
  case .unreadable: .fail(.destination)
  case .absent, .leftover: decideWithoutValue(state, rules, use)
  case .older(let step): decideForm(state, rules, use, step)
  case .current: decideBesideValue(state, rules, use)
  }
}

/// A value in an older form is accepted only by a version of the app that carries out the step. The others leave everything
/// unchanged: the key cannot read the stored value.
private func decideForm(
  _ state: MigrationState, _ rules: [StepRule], _ use: MigrationUse, _ step: Int
) -> MigrationAction {
  let isRetired = state.steps[step].log == .completed
  if use == .exists || isRetired { return .done(hasValue: true, isSettled: false) }
  return switch state.steps[step].condition {
  case .holds: .secure(step: step)
  case .unknown: .fail(.condition(step: step))
  case .fails: .done(hasValue: true, isSettled: false)
  }
}

/// The first step that finds a value provides it, but a value that was written last takes precedence. A leftover is used only
/// if no other source has a value.
private func decideWithoutValue(_ state: MigrationState, _ rules: [StepRule], _ use: MigrationUse) -> MigrationAction {
  if let step = state.firstToInspect(rules) { return .inspect(step: step) }
  for index in state.orderOfProvision where state.steps[index].mayProvide(rules[index], state.destination) {
    let step = state.steps[index]
    switch step.source {
    case .absent, .restored, .keptAside, .part: continue
    case .unreadable: return .fail(.source(step: index))
    case .unknown:
      // If the version of the app does not run the custom migration, `shouldMigrate` is not called.
      if rules[index] == .custom {
        if step.requirement == .unknown { return .fail(.condition(step: index)) }
        if step.requirement == .fails { continue }
      }
      return .inspect(step: index)
    case .present, .equal, .different, .newer, .taken:
      if step.requirement == .unknown { return .fail(.condition(step: index)) }
      if step.requirement == .fails { continue }
      if use == .exists { return .done(hasValue: true, isSettled: false) }
      if rules[index] == .custom { return .run(step: index, keepsValue: step.log == .superseded) }
      return state.destination == .absent ? .create(step: index) : .replace(step: index)
    }
  }
  if state.destination == .leftover { return use == .exists ? .done(hasValue: true, isSettled: false) : .adopt }
  if use == .exists { return .done(hasValue: false, isSettled: false) }
  let fates = state.steps.enumerated().map { index, step in step.fateWithoutValue(rules[index]) }
  if fates.contains(where: { $0 != nil }) { return .commit(fates) }
  // A source that appears later is looked at then, and the next write may have to be noted.
  return .done(hasValue: false, isSettled: false)
}

/// The destination has a value. If an earlier release has written a newer one, that is stored instead. The remaining steps are
/// finished.
private func decideBesideValue(_ state: MigrationState, _ rules: [StepRule], _ use: MigrationUse) -> MigrationAction {
  if use == .exists { return .done(hasValue: true, isSettled: false) }
  if let step = state.firstToInspect(rules) { return .inspect(step: step) }
  if let step = state.orderOfNewer.first(where: { state.steps[$0].requirement == .holds }) {
    if state.steps[step].source == .newer { return .replace(step: step) }
    return use == .finish ? .fail(.source(step: step)) : .done(hasValue: true, isSettled: false)
  }
  var fates: [StepConclusion?] = []
  var isSettled = true
  for (index, step) in state.steps.enumerated() {
    switch step.outcome(rules[index], use) {
    case .inspect: return .inspect(step: index)
    case .run: return .run(step: index, keepsValue: step.log == .superseded)
    case .fail(let isCondition): return .fail(isCondition ? .condition(step: index) : .source(step: index))
    case .fate(let fate): fates.append(fate)
    case .wait:
      fates.append(nil)
      isSettled = false
    case .nothing: fates.append(nil)
    }
  }
  return fates.contains { $0 != nil } ? .commit(fates) : .done(hasValue: true, isSettled: isSettled)
}

extension MigrationState {
  /// The first step whose source may have a newer value than all others, and is not known yet.
  fileprivate func firstToInspect(_ rules: [StepRule]) -> Int? {
    steps.indices.first { rules[$0].isMove && steps[$0].isNoted && steps[$0].source == .unknown }
  }

  /// The steps with newer values, the one that was written last first. A value that the log does not date is of a program that
  /// does not use the library. One that the log dates may be unreadable now, and no older value takes its place.
  fileprivate var orderOfNewer: [Int] {
    let isTaken = steps.contains { $0.source == .taken }
    func rank(_ index: Int) -> (Int, Int, Int) {
      (steps[index].writtenAt ?? .max, steps[index].source == .newer ? 1 : 0, -index)
    }
    return steps.indices.filter { steps[$0].source == .newer || (steps[$0].isUnreadButDated && !isTaken) }
      .sorted { rank($0) > rank($1) }
  }

  /// The order in which steps provide a value while the destination has none.
  fileprivate var orderOfProvision: [Int] {
    let newer = orderOfNewer
    let others = steps.indices.filter { !newer.contains($0) }
    return newer + others.filter { !steps[$0].isLeftover } + others.filter { steps[$0].isLeftover }
  }
}

/// The action of one step while the destination has a value.
private enum StepOutcome {
  case inspect, run, wait, nothing
  case fail(isCondition: Bool)
  case fate(StepConclusion)
}

extension StepState {
  /// A Boolean value that indicates whether the source cannot be read now, and the log dates its value.
  fileprivate var isUnreadButDated: Bool { source == .unreadable && writtenAt != nil }

  /// Returns true if the step may provide a value while the destination has none.
  fileprivate func mayProvide(_ rule: StepRule, _ destination: DestinationState) -> Bool {
    switch rule {
    case .inPlace: return false
    case .move: return source == .newer || [.none, .committed, .removing].contains(log)
    case .custom:
      if hasRun { return false }
      return log == .started || log == .superseded || (log == .none && destination == .absent)
    }
  }

  /// The condition that still has to hold. A step that has begun is finished by every version.
  fileprivate var requirement: ConditionState { log == .none ? condition : .holds }

  fileprivate func fateWithoutValue(_ rule: StepRule) -> StepConclusion? {
    switch (rule, log) {
    case (.move, .removed): source == .unreadable ? nil : .resumed
    // The step is completed.
    case (.custom, .superseded): source == .absent || (hasRun && source != .unreadable) ? .finished : nil
    default: nil
    }
  }

  fileprivate func outcome(_ rule: StepRule, _ use: MigrationUse) -> StepOutcome {
    switch rule {
    case .inPlace: log == .completed || condition != .holds ? .nothing : .fate(.retired)
    case .custom: customOutcome(use)
    case .move(let policy): moveOutcome(policy, use)
    }
  }

  private func customOutcome(_ use: MigrationUse) -> StepOutcome {
    guard log == .started || log == .superseded || source == .taken else { return .nothing }
    if source == .taken { return .fate(.finished) }
    if hasRun { return .wait }
    return switch source {
    case .unknown: .inspect
    case .absent: .fate(.finished)
    case .unreadable: use == .finish ? .fail(isCondition: false) : .wait
    case .present, .equal, .different, .newer, .restored, .keptAside, .part, .taken: .run
    }
  }

  private func moveOutcome(_ policy: ConflictPolicy, _ use: MigrationUse) -> StepOutcome {
    switch source {
    case .unknown: return .inspect
    case .absent where log == .none || (log == .completed && isOfOtherKey):
      return (isNoted && !isOfOtherKey) || condition != .holds ? .nothing : .fate(.unseen)
    case .absent, .keptAside: return log == .completed ? .nothing : mustWait ? .wait : .fate(.resumed)
    case .restored: return mustWait ? .wait : .fate(.resumed)
    case .part: return mustWait ? .wait : .fate(.kept)
    case .unreadable: return use == .finish ? .fail(isCondition: false) : .wait
    case .taken: return .fate(.moved)
    case .present, .equal, .different, .newer: break
    }
    if mustWait { return .wait }
    switch requirement {
    case .unknown: return use == .finish ? .fail(isCondition: true) : .wait
    case .fails: return .nothing
    case .holds: break
    }
    if source == .equal { return .fate(.moved) }
    return .fate(policy == .keepSource ? .kept : .discarded)
  }
}
