import CatalogSyntax
import StorageVocabulary

/// An end of retention must be one that the domain can know.
struct RetentionDomainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard let retention = key.resolved.descriptor.retention, key.isSound(KeyFieldSet(.retention, .domain)) else {
      return
    }
    let descriptor = key.resolved.descriptor
    let kind = descriptor.domain.kind
    let (problem, help): (String, String)
    switch retention {
    case .untilRelaunch where kind.isAppGroup:
      problem = "the members of an app group are launched at different times, so 'until: relaunch' has no moment there"
      help = "use {maxAge: 1d}, or a domain of the app's own"
    case .untilReinstall where kind != .keychain:
      problem = "an uninstall removes what '\(kind.text)' holds, so 'until: reinstall' says nothing there"
      help = "leave `retention` out; the keychain alone outlives an uninstall"
    default: return
    }
    findings.report(
      .retentionDomain, problem, at: key.node(of: .retention, defaults: defaults), help: help,
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
