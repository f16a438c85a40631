import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let corruptionPolicy = Rule(
    "corruption-policy", .combinations,
    "`useDefault` is for unsecured keys with a default, `quarantine` for keys that are neither synced nor temporary, and "
      + "not secured by the keychain alone.",
    why: "The policy would lose a value, send its absence to the paired device, or keep a copy that nothing protects.",
    bad: .keys("theme: {type: String, onCorruption: useDefault, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, default: light, onCorruption: useDefault, description: The colour scheme the user chose.}")
  )
}

/// Checks that a key can have its corruption policy.
struct CorruptionPolicyRule: KeyRule {
  struct Problem {
    var message: String
    var help: String
    /// The field that the policy does not fit.
    var field: KeyField
  }

  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.onCorruption != .throw, !descriptor.isLegacy, key.isSound(Self.fields),
      let problem = Self.problem(with: descriptor, key.resolved.type, hasDefault: key.resolved.defaultValue != nil)
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

  /// Returns true if a key can have the policy that its `defaults` write.
  static func allows(_ draft: KeyDraft) -> Bool {
    guard draft.descriptor.onCorruption != .throw else { return true }
    var descriptor = draft.descriptor
    descriptor.domain = draft.domain?.domain ?? .userDefaults()
    descriptor.security = draft.security?.policy ?? .recommended
    return !descriptor.isLegacy
      && problem(with: descriptor, draft.type ?? .scalar(.string), hasDefault: draft.defaultNode != nil) == nil
  }

  private static func problem(
    with key: StorageKeyDescriptor, _ type: ValueType, hasDefault: Bool
  ) -> Problem? {
    switch key.onCorruption {
    case .throw: return nil
    case .useDefault:
      if key.security != .none {
        return Problem(
          message: "'\(key.onCorruption.text)' is for values that are not secured",
          help: key.security.kind == .keychain
            ? "remove `onCorruption`" : "write `onCorruption: \(CorruptionPolicy.quarantine.text)`", field: .security)
      }
      if !hasDefault {
        return Problem(
          message: "'\(key.onCorruption.text)' needs a default, and '\(key.member)' has none",
          help: "add a `default`, or write `onCorruption: \(CorruptionPolicy.quarantine.text)`", field: .default)
      }
    case .quarantine:
      if key.security.kind == .keychain {
        return Problem(
          message: "'\(key.onCorruption.text)' moves the bytes to a file, where the keychain does not protect them",
          help: "remove `onCorruption`, or write `security: recommended`", field: .security)
      }
      if key.retention != nil {
        return Problem(
          message: "'\(key.onCorruption.text)' would keep the bytes longer than the retention allows",
          help: "remove `onCorruption` or `retention`", field: .retention)
      }
      if key.syncPolicy != .never {
        return Problem(
          message: "'\(key.onCorruption.text)' would look like a removal to the paired device",
          help: "remove `onCorruption`, or write `syncPolicy: never`", field: .syncPolicy)
      }
    }
    // In preferences, other code of the app may have stored something that is no Data.
    let isPreference = key.domain.kind == .userDefaults || key.domain.kind == .appGroupUserDefaults
    guard type == .scalar(.data), key.serializer == .data, !isPreference || key.security != .none else { return nil }
    return Problem(
      message: "'onCorruption' has no effect: all bytes are a value of Data", help: "remove `onCorruption`",
      field: .serializer)
  }
}
