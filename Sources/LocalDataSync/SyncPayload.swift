import LocalData
import LocalDataFoundation

/// A message to the paired device: the changes that it has not acknowledged. `SyncFormat.md` describes the bytes.
struct SyncPayload: Sendable {
  var header: Header
  var entries: [Entry] = []

  /// The state of a conversation between two devices.
  struct Header: Sendable, Hashable {
    var sender: UUID
    /// The sender's clock, which is higher in each payload that it sends.
    var clock: UInt64
    /// The sender's request for all values; 0 if it has none.
    var asks: UInt64 = 0
    /// The device that the payload was made for; `nil` if the sender does not know the paired device, and the payload is for
    /// any device.
    var addressee: UUID?
    /// The payload of the addressee up to which the sender has received everything.
    var acknowledged = SyncPut()
    /// The clocks that the sender has put, this one included.
    var puts = SyncPayloadHistory()
    /// Together with the versions that were acknowledged before, the payload contains everything that the sender shares.
    var isComplete = false

    /// The payload with this header.
    var put: SyncPut { puts.put(clock) }
  }

  /// The latest change of one key.
  struct Entry: Sendable, Hashable {
    /// `nil` if this version of the package does not support it.
    var key: SyncKey?
    var version: SyncVersion
    /// The schema of the bytes.
    var schema: UInt32
    /// The bytes are a watch representation, only for the watch.
    var isWatchRepresentation: Bool
    /// The serialized value; `nil` if it was removed.
    var bytes: Data?

    var stamp: SyncStamp { SyncStamp(version: version, isRemoval: bytes == nil) }
  }

  /// The most bytes of a payload. WatchConnectivity takes 262,144 bytes of an application context; the rest is for the
  /// app's own entries and for the property list around all of them.
  static let largest = 240 << 10
  /// The most bytes of a value that a payload has room for, whatever the key's names are.
  static let largestValue = largest - (32 << 10)
}

extension SyncPayload {
  private static let name = "LDSYNC"
  private static let magic = Data(name.utf8)
  private static let version: UInt16 = 2
  private static let complete: UInt8 = 1

  /// The reason for which bytes cannot be decoded as a payload.
  enum Refusal: Error {
    case malformed, unknownVersion, tooLarge
  }

  /// The most bytes of a payload without entries.
  static let headerSize =
    name.utf8.count + 2 + 1 + 16 + 8 + 8 + 16 + 16 + 9 + 16 * SyncPayloadHistory.rememberedLaunches + 4

  var bytes: Data {
    let entries = entries.map(\.encoded)
    return Self.bytes(header, entries, size: Self.headerSize + entries.reduce(0) { $0 + $1.count })
  }

  /// Returns the bytes of a payload whose entries are encoded already.
  ///
  /// - Parameter size: The most bytes that they take with the header.
  static func bytes(_ header: Header, _ entries: some Collection<Data>, size: Int) -> Data {
    var writer = ByteWriter(capacity: size)
    writer.append(magic)
    writer.append(version)
    writer.append(header.isComplete ? complete : 0)
    writer.append(header.sender.bytes)
    writer.append(header.clock)
    writer.append(header.asks)
    writer.append(header.addressee)
    writer.append(header.acknowledged)
    writer.append(header.puts)
    writer.append(UInt32(entries.count))
    for entry in entries { writer.append(entry) }
    return writer.bytes
  }

  init(_ bytes: Data) throws(Refusal) {
    guard bytes.count <= Self.largest else { throw .tooLarge }
    do throws(StorageProblem) {
      var reader = ByteReader(bytes)
      guard try reader.take(Self.magic.count) == Self.magic else { throw .corrupted }
      let version: UInt16 = try reader.integer()
      guard version == Self.version else { throw .unknownFormatVersion }
      header = try reader.syncHeader()
      entries = try reader.syncEntries()
      guard reader.remaining == 0 else { throw .corrupted }
    } catch {
      throw error == .unknownFormatVersion ? .unknownVersion : .malformed
    }
  }
}

extension SyncPayload.Entry {
  fileprivate static let removal: UInt8 = 1
  fileprivate static let watch: UInt8 = 2

  /// Only the bytes of the value.
  var size: Int { bytes?.count ?? 0 }

  /// The entry with its length before it.
  var encoded: Data {
    var writer = ByteWriter(capacity: 128 + size)
    writer.append((bytes == nil ? Self.removal : 0) | (isWatchRepresentation ? Self.watch : 0))
    writer.append(version)
    writer.append(schema)
    if let key { writer.append(key) }
    if let bytes { writer.append(bytes) }
    var whole = ByteWriter(capacity: 4 + writer.bytes.count)
    whole.appendField(writer.bytes)
    return whole.bytes
  }
}

extension ByteReader {
  fileprivate mutating func syncHeader() throws(StorageProblem) -> SyncPayload.Header {
    let flags: UInt8 = try integer()
    guard flags <= 1 else { throw .corrupted }
    let header = SyncPayload.Header(
      sender: try device(), clock: try integer(), asks: try integer(), addressee: try optionalDevice(),
      acknowledged: try syncPut(), puts: try syncPuts(), isComplete: flags == 1)
    guard header.clock > 0, header.clock <= HybridClock.largestCounter else { throw .corrupted }
    guard header.asks <= header.clock else { throw .corrupted }
    return header
  }

  fileprivate mutating func syncEntries() throws(StorageProblem) -> [SyncPayload.Entry] {
    let count: UInt32 = try integer()
    var entries: [SyncPayload.Entry] = []
    var keys: Set<SyncKey> = []
    for _ in 0..<count {
      let entry = try syncPayloadEntry()
      if let key = entry.key, !keys.insert(key).inserted { throw .corrupted }
      entries.append(entry)
    }
    return entries
  }

  private mutating func syncPayloadEntry() throws(StorageProblem) -> SyncPayload.Entry {
    guard let whole = try field() else { throw .corrupted }
    var reader = ByteReader(whole)
    let flags: UInt8 = try reader.integer()
    guard flags & ~(SyncPayload.Entry.removal | SyncPayload.Entry.watch) == 0 else { throw .corrupted }
    let version = try reader.syncVersion()
    let schema: UInt32 = try reader.integer()
    let key = try reader.syncKey()
    let isRemoval = flags & SyncPayload.Entry.removal != 0
    let bytes = Data(reader.rest())
    guard !isRemoval || bytes.isEmpty else { throw .corrupted }
    return SyncPayload.Entry(
      key: key, version: version, schema: schema, isWatchRepresentation: flags & SyncPayload.Entry.watch != 0,
      bytes: isRemoval ? nil : bytes)
  }
}
