import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let backupDomain = Rule(
    "backup-domain", .combinations, "`backup` is a field of files.",
    why: "Preferences and keychain items are backed up as a whole, so the field would have no effect.",
    bad: .keys("theme: {type: String, backup: false, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, domain: {fileSystem: {directory: documents}}, backup: false, "
        + "description: The colour scheme the user chose.}"))
}

/// Checks that only files are left out of a backup.
struct BackupDomainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.own.contains(.backup), !key.resolved.descriptor.domain.kind.isFile,
      key.isSound(KeyFieldSet(.backup, .domain))
    else {
      return
    }
    let descriptor = key.resolved.descriptor
    let kinds = StorageDomain.Kind.allCases.filter(\.isFile).map(\.text).joined(separator: ", ")
    findings.report(
      .backupDomain,
      "'backup' applies to files, but '\(descriptor.member)' is stored in '\(descriptor.domain.kind.text)'",
      at: key.node(of: .backup, defaults: defaults),
      help: descriptor.domain.kind == .keychain
        ? "remove it, and use an accessibility that ends in ThisDeviceOnly; such an item is not restored on another device"
        : "remove it, or use one of the domains \(kinds)",
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
