import LocalData
import LocalDataFoundation

/// A change of another device that is ready to be compared and written.
struct ReceivedChange: Sendable {
  let entry: SyncPayload.Entry
  let name: SyncKey
  let key: AnyStorageKey
  let plan: KeyPlan
  /// The bytes to store; `nil` removes.
  var secured: Data?
  /// The number of the entry in its payload.
  var number = 0
}

/// Compares received changes with the stored values, and writes the newer ones.
///
/// The versions of all of them are noted with one durable commit, then they are written, and a second commit notes that
/// they took effect. If the process is killed in between, a comparison of the history with the stored bytes shows which were
/// written; the payload was not acknowledged and is received again.
///
/// Other processes, and calls that take no turn, may change a value after it was compared. Therefore it is looked at again
/// under the store's own lock, and a change that is no longer newer is not written.
struct SyncApplication: Sendable {
  let link: SyncLink
  let values: ValueAccess
  let host: SyncRouterAccess
  /// The device that has sent the payload; `nil` if it may not have the values any more.
  let sender: UUID?

  private var histories: RepairingHistories { link.histories(values.services) }

  /// Returns the events of changes by their numbers. Changes that are not newer have none.
  func apply(_ changes: [ReceivedChange]) async -> [Int: SyncEvent] {
    guard !changes.isEmpty else { return [:] }
    let events = Lock<[Int: SyncEvent]>([:])
    let start = ContinuousClock.now
    await host.inTurns(of: changes.map(\.plan)) { held in
      for change in changes where !held.contains(AddressID(change.plan)) {
        events.withLock { $0[change.number] = changes.event(change.number, .busy) }
      }
      let ready = changes.filter { held.contains(AddressID($0.plan)) }
      for (keyset, group) in [KeysetID: [ReceivedChange]](grouping: ready, by: \.plan.keyset) {
        let applied = await applyInTurn(group, keyset)
        events.withLock { $0.merge(applied) { $1 } }
      }
    }
    let outcomes = events.withLock { $0 }
    for change in changes { log(change, outcomes[change.number], since: start) }
    return outcomes
  }

  private func log(_ change: ReceivedChange, _ event: SyncEvent?, since start: ContinuousClock.Instant) {
    let error: StorageError?
    switch event {
    case .received: error = nil
    case .ignored(_, .failed(let failure)): error = failure
    default: return
    }
    values.log.report(.receive, change.plan.subject, change.secured, .now - start, error)
  }

  private func applyInTurn(_ changes: [ReceivedChange], _ keyset: KeysetID) async -> [Int: SyncEvent] {
    var events: [Int: SyncEvent] = [:]
    do throws(StorageProblem) {
      let begun = try await BlockingExecutor.shared.run { () throws(StorageProblem) in try begin(changes, keyset) }
      for (number, fault) in begun.failures { events[number] = changes.event(number, fault) }
      var ready: [BegunChange] = []
      for change in begun.changes {
        do throws(StorageError) {
          let received = change.change
          try await host.prepare(received.key, received.plan, isRemoval: received.secured == nil)
          ready.append(change)
        } catch {
          events[change.change.number] = .ignored(change.change.plan.subject, .failed(error))
        }
      }
      let written = try await BlockingExecutor.shared.run { [ready] () throws(StorageProblem) in
        try write(ready, keyset)
      }
      for (number, fault) in written.failures { events[number] = changes.event(number, fault) }
      for change in written.changes { events[change.change.number] = .received(change.change.plan.subject) }
    } catch {
      for change in changes where events[change.number] == nil {
        events[change.number] = changes.event(change.number, error)
      }
    }
    return events
  }

  private struct BegunChange: Sendable {
    var change: ReceivedChange
    /// The stored value that the change was compared with.
    var look: StoredLook
    /// The versions of the key before the change was noted.
    var before: SyncHistory.Entry?
    /// The version that is noted here.
    var stamp: SyncStamp
    /// The bytes to store, with their version if they contain it.
    var bytes: Data?
  }

  private struct Step: Sendable {
    var changes: [BegunChange] = []
    var failures: [Int: StorageProblem] = [:]
  }

  // MARK: Comparing

  /// Reads the stored values, and notes the versions of the changes that are newer.
  private func begin(_ changes: [ReceivedChange], _ keyset: KeysetID) throws(StorageProblem) -> Step {
    var looks = [Int: StoredLook]()
    var step = Step()
    for change in changes {
      do throws(StorageProblem) { looks[change.number] = try look(at: change.plan) } catch {
        step.failures[change.number] = error
      }
    }
    step.changes = try histories.change(keyset) { history in
      changes.compactMap { change in
        looks[change.number].flatMap { begin(change, over: $0, in: &history) }
      }
    }
    return step
  }

  /// Reads a stored value without a prompt.
  private func look(at plan: KeyPlan) throws(StorageProblem) -> StoredLook {
    guard plan.attributes.accessControl == nil else { return try values.services.isStored(plan) ? .present : .absent }
    do throws(StorageProblem) {
      let store = values.store(of: plan)
      return plan.attributes.look(at: try store.read(plan.address, plan.attributes), plan.address)
    } catch let problem where [.corrupted, .valueTooLarge].contains(problem.code) {
      // A damaged value is replaced by a newer one.
      return .present
    }
  }

