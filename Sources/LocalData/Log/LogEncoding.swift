package import LocalDataFoundation
import LocalDataStores

/// The bytes of an append-only log: a header, then batches of lines. A batch counts as a whole or not at all. Integers are
/// big endian.
///
/// | bytes | header |
/// |---|---|
/// | 6 | a magic text that names the kind of log |
/// | 2 | version of the lines |
/// | 16 | random identifier, new each time that the file is replaced |
///
/// | bytes | batch |
/// |---|---|
/// | 4 | count of the body's bytes |
/// | 4 | CRC-32 of these four bytes |
/// | 4 | CRC-32 of the body |
/// | … | the body: each line is a `UInt32` count and as many bytes |
package struct LogEncoding: Sendable {
  private let magic: Data
  private let version: UInt16

  /// The number of bytes of a header.
  package static let headerSize = 24
  private static let frameSize = 12

  /// Creates the encoding of one kind of log.
  ///
  /// - Parameters:
  ///   - magic: Six characters of ASCII that identify the kind of log.
  ///   - version: The version of its lines.
  package init(magic: String, version: UInt16) {
    self.magic = Data(magic.utf8)
    self.version = version
  }

  package func header(id: UUID) -> Data {
    var writer = ByteWriter(capacity: Self.headerSize)
    writer.append(magic)
    writer.append(version)
    writer.append(id.bytes)
    return writer.bytes
  }

  /// Returns the identifier in the header that a file begins with.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes are no header of this kind of log, and
  ///   ``StorageProblem/unknownFormatVersion`` if they are one of a later version.
  func readHeader(_ bytes: Data) throws(StorageProblem) -> UUID {
    var reader = ByteReader(bytes)
    guard try reader.take(magic.count) == magic else { throw .corrupted }
    let found: UInt16 = try reader.integer()
    guard found == version else { throw found > version ? .unknownFormatVersion : .corrupted }
    return UUID(bytes: try reader.take(16))
  }

  package static func batch(_ lines: [Data]) -> Data {
    let count = lines.reduce(0) { $0 + $1.count + 4 }
    var body = ByteWriter(capacity: count)
    for line in lines { body.appendField(line) }
    var writer = ByteWriter(capacity: frameSize + count)
    writer.append(UInt32(count))
    writer.append(CRC32.checksum(of: UInt32(count)))
    writer.append(CRC32.checksum(of: body.bytes))
    writer.append(body.bytes)
    return writer.bytes
  }

  /// Returns the lines of all whole batches, and the number of bytes that these batches take.
  ///
  /// The last batch is ignored if its end is missing, or if the checksum of its body is wrong: its writer was killed, or the
  /// power failed and left zeros for bytes that were not on the disk yet. No durable batch follows such a batch.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if a batch before the last one is damaged.
  static func readBatches(_ bytes: Data) throws(StorageProblem) -> (lines: [Data], length: Int) {
    var lines: [Data] = []
    var reader = ByteReader(bytes)
    var length = 0
    while reader.remaining >= frameSize {
      let frame = try reader.take(frameSize)
      if frame.isZero { break }
      var fields = ByteReader(frame)
      let count: UInt32 = try fields.integer()
      let countSum: UInt32 = try fields.integer()
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
      var rest = ByteReader(body)
      while rest.remaining > 0 {
        guard let line = try rest.field() else { throw .corrupted }
        lines.append(line)
      }
      length = bytes.count - reader.remaining
    }
    return (lines, length)
  }
}
