import LocalData
import SmallFoundation

extension MigrationWrite {
  /// Returns the version of the value that is about to be stored; `nil` if no version is recorded.
  ///
  /// A value of an earlier release has the version that it had at its source. It is newer than the last value that the key had
  /// at this address, and older than every later change.
  func version(
    of key: SyncKey, over look: StoredLook, _ origin: SyncOrigin?, in record: SyncRecord
  ) -> SyncVersion? {
    let entry = record.entries[key]
    guard entry?.isWatchRepresentation != true else { return nil }
    switch (self, record.knowledge(of: key, look)) {
    case (.sameValue, .version(let stamp)): return stamp.version
    case (.sameValue, _): return nil
    // The payload is received again, and wins over a value without a version.
    case (.earlierValue, .unfinished): return origin?.version ?? .unknown(of: record.device)
    case (.earlierValue, _):
      let last = [entry?.settled, entry?.begun].compactMap { $0?.stamp.version.counter }.max()
      let next = last.map { SyncVersion(counter: $0 + 1, device: record.device) }
      return [next, origin?.version].compactMap(\.self).max()
    }
  }

  /// Records that the value is about to be stored.
  ///
  /// - Parameter isOffered: True if a value of an earlier release is sent to the paired device. The same value is sent as before.
  func begin(
    _ key: SyncKey, _ version: SyncVersion, over look: StoredLook, _ origin: SyncOrigin?, isOffered: Bool,
    in record: inout SyncRecord
  ) {
    record.begin(SyncStamp(version: version, isRemoval: false), for: key, over: look)
    record.clock.adopt(version.counter)
    guard case .earlierValue = self else { return }
    record.change(key) { $0.follow(origin, isOffered: isOffered) }
  }
}

extension SyncRecord.Entry {
  fileprivate mutating func follow(_ origin: SyncOrigin?, isOffered: Bool) {
    acknowledgedBy = nil
    self.isOffered = isOffered || origin?.isOffered == true
    isShared = isShared || self.isOffered || origin?.isShared == true
    isWatchRepresentation = origin?.isWatchRepresentation == true
  }
}

/// A source of a migrated value in the record of versions.
struct SyncedSource: Sendable {
  let key: SyncKey
  /// The record that has the versions of the source.
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
  /// Records that a key has no value because a former name of it was removed. Returns false if a change of the key is newer.
  func recordRemoval(of key: SyncKey, in record: inout SyncRecord) -> Bool {
    guard record.entries[key]?.latest.map({ version > $0 }) ?? true else { return false }
    _ = record.settle(version, of: key, .absent)
    record.change(key) { $0.follow(self, isOffered: false) }
    return true
  }

  /// Creates the origin of a value that was read from a source, or of its removal; `nil` if its version is not known.
  ///
  /// A value that was changed while its version could not be recorded counts as changed now.
  init?(of source: SyncedSource, in record: SyncRecord, now: Date) {
    var clock = record.clock
    var version = SyncVersion.unknown(of: record.device)
    switch record.knowledge(of: source.key, source.look) {
    case .version(let stamp) where stamp.isRemoval != source.look.isPresent: version = stamp.version
    case .changed: version.counter = clock.tick(now)
    case .nothing, .version, .unfinished: return nil
    }
    guard let entry = record.entries[source.key] else { return nil }
    self.init(
      version: version, isOffered: entry.isOffered, isShared: entry.isShared,
      isWatchRepresentation: entry.isWatchRepresentation)
  }
}
