import LocalDataFoundation
import LocalDataStores

/// Executes the migration of keys with the actions from ``decide(_:_:for:)``.
///
/// The caller holds the turn of the key. Every action may be the last one before the process is killed: the values of unknown
/// sources are noted, and the value is stored at its destination if that has none, made durable and noted. Then the sources
/// are removed, and last the completed steps are noted in the log. Another process may do the same at the same time.
package struct Migrator: Sendable {
  package let values: ValueAccess
  let cache: MigrationCache
  let setting: MigrationSetting
  let app: AppMigrations
  /// Works out the address of a source.
  let sourcePlan: @Sendable (AnyStorageKey) async throws(StorageError) -> KeyPlan

  /// The plain forms that are no longer accepted.
  var retirement: FormRetirement { FormRetirement(values: values) }
  /// The fingerprints of the values at sources.
  var fingerprints: SourceFingerprints { SourceFingerprints(values: values) }
  /// The choice between the forms that a value may be stored in.
  var choice: FormChoice { FormChoice(values: values) }

  /// Attempts before a key that other processes keep changing is busy.
  static let attempts = 16

  /// Brings a key's value to its destination.
  ///
  /// - Parameter begun: A pass that has looked at the key and has changed nothing yet.
  /// - Returns: The steps that remain to be finished, or nil if there are none.
  func commit(
    _ candidate: MigrationCandidate, for use: MigrationUse, _ begun: MigrationAttempt? = nil
  ) async throws(StorageError) -> UnfinishedMigration? {
    var change = MigrationEffect()
    do throws(StorageError) {
      change.isBegun = await !signedOut(candidate).isEmpty
      if change.isBegun { change.isMade = try await signOut(candidate) }
      var move = try await commit(candidate, for: use, change.isMade ? nil : begun, &change)
      move?.change = change
      if move == nil, change.isLogged { candidate.meter?.end(change.problem) }
      return move
    } catch {
      if change.isBegun { candidate.meter?.end(error) }
      throw error
    }
  }

  private func commit(
    _ candidate: MigrationCandidate, for use: MigrationUse, _ begun: MigrationAttempt?,
    _ change: inout MigrationEffect
  ) async throws(StorageError) -> UnfinishedMigration? {
    var begun = begun
    for _ in 0..<Self.attempts {
      var attempt: MigrationAttempt
      do throws(StorageError) {
        attempt = if let begun { begun } else { try await MigrationAttempt(self, candidate, use) }
        begun = nil
      } catch {
        // A stored value can be read with any state of the log, unless it is stored in an older form.
        if use == .access, try await values.isStored(candidate.plan), await isReadable(candidate) { return nil }
        throw error
      }
      defer { change.add(attempt.change) }
      switch try await attempt.run() {
      case .again: await noteSecured(attempt, candidate)
      case .done(let hasValue, let isSettled):
        if isSettled { cache.settle(candidate.plan.address) }
        if use != .exists {
          cache.note(foundNothing: !hasValue && attempt.findsNothingToRun, at: candidate.plan.address)
        }
        return nil
      case .committed(let move): return move
      }
    }
    throw StorageError(.busy, candidate.plan.subject)
  }

  /// Returns true if the stored value can be opened with the key's current policy.
  private func isReadable(_ candidate: MigrationCandidate) async -> Bool {
    guard candidate.rules.contains(.inPlace) else { return true }
    do throws(StorageError) { return try await values.openedStored(candidate.plan) != nil } catch { return false }
  }

  /// Notes that an attempt has encrypted the value again, if another process has interrupted the attempt before it could
  /// note this.
  private func noteSecured(_ attempt: MigrationAttempt, _ candidate: MigrationCandidate) async {
    guard let step = attempt.securedStep else { return }
    let entry = entry(candidate, [candidate.steps[step].id], .completed, .securedInPlace)
    let move = UnfinishedMigration(
      candidate: candidate, removals: [], entries: [entry], isSecuredInPlace: true, isWhole: false)
    _ = await finish([move])
  }

  /// Returns the step that would bring a value, or `nil` if none would.
  func providingStep(_ candidate: MigrationCandidate) async throws(StorageError) -> ResolvedStep? {
    var attempt = try await MigrationAttempt(self, candidate, .exists)
    attempt.state.destination = .absent
    guard case .done(true, _) = try await attempt.run() else { return nil }
    // The steps after a step that provides a value are not examined.
    return attempt.lastInspected.map { candidate.steps[$0] }
  }

  // MARK: The log

  func log(of plan: KeyPlan) throws(StorageError) -> MigrationLog {
    try plan.naming { () throws(StorageProblem) in try values.services.migrationLog(plan.keyset) }
  }

  /// Returns the current state of a key's steps from the log.
  func ledger(of plan: KeyPlan) async throws(StorageError) -> MigrationLedger {
    try await values.services.ledger(of: plan)
  }

  /// Returns the ledgers of the other keysets in which sources of a key are stored. One that cannot be read now is left out: its
  /// values cannot be read either, or an earlier release has noted all steps in the key's own log.
  func ledgers(ofSourcesOf candidate: MigrationCandidate) async -> [KeysetID: MigrationLedger] {
    var ledgers: [KeysetID: MigrationLedger] = [:]
    for plan in candidate.sources.map(\.plan) where plan.keyset != candidate.plan.keyset {
      guard ledgers[plan.keyset] == nil else { continue }
      do throws(StorageError) { ledgers[plan.keyset] = try await ledger(of: plan) } catch { continue }
    }
    return ledgers
  }

  /// Notes the entries that the logs of a key do not contain yet. They are durable when the function returns.
  ///
  /// The key's own log is written last. If the process is killed before that, the step is noted again.
  func note(
    _ entries: [MigrationEntry], of candidate: MigrationCandidate, isDurable: Bool = true
  ) async throws(StorageError) {
    for keyset in candidate.keysets(of: entries) {
      try await note(entries, of: candidate.plan, in: keyset, isDurable: isDurable)
    }
  }

  /// Notes that sources had no value, if that is possible now. The entry may be lost with the power: without it, a value that an
  /// earlier release writes there later stays at the source.
  func noteUnseen(_ steps: [StepID], of candidate: MigrationCandidate) async {
    guard !steps.isEmpty else { return }
    do throws(StorageError) {
      try await note([entry(candidate, steps, .completed, nil)], of: candidate, isDurable: false)
    } catch {}
  }

  /// Notes the entries that the log of one keyset does not contain yet. They are durable when the function returns.
  ///
  /// - Parameter plan: The plan of the key that an error names.
  func note(
    _ entries: [MigrationEntry], of plan: KeyPlan, in keyset: KeysetID, isDurable: Bool = true
  ) async throws(StorageError) {
    guard !entries.isEmpty else { return }
    do throws(StorageProblem) {
      let log = try values.services.migrationLog(keyset)
      try await values.services.run { () throws(StorageProblem) in try log.appendNew(entries, isDurable: isDurable) }
    } catch {
      // Another release, or another app of the group, has to note what it does there.
      if keyset != plan.keyset, [.appGroupNotEntitled, .accessDenied, .unknownFormatVersion].contains(error) { return }
      throw plan.error(error)
    }
  }

  func entry(
    _ candidate: MigrationCandidate, _ steps: [StepID], _ phase: MigrationEntry.Phase,
    _ outcome: MigrationEvent.Outcome?, sources: [KeyPlan] = [], moved: [KeyPlan] = [], seen: [SeenSource] = []
  ) -> MigrationEntry {
    let event = outcome.map { outcome in
      MigrationEvent(
        key: candidate.plan.subject.key ?? "", domain: candidate.plan.domain,
        sources: sources.map { .init($0) }, outcome: outcome, date: values.clock.now, appVersion: setting.appVersion)
    }
    let isStored = outcome.map { $0 != .removed } ?? (phase == .completed)
    return MigrationEntry(
      address: candidate.id, steps: steps, phase: phase, form: isStored ? candidate.form : nil,
      moved: moved.map { AddressID($0) }, seen: seen, launch: setting.launch.id, event: event)
  }

  func context(for plan: KeyPlan) async throws(StorageError) -> MigrationContext {
    let log = try log(of: plan)
    let events = try await values.services.run(for: plan) { () throws(StorageProblem) in try log.events() }
    let clock = values.clock
    return MigrationContext(
      appVersion: setting.appVersion, platform: setting.platform, previousMigrations: events, time: { clock.now })
  }

  // MARK: Candidates

  /// Works out the addresses that the steps of a key touch.
  ///
  /// The migration of a source is followed: its steps provide the source's value if the source is absent.
  package func candidate(_ key: AnyStorageKey, _ plan: KeyPlan, _ steps: [MigrationStep]) async -> MigrationCandidate {
    var resolved: [ResolvedStep] = []
    for step in steps { resolved += await resolve(step, plan, [plan.address.item]) }
    return MigrationCandidate(key, plan, resolved, values.log.begin(.migrate, key))
  }

  private func resolve(_ step: MigrationStep, _ plan: KeyPlan, _ visited: Set<StorageAddress>) async -> [ResolvedStep] {
    guard case .move(let move) = step.action else {
      guard case .custom(let migration) = step.action else { return [] }
      return [
        ResolvedStep(step: step, rule: .custom, id: .custom(migration.typeName), sources: [], problem: nil)
      ]
    }
    var sources: [MigrationSource] = []
    for key in move.sources {
      do throws(StorageError) {
        let source = try await sourcePlan(key)
        sources.append(MigrationSource(key: key, plan: source, isInPlace: source.isInPlace(of: plan)))
      } catch {
        return [
          ResolvedStep(step: step, rule: .move(move.onConflict), id: .move([]), sources: sources, problem: error)
        ]
      }
    }
    if sources.count == 1, sources[0].isInPlace {
      let form = StoredForm(sources[0].key.security, in: sources[0].key.domain.kind)
      return [ResolvedStep(step: step, rule: .inPlace, id: .inPlace(form), sources: sources)]
    }
    for index in sources.indices {
      guard let inner = sources[index].key.migration?().steps else { continue }
      sources[index] = await sources[index].with(forms(of: sources[index], inner))
    }
    let own = ResolvedStep(step: step, rule: .move(move.onConflict), id: .move(sources.map(\.id)), sources: sources)
    guard sources.count == 1, let inner = sources[0].key.migration?().steps else { return [own] }
    return [own] + (await followed(inner, from: step, move, sources[0], plan, visited))
  }

  /// The older forms that a source's own migration accepts at the source's address.
  func forms(of source: MigrationSource, _ inner: [MigrationStep]) async -> [MigrationForm] {
    var forms: [MigrationForm] = []
    for case .move(let move) in inner.map(\.action) where move.sources.count == 1 && move.keepsValue {
      do throws(StorageError) {
        let plan = try await sourcePlan(move.sources[0])
        if plan.isInPlace(of: source.plan) { forms.append(MigrationForm(key: move.sources[0], plan: plan)) }
      } catch {
        // An address that cannot be worked out is not this one.
      }
    }
    return forms
  }

  /// The steps of a source, each of them one from the source's own source to the key.
  private func followed(
    _ inner: [MigrationStep], from step: MigrationStep, _ move: ValueMove, _ source: MigrationSource, _ plan: KeyPlan,
    _ visited: Set<StorageAddress>
  ) async -> [ResolvedStep] {
    guard !visited.contains(source.plan.address.item) else { return [] }
    var resolved: [ResolvedStep] = []
    for next in inner {
      guard case .move(let before) = next.action else { continue }
      var joined = next
      joined.conditions += step.conditions
      joined.action = .move(
        ValueMove(sources: before.sources, onConflict: move.onConflict) { values in
          try move.convert([try before.convert(values)])
        })
      for step in await resolve(joined, plan, visited.union([source.plan.address.item])) {
        // A form of the source itself is no other address.
        if step.sources.contains(where: { $0.plan.isInPlace(of: source.plan) }) { continue }
        resolved.append(step)
      }
    }
    return resolved
  }
}

