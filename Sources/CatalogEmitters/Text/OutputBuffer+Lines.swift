import CatalogModel

extension String {
  /// The text as an identifier, between backticks if it is a keyword.
  var swiftIdentifier: String { SwiftKeyword.contains(self) ? "`\(self)`" : self }
}

extension OutputBuffer {
  mutating func writeLine(_ indent: Int, _ text: String) {
    writeIndent(indent)
    write(text)
    write("\n")
  }

  /// Writes a block: `head`, which ends in `{`, the lines of `body`, and `end`.
  mutating func writeBlock(
    _ indent: Int, _ head: String, end: String = "}", _ body: (inout OutputBuffer, _ indent: Int) -> Void
  ) {
    writeLine(indent, head)
    body(&self, indent + 1)
    writeLine(indent, end)
  }

  /// Returns what `body` writes as text.
  static func text(_ body: (inout OutputBuffer) -> Void) -> String {
    String(decoding: collect(capacity: 64, body), as: UTF8.self)
  }

  /// Writes the modifiers of a member that only generated code and the library use. Only a public declaration can be part
  /// of a system programming interface.
  mutating func writeGeneratedAccess(_ access: AccessLevel) {
    write("  ")
    if access == .public { write(RuntimeName.generatedInterface) }
    writeAccess(access)
  }
}
