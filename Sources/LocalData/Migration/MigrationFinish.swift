import LocalDataFoundation
import LocalDataStores

extension Migrator {
  /// Makes the destinations durable, notes that, removes the sources, and notes that.
  ///
  /// A failure of one key does not keep the others from being finished. What fails is tried again with the next use of
  /// its key.
  ///
  /// - Parameter waits: The waits of a run over many keys; `nil` if the moves are those of one call, which has a deadline.
  func finish(_ moves: [UnfinishedMigration], _ waits: CallWaits? = nil) async -> FinishedMoves {
    var finish = MigrationFinish(self, moves, waits)
    await finish.run()
    return finish.open
  }

  /// Notes entries of keys, if that is possible now.
  func note(_ moves: [UnfinishedMigration], _ waits: CallWaits? = nil) async {
    var finish = MigrationFinish(self, moves, waits)
    await finish.note(\.entries)
  }
}

/// The end of migrations whose values are stored at their destinations, for one key or for many at once.
private struct MigrationFinish {
  private let migrator: Migrator
  private let waits: CallWaits?
  private(set) var open: FinishedMoves

  init(_ migrator: Migrator, _ moves: [UnfinishedMigration], _ waits: CallWaits?) {
    self.migrator = migrator
    self.waits = waits
    open = FinishedMoves(moves: moves)
  }

  mutating func run() async {
    let values = migrator.values
    let cache = migrator.cache
    let destinations = open.moves.filter(\.hasValue).map(\.candidate.plan)
    await forEachContainer(of: destinations, concerned: { [$0.candidate.plan] }) { (plan) async throws(StorageError) in
      try await values.makeDurable(plan)
    }
    await note { move in
      if !move.removals.isEmpty { return move.entries }
      return move.candidate.rules.contains(.inPlace) ? move.entries.map { $0.at(.committed) } : []
    }
    await retireForms()
    let waiting = open.takeWaiting()
    for move in waiting { cache.settle(move.candidate.plan.address) }
    let changed = await removeSources()
    await forEachContainer(of: open.moves.flatMap(\.erased), concerned: \.erased) { (plan) async throws(StorageError) in
      try await values.purge(plan)
    }
    await note { move in (move.entries + move.resumed).map { $0.at(.completed) } }
    for move in open.moves where move.isSettled { cache.settle(move.candidate.plan.address) }
    open.moves += waiting
    open.log(changed)
  }

  /// Notes in the keychain that forms are no longer accepted. The log has an entry before: a release that stores an older form
  /// must know that it has to be accepted again.
  private mutating func retireForms() async {
    let migrator = migrator
    for move in open.moves {
      do throws(StorageError) {
        try await step(.keyset(move.candidate.plan.keyset)) { () async throws(StorageError) in
          try await migrator.retirement.retire(move)
        }
      } catch {
        open.drop(error) { $0.candidate.id == move.candidate.id }
      }
    }
  }

  /// Runs `body` once for each container. If it fails, the moves that the container concerns are abandoned.
  ///
  /// - Parameters:
  ///   - plans: The plans whose containers are used.
  ///   - concerned: Returns the plans whose containers concern a move.
  private mutating func forEachContainer(
    of plans: [KeyPlan], concerned: (UnfinishedMigration) -> [KeyPlan],
    _ body: (KeyPlan) async throws(StorageError) -> Void
  ) async {
    for plan in plans.withDistinctContainers {
      let container = plan.address.container
      do throws(StorageError) {
        try await step(.container(container)) { () async throws(StorageError) in try await body(plan) }
      } catch {
        open.drop(error) { move in concerned(move).contains { $0.address.container == container } }
      }
    }
  }

  /// Removes the sources of the moves, and returns the keys of which a source was removed.
  private mutating func removeSources() async -> Set<AddressID> {
    var changed: Set<AddressID> = []
    for move in open.moves {
      do throws(StorageError) {
        for removal in move.removals where !removal.isDone {
          try await step(.container(removal.plan.address.container)) { () async throws(StorageError) in
            if try await remove(removal, move.candidate.id) { changed.insert(move.candidate.id) }
          }
        }
      } catch {
        open.drop(error) { $0.candidate.id == move.candidate.id }
      }
    }
    return changed
  }

