import CatalogSyntax
import StorageVocabulary

/// Every schema that a release may have stored leads to the key's, or its values could not be read any more.
struct UpgradeGapRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.schema > 1, key.isSound(KeyFieldSet(.schema, .upgrade)) else { return }
    let missing = Set(1..<key.resolved.descriptor.schema).subtracting(key.upgrades.map(\.from)).sorted()
    guard let first = missing.first else { return }
    let isWritten = key.own.contains(.upgrade)
    let listed = missing.prefix(3).map(String.init).joined(separator: ", ")
    let rest = missing.count > 3 ? " and \(missing.count - 3) more" : ""
    findings.report(
      .upgradeGap, "nothing upgrades what schema\(missing.count == 1 ? "" : "s") \(listed)\(rest) stored",
      at: key.node(of: isWritten ? .upgrade : .schema, defaults: defaults),
      help: isWritten
        ? "add {from: \(first), transform: …} to the list; a transform that throws refuses what is too old"
        : "add `upgrade: [{from: \(first), transform: …}]` with a function from the old type to this one")
  }
}
