import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let corruptionPolicy = Rule(
    "corruption-policy", .combinations,
    "`useDefault` is for unsecured keys with a default, `quarantine` for keys that are neither synced nor temporary, and "
      + "not secured by the keychain alone, `skipElements` for lists and sets of an enum that are not encrypted.",
    why: "The policy would lose a value, send its absence to the paired device, or keep a copy that nothing protects.",
    bad: .keys("theme: {type: String, onCorruption: useDefault, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, default: light, onCorruption: useDefault, description: The colour scheme the user chose.}")
  )
}

/// Checks that a key can have its corruption policy.
struct CorruptionPolicyRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.onCorruption != .throw else { return }
    let descriptor = key.resolved.descriptor
    guard !descriptor.isLegacy, key.isSound(Self.fields),
      let problem = CorruptionProblem.of(
        descriptor, key.resolved.type, hasDefault: key.resolved.defaultValue != nil,
        hasEnumElements: key.hasEnumElements)
    else { return }
    let isWritten = problem.field != .default
    findings.report(
      .corruptionPolicy, problem.message, at: key.node(of: .onCorruption, defaults: defaults), help: problem.help,
      notes: isWritten
        ? [
          .init(
            "the \(problem.field.text) of '\(descriptor.member)'",
            at: key.node(of: problem.field, defaults: defaults).place)
        ] : [])
  }

  private static let fields = KeyFieldSet(
    .onCorruption, .default, .type, .domain, .security, .serializer, .retention, .syncPolicy, .schema, .legacy)
}
