package import Foundation

/// Which version of each synced key is stored here. A value of its own: see `Sync/PAYLOAD.md` for how it lies on the disk.
package struct SyncRecord: Sendable, Hashable {
  /// This device, as far as versions are concerned; made once, at random.
  package let device: UUID
  /// The highest counter that was given or applied here.
  package internal(set) var clock: UInt64 = 0
  var entries: [SyncKey: Entry] = [:]

  struct Entry: Sendable, Hashable {
    /// What is stored, as far as nothing was begun since.
    var settled: SyncStamp?
    /// What was about to be stored: whether it was, the value's presence tells for a change of this device's own.
    var begun: SyncStamp?
    /// Whether the value came as a smaller form, which never goes back.
    var isWatchForm = false
  }

  package init(device: UUID) { self.device = device }

  /// What is known of a value that is there, or is not.
  enum Knowledge: Hashable {
    /// It never had a version.
    case nothing
    case version(SyncStamp)
    /// A received value that may have been stored or not, until it arrives again.
    case unfinished(SyncStamp)
  }

  func knowledge(of key: SyncKey, isPresent: Bool) -> Knowledge {
    guard let entry = entries[key] else { return .nothing }
    if let begun = entry.begun {
      if begun.version.device != device { return .unfinished(begun) }
      // A change that took effect, or the value that it was to replace: nobody has seen this version with either.
      if begun.isRemoval != isPresent { return .version(begun) }
    }
    return entry.settled.map { .version($0) } ?? .nothing
  }

  // MARK: Changes made here

  /// Gives a change that is about to be made its version; `nil` where the key's changes stay here.
  mutating func begin(_ key: SyncKey, isPresent: Bool, isRemoval: Bool) -> SyncStamp? {
    var entry = entries[key] ?? Entry()
    if entry.isWatchForm { return nil }
    if case .version(let stamp) = knowledge(of: key, isPresent: isPresent) {
      entry.settled = stamp
    } else {
      entry.settled = nil
    }
    let stamp = next(isRemoval: isRemoval)
    entry.begun = stamp
    entries[key] = entry
    return stamp
  }

  /// The version to send what is there with, and whether it is a new one; `nil` where nothing is to be sent.
  mutating func stampToSend(_ key: SyncKey, isPresent: Bool) -> (stamp: SyncStamp, isNew: Bool)? {
    if entries[key]?.isWatchForm == true { return nil }
    switch knowledge(of: key, isPresent: isPresent) {
    case .unfinished: return nil
    case .version(let stamp) where stamp.isRemoval != isPresent: return (stamp, false)
    case .nothing, .version:
      // A value that vanished, as caches do, was not removed. One without a version is as new as now.
      guard isPresent else { return nil }
      let stamp = next(isRemoval: false)
      entries[key] = Entry(settled: stamp)
      return (stamp, true)
    }
  }

  private mutating func next(isRemoval: Bool) -> SyncStamp {
    clock += 1
    return SyncStamp(version: SyncVersion(counter: clock, device: device), isRemoval: isRemoval)
  }

  // MARK: What is received

  /// Whether a device can have given a version: this one gave none beyond its own counter.
  func isPlausible(_ version: SyncVersion) -> Bool {
    version.isPlausible(after: clock) && (version.device != device || version.counter <= clock)
  }

  /// Whether what arrives is newer than what is stored.
  ///
  /// A smaller form comes from the phone alone, which never takes one: whatever the watch set before does not count.
  func accepts(_ stamp: SyncStamp, for key: SyncKey, isPresent: Bool, isWatchForm: Bool = false) -> Bool {
    if isWatchForm, entries[key]?.isWatchForm != true { return true }
    switch knowledge(of: key, isPresent: isPresent) {
    case .nothing: return true
    case .unfinished(let begun): return stamp.version >= begun.version
    case .version(let stored):
      // The same one again is welcome where the value vanished.
      return stamp.version > stored.version || stamp == stored && !stored.isRemoval && !isPresent
    }
  }

  mutating func beginReceived(_ stamp: SyncStamp, for key: SyncKey, isPresent: Bool) {
    var entry = entries[key] ?? Entry()
    if case .version(let stored) = knowledge(of: key, isPresent: isPresent) {
      entry.settled = stored
    } else {
      entry.settled = nil
    }
    entry.begun = stamp
    clock = max(clock, stamp.version.counter)
    entries[key] = entry
  }

  mutating func settle(_ stamp: SyncStamp, for key: SyncKey, isWatchForm: Bool) {
    entries[key] = Entry(settled: stamp, isWatchForm: isWatchForm)
  }
}
