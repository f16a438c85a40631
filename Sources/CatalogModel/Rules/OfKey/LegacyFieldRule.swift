import CatalogSyntax
import StorageVocabulary

/// A legacy key is read as a migration's source and never written, so what says how to write it means nothing.
struct LegacyFieldRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.isLegacy else { return }
    for field in KeyField.allCases where key.own.contains(field) && key.isSound(KeyFieldSet(field)) {
      guard let reason = reason(field, key) else { continue }
      findings.report(
        .legacyField, "a legacy key \(reason)", at: key.node(of: field, defaults: defaults),
        help: "leave out `\(field.text)`, or `legacy: true`")
    }
  }

  private func reason(_ field: KeyField, _ key: DecodedKey) -> String? {
    switch field {
    case .default: "has no default: where it is absent there is nothing to migrate"
    case .syncPolicy: key.resolved.descriptor.syncPolicy == .never ? nil : "is never sent: it is only read"
    case .sync, .watch: "is never sent: it is only read"
    case .retention: "has no retention: its migration removes it"
    case .migration: "is a source of migrations, not a destination"
    case .deprecated: "cannot be used by the app, so there is nothing to deprecate"
    case .access: key.own.contains(.access) && key.ownAccess != .internal ? "is always internal" : nil
    default: nil
    }
  }
}

extension DecodedKey {
  /// The access that the key asks for itself.
  fileprivate var ownAccess: AccessLevel? {
    body.value(of: KeyField.access.text).flatMap { AccessLevel.names.find($0) }
  }
}
