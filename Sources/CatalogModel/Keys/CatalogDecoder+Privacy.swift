import CatalogSyntax

extension CatalogDecoder {
  private enum PrivacyField: UInt8, FieldName {
    case collected, linked, tracking, dataType, purposes

    static let names = NameTable<Self>()
  }

  mutating func privacy(_ node: SyntaxNode) -> ResolvedPrivacy? {
    let example = "privacy: {collected: true, dataType: emailAddress, purposes: [appFunctionality]}"
    guard mapping(node, "a map with 'collected'", example: example) else { return nil }
    var result = ResolvedPrivacy(isCollected: false)
    var collected: Bool?
    var rest: SyntaxNode?
    var isSound = true
    var hasCollected = false
    func take<Value>(_ slot: inout Value, _ value: Value?) {
      if let value { slot = value } else { isSound = false }
    }
    var fields = FieldIterator<PrivacyField>(node, of: "'privacy'")
    while let (field, key, value) = fields.next(&findings) {
      if field != .collected { rest = rest ?? key }
      switch field {
      case .collected:
        hasCollected = true
        collected = flag(value, field.text)
        if collected == nil { isSound = false }
      case .linked: take(&result.isLinked, flag(value, field.text))
      case .tracking: take(&result.isTracking, flag(value, field.text))
      case .dataType:
        let type: ResolvedPrivacy.DataType? = name(value, "a type of collected data", example: example)
        take(&result.dataType, type)
      case .purposes: take(&result.purposes, purposes(value, example: example))
      }
    }
    guard isSound, !fields.hasUnknown else { return nil }
    result.isCollected = collected ?? false
    if !hasCollected {
      findings.report(
        .missingField, "'privacy' says whether the value is collected", at: node, help: "write `\(example)`")
    } else if !result.isCollected, let rest {
      findings.report(
        .invalidPrivacy, "'\(rest.text)' says how a value is collected, and this one is not", at: rest,
        help: "write {collected: false} alone, or {collected: true}")
    } else if result.isCollected, result.dataType == nil || result.purposes.isEmpty {
      findings.report(
        .invalidPrivacy, "a collected value needs 'dataType' and at least one of 'purposes'", at: node,
        help: "write `\(example)`")
    } else {
      return result
    }
    return nil
  }

  private mutating func purposes(_ node: SyntaxNode, example: String) -> [ResolvedPrivacy.Purpose]? {
    guard sequence(node, "a list of purposes", example: example) else { return nil }
    var result: [ResolvedPrivacy.Purpose] = []
    var isSound = true
    for child in node.children {
      guard let purpose: ResolvedPrivacy.Purpose = name(child, "a purpose", example: example) else {
        isSound = false
        continue
      }
      if result.contains(purpose) {
        findings.report(.duplicateEntry, "the purpose '\(purpose.text)' is listed twice", at: child, help: "remove one")
        isSound = false
      }
      result.append(purpose)
    }
    return isSound ? result : nil
  }
}
