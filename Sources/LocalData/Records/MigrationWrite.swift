import Foundation

/// A write of a migration to its own key. It is not a change by the user.
enum MigrationWrite: Sendable {
  /// The value is one of an earlier release.
  case earlierValue
  /// The value stays the same, and is stored in another form.
  case sameValue

  /// Returns the version of the value that is about to be stored; `nil` if no version is recorded.
  ///
  /// A value of an earlier release is newer than the last value that the key had at this address, and older than every later
  /// change.
  func version(of key: SyncKey, over look: StoredLook, in record: SyncRecord) -> SyncVersion? {
    guard let entry = record.entries[key], !entry.isWatchRepresentation else { return nil }
    switch (self, record.knowledge(of: key, look)) {
    case (.sameValue, .version(let stamp)): return stamp.version
    case (.sameValue, _): return nil
    // The payload is received again, and wins.
    case (.earlierValue, .unfinished): return .unknown(of: record.device)
    case (.earlierValue, _):
      let last = [entry.settled, entry.begun].compactMap { $0?.stamp.version.counter }.max()
      return last.map { SyncVersion(counter: $0 + 1, device: record.device) }
    }
  }

  /// Records that the value is about to be stored.
  ///
  /// - Parameter isOffered: True if a value of an earlier release is sent to the paired device. The same value is sent as before.
  func begin(
    _ key: SyncKey, _ version: SyncVersion, over look: StoredLook, isOffered: Bool, in record: inout SyncRecord
  ) {
    record.begin(SyncStamp(version: version, isRemoval: false), for: key, over: look)
    record.clock.adopt(version.counter)
    guard case .earlierValue = self else { return }
    record.change(key) { entry in
      entry.acknowledgedBy = nil
      entry.isOffered = isOffered
      entry.isShared = entry.isShared || isOffered
    }
  }
}
