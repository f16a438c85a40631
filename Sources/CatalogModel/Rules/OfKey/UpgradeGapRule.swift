import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let upgradeGap = Rule(
    "upgrade-gap", .migrations, "There is an upgrade from each schema before the key's.",
    why: "A user can skip releases. A value of an earlier schema could not be read any more.",
    bad: .keys("profile: {type: Data, schema: 2, description: Who the user is.}"),
    good: .keys(
      "profile: {type: Data, schema: 2, upgrade: [{from: 1, transform: Upgrades.second}], "
        + "description: Who the user is.}"))
}

/// Checks that the values of each earlier schema can be upgraded.
struct UpgradeGapRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.schema > 1, key.isSound(KeyFieldSet(.schema, .upgrade)) else { return }
    let missing = Set(1..<key.resolved.descriptor.schema).subtracting(key.upgrades.map(\.from)).sorted()
    guard let first = missing.first else { return }
    let isWritten = key.own.contains(.upgrade)
    let listed = missing.prefix(3).map(String.init).joined(separator: ", ")
    let rest = missing.count > 3 ? " and \(missing.count - 3) more" : ""
    findings.report(
      .upgradeGap, "there is no upgrade from schema\(missing.count == 1 ? "" : "s") \(listed)\(rest)",
      at: key.node(of: isWritten ? .upgrade : .schema, defaults: defaults),
      help: isWritten
        ? "add {from: \(first), transform: …} to the list; the transform throws if the app no longer reads such values"
        : "add `upgrade: [{from: \(first), transform: …}]` with a function from the old type to this one")
  }
}
