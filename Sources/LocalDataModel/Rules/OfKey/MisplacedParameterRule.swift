import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

extension Rule {
  static let misplacedParameter = Rule(
    "misplaced-parameter", .places, "A parameter between braces is in the stored name, and in no other text.",
    why: "Only the stored name differs between the members of a family. Elsewhere the braces are ordinary characters.",
    bad: .keys(
      "note: {type: String, parameters: {user: UUID}, domain: {keychain: {service: \"app.{user}\"}}, "
        + "security: keychain, description: What the user wrote.}"),
    good: .keys(
      "note: {type: String, parameters: {user: UUID}, name: \"note.{user}\", domain: {keychain: {service: app}}, "
        + "security: keychain, description: What the user wrote.}"), isAllowable: true)
}

/// Checks that suites, groups, services, directories and key sources contain no parameter.
///
/// Legacy keys and inline sources are not checked: they name an address as an earlier release used it.
struct MisplacedParameterRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard !key.resolved.descriptor.isLegacy, key.isSound(KeyFieldSet(.legacy)) else { return }
    let domain = key.resolved.descriptor.domain
    if domain.isNamed || domain.directory?.customPath != nil, key.isSound(KeyFieldSet(.domain)) {
      for (what, text) in domain.texts { report(what, text, in: .domain, of: key, defaults, &findings) }
    }
    if key.isSound(KeyFieldSet(.security)), case .encrypted(let policy) = key.resolved.descriptor.security,
      case .external(let source) = policy.keySource
    {
      report("key source", source.id, in: .security, of: key, defaults, &findings)
    }
  }

  private func report(
    _ what: String, _ text: String, in field: KeyField, of key: DecodedKey, _ defaults: SyntaxNode?,
    _ findings: inout Findings
  ) {
    guard NameParts.hasBrace(text), let parameter = Self.firstParameter(text) else { return }
    let isOwn = key.resolved.parameters.contains { $0.name == parameter }
    findings.report(
      .misplacedParameter,
      "the \(what) '\(text)' contains '{\(parameter)}', which is no parameter there but ordinary text",
      at: key.node(of: field, defaults: defaults),
      help: isOwn
        ? "remove it: the stored name contains '{\(parameter)}', so each member has its own value"
        : "remove the braces; a parameter is declared as in `parameters: {\(Self.declarable(parameter)): UUID}`, and "
          + "is part of `name`")
  }

  private static func firstParameter(_ text: String) -> String? {
    for case .parameter(let name) in NameParts.wildcards(text) { return name }
    return nil
  }

  private static func declarable(_ name: String) -> String {
    Identifier.isWellFormed(name, as: .parameter) ? name : "documentID"
  }
}

extension StorageDomain {
  /// The texts of the domain, with words for each.
  fileprivate var texts: [(what: String, text: String)] {
    let fields = fields
    let texts = [
      ("suite", fields.suite), ("app group", fields.identifier), ("service", fields.service),
      ("access group", fields.accessGroup), ("directory", fields.directory?.customPath),
    ]
    return texts.compactMap { what, text in text.map { (what, $0) } }
  }
}