/// The surroundings of a migration, for conditions and custom migrations.
struct MigrationSetting: Sendable {
  var appVersion: String?
  var platform: StoragePlatform
  var launch: ProcessLaunch

  /// Compares the version of the running app with the condition of a step.
  func condition(of step: MigrationStep) -> StepState.ConditionState {
    var state = StepState.ConditionState.holds
    for condition in step.conditions {
      guard let version = appVersion, let holds = condition.holds(of: version) else { return .unknown }
      if !holds { state = .fails }
    }
    return state
  }
}

/// The state of migrations in this process. With it most calls need not read the log.
final class MigrationCache: Sendable {
  private struct Contents {
    var settled: Set<StorageAddress> = []
    var failed: Set<StorageAddress> = []
    var overwritten: Set<StorageAddress> = []
    var withoutSource: Set<StorageAddress> = []
    var foundNothing: Set<StorageAddress> = []
  }

  private let contents = Lock(Contents())

  /// Returns true if the sources of a key need no further look in this process.
  func isSettled(_ address: StorageAddress) -> Bool { contents.withLock { $0.settled.contains(address) } }

  func settle(_ address: StorageAddress) {
    contents.withLock {
      $0.settled.insert(address)
      $0.overwritten.remove(address)
    }
  }

  func unsettle(_ address: StorageAddress) { contents.withLock { _ = $0.settled.remove(address) } }

