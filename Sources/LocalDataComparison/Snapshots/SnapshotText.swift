/// The lines of a canonical snapshot.
struct SnapshotText {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static let keys = Array("\n  \"keys\": {\n".utf8)
  private static let start = Array("    \"".utf8)
  private static let end = Array("\n    }".utf8)

  /// The snapshot without the keys whose text is the same today, and the members of those. Nil if the text is not
  /// canonical: then it is to be read as any JSON.
  func changed(besides today: SnapshotWriter.KeyTexts) -> (bytes: [UInt8], unchanged: [String])? {
    guard let position = find(Self.keys, from: 0) else { return nil }
    var next = position + Self.keys.count
    var result = Array(bytes[..<next])
    var unchanged: [String] = []
    while matches(Self.start, at: next) {
      let nameStart = next + Self.start.count
      guard let nameEnd = bytes[nameStart...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      let member = String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self)
      let isSame: Bool
      let blockEnd: Int
      if let text = today.byMember[member], matches(text, at: next), isEnd(next + text.count) {
        isSame = true
        blockEnd = next + text.count
      } else {
        guard let position = find(Self.end, from: nameEnd) else { return nil }
        isSame = false
        blockEnd = position + Self.end.count
        guard isEnd(blockEnd) else { return nil }
      }
      let isLast = bytes[blockEnd] == UInt8(ascii: "\n")
      if isSame {
        unchanged.append(member)
      } else {
        result += bytes[next..<blockEnd]
        result += ",\n".utf8
      }
      next = blockEnd + (isLast ? 1 : 2)
      if isLast { break }
    }
    // YAML allows a comma after the last entry of a map.
    result += bytes[next...]
    return (result, unchanged)
  }

  /// A block ends a line, with a comma unless it is the last.
  private func isEnd(_ position: Int) -> Bool {
    guard position + 1 < bytes.count else { return false }
    return bytes[position] == UInt8(ascii: "\n")
      || bytes[position] == UInt8(ascii: ",") && bytes[position + 1] == UInt8(ascii: "\n")
  }

  private func matches(_ text: [UInt8], at position: Int) -> Bool {
    guard position + text.count <= bytes.count else { return false }
    return bytes.withUnsafeBytes { all in
      text.withUnsafeBytes { part in
        // Eight bytes at a time: most of a snapshot is compared and nothing else.
        var offset = 0
        while offset + 8 <= part.count {
          let one = all.loadUnaligned(fromByteOffset: position + offset, as: UInt64.self)
          guard one == part.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
          offset += 8
        }
        while offset < part.count {
          guard all[position + offset] == part[offset] else { return false }
          offset += 1
        }
        return true
      }
    }
  }

  private func find(_ text: [UInt8], from start: Int) -> Int? {
    guard let first = text.first else { return nil }
    return bytes.withUnsafeBufferPointer { all in
      var position = start
      while position + text.count <= all.count {
        if all[position] == first, (1..<text.count).allSatisfy({ all[position + $0] == text[$0] }) { return position }
        position += 1
      }
      return nil
    }
  }
}
