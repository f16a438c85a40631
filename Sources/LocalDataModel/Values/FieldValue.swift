/// The value of one field of a key, without its location in the file.
package enum FieldValue: Hashable, Sendable {
  /// The key does not have the field.
  case absent
  case flag(Bool)
  case integer(Int)
  case text(String)
  case list([FieldValue])
  /// A map, in the order in which it is written.
  case map([Entry])

  package struct Entry: Hashable, Sendable {
    package var name: String
    package var value: FieldValue

    package init(_ name: String, _ value: FieldValue) {
      self.name = name
      self.value = value
    }
  }

  /// A text, or `absent` for nil.
  package init(_ text: String?) { self = text.map(FieldValue.text) ?? .absent }

  /// A map without the entries that are absent.
  package static func map(present entries: [Entry]) -> FieldValue { .map(entries.filter { $0.value != .absent }) }

  /// Returns the value of an entry of a map, or `absent` if there is none.
  package subscript(name: String) -> FieldValue {
    guard case .map(let entries) = self else { return .absent }
    return entries.first { $0.name == name }?.value ?? .absent
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var integer: Int? { if case .integer(let number) = self { number } else { nil } }
  package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  package var elements: [FieldValue] { if case .list(let elements) = self { elements } else { [] } }
  package var entries: [Entry] { if case .map(let entries) = self { entries } else { [] } }
}

// MARK: - As YAML

extension FieldValue: CustomStringConvertible {
  /// The value as a catalog writes it, on one line. An absent value is empty.
  package var description: String {
    var output = ""
    write(to: &output)
    return output
  }

  private func write(to output: inout String) {
    switch self {
    case .absent: break
    case .flag(let flag): output += flag ? "true" : "false"
    case .integer(let number): output += String(number)
    case .text(let text): output += Self.scalar(text)
    case .list(let elements):
      output += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { output += ", " }
        element.write(to: &output)
      }
      output += "]"
    case .map(let entries):
      output += "{"
      for (index, entry) in entries.enumerated() {
        if index > 0 { output += ", " }
        output += "\(Self.scalar(entry.name)): "
        entry.value.write(to: &output)
      }
      output += "}"
    }
  }

  /// A field and its text, as a proposal writes them: they are read as they are here.
  static func field(_ name: String, _ text: String) -> String { "\(scalar(name)): \(scalar(text))" }

  /// A text as a scalar of YAML: plain if that is unambiguous in every place, otherwise in double quotes.
  package static func scalar(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first != UInt8(ascii: "-"),
      first != UInt8(ascii: "?"), last != UInt8(ascii: " "),
      !["true", "false", "null", "~", "="].contains(text)
    else { return false }
    var previous = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7F, !indicators.contains(byte) else { return false }
      if byte == UInt8(ascii: "#"), previous == UInt8(ascii: " ") { return false }
      if byte == UInt8(ascii: " "), previous == UInt8(ascii: " ") { return false }
      previous = byte
    }
    return true
  }

  /// Signs that have a meaning at the start of a scalar, or inside braces.
  private static let indicators = Set("{}[],:&*!|<>'\"%@`\\".utf8)

  /// A text in double quotes. Invisible characters are written as escapes.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if let escape = scalar.namedEscape {
        result += escape
      } else if isWritten(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += scalar.value <= 0xFFFF ? "\\u" : "\\U"
        result += String(repeating: "0", count: (scalar.value <= 0xFFFF ? 4 : 8) - digits.utf8.count) + digits
      }
    }
    return result + "\""
  }

  /// Returns true if a character can be seen, and does not change how its neighbours are shown.
  private static func isWritten(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20, scalar.value < 0x7F { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned, .privateUse:
      return false
    default: return true
    }
  }
}
