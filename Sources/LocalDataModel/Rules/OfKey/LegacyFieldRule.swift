import LocalDataSyntax
import LocalDataVocabulary

/// Checks that a legacy key, which is never written, has no field about writing.
struct LegacyFieldRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.isLegacy else { return }
    for field in KeyField.allCases where key.own.contains(field) && key.isSound(KeyFieldSet(field)) {
      guard let reason = reason(field, key) else { continue }
      findings.report(
        .legacyField, "a legacy key \(reason)", at: key.node(of: field, defaults: defaults),
        help: "remove `\(field.text)`, or remove `legacy: true`")
    }
  }

  private func reason(_ field: KeyField, _ key: DecodedKey) -> String? {
    switch field {
    case .default: "has no default: if it is absent, there is nothing to migrate"
    case .syncPolicy: key.resolved.descriptor.syncPolicy == .never ? nil : "is never sent, because it is only read"
    case .sync, .watch: "is never sent, because it is only read"
    case .retention: "has no retention, because its migration removes it"
    case .onCorruption:
      key.resolved.descriptor.onCorruption == .throw ? nil : "is a source, and a migration never takes bytes for absent"
    case .valid: "is only read, and its migration takes every value"
    case .signOut: "is removed by its migration, and by a sign-out"
    case .deprecated: "cannot be used by the app, so it cannot be deprecated"
    case .access: key.own.contains(.access) && key.ownAccess != .internal ? "is always internal" : nil
    default: nil
    }
  }
}

extension DecodedKey {
  /// The access that the key writes itself.
  fileprivate var ownAccess: AccessLevel? {
    body.value(of: KeyField.access.text).flatMap { AccessLevel.names.find($0) }
  }
}
