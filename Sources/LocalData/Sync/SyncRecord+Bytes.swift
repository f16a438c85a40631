import Foundation

/// How a record lies on the disk.
extension SyncRecord {
  private static let magic = Data("LDSREC".utf8)
  private static let version: UInt16 = 1

  private static let settled: UInt8 = 1
  private static let begun: UInt8 = 2
  private static let watchForm: UInt8 = 4

  var bytes: Data {
    var writer = ByteWriter(capacity: 64 + entries.count * 128)
    writer.append(Self.magic)
    writer.append(Self.version)
    writer.append(device.bytes)
    writer.append(clock)
    writer.append(UInt32(entries.count))
    for (key, entry) in entries {
      writer.append(key)
      writer.append(
        (entry.settled == nil ? 0 : Self.settled) | (entry.begun == nil ? 0 : Self.begun)
          | (entry.isWatchForm ? Self.watchForm : 0))
      for stamp in [entry.settled, entry.begun].compactMap({ $0 }) { writer.append(stamp) }
    }
    return writer.bytes
  }

  init(_ bytes: Data) throws(StorageFault) {
    var reader = ByteReader(bytes)
    guard try reader.take(Self.magic.count) == Self.magic else { throw .corrupted }
    guard try reader.integer(UInt16.self) == Self.version else { throw .unknownFormatVersion }
    self.init(device: try reader.device())
    clock = try reader.integer()
    let count: UInt32 = try reader.integer()
    for _ in 0..<count {
      guard let key = try reader.syncKey() else { throw .unknownFormatVersion }
      let flags: UInt8 = try reader.integer()
      guard flags < 8 else { throw .corrupted }
      entries[key] = Entry(
        settled: flags & Self.settled == 0 ? nil : try reader.syncStamp(),
        begun: flags & Self.begun == 0 ? nil : try reader.syncStamp(), isWatchForm: flags & Self.watchForm != 0)
    }
    guard reader.remaining == 0 else { throw .corrupted }
  }
}

extension ByteWriter {
  fileprivate mutating func append(_ stamp: SyncStamp) {
    append(UInt8(stamp.isRemoval ? 1 : 0))
    append(stamp.version)
  }
}

extension ByteReader {
  fileprivate mutating func syncStamp() throws(StorageFault) -> SyncStamp {
    let flag: UInt8 = try integer()
    guard flag <= 1 else { throw .corrupted }
    return SyncStamp(version: try syncVersion(), isRemoval: flag == 1)
  }
}
