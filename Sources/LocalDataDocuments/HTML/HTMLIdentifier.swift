import LocalDataEmission

/// The address of an element in a document: what follows `#` in a link.
///
/// It is made of letters, digits, `_`, `-` and `.`, whatever the names in it contain, so it can be pasted into a ticket, and
/// needs no escaping in a link. Different names have different addresses: every other byte of a name is written as `-` and
/// two hexadecimal digits.
struct HTMLIdentifier: Hashable, Sendable {
  let text: String

  /// The address of a fixed part of a page.
  init(_ fixed: StaticString) { self.init(kind: fixed, []) }

  /// The address of a named thing, for example `key-theme` or `field-Credential.claims`.
  init(_ kind: StaticString, _ names: String...) { self.init(kind: kind, names) }

  private init(kind: StaticString, _ names: [String]) {
    var text = kind.description
    for (index, name) in names.enumerated() {
      text += index == 0 ? "-" : "."
      Self.append(name, to: &text)
    }
    self.text = text
  }

  private static func append(_ name: String, to text: inout String) {
    if name.utf8.allSatisfy(isPlain) { return text += name }
    for byte in name.utf8 {
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += byte < 0x10 ? "-0" : "-"
        text += String(byte, radix: 16)
      }
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_")
  }
}
