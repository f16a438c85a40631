import LocalData
import LocalDataFoundation

/// The versions of the synced values that are stored here, and the state of the paired device. `SyncFormat.md` describes its
/// bytes.
struct SyncHistory: Sendable {
  /// This device, as far as versions are concerned: a random identifier.
  var device: UUID
  var clock = HybridClock()
  /// The request that the paired device has not answered with all of its values yet; 0 if there is none.
  var asks: UInt64 = 0
  /// The catalogs with which an entry was rejected that other catalogs may accept; 0 if there is no such entry.
  var refusedUnder: UInt64 = 0
  /// The paired device that was heard from last.
  var peer: UUID?
  /// The clocks of the payloads that were put.
  var puts = SyncPayloadHistory()
  var peers: [UUID: Peer] = [:]
  var entries: [SyncKey: Entry] = [:]

  /// The changes since the lines of the history were taken.
  var changes = Changes()

  /// A device that something was received from.
  struct Peer: Hashable, Sendable {
    /// The payload with the highest clock of which everything was received.
    var received = SyncPut()
    /// The last request of the device that was answered.
    var answered: UInt64 = 0
    /// The highest clock of a payload that has arrived, and the clocks that its header contained.
    var latest: UInt64 = 0
    var puts = SyncPayloadHistory()
  }

  /// The versions of one key.
  struct Entry: Hashable, Sendable {
    /// The change that has certainly taken effect.
    var settled: Change?
    /// A later change that was noted before it was made.
    var begun: Change?
    /// The value was received as a watch representation, which is never sent back.
    var isWatchRepresentation = false
    /// The paired device gets the latest version, because the app requested it or the key's policy requires it.
    var isOffered = false
    /// Some version was offered or received.
    var isShared = false
    /// The device that has acknowledged the latest version, or sent it.
    var acknowledgedBy: UUID?

    /// The version that was noted last.
    var latest: SyncVersion? { (begun ?? settled)?.stamp.version }

    /// Returns true if the given device has not received the latest version.
    func isPending(for peer: UUID?) -> Bool {
      isOffered && !isWatchRepresentation && (acknowledgedBy == nil || acknowledgedBy != peer)
    }
  }

  struct Change: Hashable, Sendable {
    var stamp: SyncStamp
    var fingerprint: ValueFingerprint?
  }

  struct Changes: Sendable {
    var isHeadChanged = false
    var keys: Set<SyncKey> = []
    var peers: Set<UUID> = []
  }

  init() { device = UUID() }

  init(device: UUID) { self.device = device }

  /// Returns the history of a new device, which requests all values of the paired device.
  static func fresh() -> SyncHistory {
    var history = SyncHistory()
    history.asks = 1
    return history
  }

  // MARK: What is known

  /// The knowledge of a stored value, or of its absence.
  enum Knowledge: Hashable {
    /// It has no version.
    case nothing
    case version(SyncStamp)
    /// It is a received value or its predecessor, and which of them is not known until it is received again.
    case unfinished(SyncStamp)
    /// It was changed while the history could not be written.
    case changed
  }

  func knowledge(of key: SyncKey, _ look: StoredLook) -> Knowledge {
    guard let entry = entries[key] else { return .nothing }
    if look == .absent { return knowledge(ofAbsent: entry) }
    let begun = entry.begun?.ifValue
    let settled = entry.settled?.ifValue
    let isBegun = begun.flatMap { look.isValue(of: $0.stamp.version, $0.fingerprint) }
    let isSettled = settled.flatMap { look.isValue(of: $0.stamp.version, $0.fingerprint) }
    if let begun, isBegun == true { return .version(begun.stamp) }
    if let settled, isSettled == true { return .version(settled.stamp) }
    if let begun, isBegun == nil {
      return begun.stamp.version.device == device ? .version(begun.stamp) : .unfinished(begun.stamp)
    }
    if let settled, isSettled == nil { return .version(settled.stamp) }
    // It has versions, and is none of them; or it was removed, and is there again.
    if isBegun == false || isSettled == false || entry.settled?.stamp.isRemoval == true { return .changed }
    return .nothing
  }

