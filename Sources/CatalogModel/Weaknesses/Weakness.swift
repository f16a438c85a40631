/// A weakness of OWASP's list (MASWE) that a declaration can answer.
///
/// OWASP has given its numbers anew after the beta: MASWE-0006 was the number of another weakness. The identifier is
/// therefore always shown with the title and the edition.
package struct Weakness: Sendable, Hashable {
  /// The identifier, for example `MASWE-0001`.
  package let id: String
  /// The title that the edition has.
  package let title: String
  /// The controls of MASVS 2.1.0 that the weakness is about.
  package let controls: [String]
  /// The identifiers of the same subject in the beta.
  package let formerIDs: [String]

  /// The edition of the list: a state of its repository, because the list has no version numbers.
  package static let edition = "OWASP MASWE after the beta (commit 31777f22)"
  package static let source = "https://github.com/OWASP/maswe"

  /// The weaknesses in the order of their identifiers.
  package static let all: [Weakness] = [
    .unencryptedPrivate, .unencryptedShared, .keysOutsideKeystore, .hardcoded, .logged, .backedUp, .improperEncryption,
    .improperDerivation, .bypassedAuthentication, .newEnrolment, .privacyPolicy,
  ]

  static let unencryptedPrivate = Weakness(
    id: "MASWE-0001", title: "Sensitive Data Stored Unencrypted in Private Storage",
    controls: ["MASVS-STORAGE-1", "MASVS-STORAGE-2", "MASVS-CRYPTO-2"],
    formerIDs: ["MASWE-0006", "MASWE-0002", "MASWE-0118"])
  static let unencryptedShared = Weakness(
    id: "MASWE-0002", title: "Sensitive Data Stored Unencrypted Outside of Private Storage",
    controls: ["MASVS-STORAGE-1", "MASVS-STORAGE-2"], formerIDs: ["MASWE-0007", "MASWE-0002"])
  static let keysOutsideKeystore = Weakness(
    id: "MASWE-0003", title: "Cryptographic Keys Stored Outside of Platform Keystore",
    controls: ["MASVS-STORAGE-1", "MASVS-CRYPTO-2"], formerIDs: ["MASWE-0013", "MASWE-0014", "MASWE-0016"])
  static let hardcoded = Weakness(
    id: "MASWE-0004", title: "Sensitive Data Hardcoded in the App Package", controls: ["MASVS-STORAGE-1"],
    formerIDs: ["MASWE-0005", "MASWE-0013", "MASWE-0036"])
  static let logged = Weakness(
    id: "MASWE-0005", title: "Insertion of Sensitive Data into Logs", controls: ["MASVS-STORAGE-2"],
    formerIDs: ["MASWE-0001"])
  static let backedUp = Weakness(
    id: "MASWE-0006", title: "Sensitive Data Not Excluded From Backup", controls: ["MASVS-STORAGE-2"],
    formerIDs: ["MASWE-0004", "MASWE-0003"])
  static let improperEncryption = Weakness(
    id: "MASWE-0007", title: "Improper Encryption", controls: ["MASVS-CRYPTO-1", "MASVS-CRYPTO-2"],
    formerIDs: ["MASWE-0020", "MASWE-0012", "MASWE-0022", "MASWE-0023"])
  static let improperDerivation = Weakness(
    id: "MASWE-0014", title: "Improper Cryptographic Key Derivation", controls: ["MASVS-CRYPTO-2"],
    formerIDs: ["MASWE-0010"])
  static let bypassedAuthentication = Weakness(
    id: "MASWE-0020", title: "Local Authentication Can Be Bypassed", controls: ["MASVS-AUTH-2", "MASVS-CRYPTO-2"],
    formerIDs: ["MASWE-0034", "MASWE-0044", "MASWE-0041", "MASWE-0042", "MASWE-0043"])
  static let newEnrolment = Weakness(
    id: "MASWE-0022", title: "Crypto Keys Not Invalidated on New Biometric Enrollment",
    controls: ["MASVS-AUTH-2", "MASVS-CRYPTO-2"], formerIDs: ["MASWE-0046"])
  static let privacyPolicy = Weakness(
    id: "MASWE-0072", title: "Inadequate Privacy Policy", controls: ["MASVS-PRIVACY-3"], formerIDs: ["MASWE-0111"])
}