  /// Removes a source, and returns true if it was removed. If its bytes are not the compared ones, or another key has no part of
  /// them yet, it stays.
  private func remove(_ removal: UnfinishedMigration.Removal, _ id: AddressID) async throws(StorageError) -> Bool {
    let values = migrator.values
    guard try await values.isStored(removal.plan) else { return false }
    guard await migrator.isSpent(removal.source, removal.seen, except: id) else { return false }
    guard let seen = removal.seen else {
      try await values.removeStored(removal.plan)
      return true
    }
    return try await values.removeStored(seen, removal.plan)
  }

  /// Notes how far moves have come, in the logs of each. The own log of a move is the last.
  mutating func note(_ entries: @escaping (UnfinishedMigration) -> [MigrationEntry]) async {
    let parts: [(UnfinishedMigration) -> [KeysetID]] = [
      { Array($0.candidate.keysets(of: entries($0)).dropLast()) }, { [$0.candidate.plan.keyset] },
    ]
    for keysets in parts {
      for keyset in Set(open.moves.flatMap(keysets)) {
        let moves = open.moves.filter { keysets($0).contains(keyset) }
        // An earlier log may have failed for all of them.
        guard let plan = moves.first?.candidate.plan else { continue }
        let entries = moves.flatMap(entries)
        do throws(StorageError) {
          try await step(.keyset(keyset)) { () async throws(StorageError) in
            try await migrator.note(entries, of: plan, in: keyset)
          }
        } catch {
          open.drop(error) { keysets($0).contains(keyset) }
        }
      }
    }
  }

  /// Runs one step. If the run has many keys, the step gets a new deadline.
  private func step(
    _ resource: CallWaits.Resource,
    _ body: () async throws(StorageError) -> Void
  ) async throws(StorageError) {
    if let waits { try await waits.step(on: resource, body) } else { try await body() }
  }
}

/// Moves that are finished, and the failures of the others.
struct FinishedMoves: Sendable {
  var moves: [UnfinishedMigration]
  private(set) var failures: [StorageError] = []
  /// The moves that failures concern.
  fileprivate private(set) var dropped: [(move: UnfinishedMigration, error: StorageError)] = []

  init(moves: [UnfinishedMigration]) { self.moves = moves }

  /// Takes out the moves whose sources are removed at the next launch of the app, and returns them.
  fileprivate mutating func takeWaiting() -> [UnfinishedMigration] {
    defer { moves.removeAll(where: \.mustWait) }
    return moves.filter(\.mustWait)
  }

  /// Abandons the moves that a failure concerns, until the next attempt.
  fileprivate mutating func drop(_ error: StorageError, _ concerns: (UnfinishedMigration) -> Bool) {
    failures.append(error)
    dropped += moves.filter(concerns).map { ($0, error) }
    moves.removeAll(where: concerns)
  }

  /// Logs the runs that have changed something, or that failed before they could remove their sources.
  ///
  /// - Parameter changed: The keys of which a source was removed.
  fileprivate func log(_ changed: Set<AddressID>) {
    for move in moves where move.change.isLogged || changed.contains(move.candidate.id) {
      move.candidate.meter?.end(move.change.problem)
    }
    for (move, error) in dropped where move.change.isLogged || !move.removals.isEmpty {
      move.candidate.meter?.end(error)
    }
  }
}

extension UnfinishedMigration {
  /// A Boolean value that indicates whether the destination has a value.
  fileprivate var hasValue: Bool { (entries + resumed).contains { $0.event?.outcome != .removed } }

  /// A Boolean value that indicates whether every step of the key's migration is certainly completed.
  fileprivate var isSettled: Bool { hasValue && isWhole }

  /// Addresses whose containers may still have copies: those of the sources, and the key's own if its value was
  /// encrypted in place or written by a custom migration.
  fileprivate var erased: [KeyPlan] {
    let isHere = removals.isEmpty || isSecuredInPlace
    return removals.map(\.plan) + (isHere ? [candidate.plan] : [])
  }
}

extension [KeyPlan] {
  /// One plan of each container.
  fileprivate var withDistinctContainers: [KeyPlan] {
    var seen: Set<StorageContainer> = []
    return filter { seen.insert($0.address.container).inserted }
  }
}

