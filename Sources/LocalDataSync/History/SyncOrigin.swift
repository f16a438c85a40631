import LocalData
import LocalDataFoundation

extension MigrationWrite {
  /// Returns the version of the value that is about to be stored; `nil` if no version is noted.
  ///
  /// A value of an earlier release has the version that it had at its source. It is newer than the last value that the key had
  /// at this address, and older than every later change.
  func version(
    of key: SyncKey, over look: StoredLook, _ origin: SyncOrigin?, in history: SyncHistory
  ) -> SyncVersion? {
    let entry = history.entries[key]
    guard entry?.isWatchRepresentation != true else { return nil }
    switch (self, history.knowledge(of: key, look)) {
    case (.sameValue, .version(let stamp)): return stamp.version
    case (.sameValue, _): return nil
    // The payload is received again, and wins over a value without a version.
    case (.earlierValue, .unfinished): return origin?.version ?? .unknown(of: history.device)
    case (.earlierValue, _):
      let last = [entry?.settled, entry?.begun].compactMap { $0?.stamp.version.counter }.max()
      let next = last.map { SyncVersion(counter: $0 + 1, device: history.device) }
      return [next, origin?.version].compactMap(\.self).max()
    }
  }

  /// Notes that the value is about to be stored.
  ///
  /// - Parameter isOffered: True if a value of an earlier release is sent to the paired device. The same value is sent as before.
  func begin(
    _ key: SyncKey, _ version: SyncVersion, over look: StoredLook, _ origin: SyncOrigin?, isOffered: Bool,
    in history: inout SyncHistory
  ) {
    history.begin(SyncStamp(version: version, isRemoval: false), for: key, over: look)
    history.clock.adopt(version.counter)
    guard case .earlierValue = self else { return }
    history.change(key) { $0.follow(origin, isOffered: isOffered) }
  }
}

extension SyncHistory.Entry {
  fileprivate mutating func follow(_ origin: SyncOrigin?, isOffered: Bool) {
    acknowledgedBy = nil
    self.isOffered = isOffered || origin?.isOffered == true
    isShared = isShared || self.isOffered || origin?.isShared == true
    isWatchRepresentation = origin?.isWatchRepresentation == true
  }
}

/// A source of a migrated value in the history of versions.
struct SyncedSource: Sendable {
  let key: SyncKey
  /// The history that has the versions of the source.
  let keyset: KeysetID
  /// The value that was read from the source, or its absence.
  let look: StoredLook

  init(_ source: MigratedSource) {
    let plan = source.plan
    key = source.key.syncKey
    keyset = plan.keyset
    look = plan.attributes.look(at: source.stored, plan.address)
  }
}

/// The version that a migrated value, or its removal, had under its former key.
struct SyncOrigin: Sendable {
  var version: SyncVersion
  /// The paired device gets the value, because the app requested it or the policy of the former key required it.
  var isOffered: Bool
  var isShared: Bool
  var isWatchRepresentation: Bool

  /// Returns the origin of a value that is made of several others. It has a separate version, because another device may make
  /// it of other values.
  static func joined(_ origins: [SyncOrigin], on device: UUID) -> SyncOrigin? {
    guard let newest = origins.map(\.version).max() else { return nil }
    return SyncOrigin(
      version: SyncVersion(counter: newest.counter + 1, device: device),
      isOffered: origins.contains(where: \.isOffered), isShared: origins.contains(where: \.isShared),
      isWatchRepresentation: origins.contains(where: \.isWatchRepresentation))
  }
}

extension SyncOrigin {
  /// Notes that a key has no value because a former name of it was removed. Returns false if a change of the key is newer.
  func noteRemoval(of key: SyncKey, in history: inout SyncHistory) -> Bool {
    guard history.entries[key]?.latest.map({ version > $0 }) ?? true else { return false }
    _ = history.settle(version, of: key, .absent)
    history.change(key) { $0.follow(self, isOffered: false) }
    return true
  }

  /// Creates the origin of a value that was read from a source, or of its removal; `nil` if its version is not known.
  ///
  /// A value that was changed while its version could not be noted counts as changed now.
  init?(of source: SyncedSource, in history: SyncHistory, now: Date) {
    var clock = history.clock
    var version = SyncVersion.unknown(of: history.device)
    switch history.knowledge(of: source.key, source.look) {
    case .version(let stamp) where stamp.isRemoval != source.look.isPresent: version = stamp.version
    case .changed: version.counter = clock.tick(now)
    case .nothing, .version, .unfinished: return nil
    }
    guard let entry = history.entries[source.key] else { return nil }
    self.init(
      version: version, isOffered: entry.isOffered, isShared: entry.isShared,
      isWatchRepresentation: entry.isWatchRepresentation)
  }
}
