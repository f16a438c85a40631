import CatalogSyntax
import StorageVocabulary

/// An upgrade leads to the key's schema: it is from one below, each once, and the key says which schema it has.
struct UpgradeSchemaRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard !key.upgrades.isEmpty, key.isSound(KeyFieldSet(.schema, .upgrade)) else { return }
    guard key.own.contains(.schema) else {
      let last = key.upgrades.map(\.from).max() ?? 1
      findings.report(
        .upgradeSchema, "'upgrade' needs the schema that it leads to",
        at: key.node(of: .upgrade, defaults: defaults), help: "add `schema: \(last + 1)`")
      return
    }
    let schema = key.resolved.descriptor.schema
    var seen: [Int: SyntaxNode] = [:]
    for step in key.upgrades {
      if step.from >= schema {
        findings.report(
          .upgradeSchema, "an upgrade from \(step.from) does not lead to schema \(schema)", at: step.fromNode,
          help: "write `schema: \(step.from + 1)`, or leave the upgrade out",
          notes: [.init("the schema", at: key.node(of: .schema, defaults: defaults).place)])
      }
      if let first = seen[step.from] {
        findings.report(
          .duplicateEntry, "schema \(step.from) is upgraded twice", at: step.fromNode, help: "keep one of the two",
          notes: [.init("the other", at: first.place)])
      } else {
        seen[step.from] = step.fromNode
      }
    }
  }
}
