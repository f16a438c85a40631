import LocalDataSyntax

/// The title and the tags of a declaration, which audits show and which their page is searched by.
package struct DeclarationLabels: Sendable, Hashable {
  /// The name for readers who do not know the code, or nil for the member in words.
  package var title: String?
  package var tags: [String] = []

  package init(title: String? = nil, tags: [String] = []) {
    self.title = title
    self.tags = tags
  }
}

extension ValueShape where Value == String {
  /// The name of a declaration in audits.
  static var title: Self {
    Self(what: "a title", shape: .text) { node, entry, context in
      guard let text = context.prose(node, "a title", example: entry.written) else { return nil }
      if text.utf8.contains(where: { $0 > 0x20 }) { return text }
      context.findings.report(
        .wrongKind, "the title is empty", at: node, help: "write a name, for example `\(entry.written)`")
      return nil
    }
  }
}

extension ValueShape where Value == [String] {
  /// Words by which audits are searched, each once.
  static var tags: Self {
    Self(what: "a list of tags", shape: .list(of: .text)) { node, entry, context in
      guard context.sequence(node, "a list of tags", example: entry.written) else { return nil }
      var tags: [String] = []
      var isSound = true
      for child in node.children {
        guard let tag = context.scalar(child, "a tag", example: entry.written) else { return nil }
        let problem: (rule: Rule, message: String, help: String)? =
          if tags.contains(tag) {
            (.duplicateEntry, "'\(tag)' is listed twice", "remove one of the two")
          } else if !Tag.isWellFormed(tag) {
            (
              .invalidIdentifier, "'\(tag)' cannot be a tag",
              "use 1 to \(Tag.maxLength) ASCII letters, digits, '-' and '_'"
            )
          } else {
            nil
          }
        if let problem {
          context.findings.report(problem.rule, problem.message, at: child, help: problem.help)
          isSound = false
        }
        tags.append(tag)
      }
      return isSound ? tags : nil
    }
  }
}

private enum Tag {
  static let maxLength = 50

  static func isWellFormed(_ text: String) -> Bool {
    (1...maxLength).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        Identifier.isLower($0) || Identifier.isUpper($0) || Identifier.isDigit($0) || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_")
      }
  }
}
