import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let retentionDomain = Rule(
    "retention-domain", .combinations, "The end of a retention is a moment that exists in the domain.",
    why: "The members of an app group have no common launch, and only keychain items outlive an uninstall.",
    bad: .keys("query: {type: String, retention: {until: reinstall}, description: What the user searched for.}"),
    good: .keys("query: {type: String, retention: {until: relaunch}, description: What the user searched for.}"))
}

/// Checks that the end of a retention exists in the key's domain.
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
      problem = "'until: relaunch' has no meaning in an app group, whose members are launched at different times"
      help = "use {maxAge: 1d}, or a domain that belongs to the app alone"
    case .untilReinstall where kind != .keychain:
      problem = "'until: reinstall' has no effect in '\(kind.text)', because an uninstall removes its values"
      help = "remove `retention`; only keychain items outlive an uninstall"
    default: return
    }
    findings.report(
      .retentionDomain, problem, at: key.node(of: .retention, defaults: defaults), help: help,
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
