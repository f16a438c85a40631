package import LocalDataModel

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

  // Ten thousand keys look up their weaknesses, and an identifier has one.
  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

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

/// The answer of a declaration to a weakness.
package struct WeaknessAnswer: Sendable, Hashable {
  package let weakness: Weakness
  package var state: State
  /// One sentence.
  package var reason: String

  package enum State: Sendable, Hashable {
    case metByDeclaration
    /// The library meets it for every value. A test of the library shows it.
    case metByLibrary(test: String)
    /// A rule finds it, and the finding is not allowed.
    case violated
    /// A rule finds it, and the declaration allows the finding until a day, or without an end.
    case acceptedUntil(CalendarDate?, reason: String)
    /// It depends on something outside of the declaration.
    case notDecidable

    /// The name of the state in documents.
    package var name: String {
      switch self {
      case .metByDeclaration: "metByDeclaration"
      case .metByLibrary: "metByLibrary"
      case .violated: "violated"
      case .acceptedUntil: "acceptedUntil"
      case .notDecidable: "notDecidable"
      }
    }

    /// The state in words.
    package var text: String {
      switch self {
      case .metByDeclaration: "met by the declaration"
      case .metByLibrary: "met by the library"
      case .violated: "violated"
      case .acceptedUntil(let day?, _): "accepted until \(day.text)"
      case .acceptedUntil(nil, _): "accepted without an end"
      case .notDecidable: "not decidable"
      }
    }
  }

  /// The ids of the rules whose findings are this violation.
  var rules: [String] = []

  static func met(_ weakness: Weakness, _ reason: String) -> Self {
    Self(weakness: weakness, state: .metByDeclaration, reason: reason)
  }

  static func library(_ weakness: Weakness, _ test: String, _ reason: String) -> Self {
    Self(weakness: weakness, state: .metByLibrary(test: test), reason: reason)
  }

  static func open(_ weakness: Weakness, _ reason: String) -> Self {
    Self(weakness: weakness, state: .notDecidable, reason: reason)
  }

  static func violated(_ weakness: Weakness, _ rules: [String], _ reason: String) -> Self {
    Self(weakness: weakness, state: .violated, reason: reason, rules: rules)
  }

  /// Returns the answer after the allowances of its key or record. Without an end, an allowance never ends.
  func accepted(by allowances: [Allowance], today: CalendarDate) -> Self {
    guard case .violated = state,
      let allowance = allowances.first(where: { rules.contains($0.rule) && !$0.isOver(on: today) })
    else { return self }
    var answer = self
    answer.state = .acceptedUntil(allowance.until, reason: allowance.reason)
    return answer
  }
}
