import LocalDataSyntax

extension DecodingContext {
  /// Returns the name of something that is emitted in Swift. Reports a name that Swift or the generator cannot use.
  mutating func identifier(_ node: SyntaxNode, as role: Identifier.Role) -> String? {
    guard node.kind == .scalar else {
      findings.report(
        .wrongKind, "\(role.inWords) is needed here, not \(node.kindInWords)", at: node,
        help: "write a name such as '\(role.isUpperCamel ? "Account" : "userToken")'")
      return nil
    }
    let text = node.text
    guard Identifier.isWellFormed(text, as: role) else {
      if isLookAlike(node.lookAlikeInName) { return nil }
      let first = role.isUpperCamel ? "an upper-case" : "a lower-case"
      var help = "use at most \(Identifier.maxLength) ASCII letters and digits, and begin with \(first) letter"
      if let camel = Identifier.camelCase(text, as: role) {
        help += role == .enumCase ? ": {\(camel): \(FieldValue.quoted(text))} stores '\(text)'" : ": '\(camel)'"
      }
      findings.report(.invalidIdentifier, "'\(text)' cannot be \(role.inWords)", at: node, help: help)
      return nil
    }
    guard !ReservedIdentifiers.contains(text, as: role) else {
      findings.report(
        .reservedIdentifier, "'\(text)' cannot be \(role.inWords): Swift or the emitted code uses it", at: node,
        help: role == .member
          ? "choose another member; the stored name can stay with `name: \(text)`" : "choose another name")
      return nil
    }
    return text
  }

  /// Returns a dotted path in Swift.
  mutating func swiftName(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> SwiftName? {
    guard let text = scalar(node, what, example: example()) else { return nil }
    guard Identifier.isPath(text) else {
      findings.report(
        .invalidSwiftName, "'\(text)' is not a name in Swift", at: node,
        help: "write a dotted path as in `\(example())`")
      return nil
    }
    guard !ReservedIdentifiers.isEmitted(text.prefix { $0 != "." }) else {
      findings.report(
        .reservedIdentifier, "'\(text)' begins with a name that the emitted code uses", at: node,
        help: "give what it names another name, or a typealias")
      return nil
    }
    return SwiftName(text)
  }
}

extension Identifier {
  /// Returns a name that is made of the words of a text, as Swift writes names: `lightMode` for `light-mode`.
  fileprivate static func camelCase(_ text: String, as role: Role) -> String? {
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
}

extension DecodingContext {
  static let maxNameLength = 200

  /// Returns the text of a stored name.
  mutating func storedName(_ node: SyntaxNode) -> String? {
    let example = node.kind == .mapping ? "name: \"draft_{documentID}\"" : "name: user_token"
    guard let text = scalar(node, "a stored name", example: example) else { return nil }
    return isStorable(text, at: node) ? text : nil
  }

  mutating func isStorable(_ text: String, at node: SyntaxNode) -> Bool {
    let problem: String
    if text.isEmpty {
      problem = "a stored name has at least one character"
    } else if text.utf8.count > Self.maxNameLength, text.unicodeScalars.count > Self.maxNameLength {
      problem = "a stored name has at most \(Self.maxNameLength) characters, not \(text.unicodeScalars.count)"
    } else if ControlCharacters.occur(in: text) {
      problem = "a stored name has no control characters"
    } else {
      return true
    }
    findings.report(
      .invalidStoredName, problem, at: node, help: "choose a name as in `name: user_token`")
    return false
  }

  /// Returns the parts of a family's stored name, which must name every parameter once.
  mutating func nameParts(
    _ text: String, at node: SyntaxNode, parameters: [ResolvedKey.Parameter]
  ) -> [ResolvedKey.NamePart]? {
    let parts: [ResolvedKey.NamePart]
    do {
      parts = try NameParts.parse(text)
    } catch {
      let problem =
        switch error {
        case .unclosed: "a '{' in a stored name begins a parameter and ends with '}'"
        case .strayBrace: "a '}' in a stored name ends a parameter that '{' began"
        case .empty: "a parameter between '{' and '}' has a name"
        }
      findings.report(.nameParameters, problem, at: node, help: help(parameters))
      return nil
    }
    var counts: [String: Int] = [:]
    for case .parameter(let name) in parts { counts[name, default: 0] += 1 }
    var isSound = true
    for parameter in parameters where counts[parameter.name] != 1 {
      let often = counts[parameter.name] == nil ? "does not name the parameter" : "names more than once the parameter"
      findings.report(
        .nameParameters, "the stored name \(often) '\(parameter.name)'", at: node, help: help(parameters))
      isSound = false
    }
    for name in counts.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
      let suggestion = suggestion(for: name, among: parameters.map(\.name))
      findings.report(
        .nameParameters, "'\(name)' is not a parameter of this key\(suggestion)", at: node, help: help(parameters))
      isSound = false
    }
    return isSound ? parts : nil
  }

  private func help(_ parameters: [ResolvedKey.Parameter]) -> String {
    guard !parameters.isEmpty else { return "declare it: `parameters: {documentID: UUID}`; or write no braces" }
    return "name each once: \(parameters.map { "{\($0.name)}" }.joined(separator: ", "))"
  }
}

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

  /// Returns the parts of a reserved name: text in braces was a parameter of a family. A name that does not parse is one part,
  /// because nothing restricts the names of an earlier release.
  static func wildcards(_ text: String) -> [ResolvedKey.NamePart] { (try? parse(text)) ?? [.text(text)] }

  static func hasBrace(_ text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
  }
}
