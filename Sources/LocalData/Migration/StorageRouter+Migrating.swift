import Foundation
import StorageVocabulary

/// The steps of a migration, for one key that has its turn.
///
/// The order is what a crash at any point depends on: the value is put at its destination where nothing is, read back,
/// made durable, and noted as committed; only then are the sources removed, and with them every copy in a database's
/// log; at last the migration is noted as completed.
extension StorageRouter {
  /// Puts a value that its sources still hold at its destination, or finds out what is left to do.
  ///
  /// - Parameter isPatient: Whether a source that cannot be read now is left for later, where the value is there.
  /// - Returns: `nil` where nothing is left to do, now at least.
  func commit(
    _ candidate: MigrationCandidate, isPatient: Bool = true
  ) async throws(StorageError) -> CommittedMove? {
    let isThere = try await isStored(candidate.plan)
    let entry: MigrationEntry?
    do throws(StorageError) {
      entry = try logEntry(candidate)
    } catch {
      // A value that is there can be read whatever the log says.
      if isThere, isPatient { return nil }
      throw error
    }
    guard let entry else { return isThere ? try await reconcile(candidate, isPatient) : try await move(candidate) }
    switch entry.phase {
    case .completed:
      settledPlaces.insert(candidate.plan.place)
      return nil
    case .committed: return try await resume(candidate, entry)
    }
  }

  /// Nothing is stored: the first step that finds something brings it.
  private func move(_ candidate: MigrationCandidate) async throws(StorageError) -> CommittedMove? {
    for (index, step) in candidate.steps.enumerated() {
      let committed: CommittedMove?
      switch step.action {
      case .custom(let migration):
        guard try holds(step, candidate), let move = try await run(migration, candidate) else { continue }
        committed = move
      case .move(let move):
        let found = try await find(move, candidate)
        guard found.contains(where: { $0 != nil }), try holds(step, candidate) else { continue }
        committed = try await store(move, found, candidate)
      }
      guard let committed else { return nil }
      return try await overruling(candidate.steps[(index + 1)...], committed)
    }
    return nil
  }

  /// A value is stored, and nobody has noted how: a process was killed, or both were written.
  private func reconcile(
    _ candidate: MigrationCandidate, _ isPatient: Bool
  ) async throws(StorageError) -> CommittedMove? {
    let secured = try await secureInPlace(candidate)
    var (moved, kept, removed): ([KeyPlan], [KeyPlan], [KeyPlan]) = ([], [], [])
    for step in candidate.steps {
      guard case .move(let move) = step.action else { continue }
      let found: [FoundSource?]
      let isEqual: Bool
      do throws(StorageError) {
        found = try await find(move, candidate)
        guard found.contains(where: { $0 != nil }), try holds(step, candidate) else { continue }
        isEqual = try await isStored(converted(move, found, candidate), candidate)
      } catch {
        // It is left alone: the value at the destination is what counts.
        if isPatient { return nil }
        throw error
      }
      let sources = found.compactMap { $0?.plan }
      if isEqual { moved += sources } else if move.onConflict == .remove { removed += sources } else { kept += sources }
    }
    // Another process may have moved the value and removed some sources since the log was read. It noted that before.
    let isSecured = secured?.entry.record.outcome == .securedInPlace
    if !isSecured, let entry = try logEntry(candidate) {
      return entry.phase == .completed ? nil : try await resume(candidate, entry)
    }
    guard !(moved.isEmpty && kept.isEmpty && removed.isEmpty) else {
      if secured == nil { settledPlaces.insert(candidate.plan.place) }
      return secured
    }
    let outcome: MigrationRecord.Outcome =
      isSecured ? .securedInPlace : !kept.isEmpty ? .conflictKept : !removed.isEmpty ? .conflictRemoved : .moved
    return CommittedMove(
      candidate: candidate, removals: moved + removed,
      entry: entry(candidate, sources: moved + removed + kept, outcome, .committed, moved: moved + removed))
  }

  /// The destination is durable, and what was moved may still be where it was.
  private func resume(
    _ candidate: MigrationCandidate, _ entry: MigrationEntry
  ) async throws(StorageError) -> CommittedMove {
    var removals: [KeyPlan] = []
    for case .move(let move) in candidate.steps.map(\.action) {
      for key in move.sources {
        let source = try await sourcePlan(of: key)
        if entry.moved.contains(PlaceID(source)) { removals.append(source) }
      }
    }
    return CommittedMove(candidate: candidate, removals: removals, entry: entry)
  }

