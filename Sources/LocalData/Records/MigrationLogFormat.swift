import SmallFoundation
import StorageStores

/// The bytes of a migration log.
///
/// Lines of JSON, each ended by a line feed: a header, then one entry per line. `more` means that the next line belongs to the
/// same batch. A batch whose last line is incomplete is ignored: its writer was killed.
///
/// A release throws `unknownFormatVersion` for a file of another format, and does not change it.
struct MigrationLogFormat: LogFormat {
  /// The first line: the version of the format, and an identifier that is new each time the file is replaced.
  private struct Header: Codable {
    var format: Int
    var id: UUID
  }

  private struct Version: Codable {
    var format: Int
  }

  private struct Line: Codable {
    var entry: MigrationEntry
    var more: Bool?
  }

  private static let format = 2
  private static let lineFeed = UInt8(ascii: "\n")

  /// Somebody has cut a log without an entry.
  var mayBeEmpty: Bool { false }

  /// More than any header takes.
  var longestHeader: Int { 1 << 10 }

  // MARK: Writing

  func header(id: UUID) throws(StorageFault) -> Data { try Self.line(Header(format: Self.format, id: id)) }

  func batch(_ entries: [MigrationEntry]) throws(StorageFault) -> Data {
    var bytes = Data()
    for (index, entry) in entries.enumerated() {
      bytes += try Self.line(Line(entry: entry, more: index + 1 < entries.count ? true : nil))
    }
    return bytes
  }

  private static func line(_ value: some Encodable) throws(StorageFault) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(milliseconds(date))
    }
    do { return try encoder.encode(value) + [lineFeed] } catch { throw .cannotEncode }
  }

  /// Milliseconds since 1970; what no clock shows becomes 1970.
  private static func milliseconds(_ date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) ?? 0
  }

  // MARK: Reading

  func readHeader(_ bytes: Data) throws(StorageFault) -> LogHeader {
    guard let end = bytes.firstIndex(of: Self.lineFeed) else { throw .corrupted }
    let line = bytes[..<end]
    let version = try Self.decode(Version.self, line).format
    guard version == Self.format else { throw version > Self.format ? .unknownFormatVersion : .corrupted }
    return (id: try Self.decode(Header.self, line).id, length: end + 1 - bytes.startIndex)
  }

  func readBatches(_ bytes: Data) throws(StorageFault) -> (records: [MigrationEntry], length: Int) {
    var (entries, pending): ([MigrationEntry], [MigrationEntry]) = ([], [])
    var (start, end) = (bytes.startIndex, bytes.startIndex)
    while let lineEnd = bytes[start...].firstIndex(of: Self.lineFeed) {
      let line: Line
      do throws(StorageFault) { line = try Self.decode(Line.self, bytes[start..<lineEnd]) } catch {
        guard Self.isTorn(bytes[start...]) else { throw error }
        break
      }
      start = lineEnd + 1
      pending.append(line.entry)
      if line.more != true {
        entries += pending
        (pending, end) = ([], start)
      }
    }
    return (entries, end - bytes.startIndex)
  }

  /// Returns true if bytes that do not decode are the rest of a file whose last batch was never whole: a loss of power may
  /// leave zeros for bytes that were not on the disk yet. Before a batch that is whole they are damage.
  private static func isTorn(_ bytes: Data) -> Bool {
    let lines = bytes.split(separator: lineFeed)
    guard let first = lines.first, first.contains(0) else { return false }
    return lines.dropLast().allSatisfy { line in
      do throws(StorageFault) { return try decode(Line.self, line).more == true } catch { return true }
    }
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ line: Data) throws(StorageFault) -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let milliseconds = try decoder.singleValueContainer().decode(Int64.self)
      return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
    do { return try decoder.decode(type, from: line) } catch { throw .corrupted }
  }
}
