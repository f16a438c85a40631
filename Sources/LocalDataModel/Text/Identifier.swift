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
    case backup
    case unmanaged

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
      case .backup: "a backup's name"
      case .unmanaged: "the name of unmanaged data"
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

/// The words of Swift that are identifiers only between backticks.
package enum SwiftKeyword {
  package static func contains(_ name: String) -> Bool { words.contains(name) }

  private static let words: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch",
    "class", "consume", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "then", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "yield",
  ]
}
