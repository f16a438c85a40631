/// A default as a literal of SQL, for the rows that were written before the field was declared.
package enum SQLLiteral {
  /// Returns the literal, or nil if SQL has none for the value.
  package static func text(_ value: DefaultValue, of type: ValueType, _ types: [String: ResolvedType]) -> String? {
    switch value {
    case .string(let text), .url(let text): quoted(text)
    case .decimal(let digits): quoted(plain(digits))
    case .bool(let flag): flag ? "1" : "0"
    case .integer(let digits): digits
    case .floating(let literal): real(literal, type)
    case .data(let bytes): blob(bytes)
    case .date(let seconds, _): String(describing: seconds - secondsTo2001)
    case .uuid(let text): "x'\(text.filter { $0 != "-" }.lowercased())'"
    case .enumCase(let name): raw(name, type, types)
    case .list(let elements): elements.isEmpty ? "x''" : nil
    case .map(let entries): entries.isEmpty ? "x''" : nil
    case .swift: nil
    }
  }

  /// The seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z. A date is stored as seconds since the latter.
  private static let secondsTo2001 = 978_307_200.0

  /// A Float is stored as the Double of the same value, which may need more digits.
  private static func real(_ literal: String, _ type: ValueType) -> String {
    switch type {
    case .optional(let wrapped): real(literal, wrapped)
    case .scalar(.float): Float(literal).map { Double($0).description } ?? literal
    default: literal
    }
  }

  /// Returns the only text that the runtime writes for a decimal number: without exponent and without zeros at its ends.
  private static func plain(_ number: String) -> String {
    let parts = number.drop { $0 == "-" }.split { $0 == "e" || $0 == "E" }
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let mantissa = (parts.first ?? "").split(separator: ".")
    let digits = mantissa.joined()
    let point = (mantissa.first ?? "").count + exponent
    let padded =
      String(repeating: "0", count: max(1 - point, 0)) + digits
      + String(repeating: "0", count: max(point - digits.count, 0))
    let whole = padded.prefix(max(point, 1)).drop { $0 == "0" }
    var fraction = padded.dropFirst(max(point, 1))
    while fraction.last == "0" { fraction.removeLast() }
    guard !whole.isEmpty || !fraction.isEmpty else { return "0" }
    let text = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
    return (number.first == "-" ? "-" : "") + text
  }

  private static func raw(_ name: String, _ type: ValueType, _ types: [String: ResolvedType]) -> String? {
    switch type {
    case .optional(let wrapped): raw(name, wrapped, types)
    case .declared(let declared):
      switch types[declared]?.form {
      case .stringEnum(let cases): cases.first { $0.name == name }.flatMap { quoted($0.raw) }
      case .intEnum(let cases): cases.first { $0.name == name }.map { String($0.raw) }
      case .structure, .swift, nil: nil
      }
    case .scalar, .swift, .list, .map, .set: nil
    }
  }

  /// A NUL byte ends a statement of SQL, so text that has one has no literal.
  private static func quoted(_ text: String) -> String? {
    if text.utf8.contains(0) { return nil }
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'" }
      result.unicodeScalars.append(scalar)
    }
    return result + "'"
  }

  private static func blob(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    var text = "x'"
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text + "'"
  }
}
