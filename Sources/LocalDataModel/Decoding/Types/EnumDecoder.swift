import LocalDataSyntax

/// Decodes the enums of `types`: a list of cases, or a map of cases with their raw values.
enum EnumDecoder {
  private enum RawType: String, CaseName {
    case string = "String"
    case int = "Int"

    static let names = NameTable<Self>()
  }

  static func form(_ node: SyntaxNode, raw: SyntaxNode?, _ context: inout DecodingContext) -> TypeTable.Form? {
    var rawType = RawType.string
    if let raw {
      guard let type: RawType = context.name(raw, "a type of raw values", .unknownType, example: "raw: Int") else {
        return nil
      }
      rawType = type
    }
    guard let cases = cases(node, &context) else { return nil }
    guard !cases.isEmpty else {
      context.findings.report(.missingField, "an enum has at least one case", at: node, help: "write [light, dark]")
      return nil
    }
    switch rawType {
    case .string: return strings(cases, &context).map(TypeTable.Form.stringEnum)
    case .int: return integers(cases, &context).map(TypeTable.Form.intEnum)
    }
  }

  private static func cases(_ node: SyntaxNode, _ context: inout DecodingContext) -> [EnumCaseDraft]? {
    var cases: [EnumCaseDraft] = []
    var isSound = true
    switch node.kind {
    case .sequence:
      var first: [String: SyntaxNode] = [:]
      for child in node.children {
        guard let name = context.identifier(child, as: .enumCase) else {
          isSound = false
          continue
        }
        if let earlier = first[name] {
          context.findings.report(
            .duplicateEntry, "the case '\(name)' is listed twice", at: child, help: "remove one of the two",
            notes: [.init("the first one", at: earlier.place)])
          isSound = false
        }
        first[name] = child
        cases.append(EnumCaseDraft(name: name, node: child))
      }
    case .mapping:
      for (key, value) in node.fields {
        if let draft = mappedCase(key, value, &context) { cases.append(draft) } else { isSound = false }
      }
    case .scalar:
      context.reportKind(node, "a list or a map of cases", example: "enum: [light, dark]")
      return nil
    }
    return isSound ? cases : nil
  }

  private static func mappedCase(_ key: SyntaxNode, _ value: SyntaxNode, _ context: inout DecodingContext)
    -> EnumCaseDraft?
  {
    let name = context.identifier(key, as: .enumCase)
    var draft = EnumCaseDraft(name: key.text, node: key)
    if value.kind == .mapping {
      guard Language.enumCase.decode(value, into: &draft, &context).isSound else { return nil }
    } else {
      draft.raw = value
    }
    return name == nil ? nil : draft
  }

  private static func strings(_ cases: [EnumCaseDraft], _ context: inout DecodingContext) -> [ResolvedType.EnumCase<
    String
  >]? {
    var first: [String: SyntaxNode] = [:]
    var result: [ResolvedType.EnumCase<String>] = []
    for draft in cases {
      var raw = draft.name
      if let node = draft.raw {
        guard let text = context.scalar(node, "a raw value", example: "\(draft.name): \"\(draft.name)\"") else {
          continue
        }
        raw = text
      }
      guard isNew(raw, draft, &first, &context) else { continue }
      result.append(.init(name: draft.name, raw: raw, description: draft.description))
    }
    return result.count == cases.count ? result : nil
  }

  private static func integers(_ cases: [EnumCaseDraft], _ context: inout DecodingContext) -> [ResolvedType.EnumCase<
    Int
  >]? {
    var first: [Int: SyntaxNode] = [:]
    var result: [ResolvedType.EnumCase<Int>] = []
    var numbers = UnusedNumbers(besides: cases)
    for draft in cases {
      guard let node = draft.raw else {
        context.findings.report(
          .invalidRawValue, "the case '\(draft.name)' has no number", at: draft.node,
          help: "write each case with its number, which is what is stored: {\(draft.name): \(numbers.next())}")
        continue
      }
      guard let text = context.scalar(node, "a whole number", example: "\(draft.name): 0") else { continue }
      guard let raw = Int32(text).map(Int.init) else {
        let isLarge = Int64(text) != nil
        context.findings.report(
          .invalidRawValue,
          isLarge
            ? "'\(text)' does not fit into an Int on Apple Watch, which has 32 bits"
            : "'\(text)' is not a whole number",
          at: node,
          help: isLarge
            ? "use smaller numbers, or an enum of texts" : "write `\(draft.name): \(numbers.next(meant: text))`")
        continue
      }
      guard isNew(raw, draft, &first, &context) else { continue }
      result.append(.init(name: draft.name, raw: raw, description: draft.description))
    }
    return result.count == cases.count ? result : nil
  }

  /// Numbers for proposals, each of which no case has.
  private struct UnusedNumbers {
    private var used: Set<Int32>

    init(besides cases: [EnumCaseDraft]) { used = Set(cases.compactMap { $0.raw.flatMap { Int32($0.text) } }) }

    /// Returns the number that a text means, or the smallest one if it means none, or one that a case has.
    mutating func next(meant text: String = "") -> Int32 {
      let meant = NumberText.meant(by: text).flatMap { Int32(exactly: $0) }
      let number = meant.flatMap { used.contains($0) ? nil : $0 } ?? (0...Int32.max).first { !used.contains($0) } ?? 0
      used.insert(number)
      return number
    }
  }

  private static func isNew<Raw: Hashable>(
    _ raw: Raw, _ draft: EnumCaseDraft, _ first: inout [Raw: SyntaxNode], _ context: inout DecodingContext
  ) -> Bool {
    let node = draft.raw ?? draft.node
    if let earlier = first[raw] {
      context.findings.report(
        .duplicateEntry, "the raw value '\(raw)' is used twice", at: node, help: "give each case another value",
        notes: [.init("the first one", at: earlier.place)])
      return false
    }
    first[raw] = node
    return true
  }
}
