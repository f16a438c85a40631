import CatalogModel

/// Types and values as Swift writes them.
extension OutputBuffer {
  mutating func writeType(_ type: ValueType) {
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

  /// A default. None of these expressions can stop a program: what Foundation makes only of text that it may refuse was
  /// checked when the catalog was read, and has a value beside it that is never taken.
  mutating func writeValue(_ value: DefaultValue) {
    switch value {
    case .string(let text): writeLiteral(text)
    case .bool(let flag): write(flag ? "true" : "false")
    case .integer(let digits): writeGrouped(digits)
    case .floating(let literal): write(literal)
    case .data(let bytes): writeData(bytes)
    case .date(let seconds, _):
      write("Date(timeIntervalSince1970: ")
      writeSeconds(seconds)
      write(")")
    case .url(let text):
      write("URL(string: ")
      writeLiteral(text)
      write(") ?? URL(fileURLWithPath: \"/\")")
    case .uuid(let text): writeUUID(text)
    case .decimal(let digits):
      write("Decimal(string: ")
      writeLiteral(digits)
      write(") ?? 0")
    case .enumCase(let name):
      write(".")
      write(name)
    case .list(let elements):
      write("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { write(", ") }
        writeValue(element)
      }
      write("]")
    case .map(let entries):
      write(entries.isEmpty ? "[:" : "[")
      for (index, entry) in entries.enumerated() {
        if index > 0 { write(", ") }
        writeValue(entry.key)
        write(": ")
        writeValue(entry.value)
      }
      write("]")
    case .swift(let name): write(name.text)
    }
  }

  /// Printable text as text, a few bytes as bytes, others as Base64.
  private mutating func writeData(_ bytes: [UInt8]) {
    if bytes.isEmpty {
      write("Data()")
    } else if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      write("Data(")
      writeLiteral(String(decoding: bytes, as: UTF8.self))
      write(".utf8)")
    } else if bytes.count <= 32 {
      write("Data([")
      for (index, byte) in bytes.enumerated() {
        if index > 0 { write(", ") }
        writeHex(byte)
      }
      write("])")
    } else {
      write("Data(base64Encoded: \"")
      writeBase64(bytes)
      write("\") ?? Data()")
    }
  }

  /// Whole seconds as digits in groups.
  private mutating func writeSeconds(_ seconds: Double) {
    if let whole = Int(exactly: seconds) {
      writeGrouped(String(whole))
    } else {
      write(seconds.description)
    }
  }

  /// Sixteen bytes, since an initializer from text may fail.
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

  private mutating func writeBase64(_ bytes: [UInt8]) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * UInt32(3 - group.count)
      for position in 0..<4 {
        let index = Int(bits >> (18 - 6 * UInt32(position)) & 0x3F)
        write(position <= group.count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
  }
}