  /// Stores what the sources gave, where nothing is.
  private func store(
    _ move: ValueMove, _ found: [FoundSource?], _ candidate: MigrationCandidate
  ) async throws(StorageError) -> CommittedMove? {
    let plan = candidate.plan
    let value = try converted(move, found, candidate)
    let bytes = try await perform(plan) { (_) throws(StorageFault) in try candidate.key.coding.serializeAny(value) }
    guard let bytes else { throw .migrationFailed(plan.subject) }
    let isNew = try await create(bytes, candidate)
    if isNew, try await openedStored(plan)?.bytes == bytes {
      let sources = found.compactMap { $0?.plan }
      return CommittedMove(
        candidate: candidate, removals: sources,
        entry: entry(candidate, sources: sources, .moved, .committed, moved: sources))
    }
    // Somebody was faster, or came right after: with the same value, or with another.
    if try await isStored(plan) { return try await reconcile(candidate, true) }
    // Who has removed it has noted that.
    if isNew, try logEntry(candidate) == nil { throw .migrationFailed(plan.subject) }
    return nil
  }

  /// A move with what later steps have that is to be removed where the key has another value.
  private func overruling(
    _ steps: ArraySlice<MigrationStep>, _ move: CommittedMove
  ) async throws(StorageError) -> CommittedMove? {
    var overruled: [KeyPlan] = []
    do throws(StorageError) {
      for step in steps {
        guard case .move(let other) = step.action, other.onConflict == .remove else { continue }
        for key in other.sources {
          let source = try await sourcePlan(of: key)
          guard !source.isInPlace(of: move.candidate.plan), try await isStored(source),
            try holds(step, move.candidate)
          else { continue }
          overruled.append(source)
        }
      }
    } catch {
      // The value is there; what to do with it all is found out again with the next call.
      return nil
    }
    var move = move
    move.removals += overruled
    move.entry.moved += overruled.map { PlaceID($0) }
    return move
  }

  /// Stores bytes where nothing is and nothing is noted; whether they were.
  private func create(_ bytes: Data, _ candidate: MigrationCandidate) async throws(StorageError) -> Bool {
    let plan = candidate.plan
    let (sealer, now, log) = (try await sealer(for: plan), clock.now, try log(of: plan))
    return try await perform(plan) { (store) throws(StorageFault) in
      let secured = try plan.secured(bytes, sealer, at: now)
      var isNew = false
      try store.update(plan.place, plan.attributes) { (stored) throws(StorageFault) in
        // Looked up with the lock held: who has removed the value since has noted it before.
        isNew = false
        guard stored == nil, try log.entries()[candidate.id] == nil else { return .keep }
        isNew = true
        return .write(secured)
      }
      return isNew
    }
  }

  /// The destination's value of what the sources hold.
  func converted(
    _ move: ValueMove, _ found: [FoundSource?], _ candidate: MigrationCandidate
  ) throws(StorageError) -> any Sendable {
    // The app's error may quote the value, so it goes no further.
    do { return try move.convert(found.map { $0?.value }) } catch { throw .migrationFailed(candidate.plan.subject) }
  }

  /// Whether the stored value is a given one.
  func isStored(
    _ value: any Sendable, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> Bool {
    let (plan, coding) = (candidate.plan, candidate.key.coding)
    guard let stored = try await openedStored(plan) else { return false }
    return try await perform(plan) { (_) throws(StorageFault) in
      if stored.schema == coding.schema, try coding.serializeAny(value) == stored.bytes { return true }
      // A set, for one, has no order to be serialized in.
      return isEqual(try coding.deserializeAny(stored), value)
    }
  }

  /// What the sources of a move hold, in their order, opened with their own policies.
  func find(
    _ move: ValueMove, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> [FoundSource?] {
    var found: [FoundSource?] = []
    for key in move.sources {
      let source = try await sourcePlan(of: key)
      // In the key's own place nothing is moved.
      guard !source.isInPlace(of: candidate.plan), let opened = try await openedStored(source) else {
        found.append(nil)
        continue
      }
      let value = try await perform(source) { (_) throws(StorageFault) in try key.coding.deserializeAny(opened) }
      found.append(FoundSource(plan: source, value: value))
    }
    return found
  }

  /// Whether the running app's version is one that carries out a step.
  func holds(_ step: MigrationStep, _ candidate: MigrationCandidate) throws(StorageError) -> Bool {
    guard !step.conditions.isEmpty else { return true }
    let version = setup.withLock { $0.storage.resolvedApplicationVersion }
    for condition in step.conditions {
      guard let version, let holds = condition.holds(of: version) else {
        throw .migrationFailed(candidate.plan.subject)
      }
      if !holds { return false }
    }
    return true
  }
}

/// Whether two values are equal, as far as their type can tell.
private func isEqual(_ left: any Sendable, _ right: any Sendable) -> Bool {
  func compare<Value: Equatable>(_ left: Value) -> Bool { right as? Value == left }
  guard let left = left as? any Equatable else { return false }
  return compare(left)
}
