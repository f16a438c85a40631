/// The type of a value as text writes it: `[String: Set<UUID>]`.
package indirect enum TypeExpression: Hashable, Sendable {
  /// A name, or a dotted path.
  case name(String)
  case list(TypeExpression)
  case map(key: TypeExpression, value: TypeExpression)
  case set(TypeExpression)
  case optional(TypeExpression)

  /// Why a text is no type.
  package struct Problem: Error, Hashable, Sendable {
    package var message: String
  }

  package static func parse(_ text: String) throws(Problem) -> TypeExpression {
    var parser = TypeParser(bytes: Array(text.utf8))
    let type = try parser.type(depth: 0)
    guard parser.peek == nil else { throw Problem(message: "nothing may follow after '\(parser.consumed)'") }
    return type
  }
}

private struct TypeParser {
  let bytes: [UInt8]
  var position = 0

  /// The next byte that is no space.
  var peek: UInt8? {
    mutating get {
      while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
      return position < bytes.count ? bytes[position] : nil
    }
  }

  var consumed: String { String(decoding: bytes[..<position], as: UTF8.self) }

  mutating func type(depth: Int) throws(TypeExpression.Problem) -> TypeExpression {
    // No app has deeper types, and each level is a frame of the stack here and in all that follows.
    guard depth < 16 else { throw .init(message: "a type has at most 16 levels") }
    var type = try unsuffixed(depth)
    while peek == UInt8(ascii: "?") {
      position += 1
      if case .optional = type { throw .init(message: "one '?' is enough") }
      type = .optional(type)
    }
    return type
  }

  private mutating func unsuffixed(_ depth: Int) throws(TypeExpression.Problem) -> TypeExpression {
    guard take("[") else { return try named(depth) }
    let first = try type(depth: depth + 1)
    guard take(":") else {
      try expect("]")
      return .list(first)
    }
    let value = try type(depth: depth + 1)
    try expect("]")
    return .map(key: first, value: value)
  }

  private mutating func named(_ depth: Int) throws(TypeExpression.Problem) -> TypeExpression {
    _ = peek
    let start = position
    while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !name.isEmpty else { throw .init(message: "a type is missing after '\(consumed)'") }
    guard take("<") else { return .name(name) }
    switch name {
    case "Set":
      let element = try type(depth: depth + 1)
      try expect(">")
      return .set(element)
    case "Array": throw .init(message: "a list is written [T], not Array<T>")
    case "Dictionary": throw .init(message: "a map is written [K: T], not Dictionary<K, T>")
    case "Optional": throw .init(message: "an optional is written T?, not Optional<T>")
    default: throw .init(message: "'\(name)' takes no type between '<' and '>'")
    }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard peek == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Character) throws(TypeExpression.Problem) {
    guard take(character) else { throw .init(message: "'\(character)' is missing after '\(consumed)'") }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    Identifier.isLower(byte) || Identifier.isUpper(byte) || Identifier.isDigit(byte) || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
