import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let upgradeSchema = Rule(
    "upgrade-schema", .migrations, "An upgrade is from a schema before the key's, and the key says its schema.",
    why: "The schema is stored with each value and decides which upgrades run.",
    bad: .keys(
      "profile: {type: Data, upgrade: [{from: 1, transform: Upgrades.second}], description: Who the user is.}"),
    good: .keys(
      "profile: {type: Data, schema: 2, upgrade: [{from: 1, transform: Upgrades.second}], "
        + "description: Who the user is.}"))
}

/// Checks that each upgrade leads towards the key's schema, and that there is one for each earlier schema at most.
struct UpgradeSchemaRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard !key.upgrades.isEmpty, key.isSound(KeyFieldSet(.schema, .upgrade)) else { return }
    guard key.own.contains(.schema) else {
      let last = key.upgrades.map(\.from).max() ?? 1
      findings.report(
        .upgradeSchema, "the key has an `upgrade` but no `schema`",
        at: key.node(of: .upgrade, defaults: defaults), help: "add `schema: \(last + 1)`")
      return
    }
    let schema = key.resolved.descriptor.schema
    var seen: [Int: SyntaxNode] = [:]
    for step in key.upgrades {
      if step.from >= schema {
        findings.report(
          .upgradeSchema, "an upgrade from \(step.from) does not lead to schema \(schema)", at: step.fromNode,
          help: "write `schema: \(step.from + 1)`, or remove the upgrade",
          notes: [.init("the schema", at: key.node(of: .schema, defaults: defaults).place)])
      }
      if let first = seen[step.from] {
        findings.report(
          .duplicateEntry, "there are two upgrades from schema \(step.from)", at: step.fromNode,
          help: "remove one of the two",
          notes: [.init("the other one", at: first.place)])
      } else {
        seen[step.from] = step.fromNode
      }
    }
  }
}
