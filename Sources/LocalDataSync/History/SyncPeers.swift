import LocalData
import LocalDataFoundation

/// A payload that a device has put.
///
/// A device and its clone share an identifier and continue from one clock, but not in one launch. The clock alone does not
/// show which of them has put a payload.
struct SyncPut: Hashable, Sendable {
  /// The first clock that the launch has put, as the header of the payload contains it.
  var launch: UInt64 = 0
  /// The clock of the payload; 0 if there is none.
  var clock: UInt64 = 0
}

/// The payloads that a device has put, as far as its history remembers them.
///
/// A payload that is not among them was put by a later state of the device than the one it has now, because an earlier state
/// was restored, or by a clone of the device.
struct SyncPayloadHistory: Hashable, Sendable {
  /// The highest clock that was acknowledged.
  private(set) var acknowledged: UInt64 = 0
  /// The first and the last clock that each launch has put since then, in ascending order.
  private(set) var launches: [ClosedRange<UInt64>] = []

  /// The number of launches that are remembered. If more of them put payloads without an acknowledgement, the devices
  /// exchange everything again.
  static let rememberedLaunches = 16

  init() {}

  /// Creates the clocks that a history or a header contains; returns `nil` if they are not in ascending order.
  init?(acknowledged: UInt64, launches: [ClosedRange<UInt64>]) {
    guard launches.count <= Self.rememberedLaunches else { return nil }
    for (one, next) in zip(launches, launches.dropFirst()) where one.upperBound >= next.lowerBound { return nil }
    self.acknowledged = acknowledged
    self.launches = launches
  }

  /// Adds the clock of a payload.
  ///
  /// - Parameters:
  ///   - clock: The clock, which is higher than every one before.
  ///   - last: The clock that this launch has put last, or `nil`. If another one was put since, a new range begins.
  mutating func append(_ clock: UInt64, after last: UInt64?) {
    if let range = launches.last, range.upperBound == last {
      launches[launches.count - 1] = range.lowerBound...clock
    } else {
      launches.append(clock...clock)
      if launches.count > Self.rememberedLaunches { launches.removeFirst() }
    }
  }

  /// Returns the payload with a clock.
  func put(_ clock: UInt64) -> SyncPut {
    SyncPut(launch: launches.last { $0.contains(clock) }?.lowerBound ?? clock, clock: clock)
  }

  /// Returns true if the device may have put this payload.
  func mayInclude(_ put: SyncPut) -> Bool {
    put.clock <= acknowledged || launches.contains { $0.lowerBound == put.launch && $0.contains(put.clock) }
  }

  /// Takes note of an acknowledgement; returns false if the device has not put the payload.
  mutating func acknowledge(_ put: SyncPut) -> Bool {
    guard mayInclude(put) else { return false }
    acknowledged = max(acknowledged, put.clock)
    launches.removeAll { $0.upperBound <= acknowledged }
    return true
  }
}

/// The paired device: the versions that it has received from this device, and the payloads that were received from it.
extension SyncHistory {
  /// The devices that are remembered besides the last one.
  private static let rememberedPeers = 8

  /// Notes that a payload came from a device.
  mutating func meet(_ device: UUID) {
    if peer != device || peers[device] == nil {
      peer = device
      changePeer(device) { _ in }
    }
    changes.isHeadChanged = true
  }

  mutating func changePeer(_ device: UUID, _ body: (inout Peer) -> Void) {
    body(&peers[device, default: Peer()])
    changes.peers.insert(device)
    if peers.count > Self.rememberedPeers {
      let others = peers.filter { $0.key != device && $0.key != peer }
      let oldest = others.min { $0.value.received.clock < $1.value.received.clock }
      if let oldest { peers[oldest.key] = nil }
    }
  }

  /// Notes that a device has got a version of a key.
  mutating func acknowledge(_ version: SyncVersion, of key: SyncKey, by peer: UUID) {
    guard let entry = entries[key], entry.latest == version, entry.acknowledgedBy != peer else { return }
    change(key) { $0.acknowledgedBy = peer }
  }

  /// Makes every version that was ever shared pending, because a device requests all values.
  mutating func offerAll(to peer: UUID) {
    for (key, entry) in entries where entry.isShared && !entry.isWatchRepresentation {
      guard !entry.isOffered || entry.acknowledgedBy == peer else { continue }
      change(key) { entry in
        entry.isOffered = true
        entry.acknowledgedBy = nil
      }
    }
  }

  /// Makes the latest version of a key pending, because the app requests this.
  mutating func offer(_ key: SyncKey) {
    guard let entry = entries[key], !entry.isOffered || !entry.isShared || entry.acknowledgedBy != nil else { return }
    change(key) { entry in
      entry.isOffered = true
      entry.isShared = true
      entry.acknowledgedBy = nil
    }
  }

  /// Stops offering a version that cannot be sent.
  mutating func withdraw(_ key: SyncKey) {
    guard entries[key]?.isOffered == true else { return }
    change(key) { $0.isOffered = false }
  }

  /// Takes a new identifier, because another device uses the same one or because an older state of this device came back. The
  /// paired device sends all values to an unknown device.
  mutating func renew(now: Date) {
    device = UUID()
    puts = SyncPayloadHistory()
    ask(now: now)
  }

  /// Requests all values of the paired device.
  mutating func ask(now: Date) {
    asks = clock.tick(now)
    changes.isHeadChanged = true
  }

  // MARK: Removed values

  /// The most removals that are remembered after the paired device has acknowledged them. A device whose older state was
  /// restored learns from them which values were removed meanwhile.
  private static let rememberedRemovals = 1_024
  /// The time for which they are remembered, in milliseconds.
  private static let rememberedTime: UInt64 = 90 * 24 * 3_600 * 1_000

  /// Forgets the removals that need not be remembered any more.
  mutating func forgetRemovals() {
    let removals = entries.compactMap { key, entry -> (key: SyncKey, counter: UInt64)? in
      guard let change = entry.begun ?? entry.settled, change.stamp.isRemoval, !entry.isPending(for: peer) else {
        return nil
      }
      return (key, change.stamp.version.counter)
    }
    let newest = removals.sorted { $0.counter > $1.counter }
    let limit = clock.counter > Self.rememberedTime ? clock.counter - Self.rememberedTime : 0
    for (index, removal) in newest.enumerated() where index >= Self.rememberedRemovals || removal.counter < limit {
      entries[removal.key] = nil
    }
  }
}

extension SyncHistory.Entry {
  /// Returns true if a version is the removal of the key's value that a device has acknowledged.
  func isRemoved(_ stamp: SyncStamp, on peer: UUID?) -> Bool {
    guard let peer, stamp.isRemoval else { return false }
    return latest == stamp.version && acknowledgedBy == peer
  }
}
