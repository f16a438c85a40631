import CatalogSyntax
import StorageVocabulary

/// Only a file can be left out of a device's backup by itself.
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
      .backupDomain, "'backup' is for files, and '\(descriptor.member)' lies in '\(descriptor.domain.kind.text)'",
      at: key.node(of: .backup, defaults: defaults),
      help: descriptor.domain.kind == .keychain
        ? "use an accessibility that ends in ThisDeviceOnly, which no backup restores elsewhere"
        : "leave it out, or use one of \(kinds)",
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
