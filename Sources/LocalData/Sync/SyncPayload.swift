import Foundation

/// What travels: the latest value of every key that was sent. Byte by byte in `Sync/PAYLOAD.md`.
struct SyncPayload: Sendable {
  /// The latest value of one key, or its removal.
  struct Entry: Sendable, Hashable {
    /// `nil` where it is none that this version can have.
    var key: SyncKey?
    var version: SyncVersion
    /// The schema of the bytes.
    var schema: UInt32
    /// Whether the bytes are a smaller form, for the watch alone.
    var isWatchForm: Bool
    /// The value as serialized; `nil` where it was removed.
    var bytes: Data?

    var stamp: SyncStamp { SyncStamp(version: version, isRemoval: bytes == nil) }
  }

  var entries: [Entry] = []

  /// The most bytes of a payload. WatchConnectivity takes 262,144 bytes of an application context; what is left of them
  /// is for the app's own entries and for the property list around all.
  static let largest = 240 << 10
}

extension SyncPayload {
  private static let magic = Data("LDSYNC".utf8)
  private static let version: UInt16 = 1

  /// Why bytes are no payload.
  enum Refusal: Error {
    case malformed, unknownVersion, tooLarge
  }

  /// The bytes before the entries.
  static let headerSize = magic.count + 2 + 4

  var bytes: Data {
    var writer = ByteWriter(capacity: Self.headerSize)
    writer.append(Self.magic)
    writer.append(Self.version)
    writer.append(UInt32(entries.count))
    for entry in entries { writer.append(entry.encoded) }
    return writer.bytes
  }

  init(_ bytes: Data) throws(Refusal) {
    guard bytes.count <= Self.largest else { throw .tooLarge }
    var reader = ByteReader(bytes)
    do throws(StorageFault) {
      guard try reader.take(Self.magic.count) == Self.magic else { throw .corrupted }
      guard try reader.integer(UInt16.self) == Self.version else { throw .unknownFormatVersion }
      let count: UInt32 = try reader.integer()
      var keys: Set<SyncKey> = []
      for _ in 0..<count {
        let entry = try reader.syncEntry()
        if let key = entry.key, !keys.insert(key).inserted { throw .corrupted }
        entries.append(entry)
      }
      guard reader.remaining == 0 else { throw .corrupted }
    } catch {
      throw error == .unknownFormatVersion ? .unknownVersion : .malformed
    }
  }
}

extension SyncPayload.Entry {
  fileprivate static let removal: UInt8 = 1
  fileprivate static let watchForm: UInt8 = 2

  /// The entry with its length before it.
  var encoded: Data {
    var writer = ByteWriter(capacity: 128 + (bytes?.count ?? 0))
    writer.append((bytes == nil ? Self.removal : 0) | (isWatchForm ? Self.watchForm : 0))
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
  fileprivate mutating func syncEntry() throws(StorageFault) -> SyncPayload.Entry {
    guard let whole = try field() else { throw .corrupted }
    var reader = ByteReader(whole)
    let flags: UInt8 = try reader.integer()
    guard flags & ~(SyncPayload.Entry.removal | SyncPayload.Entry.watchForm) == 0 else { throw .corrupted }
    let version = try reader.syncVersion()
    let schema: UInt32 = try reader.integer()
    let key = try reader.syncKey()
    let (isRemoval, bytes) = (flags & SyncPayload.Entry.removal != 0, Data(reader.rest()))
    guard !isRemoval || bytes.isEmpty else { throw .corrupted }
    return SyncPayload.Entry(
      key: key, version: version, schema: schema, isWatchForm: flags & SyncPayload.Entry.watchForm != 0,
      bytes: isRemoval ? nil : bytes)
  }
}
