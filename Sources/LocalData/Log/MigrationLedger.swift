import LocalDataFoundation

/// The state of every key, step and address according to the log. Pure: it is built from the entries in their order.
///
/// An entry is at a position, and a later one has a higher position. The position of what never happened is 0.
package struct MigrationLedger: Sendable {
  /// An entry and its position in the log.
  private struct Line: Sendable {
    var entry: MigrationEntry
    var position: Int
  }

  /// The state of an address, as the log notes it.
  private struct Address: Sendable {
    // As that of a key: the last entries that note a value.
    var written = 0
    /// The same without the writes that have encrypted a value again, which stays as old as it was.
    var changed = 0
    /// The last noted write of the app. The other writes are those of migrations.
    var writtenByApp = 0
    var writtenForms: [StoredForm: Int] = [:]
    /// The last noted removal, and the last one by the user. A removal that follows from another one is as old as that one.
    var ended = 0
    var removed = 0
    var steps: [StepID: Line] = [:]
    // As that of a source: the last use by any key, and by each key.
    var use: Use?
    var users: [AddressID: Use] = [:]
  }

  /// The last use of the value at an address as a source.
  private struct Use: Sendable {
    /// The last entry that shows what became of the value.
    var entry: MigrationEntry
    var position = 0
    /// The value that was seen at the address.
    var value = SourceNote.Value.none
    /// A Boolean value that indicates whether the value was removed from the address.
    var isGone = false
    /// The value that a key was about to take, if no later entry shows whether it has.
    var announced: SourceNote.Value?
    /// The first entry, the last one, and the last one that neither announces a use nor removes the key.
    var first: Int
    var last = 0
    var taken = 0

    var isRemoval: Bool { entry.event?.outcome == .removed }
  }

  private var count = 0
  /// The latest time of an entry.
  private(set) var latest = Date.distantPast
  private var addresses: [AddressID: Address] = [:]
  /// A Boolean value that indicates whether removals are noted.
  private(set) var hasRemovals = false

  package init(_ entries: some Sequence<MigrationEntry> = []) { for entry in entries { add(entry) } }

  package mutating func add(_ entry: MigrationEntry) {
    count += 1
    latest = max(latest, entry.event?.date ?? latest)
    if entry.isRemovalNote { return noteRemoval(entry) }
    for step in entry.steps {
      addresses[entry.address, default: Address()].steps[step] = Line(entry: entry, position: count)
    }
    if entry.hasWritten {
      addresses[entry.address, default: Address()].written = count
      if entry.event?.outcome != .securedInPlace { addresses[entry.address]?.changed = count }
      if entry.steps == [.write] { addresses[entry.address]?.writtenByApp = count }
      if let form = entry.form { addresses[entry.address]?.writtenForms[form] = count }
    }
    guard entry.phase.isNote else { return }
    for source in Set(entry.moved).union(entry.steps.flatMap(\.sources)) {
      let written = addresses[source]?.written ?? 0
      let any = use(of: source, after: addresses[source]?.use, entry, written)
      let own = use(of: source, after: addresses[source]?.users[entry.address], entry, written)
      // In place: a source of a family has thousands of users.
      addresses[source, default: Address()].use = any
      addresses[source]?.users[entry.address] = own
    }
  }

  private mutating func noteRemoval(_ entry: MigrationEntry) {
    hasRemovals = true
    let causes = (entry.seen ?? []).map { addresses[$0.address]?.removed ?? 0 }
    for id in entry.moved {
      let time = max(addresses[id]?.removed ?? 0, causes.max() ?? count)
      addresses[id, default: Address()].removed = time
      addresses[id]?.ended = count
    }
  }

  private func use(of source: AddressID, after last: Use?, _ entry: MigrationEntry, _ written: Int) -> Use {
    var use = last ?? Use(entry: entry, first: count)
    use.last = count
    let value = entry.value(of: source)
    if entry.isAnnouncement {
      // A process that has read a value before the removal may announce it after that.
      let isLate =
        use.isRemoval && written < use.position && (use.value == value || [use.value, value].contains(.unknown))
      if value != .none, !isLate { use.announced = value }
      return use
    }
    let isRemoval = entry.event?.outcome == .removed
    let isOfEarlierUser = !isRemoval && addresses[entry.address]?.ended ?? 0 > use.taken
    if !isRemoval { use.taken = count }
    let isGone = entry.phase != .committed && entry.moved.contains(source)
    // The value that was seen last counts also after the source was found empty, but not for the next user of the key.
    let isSeenBefore = value == .none && use.position > written && !isOfEarlierUser
    use.isGone = isGone || (isSeenBefore && use.isGone)
    if !isSeenBefore { use.value = value }
    use.entry = entry
    use.position = count
    use.announced = nil
    return use
  }

  // MARK: Questions

  /// Returns the state of a step of a key in the log.
  func stepEntry(of step: StepID, at address: AddressID) -> StepEntry {
    StepEntry(line(of: step, at: address)?.entry)
  }

  /// Returns the last entry about a step of a key, unless it is void.
  private func line(of step: StepID, at address: AddressID) -> Line? {
    guard let line = addresses[address]?.steps[step], !isVoid(step, address, line.position) else { return nil }
    return line
  }

  /// Returns true if the log notes that a value was moved away from an address, or that its form is no longer accepted
  /// there, and no later entry notes that a value was stored there again.
  func isSpent(_ address: AddressID, _ form: StoredForm) -> Bool {
    guard let state = addresses[address] else { return false }
    return state.use?.last ?? 0 > state.written || hasRetired(form, at: address)
  }

  /// Returns true if a write of the app to an address must be noted, because a migration has read or emptied the address since
  /// the last noted write, or has retired the form, or because the value was removed since, a key that has used the address was
  /// written, or an address was removed from which a value was moved here.
  func mustNoteWrite(to address: AddressID, _ form: StoredForm) -> Bool {
    guard let state = addresses[address] else { return false }
    return isSpent(address, form) || state.use.map { max($0.last, state.ended) > state.writtenByApp } ?? false
      || state.users.keys.contains { addresses[$0]?.changed ?? 0 > state.writtenByApp }
      || hasRemovals && moves(of: address).flatMap(\.sources).contains { hasRemoved([$0], after: [address]) }
  }

  /// Returns true if the log notes that a form is no longer accepted at an address, and no later entry notes that a value
  /// was stored there in this form again.
  func hasRetired(_ form: StoredForm, at address: AddressID) -> Bool {
    guard let state = addresses[address], let retired = state.steps[.inPlace(form)] else { return false }
    return retired.position > state.writtenForms[form] ?? 0
  }

  /// Returns what the log notes of the value at an address, for a key that may take it; nil if it notes nothing.
  ///
  /// - Parameters:
  ///   - ids: The addresses of the key and of its family.
  ///   - names: The addresses of the key and of its earlier names, if several keys take parts of the value. Then only the entries
  ///     of these count. Otherwise, those of all keys do.
  func note(of source: AddressID, for ids: [AddressID], parts names: [AddressID]? = nil) -> SourceNote? {
    guard let state = addresses[source] else { return nil }
    let parts = names?.compactMap { state.users[$0] }
    guard let use = parts.map({ $0.max { $0.last < $1.last } }) ?? state.use else { return nil }
    let last = ids.compactMap { addresses[$0] }.reduce(use.position) { max($0, $1.removed) }
    let isDated = state.writtenByApp > max(last, addresses[ids[0]]?.changed ?? 0)
    let isOfEarlierUser = ids.contains { addresses[$0]?.ended ?? 0 > use.taken }
    return SourceNote(
      entry: use.entry, value: use.value, announced: use.announced, isGone: parts == nil && use.isGone,
      isLive: state.written > use.position, isOwn: state.users[ids[0]] != nil, isOfEarlierUser: isOfEarlierUser,
      writtenAt: isDated ? state.writtenByApp : nil)
  }

  /// Returns the steps of a key that move values, also those that a later release does not declare any more.
  func moves(of key: AddressID) -> [StepID] {
    (addresses[key]?.steps ?? [:]).keys.filter { $0.kind == .move }
      .sorted { $0.sources.lexicographicallyPrecedes($1.sources) }
  }

  /// A Boolean value that indicates whether the log has no entry.
  var isEmpty: Bool { count == 0 }

  /// Returns true if the log has an entry about a key, or about its address as a source.
  func isAbout(_ address: AddressID) -> Bool { addresses[address].map { !$0.steps.isEmpty || $0.use != nil } ?? false }

  /// Returns true if the log notes that an address was a source.
  func hasUsed(_ address: AddressID) -> Bool { addresses[address]?.use != nil }

  /// Returns true if an earlier release has removed a source that a key had used, and neither a stored value nor a removal of the
  /// key was noted since.
  ///
  /// - Parameters:
  ///   - source: The addresses of the source and of its family.
  ///   - key: Those of the key.
  ///   - users: The keys whose use of the source counts; nil for all.
  func hasRemoved(_ source: [AddressID], after key: [AddressID], by users: [AddressID]? = nil) -> Bool {
    let known = addresses[source[0]]?.users ?? [:]
    let uses = users.map { $0.compactMap { known[$0] } } ?? Array(known.values)
    guard let first = uses.map(\.first).min() else { return false }
    return source.contains { addresses[$0]?.removed ?? 0 > max(first, lastChange(of: key)) }
  }

  /// Returns true if a value was moved to the address of a source after a key has used it. Another key may be stored there.
  func isReused(_ source: AddressID, after key: AddressID) -> Bool {
    guard let state = addresses[source], let use = state.users[key] else { return false }
    return state.steps.contains { $0.key.kind == .move && $0.value.position > use.last }
  }

  /// Returns the position of the last stored value or removal of a key, or of its family, or 0.
  func lastChange(of ids: [AddressID]) -> Int {
    ids.compactMap { addresses[$0] }.reduce(0) { max($0, $1.written, $1.ended) }
  }

  /// Returns true if the value at an address is one that a migration has left there.
  func isLeftover(_ address: AddressID) -> Bool {
    note(of: address, for: [address])?.isLeftover == true
  }

  /// A Boolean value that indicates whether a step of any key has begun and is not completed.
  var hasUnfinished: Bool { addresses.keys.contains(where: isUnfinished) }

  /// Returns true if a step of a key has begun and is not completed.
  func isUnfinished(_ address: AddressID) -> Bool {
    (addresses[address]?.steps ?? [:]).values.contains { line in
      switch line.entry.phase {
      case .started, .superseded, .committed, .removing: true
      case .ended, .completed: false
      }
    }
  }

  /// Returns true if an entry adds no information to the log.
  func makesNoDifference(_ entry: MigrationEntry) -> Bool {
    let steps = entry.steps
    if entry.isAnnouncement { return entry.moved.allSatisfy { isKnown(entry.value(of: $0), $0, entry.address) } }
    if steps.isEmpty { return false }
    // A value is stored at an address from which the log has it moved away.
    if entry.hasWritten, let form = entry.form, isSpent(entry.address, form) { return false }
    if steps == [.write], let form = entry.form { return !mustNoteWrite(to: entry.address, form) }
    // Another value than the last one was moved or removed.
    if entry.phase.isNote, entry.seen?.contains(where: { isOther($0, for: entry.address) }) == true { return false }
    return steps.allSatisfy { step in
      guard let line = line(of: step, at: entry.address) else { return false }
      let old = line.entry.event?.outcome
      let new = entry.event?.outcome
      // A removal stays in effect, also if a process that has not read it notes another entry.
      if old == .removed, new != .removed { return true }
      if new == .removed, old != .removed { return false }
      // Another process may have seen a value that this process has just encrypted anew.
      if old == .unneeded, new != .unneeded { return false }
      if entry.phase == .started || entry.phase == .ended, line.entry.phase.rank == 0 {
        return line.entry.phase == entry.phase
      }
      return line.entry.phase.rank >= entry.phase.rank
    }
  }

  /// Returns true if the log notes that a key is about to take a value.
  private func isKnown(_ value: SourceNote.Value, _ source: AddressID, _ key: AddressID) -> Bool {
    guard let use = addresses[source]?.users[key] else { return false }
    return value == .none || use.announced == value
  }

  /// Returns true if the last entry about a source, or that of a key, shows another value, or none.
  private func isOther(_ seen: SeenSource, for key: AddressID) -> Bool {
    guard let fingerprint = seen.fingerprint, let state = addresses[seen.address] else { return false }
    return [state.use, state.users[key]].contains { use in
      switch use?.value {
      case .fingerprint(let last): fingerprint != last
      case .none?: true
      case .unknown, nil: false
      }
    }
  }

  /// A step is void if one of its sources has a live value again.
  private func isVoid(_ step: StepID, _ address: AddressID, _ position: Int) -> Bool {
    switch step.kind {
    case .move: step.sources.contains { addresses[$0]?.written ?? 0 > position }
    case .inPlace: step.form.map { addresses[address]?.writtenForms[$0] ?? 0 > position } ?? false
    case .custom, .write: false
    }
  }
}

