import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let credentialDefault = Rule(
    "credential-default", .protection,
    "A credential has no default. A key that is named like a credential gives a warning only.",
    why: "A default is part of the app's package, and anyone who has the app can read it.",
    bad: .keys(
      "session: {type: String, default: 4711-0815, sensitivity: credential, security: recommended, "
        + "description: What the server knows the user by.}"),
    good: .keys(
      "session: {type: String, sensitivity: credential, security: recommended, "
        + "description: What the server knows the user by.}"), isAllowable: true)
}

/// Checks that no secret is written as a default. An empty text, an empty list and a flag are no secrets, and what a value
/// declared in Swift contains is not known.
struct CredentialDefaultRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard let value = key.resolved.defaultValue, value.canBeSecret,
      key.isSound(KeyFieldSet(.default, .sensitivity, .type))
    else { return }
    let member = key.resolved.descriptor.member
    if key.resolved.descriptor.sensitivity == .credential {
      report("'\(member)' is a credential", "", nil, key, defaults, &findings)
    } else if !key.own.contains(.sensitivity), CredentialNames.contains(key) {
      report(
        "'\(member)' is named like a credential", "; if it is no secret, write `sensitivity: internal`", .warning, key,
        defaults, &findings)
    }
  }

  private func report(
    _ what: String, _ furtherHelp: String, _ severity: Diagnostic.Severity?, _ key: DecodedKey, _ defaults: SyntaxNode?,
    _ findings: inout Findings
  ) {
    findings.report(
      .credentialDefault, "\(what), but its default is part of the app's package, where anyone can read it",
      at: key.node(of: .default, defaults: defaults),
      help: "remove `default`, and let the app fetch or create the value\(furtherHelp)", severity: severity)
  }
}

extension DefaultValue {
  /// A Boolean value that indicates whether the value contains a text or a number that may be a secret.
  var canBeSecret: Bool {
    switch self {
    case .string(let text): !text.isEmpty
    case .data(let bytes): !bytes.isEmpty
    case .list(let elements): elements.contains(where: \.canBeSecret)
    case .map(let entries): entries.contains { $0.value.canBeSecret }
    case .integer, .floating, .decimal, .url, .uuid: true
    case .bool, .date, .enumCase, .swift: false
    }
  }
}
