import LocalDataFoundation
import LocalDataSystem

/// A value in JSON. A number is its text.
indirect enum BackupJSON: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case text(String)
  case list([BackupJSON])
  case object([(name: String, value: BackupJSON)])

  /// Returns the value with a name.
  subscript(name: String) -> BackupJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var list: [BackupJSON]? { if case .list(let list) = self { list } else { nil } }
  var members: [(name: String, value: BackupJSON)]? { if case .object(let members) = self { members } else { nil } }

  func number<Number: LosslessStringConvertible>(_: Number.Type = Number.self) -> Number? {
    if case .number(let text) = self { Number(text) } else { nil }
  }
}

/// Reads JSON strictly: one value in UTF-8, without equal names in an object.
struct BackupJSONReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private static let mostDepth = 128

  /// Returns the value of bytes, or nil if they are not JSON.
  static func value(of bytes: ArraySlice<UInt8>) -> BackupJSON? {
    var reader = BackupJSONReader(bytes: bytes, position: bytes.startIndex)
    guard let value = reader.value(0) else { return nil }
    reader.skipSpace()
    return reader.position == bytes.endIndex ? value : nil
  }

  /// Returns the bytes of the elements of a list, or nil if the bytes are another value.
  static func elements(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    var reader = BackupJSONReader(bytes: bytes, position: bytes.startIndex)
    var elements: [ArraySlice<UInt8>] = []
    guard reader.skip("[") else { return nil }
    repeat {
      reader.skipSpace()
      let start = reader.position
      guard reader.value(1) != nil else { return nil }
      elements.append(bytes[start..<reader.position])
    } while reader.skip(",")
    return reader.skip("]") && reader.position == bytes.endIndex ? elements : nil
  }

  private init(bytes: ArraySlice<UInt8>, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 { position += 1 }
  }

  private mutating func skip(_ byte: Character) -> Bool {
    skipSpace()
    guard next == byte.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value(_ depth: Int) -> BackupJSON? {
    guard depth < Self.mostDepth else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "t"): return word("true", .bool(true))
    case UInt8(ascii: "f"): return word("false", .bool(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func word(_ text: String, _ value: BackupJSON) -> BackupJSON? {
    guard bytes[position...].starts(with: text.utf8) else { return nil }
    position += text.utf8.count
    return value
  }

  private mutating func number() -> BackupJSON? {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !text.isEmpty, !text.hasPrefix("+"), !text.hasPrefix("."), Double(text) != nil else { return nil }
    return .number(text)
  }

  private mutating func list(_ depth: Int) -> BackupJSON? {
    position += 1
    var list: [BackupJSON] = []
    if skip("]") { return .list(list) }
    repeat {
      guard let element = value(depth + 1) else { return nil }
      list.append(element)
    } while skip(",")
    return skip("]") ? .list(list) : nil
  }

  private mutating func object(_ depth: Int) -> BackupJSON? {
    position += 1
    var members: [(name: String, value: BackupJSON)] = []
    if skip("}") { return .object(members) }
    var names: Set<String> = []
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let name = string(), names.insert(name).inserted, skip(":"),
        let value = value(depth + 1)
      else { return nil }
      members.append((name, value))
    } while skip(",")
    return skip("}") ? .object(members) : nil
  }

  private mutating func string() -> String? {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(utf8: text)
      case UInt8(ascii: "\\"): guard escape(&text) else { return nil }
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5c, UInt8(ascii: "/"): 0x2f, UInt8(ascii: "b"): 0x08,
    UInt8(ascii: "f"): 0x0c, UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09,
  ]

  private mutating func escape(_ text: inout [UInt8]) -> Bool {
    guard let byte = next else { return false }
    position += 1
    if let plain = Self.escapes[byte] {
      text.append(plain)
      return true
    }
    guard byte == UInt8(ascii: "u"), let first = unit() else { return false }
    var code = UInt32(first)
    if (0xd800..<0xdc00).contains(code) {
      guard next == UInt8(ascii: "\\") else { return false }
      position += 1
      guard next == UInt8(ascii: "u") else { return false }
      position += 1
      guard let second = unit(), (0xdc00..<0xe000).contains(second) else { return false }
      code = 0x10000 + (code - 0xd800) << 10 + (UInt32(second) - 0xdc00)
    }
    guard let scalar = Unicode.Scalar(code) else { return false }
    text += Array(String(Character(scalar)).utf8)
    return true
  }

  private mutating func unit() -> UInt16? {
    guard bytes.endIndex - position >= 4 else { return nil }
    let digits = bytes[position..<position + 4]
    guard digits.allSatisfy({ $0.isHexadecimal }) else { return nil }
    position += 4
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}

extension [UInt8] {
  /// Appends a text as a string of JSON.
  mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): self += [0x5c, 0x22]
      case UInt8(ascii: "\\"): self += [0x5c, 0x5c]
      case 0x0a: self += [0x5c, 0x6e]
      case 0..<0x20: self += Array((byte < 0x10 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  mutating func append(_ text: String) { self += text.utf8 }

  /// Appends a name and a colon, after a comma unless it is the first member.
  mutating func appendName(_ name: String, _ isFirst: inout Bool) {
    if !isFirst { append(UInt8(ascii: ",")) }
    isFirst = false
    appendJSON(name)
    append(UInt8(ascii: ":"))
  }
}
