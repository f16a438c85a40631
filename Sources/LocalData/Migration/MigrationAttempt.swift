import LocalDataFoundation
import LocalDataStores

/// One pass over a key: the sources and values that were read so far, and the actions that ``decide(_:_:for:)`` returned.
///
/// The log is read before anything is looked at and once more before a conclusion is noted. If another process has
/// noted something in between, it may have removed some of the sources, and the pass begins again.
package struct MigrationAttempt: Sendable {
  package let migrator: Migrator
  package let candidate: MigrationCandidate
  package let use: MigrationUse
  package var state: MigrationState
  /// The values that were found in the sources of each step.
  var found: [Int: [FoundSource?]] = [:]
  /// The entries that this call finds in the log, of each step.
  package let stepEntries: [StepEntry]
  /// The last entries about the sources of each step.
  let notes: [[SourceNote?]]
  /// The sources of each step that contain a value that the log notes as moved or removed, with the bytes if they were read.
  var restored: [Int: [AddressID: Data?]] = [:]
  /// The addresses whose values an earlier release has removed.
  let signedOut: Set<AddressID>
  /// The ledgers of the other keysets of the sources, as this call finds them.
  private let others: [KeysetID: MigrationLedger]
  /// A Boolean value that indicates whether the pass changes no value. Then a source is read only to compare it.
  package var isDryRun = false
  /// The errors that looking at the steps led to.
  private var problems: [Int: StorageError] = [:]
  private var destinationProblem: StorageError?
  /// The bytes that are stored at the destination.
  private var stored: Data?
  /// A Boolean value that indicates whether the value of the destination is newer than those of all sources.
  var isNewest: Bool
  private(set) var isSecuredInPlace = false
  /// The in-place step that this attempt has carried out.
  private(set) var securedStep: Int?
  /// The change that this attempt has made.
  private(set) var change = MigrationEffect()
  /// The step that was looked at last.
  private(set) var lastInspected: Int?
  /// A Boolean value that indicates whether the leftover at the destination is the key's value.
  private var isAdopted = false
  /// The entry about the sources that no log knows. It is noted before the pass stores the value of one.
  private(set) var announcement: UnfinishedMigration?

  enum Outcome {
    case again
    case done(hasValue: Bool, isSettled: Bool)
    case committed(UnfinishedMigration)
  }

  var plan: KeyPlan { candidate.plan }
  private var values: ValueAccess { migrator.values }

  package init(_ migrator: Migrator, _ candidate: MigrationCandidate, _ use: MigrationUse) async throws(StorageError) {
    self.migrator = migrator
    self.candidate = candidate
    self.use = use
    let ledger = try await migrator.ledger(of: candidate.plan)
    let others = await migrator.ledgers(ofSourcesOf: candidate)
    self.others = others
    isNewest = migrator.cache.isOverwritten(candidate.plan.address)
    signedOut = Set(candidate.signedOut(in: ledger, others).map(\.id))
    stepEntries = candidate.stepEntries(in: ledger, others)
    notes = candidate.notes(in: ledger, others)
    let hasOneLog = Set(candidate.sources.map(\.plan.keyset)).count < 2
    var steps: [StepState] = []
    for (index, step) in candidate.steps.enumerated() {
      let logged = stepEntries[index]
      let notes = notes[index]
      var state = StepState(log: logged.logState, condition: migrator.setting.condition(of: step.step))
      state.isNoted = step.rule.isMove && notes.contains { $0 != nil }
      state.isOfOtherKey = state.isNoted && !notes.contains { $0?.isOwn == true }
      if !isNewest, let position = notes.compactMap({ $0?.writtenAt }).max() {
        state.writtenAt = hasOneLog ? position : candidate.steps.firstIndex { $0.id == step.id }
      }
      if logged.phase == .committed, let entry = logged.entry {
        let moved = step.sources.filter { entry.moved.contains($0.id) }
        // A source that stays is not removed.
        if moved.isEmpty, step.rule.isMove { state.log = .completed }
        state.mustWait =
          !migrator.setting.launch.isLaterLaunch(than: entry.launch)
          && moved.contains { migrator.waits(for: $0.plan, movedTo: candidate.plan) }
      }
      // A source that had no value is like one that was not looked at. A run that was killed after it had noted the values of
      // the sources may have stored nothing.
      let hadNoValue = !logged.isRemoval && notes.allSatisfy { $0?.value == SourceNote.Value.none }
      if state.isNoted, hadNoValue || notes.contains(where: { $0?.announced != nil }) { state.log = .none }
      state.isLeftover = step.rule.isMove && notes.contains { $0?.isLeftover == true }
      if step.rule == .custom, use == .access { state.hasRun = migrator.cache.hasFailed(candidate.plan.address) }
      steps.append(state)
    }
    state = MigrationState(steps: steps)
  }

  /// Performs actions until the pass has come to its end.
  mutating func run() async throws(StorageError) -> Outcome {
    while true {
      let action = await look()
      change.isBegun = change.isBegun || action.isChange
      switch action {
      case .inspectDestination, .inspect: continue
      case .secure(let step): guard try await secure(step) else { return .again }
      case .create(let step):
        if let new = try await announce() { await migrator.note([new]) }
        guard try await store(step, isReplacing: false) else { return .again }
      case .replace(let step): guard try await store(step, isReplacing: true) else { return .again }
      case .run(let step, let keepsValue): try await runCustom(step, keepsValue: keepsValue)
      case .adopt:
        try await migrator.note([migrator.entry(candidate, [], .completed, nil)], of: candidate)
        adopt()
      case .commit(let fates):
        guard try await isUnchanged() else { return .again }
        return try await end(fates)
      case .fail(let problem): throw error(of: problem)
      case .done(let hasValue, let isSettled): return .done(hasValue: hasValue, isSettled: isSettled)
      }
    }
  }

  /// Looks at the destination and at sources until something else is to be done, and returns that.
  package mutating func look() async -> MigrationAction {
    while true {
      let action = decide(state, candidate.rules, for: use)
      switch action {
      case .inspectDestination: await inspectDestination()
      case .inspect(let step): await inspect(step)
      default: return action
      }
    }
  }

  /// Looks until something else is to be done. If a value is to be stored, returns the entry about the sources that no entry shows
  /// the value of, unless the pass has it already.
  ///
  /// If the process is killed after the entry was noted, an earlier release notes what it stores at a source, and other bytes
  /// there are newer than the moved ones.
  @discardableResult
  mutating func announce() async throws(StorageError) -> UnfinishedMigration? {
    let action = await look()
    if case .fail(let problem) = action { throw error(of: problem) }
    guard case .create(let step) = action, announcement == nil else { return nil }
    let unknown = zip(candidate.steps, notes).flatMap { step, notes in
      zip(step.sources, notes).filter { !$0.isInPlace && $1?.isKnown != true }.map(\.0.plan)
    }
    if unknown.isEmpty { return nil }
    let found = (found[step] ?? []).compactMap(\.self).map { ($0.source.plan, Optional($0.bytes)) }
    let seen = await migrator.fingerprints.seen(found, candidate)
    let entry = migrator.entry(candidate, [], .completed, nil, moved: unknown, seen: seen)
    announcement = UnfinishedMigration(candidate: candidate, removals: [], entries: [entry])
    return announcement
  }

  /// A Boolean value that indicates whether no custom migration of the key has anything to do.
  var findsNothingToRun: Bool {
    zip(state.steps, candidate.rules).allSatisfy { step, rule in
      rule != .custom || step.source == .absent || step.log == .completed || step.condition == .fails
    }
  }

  /// Looks at the leftover again as at the key's value, which may be stored in an older form.
  package mutating func adopt() {
    isAdopted = true
    state.destination = .unknown
  }

  package func error(of problem: MigrationAction.Problem) -> StorageError {
    switch problem {
    case .destination: destinationProblem ?? StorageError(.migrationFailed, plan.subject)
    case .source(let step): problems[step] ?? StorageError(.migrationFailed, plan.subject)
    case .condition: StorageError(.migrationFailed, plan.subject)
    }
  }

  /// Returns true if the log's state of the steps is still the one from the beginning.
  private func isUnchanged() async throws(StorageError) -> Bool {
    let now = candidate.stepEntries(in: try await migrator.ledger(of: plan), others)
    return zip(now, state.steps.indices).allSatisfy { logged, step in
      // Its own entry of a custom migration is no change.
      logged == stepEntries[step] || (candidate.rules[step] == .custom && state.steps[step].hasRun)
    }
  }

  // MARK: Looking

  package mutating func inspectDestination() async {
    do throws(StorageError) {
      state.destination = try await destination()
    } catch {
      state.destination = .unreadable
      destinationProblem = error
    }
  }

  private mutating func destination() async throws(StorageError) -> DestinationState {
    guard !signedOut.contains(candidate.id), try await values.isStored(plan) else { return .absent }
    if use == .exists { return .current }
    let isLeftover = isAdopted ? false : try await migrator.ledger(of: plan).isLeftover(candidate.id)
    guard isLeftover || candidate.rules.contains(.inPlace) else { return .current }
    stored = try await values.stored(plan)
    guard let stored else { return .absent }
    if isLeftover { return .leftover }
    return try await migrator.olderForm(of: stored, candidate, state).map { .older(step: $0) } ?? .current
  }

  package mutating func inspect(_ index: Int) async {
    let step = candidate.steps[index]
    lastInspected = index
    do throws(StorageError) {
      if let problem = step.problem { throw problem }
      state.steps[index].source = try await look(at: step, index)
    } catch {
      // If a transform fails, the source has no fault, and the failure hides no value.
      state.steps[index].source = .unreadable
      problems[index] = error
    }
  }

  private mutating func look(at step: ResolvedStep, _ index: Int) async throws(StorageError) -> StepState.SourceState {
    guard let move = step.move else {
      guard case .custom(let migration) = step.step.action else { return .absent }
      let context = try await migrator.context(for: plan)
      return try await migrator.app.shouldMigrate(migration, plan, context) ? .present : .absent
    }
    if step.sources.allSatisfy({ signedOut.contains($0.id) }) { return .absent }
    if state.steps[index].isNoted, let noted = try await lookAtNoted(step, index) { return noted }
    // Only the bytes show whether a source has the key's part.
    let isStoredOnly = !step.takesPart || step.sources.contains(where: \.plan.mayPrompt)
    if isStoredOnly, isQuestion {
      for source in step.sources where !source.isInPlace {
        if try await values.isStored(source.plan) { return .present }
      }
      return .absent
    }
    let found = try await migrator.find(step, of: plan)
    guard found.contains(where: { $0 != nil }) else { return .absent }
    self.found[index] = found
    // If the destination has no value, the sources are not compared.
    guard state.destination == .current, state.steps[index].log != .none || state.steps[index].condition == .holds
    else {
      return .present
    }
    let value = try migrator.converted(move, found, plan)
    return try await migrator.isStored(value, candidate) ? .equal : .different
  }

  /// A Boolean value that indicates whether the caller only asks for the presence of values.
  var isQuestion: Bool { use == .exists || (isDryRun && state.destination != .current) }

  // MARK: Changing

  /// Encrypts the value again at its address. Returns false if another writer has changed it meanwhile.
  private mutating func secure(_ index: Int) async throws(StorageError) -> Bool {
    guard let stored, let source = candidate.steps[index].sources.first, let move = candidate.steps[index].move else {
      return false
    }
    let value: any Sendable
    do throws(StorageError) { value = try await migrator.value(of: stored, source.key, source.plan) } catch {
      switch error.code {
      case .cannotDecode, .corrupted, .authenticationFailed:
        // Bytes that the step cannot use either: the key's own error is the one that helps.
        _ = try await values.opened(stored, plan)
        throw error
      default: throw error
      }
    }
    let converted = try migrator.converted(move, [FoundSource(source: source, bytes: stored, value: value)], plan)
    guard try await migrator.swap(stored, for: converted, candidate) else { return false }
    isSecuredInPlace = true
    securedStep = index
    change.isMade = true
    state.destination = .current
    return true
  }

  /// Stores the value of a step's sources at the destination. Returns false if the pass has to begin again.
  private mutating func store(_ index: Int, isReplacing: Bool) async throws(StorageError) -> Bool {
    guard let move = candidate.steps[index].move, let found = found[index] else { return false }
    if isReplacing, stored == nil { stored = try await values.stored(plan) }
    let value = try migrator.converted(move, found, plan)
    let key = candidate.key
    let bytes = try plan.naming { () throws(StorageProblem) in try key.coding.serializeAny(value) }
    guard let bytes else { throw StorageError(.migrationFailed, plan.subject) }
    let stepEntries = stepEntries
    let others = others
    let candidate = candidate
    let isStored = try await migrator.store(bytes, of: found, instead: isReplacing ? stored : nil, candidate) {
      ledger in
      candidate.stepEntries(in: ledger, others) == stepEntries
    }
    guard isStored else { return false }
    change.isMade = true
    if state.steps[index].source == .newer {
      // A later release, which has moved the key away from this address, reads the value then.
      let write = migrator.entry(candidate, [.write], .completed, nil)
      await migrator.note([UnfinishedMigration(candidate: candidate, removals: [], entries: [write])])
    }
    let read = try await values.openedStored(plan)
    if read == nil, try await isUnchanged() { throw StorageError(.migrationFailed, plan.subject) }
    guard read?.bytes == bytes else { return false }
    state.destination = .current
    state.steps[index].source = .taken
    isNewest = true
    lookAgain(exceptAt: index)
    return true
  }

  /// Looks again at the sources that were read without a value to compare them with.
  private mutating func lookAgain(exceptAt index: Int) {
    for other in state.steps.indices where other != index && candidate.rules[other].isMove {
      if [.present, .unreadable, .newer].contains(state.steps[other].source) { state.steps[other].source = .unknown }
    }
  }

  private mutating func runCustom(_ index: Int, keepsValue: Bool) async throws(StorageError) {
    let hadValue = state.destination != .absent
    state.steps[index].hasRun = true
    let end: Migrator.CustomEnd
    do throws(StorageError) {
      end = try await migrator.run(candidate, index, keepsValue: keepsValue)
    } catch {
      guard hadValue, use == .access else { throw error }
      migrator.cache.fail(plan.address)
      change.problem = error
      state.steps[index].source = .unreadable
      return
    }
    if case .overtaken = end {} else { change.isMade = true }
    switch end {
    case .withValue:
      state.steps[index].source = .taken
      state.destination = .unknown
      lookAgain(exceptAt: index)
    case .withoutValue:
      state.destination = .unknown
      if !keepsValue { state.steps[index].log = .none }
    case .overtaken: state.destination = .unknown
    }
  }
}

extension MigrationAction {
  /// A Boolean value that indicates whether it changes a value, or runs code of the app that may.
  fileprivate var isChange: Bool {
    switch self {
    case .secure, .create, .replace, .run: true
    case .inspectDestination, .inspect, .adopt, .commit, .fail, .done: false
    }
  }
}
