import LocalDataModel

extension ResolvedCatalog {
  /// The name of the emitted enum, for example `AccountCatalog`.
  var swiftName: String { "\(name)Catalog" }
}

extension String {
  /// The text as an identifier, between backticks if it is a keyword.
  package var swiftIdentifier: String { SwiftKeyword.contains(self) ? "`\(self)`" : self }
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
  package static func text(_ body: (inout OutputBuffer) -> Void) -> String {
    String(decoding: collect(capacity: 64, body), as: UTF8.self)
  }

  /// Writes the comment that names a line of the catalog, for example `// Account.yaml:31`.
  mutating func writeSourceLine(_ source: String, _ line: Int, indent: Int) {
    writeIndent(indent)
    write("// ")
    writeComment(source)
    write(":")
    write(line)
    write("\n")
  }

  /// Writes the modifier with a space after it, or nothing for `internal`.
  mutating func writeAccess(_ access: AccessLevel) {
    switch access {
    case .public: write("public ")
    case .package: write("package ")
    case .internal: break
    }
  }

  /// Writes the modifiers of a member that only generated code and the library use. Only a public declaration can be part
  /// of a system programming interface.
  mutating func writeGeneratedAccess(_ access: AccessLevel) {
    write("  ")
    if access == .public { write(RuntimeName.generatedInterface) }
    writeAccess(access)
  }
}
