import LocalDataSyntax
import LocalDataVocabulary

/// A check of the fields of one key.
protocol KeyRule: Sendable {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings)
}

extension DecodedKey {
  /// A Boolean value that indicates whether the key's values are neither encrypted nor in the keychain.
  var isInPlainStore: Bool {
    resolved.descriptor.security == .none && !resolved.descriptor.isLegacy
      && !resolved.descriptor.domain.kind.protectsEveryValue
      && isSound(KeyFieldSet(.security, .domain, .sensitivity, .legacy))
  }
}

extension Sensitivity {
  /// A Boolean value that indicates whether the data is about a person. Credentials have other rules.
  var isAboutPerson: Bool {
    switch self {
    case .personal, .health, .financial: true
    case .public, .internal, .credential: false
    }
  }
}
