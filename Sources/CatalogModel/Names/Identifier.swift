/// Names in Swift, as a catalog may write them.
enum Identifier {
  static let maxLength = 100

  /// The kind of thing that an identifier names.
  enum Role: Equatable {
    /// A key: a static member of `StorageKey`.
    case member
    case parameter
    case field
    case enumCase
    case type
    case catalog
    case database
    /// A member of `StorageRouter`.
    case routerMember

    var isUpperCamel: Bool { self == .type || self == .catalog }

    var inWords: String {
      switch self {
      case .member: "a key's name"
      case .parameter: "a parameter's name"
      case .field: "a field's name"
      case .enumCase: "the name of a case"
      case .type: "a type's name"
      case .catalog: "a catalog's name"
      case .database: "a database's name"
      case .routerMember: "a member of the router"
      }
    }
  }

  /// Returns true if `text` consists of ASCII letters and digits, and begins with a letter of the case that its role asks
  /// for.
  static func isWellFormed(_ text: String, as role: Role) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let first = bytes.first, bytes.count <= maxLength else { return false }
      guard role.isUpperCamel ? isUpper(first) : isLower(first) else { return false }
      return bytes.allSatisfy { isLower($0) || isUpper($0) || isDigit($0) }
    }
  }

  /// Returns a name that is made of the words of a text, as Swift writes names: `lightMode` for `light-mode`.
  static func camelCase(_ text: String, as role: Role) -> String? {
    let words = text.utf8.split { !(isLower($0) || isUpper($0) || isDigit($0)) }.map {
      String(decoding: $0, as: UTF8.self)
    }
    guard !words.isEmpty else { return nil }
    let joined = words.enumerated().map { index, word in
      let first = word.prefix(1)
      return (index > 0 || role.isUpperCamel ? first.uppercased() : first.lowercased()) + word.dropFirst()
    }.joined()
    return isWellFormed(joined, as: role) && !ReservedIdentifiers.contains(joined, as: role) ? joined : nil
  }

  /// Returns true if `text` is a dotted path of Swift identifiers.
  static func isPath(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count <= 4 * maxLength else { return false }
      var startsPart = true
      for byte in bytes {
        if byte == UInt8(ascii: ".") {
          if startsPart { return false }
          startsPart = true
        } else {
          let isLetter = isLower(byte) || isUpper(byte) || byte == UInt8(ascii: "_")
          guard isLetter || !startsPart && isDigit(byte) else { return false }
          startsPart = false
        }
      }
      return !startsPart
    }
  }

  static func isLower(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }
  static func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
