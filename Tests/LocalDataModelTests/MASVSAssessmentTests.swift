import LocalDataSyntax
import Foundation
import LocalDataVocabulary
import Testing

@testable import LocalDataDocuments
@testable import LocalDataModel

/// What declarations say about OWASP's weaknesses.
struct MASVSAssessmentTests {
  private static func catalog(_ keys: String) -> String {
    "localdata: 1\ncatalog: Account\ndefaults: {owner: Tests}\nkeys:\n" + keys
  }

  private static func key(_ fields: String) -> String {
    catalog("  value: {type: String, description: A value of the tests., \(fields)}\n")
  }

  /// The states of a key's answers by weakness.
  private func states(_ fields: String) throws -> [String: WeaknessAnswer.State] {
    let run = try Run(Self.key(fields))
    try #require(!run.catalogs.isEmpty, "\(run.findings)")
    return Dictionary(
      uniqueKeysWithValues: MASVSAssessment.of(run.catalogs).map { ($0.weakness.id, $0.answers[0].answer.state) })
  }

  /// The library answers nothing for data that it does not store.
  @Test func otherCodeAnswersForUnmanagedData() throws {
    let run = try Run(
      """
      localdata: 1
      catalog: Account
      defaults: {owner: Tests, sensitivity: personal}
      unmanaged:
        photos:
          domain: {fileSystem: {directory: documents, path: Photos/}}
          protection: complete
          allow: [{rule: personal-data-in-plain-store, reason: Another library has these files.}]
          description: The photos of the user.
        mail:
          domain: userDefaults
          description: The address of the user.
        crashes: {domain: userDefaults, sensitivity: internal, description: How often the app has crashed.}
        session:
          domain: keychain
          security: {keychain: {accessibility: afterFirstUnlockThisDeviceOnly}}
          sensitivity: credential
          description: The session of another library.
      """)
    let assessments = MASVSAssessment.of(run.catalogs)
    func states(_ subject: String) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: assessments.flatMap { assessment in
          assessment.answers.filter { $0.subject == subject }.map { (assessment.weakness.id, $0.answer.state.name) }
        })
    }
    #expect(
      states("mail (unmanaged)") == [
        "MASWE-0001": "violated", "MASWE-0002": "metByDeclaration", "MASWE-0005": "notDecidable",
        "MASWE-0006": "violated",
      ])
    #expect(states("photos (unmanaged)")["MASWE-0001"] == "acceptedUntil")
    #expect(
      states("session (unmanaged)") == [
        "MASWE-0001": "metByDeclaration", "MASWE-0002": "metByDeclaration", "MASWE-0004": "notDecidable",
        "MASWE-0005": "notDecidable", "MASWE-0006": "metByDeclaration",
      ])
    #expect(states("crashes (unmanaged)") == [:])
  }

  private static let keychain = "sensitivity: credential, domain: keychain"

  @Test(arguments: [
    ("domain: userDefaults, security: none, sensitivity: personal", "MASWE-0001", WeaknessAnswer.State.violated),
    ("domain: userDefaults, security: none, sensitivity: personal", "MASWE-0006", .violated),
    ("domain: userDefaults, security: recommended, sensitivity: personal", "MASWE-0001", .metByDeclaration),
    ("domain: userDefaults, security: recommended, sensitivity: personal", "MASWE-0006", .metByDeclaration),
    (
      "domain: {appGroupUserDefaults: {identifier: group.a}}, security: none, sensitivity: personal", "MASWE-0002",
      .notDecidable
    ),
    ("\(keychain), security: {keychain: {accessibility: always}}", "MASWE-0001", .violated),
    ("\(keychain), security: {keychain: {accessibility: afterFirstUnlock}}", "MASWE-0006", .violated),
    (
      "\(keychain), security: {keychain: {accessibility: afterFirstUnlockThisDeviceOnly}}", "MASWE-0006",
      .metByDeclaration
    ),
    ("\(keychain), security: {keychain: {accessControl: userPresence}}", "MASWE-0006", .metByDeclaration),
    ("\(keychain), security: {keychain: {accessControl: userPresence}}", "MASWE-0020", .metByDeclaration),
    ("\(keychain), security: {keychain: {accessControl: userPresence}}", "MASWE-0022", .notDecidable),
    ("\(keychain), security: {keychain: {accessControl: biometryCurrentSet}}", "MASWE-0022", .metByDeclaration),
    ("\(keychain), security: {keychain: {}}", "MASWE-0004", .metByDeclaration),
    (
      "domain: userDefaults, security: {encrypted: {keySource: {external: a.b}}}, sensitivity: health", "MASWE-0003",
      .notDecidable
    ),
    (
      "domain: {fileSystem: {directory: documents}}, security: recommended, sensitivity: health", "MASWE-0006",
      .violated
    ),
    (
      "domain: {fileSystem: {directory: documents}}, backup: false, security: recommended, sensitivity: health",
      "MASWE-0006", .metByDeclaration
    ),
  ])
  func anAnswer(_ fields: String, _ weakness: String, _ state: WeaknessAnswer.State) throws {
    #expect(try states(fields)[weakness] == state)
  }

  @Test func noWeaknessAppliesToAPlainValueThatSaysNothing() throws {
    #expect(try states("domain: userDefaults, security: none, sensitivity: internal") == [:])
  }

  @Test func whatTheLibraryMeetsHasATest() throws {
    let states = try states("domain: userDefaults, security: recommended, sensitivity: personal")
    let tests = states.values.compactMap { if case .metByLibrary(let test) = $0 { test } else { nil } }
    #expect(tests.count == 4)
  }

  // MARK: Allowances

  private static let plain = "domain: userDefaults, security: none, sensitivity: personal"

  private func answer(_ allow: String, today: String) throws -> WeaknessAnswer.State? {
    let run = try Run(Self.key("\(Self.plain), allow: [\(allow)]"))
    let assessments = MASVSAssessment.of(run.catalogs, today: try #require(CalendarDate(today)))
    return assessments.first { $0.weakness == .unencryptedPrivate }?.answers.first?.answer.state
  }

  @Test func anAllowedFindingIsAcceptedUntilItsDay() throws {
    let allow = "{rule: personal-data-in-plain-store, reason: It is shown to all., until: 2026-12-31}"
    let state = WeaknessAnswer.State.acceptedUntil(CalendarDate("2026-12-31"), reason: "It is shown to all.")
    #expect(try answer(allow, today: "2026-12-31") == state)
    #expect(try answer(allow, today: "2027-01-01") == .violated)
  }

  @Test func anAllowanceOfAnotherRuleAcceptsNothing() throws {
    #expect(try answer("{rule: terse-description, reason: It is short.}", today: "2026-01-01") == .violated)
  }

  // MARK: Rules

  private static let protective: Set<String> = [
    Rule.personalDataInPlainStore.id, Rule.sensitiveInBackup.id, Rule.deprecatedAccessibility.id,
    Rule.syncOnSensitive.id,
  ]

  private static let places = [
    "domain: userDefaults, security: none", "domain: userDefaults, security: recommended",
    "domain: {fileSystem: {directory: documents}}, security: none",
    "domain: {fileSystem: {directory: documents}}, security: recommended",
    "domain: {fileSystem: {directory: caches}}, security: recommended, retention: {maxAge: 1d}",
    "domain: {fileSystem: {directory: documents}}, security: recommended, backup: false",
    "domain: {encryptedFileSystem: {directory: documents}}, security: recommended",
    "domain: {encryptedFileSystem: {directory: documents}}, security: {encrypted: {keySource: {external: a.b}}}",
    "domain: keychain, security: recommended", "domain: keychain, security: {keychain: {accessControl: biometryAny}}",
  ]

  private static let everyKey: String = {
    let items = KeychainAccessibility.allCases.map {
      "domain: keychain, security: {keychain: {accessibility: \($0.rawValue)}}"
    }
    var text = ""
    for (index, place) in (places + items).enumerated() {
      for sensitivity in ["personal", "health", "internal"] + (place.contains("none") ? [] : ["credential"]) {
        text += "  \(sensitivity)\(index): {type: String, sensitivity: \(sensitivity), \(place), "
        text += "description: A value of the tests.}\n"
      }
    }
    return text
  }()

  /// A declaration is violated if, and only if, a rule has a finding that can be accepted. `always` is no weakness of a value
  /// that is not sensitive.
  @Test func whatIsViolatedIsAFinding() throws {
    let run = try Run(Self.catalog(Self.everyKey))
    let catalog = try #require(run.catalogs.first, "\(run.errors)")
    let assessor = CatalogAssessor(catalog)
    for key in catalog.keys where key.descriptor.sensitivity != .internal {
      let member = key.descriptor.member
      let found = Set(run.diagnostics.filter { $0.key == member }.map(\.rule)).intersection(Self.protective)
      let violated = Set(assessor.answers(of: key).filter { $0.state == .violated }.flatMap(\.rules))
      #expect(violated == found, "\(member): \(key.descriptor.domain), \(key.descriptor.security)")
    }
  }

  // MARK: Records

  @Test func aRecordHasTheWorstAnswerOfItsFields() throws {
    let run = try Run(GoldenCase.named("WalletRecords").catalogs)
    let catalog = try #require(run.catalogs.first)
    let assessor = CatalogAssessor(catalog)
    let credential = try #require(catalog.records.first { $0.name == "Credential" })
    let answers = Dictionary(uniqueKeysWithValues: assessor.answers(of: credential).map { ($0.weakness.id, $0.state) })
    #expect(answers["MASWE-0001"] == .metByDeclaration)
    #expect(answers["MASWE-0003"] == .metByLibrary(test: "MasterKeyTests.theFirstSetCreatesOneKeyAndReadingNone"))
  }

  // MARK: The list

  @Test func theListIsInOrderAndComplete() {
    let ids = Weakness.all.map(\.id)
    #expect(ids == Set(ids).sorted())
    for weakness in Weakness.all {
      #expect(weakness.id.contains(/^MASWE-\d{4}$/) && !weakness.title.isEmpty)
      #expect(weakness.controls.allSatisfy { $0.contains(/^MASVS-[A-Z]+-\d$/) } && !weakness.controls.isEmpty)
      #expect(weakness.formerIDs.allSatisfy { $0.contains(/^MASWE-\d{4}$/) })
    }
  }

  /// A named test is a function of a suite in this project.
  @Test func everyNamedTestExists() throws {
    let run = try Run(
      Self.catalog(
        Self.everyKey + "  old: {type: String, domain: userDefaults, security: "
          + "{encrypted: {keyDerivation: {pbkdf2: {iterations: 600000}}, keySource: {external: a.b}}}, description: A value of the tests.}\n"
      ))
    let answers = MASVSAssessment.of(run.catalogs).flatMap(\.answers).map(\.answer.state)
    let tests = Set(answers.compactMap { if case .metByLibrary(let test) = $0 { test } else { nil } })
    #expect(tests.count == 5)
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let enumerator = try #require(FileManager.default.enumerator(atPath: folder.path))
    let files = enumerator.compactMap { $0 as? String }
    for test in tests {
      let parts = test.split(separator: ".")
      let file = folder.appendingPathComponent(
        try #require(files.first { $0.hasSuffix("/\(parts[0]).swift") }, "\(test)"))
      #expect(try String(contentsOf: file, encoding: .utf8).contains("func \(parts[1])("), "\(test)")
    }
  }
}
