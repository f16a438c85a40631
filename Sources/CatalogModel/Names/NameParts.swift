/// A stored name with `{parameter}` in it, taken apart.
enum NameParts {
  enum Problem: Error, Equatable {
    case unclosed
    case strayBrace
    case empty
  }

  /// Text and parameters in turn.
  static func parse(_ text: String) throws(Problem) -> [ResolvedKey.NamePart] {
    var parts: [ResolvedKey.NamePart] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{" else { throw .strayBrace }
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      let inner = rest[rest.index(after: brace)...]
      guard let end = inner.firstIndex(where: { $0 == "{" || $0 == "}" }), inner[end] == "}" else { throw .unclosed }
      guard end > inner.startIndex else { throw .empty }
      parts.append(.parameter(String(inner[..<end])))
      rest = inner[inner.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// A reserved name in parts: what stands between braces was a family's parameter; other braces are themselves.
  static func wildcards(_ text: String) -> [ResolvedKey.NamePart] { (try? parse(text)) ?? [.text(text)] }

  static func hasBrace(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
  }
}
