import CatalogSyntax

/// Enums of `types:`: a list of cases, or a map of cases with their raw values.
extension CatalogDecoder {
  private enum RawType: String, CaseName {
    case string = "String"
    case int = "Int"

    static let names = NameTable<Self>()
  }

  private struct CaseDraft {
    var name: String
    var node: SyntaxNode
    var raw: SyntaxNode?
    var description: String?
  }

  mutating func enumForm(_ node: SyntaxNode, raw: SyntaxNode?) -> TypeTable.Form? {
    var rawType = RawType.string
    if let raw {
      guard let type: RawType = name(raw, "a type of raw values", .unknownType, example: "raw: Int") else {
        return nil
      }
      rawType = type
    }
    guard let cases = cases(node) else { return nil }
    guard !cases.isEmpty else {
      findings.report(.missingField, "an enum has at least one case", at: node, help: "write [light, dark]")
      return nil
    }
    switch rawType {
    case .string: return strings(cases).map(TypeTable.Form.stringEnum)
    case .int: return integers(cases).map(TypeTable.Form.intEnum)
    }
  }

  private mutating func cases(_ node: SyntaxNode) -> [CaseDraft]? {
    var cases: [CaseDraft] = []
    var isSound = true
    switch node.kind {
    case .sequence:
      var first: [String: SyntaxNode] = [:]
      for child in node.children {
        guard let name = identifier(child, as: .enumCase) else {
          isSound = false
          continue
        }
        if let earlier = first[name] {
          findings.report(
            .duplicateEntry, "the case '\(name)' is listed twice", at: child, help: "remove one of the two",
            notes: [.init("the first one", at: earlier.place)])
          isSound = false
        }
        first[name] = child
        cases.append(CaseDraft(name: name, node: child))
      }
    case .mapping:
      for (key, value) in node.fields {
        if let draft = mappedCase(key, value) { cases.append(draft) } else { isSound = false }
      }
    case .scalar:
      reportKind(node, "a list or a map of cases", example: "enum: [light, dark]")
      return nil
    }
    return isSound ? cases : nil
  }

  private mutating func mappedCase(_ key: SyntaxNode, _ value: SyntaxNode) -> CaseDraft? {
    let name = identifier(key, as: .enumCase)
    var draft = CaseDraft(name: key.text, node: key)
    if value.kind == .mapping {
      var fields = FieldIterator<EnumCaseField>(value, of: "a case")
      while let (field, _, value) = fields.next(&findings) {
        switch field {
        case .raw: draft.raw = value
        case .description: draft.description = prose(value, "a description", example: "description: Easy on the eyes.")
        }
      }
      if fields.hasUnknown { return nil }
    } else {
      draft.raw = value
    }
    return name == nil ? nil : draft
  }

  private mutating func strings(_ cases: [CaseDraft]) -> [ResolvedType.EnumCase<String>]? {
    var first: [String: SyntaxNode] = [:]
    var result: [ResolvedType.EnumCase<String>] = []
    for draft in cases {
      var raw = draft.name
      if let node = draft.raw {
        guard let text = scalar(node, "a raw value", example: "\(draft.name): \"\(draft.name)\"") else { continue }
        raw = text
      }
      guard isNew(raw, draft, &first) else { continue }
      result.append(.init(name: draft.name, raw: raw, description: draft.description))
    }
    return result.count == cases.count ? result : nil
  }

  private mutating func integers(_ cases: [CaseDraft]) -> [ResolvedType.EnumCase<Int>]? {
    var first: [Int: SyntaxNode] = [:]
    var result: [ResolvedType.EnumCase<Int>] = []
    for draft in cases {
      guard let node = draft.raw else {
        findings.report(
          .invalidRawValue, "the case '\(draft.name)' has no number", at: draft.node,
          help: "write each case with its number, which is what is stored: {\(draft.name): 0}")
        continue
      }
      guard let text = scalar(node, "a whole number", example: "\(draft.name): 0") else { continue }
      guard let raw = Int64(text).flatMap({ Int(exactly: $0) }) else {
        findings.report(
          .invalidRawValue, "'\(text)' is not a whole number of 64 bits", at: node, help: "write `\(draft.name): 0`")
        continue
      }
      guard isNew(raw, draft, &first) else { continue }
      result.append(.init(name: draft.name, raw: raw, description: draft.description))
    }
    return result.count == cases.count ? result : nil
  }

  private mutating func isNew<Raw: Hashable>(
    _ raw: Raw, _ draft: CaseDraft, _ first: inout [Raw: SyntaxNode]
  ) -> Bool {
    let node = draft.raw ?? draft.node
    if let earlier = first[raw] {
      findings.report(
        .duplicateEntry, "the raw value '\(raw)' is used twice", at: node, help: "give each case a value of its own",
        notes: [.init("the first one", at: earlier.place)])
      return false
    }
    first[raw] = node
    return true
  }
}
