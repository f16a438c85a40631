/// The result of a pass over the bytes, before libyaml reads them.
///
/// libyaml accepts UTF-16, lone CR and U+2028, and names no line for a byte that it refuses.
struct SourceText {
  /// A Boolean value that indicates whether a scalar is a byte throughout.
  private(set) var isASCII = true
  private let source: SourceFile
  private var findings: Findings

  /// Checks encoding, characters and line ends, and that no directive opens the file.
  static func check(_ source: SourceFile, _ findings: inout Findings) -> SourceText {
    var text = SourceText(source: source, findings: findings)
    source.bytes.withUnsafeBufferPointer { bytes in
      if let encoding = wideEncoding(bytes) {
        text.report(
          .notUTF8, "the file is written in \(encoding); a catalog is UTF-8", line: 1, column: 1,
          help: "save it as UTF-8")
      } else {
        text.checkCharacters(bytes)
        text.checkDirectives(bytes)
      }
    }
    findings = text.findings
    return text
  }

  private init(source: SourceFile, findings: Findings) {
    self.source = source
    self.findings = findings
  }

  /// The encoding of a file in units of 2 or 4 bytes: by its byte-order mark, or by the zeros around the first character.
  private static func wideEncoding(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count >= 2 else { return nil }
    let third = bytes.count > 2 ? bytes[2] : 1
    let fourth = bytes.count > 3 ? bytes[3] : 1
    switch (bytes[0], bytes[1], third, fourth) {
    case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (1..., 0, 0, 0), (0, 0, 0, 1...): return "UTF-32"
    case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _), (1..., 0, _, _), (0, 1..., _, _): return "UTF-16"
    default: return nil
    }
  }

  private mutating func checkCharacters(_ bytes: UnsafeBufferPointer<UInt8>) {
    var offset = 0
    // Lines are counted up to here, where there is something that may be reported.
    var counted = 0
    var line = 1
    // The column of a byte is its distance from here: multi-byte characters move it on.
    var base = -1
    while true {
      offset = Self.skipOrdinary(bytes, from: offset)
      guard offset < bytes.count, !findings.isFull else { return }
      let byte = bytes[offset]
      if byte == 0x0D, offset + 1 < bytes.count, bytes[offset + 1] == 0x0A {
        offset += 1
        continue
      }
      isASCII = isASCII && byte < 0x80
      for index in counted..<offset where bytes[index] == 0x0A {
        line += 1
        base = index
      }
      let (scalar, length) = Self.scalar(bytes, offset)
      reportCharacter(scalar, byte: byte, line: line, column: offset - base)
      base += length - 1
      offset += length
      counted = offset
    }
  }

  /// The first byte from `start` on that is no printable character of ASCII, tab or line feed.
  private static func skipOrdinary(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var offset = start
    let raw = UnsafeRawBufferPointer(bytes)
    while offset < bytes.count {
      if offset + 8 <= bytes.count, isOrdinary(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) {
        offset += 8
        continue
      }
      let byte = bytes[offset]
      guard byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x09 else { return offset }
      offset += 1
    }
    return offset
  }

  /// Returns true if eight bytes are all printable or line feeds. If none has its highest bit, no sum of two bytes
  /// carries into the next byte, and the highest bit of a sum is the result of a comparison.
  private static func isOrdinary(_ word: UInt64) -> Bool {
    let each: UInt64 = 0x0101_0101_0101_0101
    let highest = each * 0x80
    let isPrintable = word &+ each * 0x60
    let isDelete = word &+ each
    let isOther = (word ^ each * 0x0A) &+ each * 0x7F
    return word & highest == 0 && (isPrintable | ~isOther) & ~isDelete & highest == highest
  }

  /// A well-formed character and its length, or nothing and the length of what is not one.
  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> (UInt32?, Int) {
    let first = bytes[offset]
    let length: Int
    let least: UInt32
    var value: UInt32
    switch first {
    case 0..<0x80: return (UInt32(first), 1)
    case 0xC2..<0xE0:
      length = 2
      least = 0x80
      value = UInt32(first & 0x1F)
    case 0xE0..<0xF0:
      length = 3
      least = 0x800
      value = UInt32(first & 0x0F)
    case 0xF0..<0xF5:
      length = 4
      least = 0x10000
      value = UInt32(first & 0x07)
    default: return (nil, 1)
    }
    for distance in 1..<length {
      guard offset + distance < bytes.count, bytes[offset + distance] & 0xC0 == 0x80 else { return (nil, distance) }
      value = value << 6 | UInt32(bytes[offset + distance] & 0x3F)
    }
    guard value >= least, value <= 0x10FFFF, !(0xD800...0xDFFF).contains(value) else { return (nil, length) }
    return (value, length)
  }

  private mutating func reportCharacter(_ scalar: UInt32?, byte: UInt8, line: Int, column: Int) {
    guard let scalar else {
      report(
        .notUTF8, "the byte 0x\(Self.hex(UInt32(byte), digits: 2)) does not belong to UTF-8 text", line: line,
        column: column, help: "save the file as UTF-8")
      return
    }
    switch scalar {
    case 0x0D, 0x85, 0x2028, 0x2029:
      let name = scalar == 0x0D ? "a carriage return without a line feed" : "U+\(Self.hex(scalar, digits: 4))"
      report(
        .lineEnd, "\(name) ends a line here; lines of a catalog end with LF or CR LF", line: line, column: column,
        help: "save the file with LF line ends")
    case 0..<0x20, 0x7F..<0xA0, 0xFEFF, 0xFFFE, 0xFFFF:
      report(
        .controlCharacter, "the control character U+\(Self.hex(scalar, digits: 4)) is not allowed in a catalog",
        line: line, column: column, help: "remove it, or write it as an escape in double quotes")
    // Embeddings, overrides and isolates. The marks U+200E, U+200F and U+061C reorder nothing by themselves.
    case 0x202A...0x202E, 0x2066...0x2069:
      report(
        .bidirectionalControl,
        "U+\(Self.hex(scalar, digits: 4)) changes the direction of the text that follows, so that it reads as other text",
        line: line, column: column,
        help: "remove it; text that needs it writes \"\\u\(Self.hex(scalar, digits: 4))\" in double quotes")
    default: break
    }
  }

  /// Reports directives, which can only be written before the document. libyaml compares each with all others, and would
  /// take quadratic time.
  private mutating func checkDirectives(_ bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var start = 0
    while start < bytes.count, !findings.isFull {
      var offset = start
      while offset < bytes.count, bytes[offset] == 0x20 || bytes[offset] == 0x09 { offset += 1 }
      var end = offset
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      let isBlank = offset == end || bytes[offset] == UInt8(ascii: "#") || bytes[offset] == 0x0D
      if start < end, bytes[start] == UInt8(ascii: "%") {
        var last = end
        while bytes[last - 1] == 0x0D || bytes[last - 1] == 0x20 { last -= 1 }
        let length = bytes[start..<last].count { !$0.isContinuation }
        findings.report(
          .directive, "a catalog has no directives", at: SourceRange(line: line, column: 1, length: length),
          help: "remove the line")
      } else if !isBlank {
        return
      }
      start = end + 1
      line += 1
    }
  }

  private mutating func report(_ rule: Rule, _ message: String, line: Int, column: Int, help: String) {
    findings.report(rule, message, at: SourceRange(line: line, column: column, length: 1), help: help)
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