/// The state of one step according to the log, as far as it still counts.
package struct StepEntry: Sendable, Hashable {
  /// The last entry. It is nil if no entry is noted, or if the last one is no longer valid.
  package var entry: MigrationEntry?
  var phase: MigrationEntry.Phase?

  init(_ entry: MigrationEntry? = nil) {
    self.entry = entry
    phase = entry?.phase
  }

  package var isRemoval: Bool { entry?.event?.outcome == .removed }
}

extension MigrationEntry {
  /// Returns the value that a source had.
  fileprivate func value(of source: AddressID) -> SourceNote.Value {
    guard let seen else { return .unknown }
    guard let value = seen.first(where: { $0.address == source }) else { return .none }
    return value.fingerprint.map { .fingerprint($0) } ?? .unknown
  }
}

extension MigrationEntry.Phase {
  /// A Boolean value that indicates whether an entry in this phase is about the values of its sources.
  fileprivate var isNote: Bool {
    switch self {
    case .started, .superseded, .ended: false
    case .committed, .removing, .completed: true
    }
  }

  /// The progress of a step in this phase, for comparisons.
  fileprivate var rank: Int {
    switch self {
    case .ended: 0
    case .started: 0
    case .superseded: 1
    case .committed: 2
    case .removing: 3
    case .completed: 4
    }
  }
}
