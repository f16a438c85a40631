package import LocalData
package import SmallFoundation

/// The bytes of a log whose records are bytes. Integers are big endian.
///
/// | bytes | header |
/// |---|---|
/// | 6 | a magic text that names the kind of log |
/// | 2 | version of the records |
/// | 16 | random identifier, new each time that the file is replaced |
///
/// | bytes | batch |
/// |---|---|
/// | 4 | count of the body's bytes |
/// | 4 | CRC-32 of these four bytes |
/// | 4 | CRC-32 of the body |
/// | … | the body: each record is a `UInt32` count and as many bytes |
package struct LogBatches: LogFormat {
  /// Six bytes that identify the kind of a log.
  package var magic: Data
  package var version: UInt16

  package init(magic: Data, version: UInt16) { (self.magic, self.version) = (magic, version) }

  package var longestHeader: Int { Self.headerCount }
  private static let headerCount = 24
  private static let frameCount = 12

  package func header(id: UUID) -> Data {
    var writer = ByteWriter(capacity: Self.headerCount)
    writer.append(magic)
    writer.append(version)
    writer.append(id.bytes)
    return writer.bytes
  }

  package func readHeader(_ bytes: Data) throws(StorageFault) -> LogHeader {
    var reader = ByteReader(bytes)
    guard try reader.take(magic.count) == magic else { throw .corrupted }
    guard try reader.integer(UInt16.self) == version else { throw .unknownFormatVersion }
    return (id: UUID(bytes: try reader.take(16)), length: Self.headerCount)
  }

  package func batch(_ records: [Data]) -> Data {
    var body = ByteWriter(capacity: records.reduce(0) { $0 + $1.count + 4 })
    for record in records { body.appendField(record) }
    let count = UInt32(body.bytes.count)
    var writer = ByteWriter(capacity: Self.frameCount + body.bytes.count)
    writer.append(count)
    writer.append(CRC32.checksum(of: count))
    writer.append(CRC32.checksum(of: body.bytes))
    writer.append(body.bytes)
    return writer.bytes
  }

  package func readBatches(_ bytes: Data) throws(StorageFault) -> (records: [Data], length: Int) {
    var records: [Data] = []
    var reader = ByteReader(bytes)
    var length = 0
    while reader.remaining >= Self.frameCount {
      let frame = try reader.take(Self.frameCount)
      if frame.isZero { break }
      var fields = ByteReader(frame)
      let (count, countSum): (UInt32, UInt32) = (try fields.integer(), try fields.integer())
      let bodySum: UInt32 = try fields.integer()
      guard countSum == CRC32.checksum(of: count) else {
        // A frame that is cut by zeros is the beginning of a batch that was not on the disk yet.
        if frame.last == 0, reader.rest().isZero { break }
        throw .corrupted
      }
      guard Int64(count) <= Int64(reader.remaining) else { break }
      let body = try reader.take(Int(count))
      guard bodySum == CRC32.checksum(of: body) else {
        if reader.remaining == 0 { break }
        throw .corrupted
      }
      records += try Self.records(in: body)
      length = bytes.count - reader.remaining
    }
    return (records, length)
  }

  private static func records(in body: Data) throws(StorageFault) -> [Data] {
    var records: [Data] = []
    var reader = ByteReader(body)
    while reader.remaining > 0 {
      let count: UInt32 = try reader.integer()
      guard Int64(count) <= Int64(reader.remaining) else { throw .corrupted }
      records.append(try reader.take(Int(count)))
    }
    return records
  }
}