  /// Returns true if this process has written a key although its sources could not be examined. The written value is newer.
  func isOverwritten(_ address: StorageAddress) -> Bool { contents.withLock { $0.overwritten.contains(address) } }

  func overwrite(_ address: StorageAddress) { contents.withLock { _ = $0.overwritten.insert(address) } }

  /// Returns true if a call that cannot wait has found no source with a value in this process.
  func isWithoutSource(_ address: StorageAddress) -> Bool { contents.withLock { $0.withoutSource.contains(address) } }

  func noteWithoutSource(_ address: StorageAddress) { contents.withLock { _ = $0.withoutSource.insert(address) } }

  /// Returns true if the custom migrations of a key had nothing to do when they were asked last in this process.
  func hasFoundNothing(_ address: StorageAddress) -> Bool { contents.withLock { $0.foundNothing.contains(address) } }

  /// Notes whether the custom migrations of a key have nothing to do.
  func note(foundNothing: Bool, at address: StorageAddress) {
    contents.withLock { contents in
      if foundNothing { contents.foundNothing.insert(address) } else { contents.foundNothing.remove(address) }
    }
  }

  /// Returns true if a custom migration of a key failed beside a value. Only a request runs it again in this process.
  func hasFailed(_ address: StorageAddress) -> Bool { contents.withLock { $0.failed.contains(address) } }

  func fail(_ address: StorageAddress) { contents.withLock { _ = $0.failed.insert(address) } }
}
