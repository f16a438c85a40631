import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let personalDataInPlainStore = Rule(
    "personal-data-in-plain-store", .protection, .warning, "Personal, health and financial data is encrypted.",
    why: "Preferences and files are part of backups, which others can read.",
    bad: .keys("email: {type: String, sensitivity: personal, description: Where receipts are sent to.}"),
    good: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, description: Where receipts are sent to.}"))
}

/// Checks that personal data is not stored as it is.
struct PersonalDataInPlainStoreRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let sensitivity = key.resolved.descriptor.sensitivity
    guard sensitivity.isAboutPerson, key.isInPlainStore else { return }
    findings.report(
      .personalDataInPlainStore,
      "'\(key.resolved.descriptor.member)' has the sensitivity '\(sensitivity.text)', but "
        + "'\(key.resolved.descriptor.domain.kind.text)' stores it without protection",
      at: key.member, help: "write `security: recommended`, which encrypts the value")
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
