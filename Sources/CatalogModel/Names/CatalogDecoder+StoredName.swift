import CatalogSyntax

extension CatalogDecoder {
  static let maxNameLength = 200

  /// The text of a stored name, of any family or none.
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

  /// The parts of a family's stored name, which names every parameter once.
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
      let suggestion = Spelling.suggestion(for: name, among: parameters.map(\.name))
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
