package import LocalDataModel

/// The way in which values are written at one place of the emitted code.
package struct SwiftValueStyle {
  /// The type that declares the functions of ``CheckedLiteral``, for example `AccountCatalog`. If it is nil, the value is
  /// unwrapped by force, as in a test.
  var checker: String?
  /// True if an enum case is written with its type: `Theme.dark` instead of `.dark`.
  ///
  /// If the type is optional, Swift reads `.none` and `.some` as the cases of `Optional`.
  var namesTypeOfCases: Bool

  package init(checker: String? = nil, namesTypeOfCases: Bool = false) {
    self.checker = checker
    self.namesTypeOfCases = namesTypeOfCases
  }
}

/// Types and values as Swift source.
extension OutputBuffer {
  package mutating func writeType(_ type: ValueType) {
    switch type {
    case .scalar(let scalar): write(scalar.rawValue)
    case .declared(let name): write(name)
    case .swift(let name): write(name.text)
    case .list(let element):
      write("[")
      writeType(element)
      write("]")
    case .map(let key, let value):
      write("[")
      writeType(key)
      write(": ")
      writeType(value)
      write("]")
    case .set(let element):
      write("Set<")
      writeType(element)
      write(">")
    case .optional(let wrapped):
      writeType(wrapped)
      write("?")
    }
  }

  /// Writes a value of `type`. The generator has checked it, so no expression fails when the program runs.
  package mutating func writeValue(_ value: DefaultValue, of type: ValueType, _ style: SwiftValueStyle) {
    switch value {
    case .string(let text): writeLiteral(text)
    case .bool(let flag): write(flag ? "true" : "false")
    case .integer(let digits): writeGrouped(digits)
    case .floating(let literal): write(literal)
    case .data(let bytes): writeData(bytes, style)
    case .date(let seconds, _):
      write("Date(timeIntervalSince1970: ")
      writeSeconds(seconds)
      write(")")
    case .url(let text): writeChecked(.url, text, style)
    case .uuid(let text): writeUUID(text)
    case .decimal(let digits): writeChecked(.decimal, digits, style)
    case .enumCase(let name):
      if let type = type.nameOfCases(style) { write(type) }
      write(".")
      write(name)
    case .list(let elements): writeList(elements, of: type, style)
    case .map(let entries): writeMap(entries, of: type, style)
    case .swift(let name): write(name.text)
    }
  }

  private mutating func writeList(_ elements: [DefaultValue], of type: ValueType, _ style: SwiftValueStyle) {
    write("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { write(", ") }
      writeValue(element, of: type.element, style)
    }
    write("]")
  }

  private mutating func writeMap(_ entries: [DefaultValue.Entry], of type: ValueType, _ style: SwiftValueStyle) {
    let (key, value) = type.entry
    write(entries.isEmpty ? "[:" : "[")
    for (index, entry) in entries.enumerated() {
      if index > 0 { write(", ") }
      writeValue(entry.key, of: key, style)
      write(": ")
      writeValue(entry.value, of: value, style)
    }
    write("]")
  }

  /// Writes `AccountCatalog.url("https://example.com/")`, or `URL(string: "https://example.com/")!`.
  private mutating func writeChecked(_ literal: CheckedLiteral, _ text: String, _ style: SwiftValueStyle) {
    if let checker = style.checker {
      write(checker)
      write(".")
      write(literal.function)
      write("(")
    } else {
      write(literal.initializer)
    }
    writeLiteral(text)
    write(style.checker == nil ? ")!" : ")")
  }

  /// Printable text is written as text, a few other bytes as numbers, and more bytes in Base64.
  private mutating func writeData(_ bytes: [UInt8], _ style: SwiftValueStyle) {
    if bytes.isEmpty {
      write("Data()")
    } else if CheckedLiteral.isPrintable(bytes) {
      write("Data(")
      writeLiteral(String(decoding: bytes, as: UTF8.self))
      write(".utf8)")
    } else if !CheckedLiteral.isBase64(bytes) {
      write("Data([")
      for (index, byte) in bytes.enumerated() {
        if index > 0 { write(", ") }
        writeHex(byte)
      }
      write("])")
    } else {
      writeChecked(.data, Base64.text(of: bytes), style)
    }
  }

  /// Writes whole seconds as grouped digits.
  private mutating func writeSeconds(_ seconds: Double) {
    if let whole = Int(exactly: seconds) {
      writeGrouped(String(whole))
    } else {
      write(seconds.description)
    }
  }

  /// Writes a UUID as sixteen bytes, because the initializer that takes text returns an optional.
  private mutating func writeUUID(_ text: String) {
    write("UUID(uuid: (")
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      if index > 0 { write(", ") }
      write("0x")
      write(digits[index])
      write(digits[index + 1])
    }
    write("))")
  }

  private mutating func writeHex(_ byte: UInt8) {
    let digits = String(byte, radix: 16, uppercase: true)
    write(digits.utf8.count == 1 ? "0x0" : "0x")
    write(digits)
  }
}

extension ValueType {
  /// The type of the elements of a list or a set; other types are returned unchanged.
  fileprivate var element: ValueType {
    switch self {
    case .list(let element), .set(let element): element
    case .optional(let wrapped): wrapped.element
    case .scalar, .declared, .swift, .map: self
    }
  }

  /// The types of the keys and the values of a map.
  fileprivate var entry: (key: ValueType, value: ValueType) {
    switch self {
    case .map(let key, let value): (key, value)
    case .optional(let wrapped): wrapped.entry
    case .scalar, .declared, .swift, .list, .set: (self, self)
    }
  }

  /// The name of the enum, if a case is written with it. It always is if an optional is expected.
  fileprivate func nameOfCases(_ style: SwiftValueStyle) -> String? {
    switch self {
    case .declared(let name): style.namesTypeOfCases ? name : nil
    case .optional(.declared(let name)): name
    case .optional, .scalar, .swift, .list, .set, .map: nil
    }
  }
}

/// Base64 without Foundation.
private enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * UInt32(3 - group.count)
      for position in 0..<4 {
        let index = Int(bits >> (18 - 6 * UInt32(position)) & 0x3F)
        text.append(position <= group.count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
