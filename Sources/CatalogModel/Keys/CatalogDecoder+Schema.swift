import CatalogSyntax

/// One step of `upgrade:`, with its places.
struct UpgradeStep {
  var from: Int
  var fromNode: SyntaxNode
  var upgrade: ResolvedKey.Upgrade
}

/// `schema:` and `upgrade:`. Whether the steps lead from the first schema to the key's is for rules to say.
extension CatalogDecoder {
  /// What a chain can have: far more than an app has releases that change one value, and little for a compiler.
  static let schemas = 1...100

  private enum UpgradeField: UInt8, FieldName {
    case from, transform

    static let names = NameTable<Self>()
  }

  private static let example = "upgrade: [{from: 1, transform: ProfileV1.upgraded}]"

  mutating func schema(_ node: SyntaxNode) -> Int? {
    schema(node, "the version of a schema", within: Self.schemas, example: "schema: 2")
  }

  mutating func upgrades(_ node: SyntaxNode) -> [UpgradeStep]? {
    guard sequence(node, "a list of upgrades", example: Self.example) else { return nil }
    var steps: [UpgradeStep] = []
    var count = 0
    for child in node.children {
      count += 1
      if let step = upgrade(child) { steps.append(step) }
    }
    if count == 0 {
      findings.report(.missingField, "'upgrade' has no step", at: node, help: "write `\(Self.example)`")
      return nil
    }
    return steps.count == count ? steps : nil
  }

  private mutating func upgrade(_ node: SyntaxNode) -> UpgradeStep? {
    guard mapping(node, "a map with 'from' and 'transform'", example: Self.example) else { return nil }
    var from: (number: Int?, node: SyntaxNode)?
    var transform: (name: SwiftName?, node: SyntaxNode)?
    var fields = FieldIterator<UpgradeField>(node, of: "an upgrade")
    while let (field, _, value) = fields.next(&findings) {
      switch field {
      case .from:
        let below = Self.schemas.lowerBound...Self.schemas.upperBound - 1
        from = (schema(value, "the version of a schema", within: below, example: "from: 1"), value)
      case .transform:
        transform = (
          swiftName(value, "the name of a function", example: "transform: ProfileV1.upgraded"), value
        )
      }
    }
    guard let from, let transform else {
      if !fields.hasUnknown {
        findings.report(
          .missingField, "an upgrade needs 'from' and 'transform'", at: node, help: "write `\(Self.example)`")
      }
      return nil
    }
    guard let number = from.number, let name = transform.name, !fields.hasUnknown else { return nil }
    return UpgradeStep(
      from: number, fromNode: from.node, upgrade: .init(line: transform.node.line, transform: name))
  }

  private mutating func schema(
    _ node: SyntaxNode, _ what: String, within bounds: ClosedRange<Int>, example: String
  ) -> Int? {
    guard let text = scalar(node, what, example: example) else { return nil }
    if let number = Int(text), bounds.contains(number), text.utf8.allSatisfy(Identifier.isDigit) { return number }
    findings.report(
      .invalidNumber, "'\(text)' is not a number from \(bounds.lowerBound) to \(bounds.upperBound)", at: node,
      help: "write a whole number: `\(example)`")
    return nil
  }
}
