package import LocalDataFoundation
package import LocalDataSystem

/// The check of a stored property list before Foundation reads it.
///
/// Foundation's decoders and the types of the app call themselves for each list in another one. So thousands of levels overflow
/// the stack. A binary list may contain one list several times, or itself: it might never be read to its end.
package enum PropertyListLimits {
  /// The most levels of lists and dictionaries, as in Core Foundation on iOS.
  package static let levels = 128

  /// Returns if a property list is binary, or in XML, and has neither too many levels nor too many elements.
  ///
  /// - Throws: ``StorageProblem/cannotDecode``.
  package static func check(_ list: Data) throws(StorageProblem) {
    let isWithin = list.withUnsafeBytes { BinaryPropertyList($0)?.isWithinLimits ?? isShallow(xml: $0) }
    guard isWithin else { throw .cannotDecode }
  }

  private static let beginnings = ["array", "dict", "plist"].map(\.utf8)
  private static let ends = ["/array", "/dict", "/plist"].map(\.utf8)

  /// Returns true if a list in XML has few enough levels. XML is read in UTF-8, and without sections of CDATA, which could hide
  /// tags.
  private static func isShallow(xml list: UnsafeRawBufferPointer) -> Bool {
    let pieces = list.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    var level = 0
    var isComment = false
    // A byte-order mark and white space.
    return pieces[0].allSatisfy { "\u{FEFF} \r\n\t".utf8.contains($0) }
      && pieces.dropFirst().allSatisfy { piece in
        if isComment || piece.starts(with: "!--".utf8) {
          let text = isComment ? piece : piece.dropFirst(3)
          isComment = !text.indices.contains { text[$0...].starts(with: "-->".utf8) }
          return true
        }
        let tag = piece.prefix { $0 != UInt8(ascii: ">") }
        if tag.last != UInt8(ascii: "/"), beginnings.contains(where: { tag.starts(with: $0) }) { level += 1 }
        if ends.contains(where: { tag.starts(with: $0) }) { level -= 1 }
        let isHead = tag.first == UInt8(ascii: "?") || tag.first == UInt8(ascii: "!")
        // The element `plist` is a level too.
        return tag.count < piece.count && (0...levels + 1).contains(level)
          && (!isHead || isHeadInUTF8(tag))
      }
  }

  private static func isHeadInUTF8(_ tag: some Sequence<UInt8>) -> Bool {
    let text = String(decoding: Array(tag), as: UTF8.self).lowercased()
    let parts = text.split(separator: "encoding", omittingEmptySubsequences: false)
    let isUTF8 = parts.count == 2 && ["=\"utf-8\"", "='utf-8'"].contains { parts[1].hasPrefix($0) }
    return text.hasPrefix("!doctype") || text.hasPrefix("?xml ") && (parts.count == 1 || isUTF8)
  }
}

/// The objects of a binary property list.
///
/// The last 32 bytes have the size of an offset at 6, the size of a reference at 7, the number of objects at 8, the first object
/// at 16, and the start of the table with the offsets of the objects at 24.
package struct BinaryPropertyList {
  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  private let table: Int
  package let count: Int

  /// Creates the objects of a list; `nil` if the bytes are not a binary list, or if its sizes cannot be right.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    end = bytes.count - 32
    guard end > 8, bytes.starts(with: "bplist0".utf8) else { return nil }
    self.bytes = bytes
    count = bytes.number(at: end + 8, 8)
    table = bytes.number(at: end + 24, 8)
    guard (9..<end).contains(table), (0...end).contains(count), (1...8).contains(bytes[end + 6]) else { return nil }
  }

  /// Returns where an object begins; `nil` if there is no such object.
  package func start(of object: Int) -> Int? {
    guard (0..<count).contains(object) else { return nil }
    let size = Int(bytes[end + 6])
    let start = bytes.number(at: table + object * size, size)
    return (8..<table).contains(start) ? start : nil
  }

  /// Returns the number of an object's elements, bytes or characters, and where they begin.
  private func content(of start: Int) -> (count: Int, position: Int) {
    let count = Int(bytes[start] & 0xF)
    guard count == 0xF else { return (count, start + 1) }
    let size = 1 << Int(bytes[start + 1] & 0xF)
    return (bytes.number(at: start + 2, size), start + 2 + size)
  }

  /// A Boolean value that indicates whether the list has few enough levels, and no more elements than bytes. If it has more, it
  /// contains objects several times. A short list may. Texts and data that it contains several times have a limit too.
  fileprivate var isWithinLimits: Bool {
    guard let first = start(of: bytes.number(at: end + 16, 8)) else { return false }
    let size = Int(bytes[end + 7])
    var left = max(bytes.count, 1 << 16)
    var leftInTexts = bytes.count + 1 << 26
    var rest = [(start: first, level: 1)]
    while let (start, level) = rest.popLast() {
      // A list, a set or a dictionary, which has names and values.
      guard bytes[start] >= 0xA0 else { continue }
      var (count, position) = content(of: start)
      left -= count
      guard (0...bytes.count).contains(count), left >= 0, level <= PropertyListLimits.levels else { return false }
      for _ in 0..<(bytes[start] >= 0xD0 ? 2 * count : count) {
        guard let element = self.start(of: bytes.number(at: position, size)) else { return false }
        if bytes[element] >= 0xA0 { rest.append((element, level + 1)) }
        if 0x40..<0x80 ~= bytes[element] {
          let count = content(of: element).count
          leftInTexts -= count
          guard (0...bytes.count).contains(count), leftInTexts >= 0 else { return false }
        }
        position += size
      }
    }
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// Returns a number, or -1 if there is none.
  fileprivate func number(at start: Int, _ size: Int) -> Int {
    guard (1...8).contains(size), start <= count - size else { return -1 }
    return Int(exactly: self[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? -1
  }
}
