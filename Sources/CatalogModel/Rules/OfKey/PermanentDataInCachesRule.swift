import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let permanentDataInCaches = Rule(
    "permanent-data-in-caches", .protection, .warning,
    "A value in `caches` has a `retention`, and is not the destination of a migration.",
    why: "The system deletes the files in this directory when it needs space, without asking the app.",
    bad: .keys(
      "draft: {type: String, domain: {fileSystem: {directory: caches}}, description: What the user wrote.}"),
    good: .keys(
      "rate: {type: Double, domain: {fileSystem: {directory: caches}}, retention: {maxAge: 1d}, "
        + "description: The price of a euro in dollars.}"))
}

/// Checks that only temporary values are in a directory that the system may empty.
struct PermanentDataInCachesRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.domain.directory == .caches, !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.domain, .retention, .legacy))
    else { return }
    let member = key.resolved.descriptor.member
    if key.migrationNode != nil {
      findings.report(
        .permanentDataInCaches, "the system can delete '\(member)' from the caches after its migration",
        at: key.node(of: .domain, defaults: defaults),
        help: "use another directory; a value that can be made again needs no migration")
    } else if key.resolved.descriptor.retention == nil {
      findings.report(
        .permanentDataInCaches, "the system can delete '\(member)' from the caches, but it has no `retention`",
        at: key.node(of: .domain, defaults: defaults),
        help: "use another directory, or add `retention: {maxAge: 7d}` if the value is temporary")
    }
  }
}
