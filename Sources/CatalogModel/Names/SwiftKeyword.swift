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
