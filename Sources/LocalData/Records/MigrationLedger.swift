import SmallFoundation

/// The state of every key, step and address according to the log. Pure: it is built from the entries in their order.
package struct MigrationLedger: Sendable {
  /// An entry and its position in the log.
  private struct Line: Sendable {
    var entry: MigrationEntry
    var position: Int
    /// The value that the key has seen at the step's first source. It counts also after the source was found empty.
    var value: SourceNote.Value
  }

  /// The last use of an address as a source.
  private struct Use: Sendable {
    var position: Int
    var entry: MigrationEntry
    /// The value that was seen at the address.
    var value: SourceNote.Value
    /// A Boolean value that indicates whether the value was removed from the address.
    var isGone: Bool

    /// A Boolean value that indicates whether the value may still be stored at the address.
    var isLeft: Bool { !isGone && value != .none }
  }

  private var count = 0
  /// The latest time of an entry.
  private(set) var latest = Date.distantPast
  private var steps: [AddressID: [StepID: Line]] = [:]
  private var written: [AddressID: Int] = [:]
  /// The same without the writes that have encrypted a value again, which stays as old as it was.
  private var changed: [AddressID: Int] = [:]
  /// The last recorded write of the app to each address. The other writes are those of migrations.
  private var writtenByApp: [AddressID: Int] = [:]
  private var writtenForms: [AddressID: [StoredForm: Int]] = [:]
  private var uses: [AddressID: Use] = [:]
  /// The position of the first use of an address by each key.
  private var firstUses: [AddressID: [AddressID: Int]] = [:]
  /// The last noted removal of each address and family.
  private var removals: [AddressID: Int] = [:]

  package init(_ entries: some Sequence<MigrationEntry> = []) { for entry in entries { add(entry) } }

  package mutating func add(_ entry: MigrationEntry) {
    count += 1
    latest = max(latest, entry.record?.date ?? latest)
    for step in entry.steps {
      var line = Line(entry: entry, position: count, value: step.sources.first.map(entry.value) ?? .none)
      if line.value == .none, let last = steps[entry.address]?[step], !isVoid(step, entry.address, last.position) {
        line.value = last.value
      }
      steps[entry.address, default: [:]][step] = line
    }
    if entry.hasWritten {
      written[entry.address] = count
      if entry.record?.outcome != .securedInPlace { changed[entry.address] = count }
      if entry.steps == [.write] { writtenByApp[entry.address] = count }
      if let form = entry.form { writtenForms[entry.address, default: [:]][form] = count }
    }
    if entry.isRemovalNote { for id in entry.moved { removals[id] = count } }
    noteUses(entry)
  }

  private mutating func noteUses(_ entry: MigrationEntry) {
    guard entry.phase.isNote else { return }
    let sources = Set(entry.moved).union(entry.steps.flatMap(\.sources))
    for source in sources {
      var use = Use(
        position: count, entry: entry, value: entry.value(of: source),
        isGone: entry.phase != .committed && entry.moved.contains(source))
      // The value that was seen last counts also after the source was found empty.
      if use.value == .none, let last = uses[source], last.position > written[source] ?? 0 {
        (use.value, use.isGone) = (last.value, use.isGone || last.isGone)
      }
      uses[source] = use
      firstUses[source, default: [:]][entry.address] = firstUses[source]?[entry.address] ?? count
    }
  }

  // MARK: Questions

  /// Returns the state of a step of a key in the log.
  func record(of step: StepID, at address: AddressID) -> StepRecord {
    guard let line = steps[address]?[step], !isVoid(step, address, line.position) else { return StepRecord() }
    return StepRecord(line.entry)
  }

  /// Returns true if the log records that a value was moved away from an address, or that its form is no longer accepted
  /// there, and no later entry records that a value was stored there again.
  func isSpent(_ address: AddressID, _ form: StoredForm) -> Bool {
    if let use = uses[address], use.position > written[address] ?? 0 { return true }
    return hasRetired(form, at: address)
  }

  /// Returns true if a write of the app to an address must be recorded, because a migration has read or emptied the address since
  /// the last recorded write, or has retired the form.
  func mustRecordWrite(to address: AddressID, _ form: StoredForm) -> Bool {
    if isSpent(address, form) { return true }
    return uses[address].map { $0.position > writtenByApp[address] ?? 0 } ?? false
  }

  /// Returns true if the log records that a form is no longer accepted at an address, and no later entry records that a value
  /// was stored there in this form again.
  func hasRetired(_ form: StoredForm, at address: AddressID) -> Bool {
    guard let retired = steps[address]?[.inPlace(form)] else { return false }
    return retired.position > writtenForms[address]?[form] ?? 0
  }

  /// Returns true if a value was stored at an address after the last entry about a step of a key.
  func hasWritten(_ address: AddressID, after step: StepID, of key: AddressID) -> Bool {
    guard let line = steps[key]?[step] else { return false }
    return written[address] ?? 0 > line.position
  }

  /// Returns the last entry of any key about an address as a source, for a key that may take its value.
  ///
  /// - Parameter isShared: True if several keys take parts of the value. Then only the entries of this key count.
  func note(of source: AddressID, for key: AddressID, isShared: Bool = false) -> SourceNote? {
    guard let use = isShared ? partUse(of: source, by: key) : uses[source] else { return nil }
    let (last, lastByApp) = (written[source] ?? 0, writtenByApp[source] ?? 0)
    return SourceNote(
      entry: use.entry, value: use.value, isGone: use.isGone, isLive: last > use.position,
      writtenAt: lastByApp > max(changed[key] ?? 0, use.position) ? lastByApp : nil)
  }

  private func partUse(of source: AddressID, by key: AddressID) -> Use? {
    guard let line = steps[key]?[.move([source])], line.entry.phase.isNote else { return nil }
    return Use(position: line.position, entry: line.entry, value: line.value, isGone: false)
  }

  /// Returns the steps of a key that move values, also those that a later release does not declare any more.
  func moves(of key: AddressID) -> [StepID] {
    (steps[key] ?? [:]).keys.filter { $0.kind == .move }.sorted { $0.sources.lexicographicallyPrecedes($1.sources) }
  }

  /// A Boolean value that indicates whether the log has no entry.
  var isEmpty: Bool { count == 0 }

  /// Returns true if the log has an entry about a key, or about its address as a source.
  func isAbout(_ address: AddressID) -> Bool {
    !isEmpty && (steps[address] != nil || uses[address] != nil)
  }

  /// Returns true if the log records that an address was a source.
  func hasUsed(_ address: AddressID) -> Bool { uses[address] != nil }

  /// A Boolean value that indicates whether removals are noted.
  var hasRemovals: Bool { !removals.isEmpty }

  /// Returns true if an earlier release has removed a source that a key had used, and neither a stored value nor a removal of the
  /// key was recorded since.
  ///
  /// - Parameters:
  ///   - source: The addresses of the source and of its family.
  ///   - key: Those of the key.
  ///   - users: The keys whose use of the source counts; nil for all.
  func hasRemoved(_ source: [AddressID], after key: [AddressID], by users: [AddressID]? = nil) -> Bool {
    let uses = firstUses[source[0]] ?? [:]
    guard let removed = source.compactMap({ removals[$0] }).max(),
      let first = uses.filter({ users?.contains($0.key) ?? true }).values.min()
    else { return false }
    return removed > max(first, lastChange(of: key))
  }

  /// Returns the position of the last stored value or removal of a key, or of its family, or 0.
  func lastChange(of ids: [AddressID]) -> Int {
    ids.reduce(0) { max($0, written[$1] ?? 0, removals[$1] ?? 0) }
  }

  /// Returns true if the value at an address is one that a migration has left there.
  func isLeftover(_ address: AddressID) -> Bool {
    guard let use = uses[address] else { return false }
    return use.isLeft && use.position > written[address] ?? 0
  }

  /// A Boolean value that indicates whether a step of any key has begun and is not completed.
  var hasUnfinished: Bool { steps.keys.contains(where: isUnfinished) }

  /// Returns true if a step of a key has begun and is not completed.
  func isUnfinished(_ address: AddressID) -> Bool {
    (steps[address] ?? [:]).values.contains { line in
      switch line.entry.phase {
      case .started, .superseded, .committed, .removing: true
      case .ended, .completed: false
      }
    }
  }

  /// Returns true if an entry adds no information to the log.
  func makesNoDifference(_ entry: MigrationEntry) -> Bool {
    let steps = entry.steps
    if steps.isEmpty, entry.moved.isEmpty || !entry.phase.isNote { return false }
    if steps.isEmpty { return entry.moved.allSatisfy { uses[$0] != nil } }
    // A value is stored at an address from which the log has it moved away.
    if entry.hasWritten, let form = entry.form, isSpent(entry.address, form) { return false }
    if steps == [.write], let form = entry.form { return !mustRecordWrite(to: entry.address, form) }
    // Another value than the last one was moved or removed.
    if entry.phase.isNote, entry.seen?.contains(where: { isOther($0, for: entry.address) }) == true { return false }
    return steps.allSatisfy { step in
      guard let line = self.steps[entry.address]?[step], !isVoid(step, entry.address, line.position) else {
        return false
      }
      let (old, new) = (line.entry.record?.outcome, entry.record?.outcome)
      // A removal stays in effect, also if a process that has not read it records another entry.
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

  /// Returns true if the last entry about a source, or that of a key, shows another value, or none.
  private func isOther(_ seen: SeenSource, for key: AddressID) -> Bool {
    guard let fingerprint = seen.fingerprint else { return false }
    return [uses[seen.address], partUse(of: seen.address, by: key)].contains { use in
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
    case .move: step.sources.contains { written[$0] ?? 0 > position }
    case .inPlace: step.form.map { writtenForms[address]?[$0] ?? 0 > position } ?? false
    case .custom, .write: false
    }
  }
}

/// The state of one step according to the log, as far as it still counts.
package struct StepRecord: Sendable, Hashable {
  /// The last entry. It is nil if no entry is recorded, or if the last one is no longer valid.
  package var entry: MigrationEntry?
  var phase: MigrationEntry.Phase?

  init(_ entry: MigrationEntry? = nil) {
    self.entry = entry
    phase = entry?.phase
  }

  package var isRemoval: Bool { entry?.record?.outcome == .removed }
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