  private func begin(_ change: ReceivedChange, over look: StoredLook, in history: inout SyncHistory) -> BegunChange? {
    let key = change.name
    let entry = change.entry
    let now = link.clock.now
    let before = history.entries[key]
    history.clock.adopt(entry.version.counter)
    if link.unnoted.contains(key) {
      if history.restamp(key, look, now: now) != nil, change.key.syncPolicy == .automaticSmall { history.offer(key) }
      link.removeUnnoted(key)
    }
    let stamp = entry.stamp
    history.compare(entry, with: look, from: sender, now: now)
    guard history.accepts(stamp, for: key, over: look, isWatchRepresentation: entry.isWatchRepresentation) else {
      return nil
    }
    history.beginReceived(stamp, for: key, over: look, isWatchRepresentation: entry.isWatchRepresentation)
    var begun = BegunChange(change: change, look: look, before: before, stamp: stamp)
    guard let secured = change.secured else { return begun }
    let (bytes, fingerprint) = change.plan.attributes.marked(secured, with: stamp.version, change.plan.address)
    history.setFingerprint(fingerprint, of: key)
    begun.bytes = bytes
    return begun
  }

  /// Compares a change again if another process has changed the value since the first comparison. The caller holds the store's
  /// lock, if the store can read the value.
  ///
  /// - Returns: The change to write, or `nil` if it is not newer than the stored or noted value.
  /// - Throws: ``StorageProblem/busy`` if another process has noted something else of the key, and the change must be
  ///   received again.
  private func begin(
    _ change: BegunChange, again look: StoredLook, _ keyset: KeysetID
  ) throws(StorageProblem) -> BegunChange? {
    let histories = histories
    let key = change.change.name
    let isLatest = try histories.read(keyset) { (history) throws(StorageProblem) in
      let entry = history.entries[key]
      if entry?.begun?.stamp == change.stamp { return true }
      guard let latest = entry?.latest, latest > change.stamp.version else { throw .busy }
      return false
    }
    guard isLatest, look != change.look else { return isLatest ? change : nil }
    return try histories.change(keyset) { (history) throws(StorageProblem) in
      guard let entry = history.entries[key], entry.begun?.stamp == change.stamp else { throw .busy }
      // The same value, which was only encrypted anew.
      if let settled = entry.settled, history.knowledge(of: key, look) == .version(settled.stamp) { return change }
      // The earlier history is valid again.
      history.change(key) { $0 = change.before ?? SyncHistory.Entry() }
      return begin(change.change, over: look, in: &history)
    }
  }

  // MARK: Writing

  private func write(_ changes: [BegunChange], _ keyset: KeysetID) throws(StorageProblem) -> Step {
    var step = Step()
    for change in changes {
      do throws(StorageProblem) {
        if let written = try write(change, keyset) { step.changes.append(written) }
      } catch {
        step.failures[change.change.number] = error
      }
    }
    guard !step.changes.isEmpty else { return step }
    try histories.change(keyset) { [step] history in
      for change in step.changes {
        history.finishReceived(
          change.stamp, for: change.change.name, from: sender,
          isWatchRepresentation: change.change.entry.isWatchRepresentation)
      }
    }
    return step
  }

  /// Writes a change, and returns it as it was written, or `nil` if the value has a newer one now.
  ///
  /// - Throws: ``StorageProblem/busy`` if another process has noted something else of the key, and the change must be
  ///   received again.
  private func write(_ begun: BegunChange, _ keyset: KeysetID) throws(StorageProblem) -> BegunChange? {
    let plan = begun.change.plan
    defer { values.changes.publishChange(at: plan.address) }
    // A received change has the version of its sender.
    let value = KeyedValue(plan.unversioned, values)
    var latest = begun
    var written = BegunChange?.none
    try value.change { (seen) throws(StorageProblem) in
      let look =
        switch seen {
        case .read(let stored): plan.attributes.look(at: stored, plan.address)
        // What cannot be read can still be overwritten.
        case .unread: try look(at: plan)
        }
      written = try begin(latest, again: look, keyset)
      guard let change = written else { return .keep }
      // If another process has written meanwhile, the store calls this again.
      latest = change
      return change.bytes.map { .write($0) } ?? .remove
    }
    guard let written, written.bytes == nil else { return written }
    // If this fails, the removal must be received again.
    try value.removeCopies(isPurged: false)
    // If the other copies cannot be removed now, the next removal in the container does it.
    if plan.isSecured { do throws(StorageProblem) { try value.store.purge(plan.address.container) } catch {} }
    return written
  }
}

extension [ReceivedChange] {
  fileprivate func event(_ number: Int, _ fault: StorageProblem) -> SyncEvent? {
    first { $0.number == number }.map { .ignored($0.plan.subject, .failed($0.plan.error(fault, .sync))) }
  }
}

extension SyncHistory {
  /// Notes the sender's state and the stored value from a received version.
  fileprivate mutating func compare(
    _ entry: SyncPayload.Entry, with look: StoredLook, from sender: UUID?, now: Date
  ) {
    guard let key = entry.key else { return }
    switch knowledge(of: key, look) {
    case .version(let stored) where stored == entry.stamp:
      if let sender { acknowledge(stored.version, of: key, by: sender) }
    // The change was made here while the history could not be written: it has its version from now on.
    case .changed:
      let isOffered = entries[key]?.isOffered ?? false
      if restamp(key, look, now: now) != nil, isOffered { offer(key) }
    default: break
    }
  }
}