  private func knowledge(ofAbsent entry: Entry) -> Knowledge {
    if let begun = entry.begun {
      if begun.stamp.isRemoval { return .version(begun.stamp) }
      if begun.stamp.version.device != device { return .unfinished(begun.stamp) }
    }
    return entry.settled.map { .version($0.stamp) } ?? .nothing
  }

  // MARK: Changes made here

  /// Assigns a version to a change before it is made, and returns the version. Returns `nil` if changes of the key are not
  /// sent.
  mutating func begin(_ key: SyncKey, over look: StoredLook, isRemoval: Bool, isOffered: Bool, now: Date) -> SyncStamp?
  {
    if entries[key]?.isWatchRepresentation == true { return nil }
    let stamp = SyncStamp(version: nextVersion(now), isRemoval: isRemoval)
    begin(stamp, for: key, over: look)
    change(key) { entry in
      entry.acknowledgedBy = nil
      entry.isOffered = isOffered
      entry.isShared = entry.isShared || isOffered
    }
    return stamp
  }

  /// Adds the fingerprint of the value to a change that was begun.
  mutating func setFingerprint(_ fingerprint: ValueFingerprint?, of key: SyncKey) {
    change(key) { $0.begun?.fingerprint = fingerprint }
  }

  /// Returns the version to send with a stored value; `nil` if the value must not be sent.
  mutating func stampToSend(_ key: SyncKey, _ look: StoredLook, now: Date) -> SyncStamp? {
    if entries[key]?.isWatchRepresentation == true { return nil }
    switch knowledge(of: key, look) {
    case .unfinished: return nil
    case .version(let stamp) where stamp.isRemoval != look.isPresent:
      dropChange(of: key, unlessIs: stamp)
      return stamp
    // A value that vanished, as caches do, was not removed.
    case _ where !look.isPresent: return nil
    // Its age is unknown, so every known version is newer.
    case .nothing: return settle(.unknown(of: device), of: key, look)
    case .changed, .version: return settle(nextVersion(now), of: key, look)
    }
  }

  /// Assigns a new version to a stored value, or to its absence, because a change of it could not be noted.
  mutating func restamp(_ key: SyncKey, _ look: StoredLook, now: Date) -> SyncStamp? {
    if entries[key]?.isWatchRepresentation == true { return nil }
    return settle(nextVersion(now), of: key, look)
  }

  /// Forgets a change that was begun, if the stored bytes show that it did not take effect.
  private mutating func dropChange(of key: SyncKey, unlessIs stamp: SyncStamp) {
    guard let begun = entries[key]?.begun, begun.stamp != stamp else { return }
    change(key) { $0.begun = nil }
  }

  mutating func settle(_ version: SyncVersion, of key: SyncKey, _ look: StoredLook) -> SyncStamp {
    let stamp = SyncStamp(version: version, isRemoval: !look.isPresent)
    clock.adopt(version.counter)
    var fingerprint: ValueFingerprint?
    if case .value(let digest?, _) = look { fingerprint = .digest(digest) }
    change(key) { [fingerprint] entry in
      entry.settled = Change(stamp: stamp, fingerprint: fingerprint)
      entry.begun = nil
      entry.acknowledgedBy = nil
    }
    return stamp
  }

  private mutating func nextVersion(_ now: Date) -> SyncVersion {
    SyncVersion(counter: clock.tick(now), device: device)
  }

  // MARK: Changes that are received

