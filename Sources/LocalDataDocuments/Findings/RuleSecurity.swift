/// A weakness of the Common CommonWeakness Enumeration (cwe.mitre.org).
struct CommonWeakness: Sendable {
  var number: Int
  var title: String

  static let pathTraversal = CommonWeakness(
    number: 22, title: "Improper Limitation of a Pathname to a Restricted Directory ('Path Traversal')")
  static let exposure = CommonWeakness(
    number: 200, title: "Exposure of Sensitive Information to an Unauthorized Actor")
  static let missingEncryption = CommonWeakness(number: 311, title: "Missing Encryption of Sensitive Data")
  static let cleartextStorage = CommonWeakness(number: 312, title: "Cleartext Storage of Sensitive Information")
  static let privateExposure = CommonWeakness(
    number: 359, title: "Exposure of Private Personal Information to an Unauthorized Actor")
  static let exposedBackup = CommonWeakness(
    number: 530, title: "Exposure of Backup File to an Unauthorized Control Sphere")
  static let hardCodedCredentials = CommonWeakness(number: 798, title: "Use of Hard-coded Credentials")
  static let insecureStorage = CommonWeakness(number: 922, title: "Insecure Storage of Sensitive Information")
  static let lookAlikes = CommonWeakness(
    number: 1007, title: "Insufficient Visual Distinction of Homoglyphs Presented to User")
}

/// What findings of a rule mean for security, and how sure they are.
package struct RuleSecurity: Sendable {
  /// The degree to which findings are right, in the words of code scanning.
  enum Precision: String, Sendable {
    case veryHigh = "very-high"
    /// A finding can follow from the name of a key.
    case medium
  }

  var weaknesses: [CommonWeakness]
  /// The severity on the scale of CVSS, from 0.1 to 10, as a decimal number.
  var severity: String

  /// By the ids of rules. The rules that are missing are not about security.
  package static let all: [String: RuleSecurity] = [
    "credential-outside-keychain": RuleSecurity(weaknesses: [.cleartextStorage, .insecureStorage], severity: "7.5"),
    "credential-default": RuleSecurity(weaknesses: [.hardCodedCredentials], severity: "7.5"),
    "personal-data-in-plain-store": RuleSecurity(weaknesses: [.cleartextStorage], severity: "5.5"),
    "sensitive-in-backup": RuleSecurity(weaknesses: [.exposedBackup], severity: "5.0"),
    "deprecated-accessibility": RuleSecurity(weaknesses: [.insecureStorage], severity: "5.0"),
    "sync-on-sensitive": RuleSecurity(weaknesses: [.privateExposure], severity: "4.0"),
    "secured-sync": RuleSecurity(weaknesses: [.missingEncryption], severity: "6.0"),
    "unsecured-domain": RuleSecurity(weaknesses: [.missingEncryption], severity: "6.0"),
    "database-protection": RuleSecurity(weaknesses: [.insecureStorage], severity: "5.0"),
    "encrypted-index": RuleSecurity(weaknesses: [.exposure], severity: "5.0"),
    "blind-index-leaks": RuleSecurity(weaknesses: [.exposure], severity: "3.5"),
    "released-protection-weaker": RuleSecurity(weaknesses: [.insecureStorage], severity: "5.0"),
    "outside-project": RuleSecurity(weaknesses: [.pathTraversal], severity: "6.0"),
    "invalid-directory": RuleSecurity(weaknesses: [.pathTraversal], severity: "4.0"),
    "bidirectional-control": RuleSecurity(weaknesses: [.lookAlikes], severity: "4.0"),
  ]

  /// Rules that judge names and words. Those of all other rules compare what is declared.
  package static let uncertain: Set<String> = [
    "credential-outside-keychain", "credential-default", "name-too-similar", "terse-description", "stringly-typed",
    "vague-description",
  ]

  static func precision(of rule: String) -> Precision { uncertain.contains(rule) ? .medium : .veryHigh }
}
