import LocalData
import LocalDataFoundation

/// The lines of the history in its log. `SyncFormat.md` describes them.
extension SyncHistory: LogContents {
  static let encoding = LogEncoding(magic: "LDVERS", version: 1)

  private enum Line: UInt8 {
    case head = 1
    case peer = 2
    case entry = 3
  }

  // MARK: Writing

  mutating func compact() { forgetRemovals() }

  var count: Int { entries.count + peers.count + 1 }

  var lines: [Data] {
    [head] + peers.map { line(ofPeer: $0.key, $0.value) } + entries.map { line(of: $0.key, $0.value) }
  }

  /// Returns the lines of everything that changed since the last call.
  mutating func takeChanges() -> [Data] {
    defer { changes = Changes() }
    var lines = changes.isHeadChanged ? [head] : []
    for peer in changes.peers { if let known = peers[peer] { lines.append(line(ofPeer: peer, known)) } }
    for key in changes.keys { if let entry = entries[key] { lines.append(line(of: key, entry)) } }
    return lines
  }

  private var head: Data {
    var writer = ByteWriter(capacity: 66 + 16 * puts.launches.count)
    writer.append(Line.head.rawValue)
    writer.append(device.bytes)
    writer.append(clock.counter)
    writer.append(asks)
    writer.append(refusedUnder)
    writer.append(peer)
    writer.append(puts)
    return writer.bytes
  }

  private func line(ofPeer device: UUID, _ peer: Peer) -> Data {
    var writer = ByteWriter(capacity: 58 + 16 * peer.puts.launches.count)
    writer.append(Line.peer.rawValue)
    writer.append(device.bytes)
    writer.append(peer.received)
    writer.append(peer.answered)
    writer.append(peer.latest)
    writer.append(peer.puts)
    return writer.bytes
  }

  private func line(of key: SyncKey, _ entry: Entry) -> Data {
    var writer = ByteWriter(capacity: 192)
    writer.append(Line.entry.rawValue)
    writer.append(key)
    writer.append(entry.flags)
    for change in [entry.settled, entry.begun].compactMap({ $0 }) { writer.append(change) }
    if let device = entry.acknowledgedBy { writer.append(device.bytes) }
    return writer.bytes
  }

  // MARK: Reading

  mutating func apply(_ line: Data) throws(StorageProblem) {
    var reader = ByteReader(line)
    guard let line = Line(rawValue: try reader.integer()) else { throw .unknownFormatVersion }
    switch line {
    case .head:
      device = try reader.device()
      clock.adopt(try reader.integer())
      asks = try reader.integer()
      refusedUnder = try reader.integer()
      peer = try reader.optionalDevice()
      puts = try reader.syncPuts()
    case .peer:
      let device = try reader.device()
      let known = Peer(
        received: try reader.syncPut(), answered: try reader.integer(), latest: try reader.integer(),
        puts: try reader.syncPuts())
      changePeer(device) { $0 = known }
    case .entry:
      guard let key = try reader.syncKey() else { throw .unknownFormatVersion }
      let entry = try reader.syncEntry()
      for change in [entry.settled, entry.begun].compactMap({ $0 }) { clock.adopt(change.stamp.version.counter) }
      entries[key] = entry
    }
    guard reader.remaining == 0 else { throw .corrupted }
    changes = Changes()
  }
}

extension SyncHistory.Entry {
  fileprivate var flags: UInt8 {
    func flag(_ isSet: Bool, _ bit: UInt8) -> UInt8 { isSet ? bit : 0 }
    return flag(settled != nil, 1) | flag(begun != nil, 2) | flag(isWatchRepresentation, 4) | flag(isOffered, 8)
      | flag(isShared, 16) | flag(acknowledgedBy != nil, 32)
  }
}

extension ByteWriter {
  /// A change: 1 byte of flags (1 a removal, 2 a digest follows, 4 the version is in the value), the version, the digest.
  fileprivate mutating func append(_ change: SyncHistory.Change) {
    var flags: UInt8 = change.stamp.isRemoval ? 1 : 0
    switch change.fingerprint {
    case nil: break
    case .digest: flags |= 2
    case .versionInValue: flags |= 4
    }
    append(flags)
    append(change.stamp.version)
    if case .digest(let digest) = change.fingerprint { append(digest) }
  }
}

extension ByteReader {
  /// A version of the history. One that no device can have is damage: no later version could exceed it.
  fileprivate mutating func possibleVersion() throws(StorageProblem) -> SyncVersion {
    let version = try syncVersion()
    guard version.isPossible else { throw .corrupted }
    return version
  }

  fileprivate mutating func syncChange() throws(StorageProblem) -> SyncHistory.Change {
    let flags: UInt8 = try integer()
    guard flags < 8, flags & 6 != 6 else { throw .corrupted }
    let stamp = SyncStamp(version: try possibleVersion(), isRemoval: flags & 1 != 0)
    let fingerprint: ValueFingerprint? =
      flags & 2 != 0 ? .digest(Data(try take(16))) : flags & 4 != 0 ? .versionInValue : nil
    return SyncHistory.Change(stamp: stamp, fingerprint: fingerprint)
  }

  fileprivate mutating func syncEntry() throws(StorageProblem) -> SyncHistory.Entry {
    let flags: UInt8 = try integer()
    guard flags < 64 else { throw .corrupted }
    return SyncHistory.Entry(
      settled: flags & 1 == 0 ? nil : try syncChange(), begun: flags & 2 == 0 ? nil : try syncChange(),
      isWatchRepresentation: flags & 4 != 0, isOffered: flags & 8 != 0, isShared: flags & 16 != 0,
      acknowledgedBy: flags & 32 == 0 ? nil : try device())
  }
}