/// The removal of a key with its sources.
extension Migrator {
  /// Notes that a value is about to be removed, if its sources would bring it back.
  ///
  /// If the process is killed after that, the value is still stored, or it stays removed and the sources are removed with the
  /// next use of the key.
  ///
  /// - Parameter isOfApp: False if the retention of the value has ended.
  /// - Returns: The sources to remove after the value.
  func noteRemoval(
    _ candidate: MigrationCandidate, isOfApp: Bool = true
  ) async throws(StorageError) -> UnfinishedMigration? {
    let plan = candidate.plan
    // It was settled for the value that is stored now.
    cache.unsettle(plan.address)
    // If the process is killed during the removal, the value that is left is the newest one. After the note of a sign-out, no value
    // is taken.
    do throws(StorageError) {
      let ledger = try await self.ledger(of: plan)
      let notes = candidate.notes(in: ledger).joined().compactMap(\.self)
      let isSignedOut = notes.contains(where: \.isOfEarlierUser) && notes.allSatisfy { $0.writtenAt == nil }
      if !isSignedOut { await takeNewerValue(candidate, ledger) }
    } catch {}
    var steps: [StepID] = []
    var sources: [(plan: KeyPlan, bytes: Data?)] = []
    var removals: [UnfinishedMigration.Removal] = []
    for step in candidate.steps {
      if let problem = step.problem { throw problem }
      var isPresent = false
      for source in step.sources where !source.isInPlace {
        guard try await values.isStored(source.plan) else { continue }
        isPresent = true
        let bytes = await bytesWithoutPrompt(source.plan)
        sources.append((source.plan, bytes))
        if source.isShared, await !isSpent(source, bytes, except: candidate.id) { continue }
        removals.append(.init(source: source))
      }
      if isPresent { steps.append(step.id) }
    }
    let isCustom = candidate.rules.contains(.custom)
    let ledger: MigrationLedger
    do throws(StorageError) { ledger = try await self.ledger(of: plan) } catch {
      // No source would bring the value back.
      if steps.isEmpty, !isCustom { return nil }
      throw error
    }
    // An app may remove a key without a value at each launch.
    // A custom migration removes a legacy key that it has read. This is no sign-out.
    let isSignOut = isOfApp && !candidate.key.options.isLegacy
    if isSignOut, ledger.hasUsed(candidate.id), try await values.isStored(plan) {
      try await note([.removal(of: [candidate.id], launch: setting.launch.id)], of: candidate)
    }
    steps += removedSteps(of: candidate, ledger).filter { !steps.contains($0) }
    guard !steps.isEmpty || isCustom else { return nil }

    let plans = removals.map(\.plan)
    var move = UnfinishedMigration(candidate: candidate, removals: removals, entries: [])
    let custom = zip(candidate.stepEntries(in: ledger), candidate.steps).filter { $0.1.rule == .custom }
    steps += custom.filter { $0.0.phase == nil }.map(\.1.id)
    let removal = entry(
      candidate, steps, plans.isEmpty ? .completed : .removing, .removed, sources: plans, moved: plans,
      seen: await fingerprints.seen(sources, candidate))
    if !plans.isEmpty || !ledger.makesNoDifference(removal) { move.entries.append(removal) }
    // A migration that has started removes its sources when it runs again.
    let started = custom.filter { $0.0.phase == .started }.map(\.1.id)
    var entries = steps.isEmpty ? [] : move.entries
    if !started.isEmpty { entries.append(entry(candidate, started, .superseded, nil)) }
    guard !entries.isEmpty else { return nil }
    try await note(entries, of: candidate)
    if steps.isEmpty { move.entries = [] }
    return move
  }

  /// Returns the moves to the key that the log knows, and whose sources have no value that counts. They are removed too: a later
  /// release may find a copy that could not be removed or was restored, also at a source that this release does not declare.
  private func removedSteps(of candidate: MigrationCandidate, _ ledger: MigrationLedger) -> [StepID] {
    ledger.moves(of: candidate.id).filter { step in
      let notes = step.sources.compactMap { ledger.note(of: $0, for: candidate.plan.removalIDs) }
      return notes.allSatisfy { !$0.isLive } && notes.contains { !$0.isRemoval && $0.value != SourceNote.Value.none }
    }
  }

  /// Returns the bytes of a source for their fingerprint, or nil if they cannot be read without a prompt.
  private func bytesWithoutPrompt(_ plan: KeyPlan) async -> Data? {
    do throws(StorageError) { return try await values.stored(plan, mayPrompt: false) } catch { return nil }
  }

  /// Removes the sources of a value that was removed.
  func removeSources(_ removal: UnfinishedMigration) async throws(StorageError) {
    guard !removal.removals.isEmpty else { return }
    for source in removal.removals { try await values.removeStored(source.plan) }
    for source in removal.removals { try await values.purge(source.plan) }
    try await note(removal.entries.map { $0.at(.completed) }, of: removal.candidate)
  }
}