  /// Returns true if a received change is newer than the stored value.
  func accepts(_ stamp: SyncStamp, for key: SyncKey, over look: StoredLook, isWatchRepresentation: Bool) -> Bool {
    // It comes from the phone, which does not accept representations: the watch's own changes have no effect.
    if isWatchRepresentation {
      guard let entry = entries[key], entry.isWatchRepresentation, let settled = entry.settled?.stamp else {
        return true
      }
      return stamp.version > settled.version || stamp == settled && !settled.isRemoval && !look.isPresent
    }
    switch knowledge(of: key, look) {
    case .nothing: return true
    case .changed: return false
    case .unfinished(let begun): return stamp.version >= begun.version || isMissing(begun, look) && !stamp.isRemoval
    case .version(let stored):
      if stamp.version > stored.version || isMissing(stored, look) && !stamp.isRemoval { return true }
      // A removal whose end was not noted is made again: what is left of the key's sources could give it a value, and what
      // was moved aside may still be there.
      return stamp.isRemoval && stamp.version.device != device && entries[key]?.begun?.stamp == stamp
    }
  }

  /// Returns true if a noted value was never written, or has vanished as those of caches do. Any other value is welcome
  /// then: it may be the only one that is left.
  private func isMissing(_ noted: SyncStamp, _ look: StoredLook) -> Bool { !noted.isRemoval && !look.isPresent }

  /// Notes that a received change is about to be made. If its end is never noted, and the sender loses the value, this
  /// device must be able to send it: so it is offered from now on.
  mutating func beginReceived(
    _ stamp: SyncStamp, for key: SyncKey, over look: StoredLook, isWatchRepresentation: Bool
  ) {
    begin(stamp, for: key, over: look)
    clock.adopt(stamp.version.counter)
    guard !isWatchRepresentation else { return }
    change(key) { entry in
      entry.isOffered = true
      entry.isShared = true
      entry.acknowledgedBy = nil
    }
  }

  /// Notes that a received change took effect.
  mutating func finishReceived(_ stamp: SyncStamp, for key: SyncKey, from peer: UUID?, isWatchRepresentation: Bool) {
    change(key) { entry in
      guard let begun = entry.begun, begun.stamp == stamp else { return }
      entry.settled = begun
      entry.begun = nil
      entry.isWatchRepresentation = isWatchRepresentation
      entry.isOffered = true
      entry.isShared = true
      entry.acknowledgedBy = peer
    }
  }

  /// Notes the trace of a value that is stored in another form, if the first form is the one of a noted version.
  mutating func replaceFingerprint(of key: SyncKey, _ old: StoredLook, by new: StoredLook) {
    guard entries[key] != nil, case .value(let old?, _) = old, case .value(let new?, _) = new else { return }
    change(key) { entry in
      if entry.settled?.fingerprint == .digest(old) { entry.settled?.fingerprint = .digest(new) }
      if entry.begun?.fingerprint == .digest(old) { entry.begun?.fingerprint = .digest(new) }
    }
  }

  mutating func begin(_ stamp: SyncStamp, for key: SyncKey, over look: StoredLook) {
    let known = knowledge(of: key, look)
    // If the change is not made, the stored value has its earlier version again.
    var unknown: Change?
    if case .value(let digest?, _) = look {
      unknown = Change(stamp: SyncStamp(version: .unknown(of: device), isRemoval: false), fingerprint: .digest(digest))
    }
    change(key) { [unknown] entry in
      switch known {
      case .version(let stored): if entry.begun?.stamp == stored { entry.settled = entry.begun }
      case .nothing: entry.settled = unknown
      case .unfinished, .changed: entry.settled = nil
      }
      entry.begun = Change(stamp: stamp, fingerprint: nil)
    }
  }

  // MARK: Entries

  mutating func change(_ key: SyncKey, _ body: (inout Entry) -> Void) {
    var entry = entries.removeValue(forKey: key) ?? Entry()
    body(&entry)
    entries[key] = entry
    changes.keys.insert(key)
  }
}

extension SyncHistory.Change {
  /// The change if it stored a value; `nil` if it removed one.
  fileprivate var ifValue: Self? { stamp.isRemoval ? nil : self }
}
