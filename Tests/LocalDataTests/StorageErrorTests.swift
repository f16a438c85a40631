import Foundation
import LocalDataMaintenance
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

@Suite struct StorageErrorTests {
  static let subject = StorageError.Subject(key: "draft_{documentID}", domain: .keychain)

  static let source = KeyMaterialSource(id: "remote.key")

  /// Every code, and details of those that have any.
  static let allProblems =
    StorageError.Code.Name.allCases.map { StorageProblem(code: StorageError.Code(name: $0)) } + [
      .invalidCatalog(.duplicateKey), .invalidCatalog(.missingOwner), .invalidCatalog(.missingDescription),
      .invalidCatalog(.alreadyRegistered), .valueTooLarge(limit: 32), .tooLargeToSync(limit: 32), .io(errno: 5),
      .io(errno: -50), .io(errno: ENOMEM), .noKeyMaterialProvider(source), .keyMaterialProviderFailed(source),
      .keyMaterialTooShort(source), .needsWaiting(.notPlainPreference), .needsWaiting(.migrationPending),
      .needsWaiting(.changeIsRecorded), .rootKeySourceConflict(recorded: "keyFile"),
      .containerDamaged(.userDefaults(suite: "old")), .locationChanged(from: "/a/b"),
      .accessGroupChanged(recorded: "TEAM.a", current: "TEAM.b"), .invalidQuery("no such column: x"),
    ]
  static let allCases =
    allProblems.map { StorageError($0, subject) }
    + [StorageError.Operation.write, .migrate, .sync].map { StorageError(.io(errno: 5), subject, $0) }

  @Test(arguments: allCases)
  func aDescriptionSaysWhereAndWhatToDoInOneLine(_ error: StorageError) {
    let text = error.description
    #expect(text.hasPrefix("'draft_{documentID}' in keychain: "))
    #expect(!text.contains("\n"))
    #expect(text.hasSuffix("."))
    #expect(error.localizedDescription == text)
    #expect(error.subject == Self.subject)
  }

  /// The names of the codes are the cases of an enum that apps do not see, so that a new code breaks none.
  @Test func noListOfCodesIsPublic() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../.github/api")
    let lines = try String(contentsOf: folder.appending(path: "LocalData.txt"), encoding: .utf8).split(separator: "\n")
    let problems = lines.filter { $0.hasPrefix("StorageProblem") }
    #expect(problems.contains { $0.hasPrefix("StorageProblemName.busy: ") })
    #expect(!problems.contains { $0.contains(": case ") || $0.contains("Code.Name") })
  }

  @Test func everyDescriptionIsItsOwn() {
    #expect(Set(Self.allCases.map(\.description)).count == Self.allCases.count)
  }

  @Test func aFailedSystemCallNamesTheOperationAndTheSystemsText() {
    let subject = StorageError.Subject(key: "avatar", domain: .fileSystem)
    #expect(
      StorageError(.io(errno: 5), subject, .write).description
        == "'avatar' in fileSystem: cannot write the value: Input/output error (errno 5). Check the volume and the "
        + "permissions of the app's folders.")
    // The numbers of a folder, a file and a link in the place of something else.
    for errno in [EISDIR, ENOTDIR, ELOOP] {
      #expect(StorageError(.io(errno: errno), subject).description.contains("Move it away"))
    }
    #expect(StorageError(.io(errno: -50), subject).description.contains("the keychain answered with status -50"))
  }

  /// The store refuses the value of a key, and the router refuses a legacy key itself.
  @Test(arguments: [false, true]) func anErrorNamesTheContainer(isLegacy: Bool) async throws {
    let key = StorageKey<String?>(
      name: "draft", domain: .fileSystem(directory: .caches), security: .none, owner: "Tests", description: "A text.",
      options: StorageKeyOptions(legacy: isLegacy))
    let router = try RelaunchedApp().launch(failing: .write, with: .locked)
    do {
      try await router.set("Dear", for: key)
      Issue.record("the value is stored")
    } catch {
      #expect(error.code == (isLegacy ? .legacyKey : .locked))
      #expect(error.subject.container == "directory caches")
      #expect(error.description.hasPrefix("'draft' in fileSystem (directory caches)"))
    }
  }

  @Test(arguments: [
    (StorageDomain.userDefaults(), ".userDefaults()"),
    (.userDefaults(suite: "a\u{1B}"), #".userDefaults(suite: "a\u{1b}")"#),
    (.appGroupUserDefaults(identifier: "group.a"), #".appGroupUserDefaults(identifier: "group.a")"#),
    (.keychain(service: "s"), ".keychain()"),
  ])
  func aDamagedContainerIsNamedAsTheCallThatMendsItNeedsIt(_ domain: StorageDomain, _ text: String) {
    let error = StorageError(.containerDamaged(domain), Self.subject)
    #expect(error.description.contains("router.maintenance.setAsideDamaged(\(text)),"), "\(error)")
  }

  @Test(arguments: [
    (StorageProblem.configurationConflict, ["subDirectory", ".files.location"]),
    (
      .accessGroupChanged(recorded: "TEAM.a", current: "TEAM.b"),
      ["StorageConfiguration(defaultKeychainAccessGroup: \"TEAM.a\")", "TEAM.b"]
    ),
    (.locationsDamaged, ["setAsideDamaged(_:)"]),
    (.databaseDamaged, ["setAsideDamaged(_:)"]),
    (
      .keyMaterialDamaged,
      ["setAsideDamaged(_:)", "abandonKeystores()", "abandonEncryptedData()", "forgetKeyMaterial(of:)"]
    ),
    (.keyMaterialMissing, ["abandonEncryptedData()", "abandonKeystores()"]),
    (.wrongRootKey, ["abandonKeystores()"]),
    (.rootKeySourceConflict(recorded: "keyFile"), ["changeRootKeySource(from:)"]),
    (.retiredKeyInUse, ["rotateKeys()"]),
    (.authenticationFailed, ["forgetKeyMaterial(of:)"]),
    (.quarantinedFileDamaged, ["removeQuarantined(_:)"]),
    (.quarantineFull, ["removeQuarantined(_:)"]),
  ])
  func anErrorNamesTheCallThatMendsIt(_ problem: StorageProblem, _ calls: [String]) {
    let error = StorageError(problem, Self.subject)
    for call in calls { #expect(error.description.contains(call), "\(error)") }
  }

  @Test func aNameCannotSteerATerminal() {
    let error = StorageError(.locked, .init(key: "a\u{1B}[2J\u{202E}b", domain: nil))
    #expect(error.description.hasPrefix("'a\\u{1b}[2J\\u{202e}b': "))
  }

  @Test(arguments: [
    (StorageProblem.alreadyStored(column: "a"), StorageError.Code.alreadyStored),
    (.refusedScan(fields: "a"), .accessDenied),
  ])
  func theErrorDoesNotRepeatWhatItsSubjectNames(_ fault: StorageProblem, _ code: StorageError.Code) {
    let error = StorageError(fault, Self.subject)
    #expect(error.code == code)
    #expect(error.problem == StorageProblem(code: code))
  }

  @Test func anErrorHasTheDetailsOfItsProblem() {
    func error(_ problem: StorageProblem) -> StorageError { StorageError(problem, Self.subject) }
    #expect(error(.valueTooLarge(limit: 9)).limit == 9)
    #expect(error(.valueTooLarge(limit: nil)).limit == nil)
    #expect(error(.tooLargeToSync(limit: 8)).limit == 8)
    #expect(error(.io(errno: 5)).errno == 5)
    #expect(StorageError(.io(errno: 5), Self.subject, .sync).operation == .sync)
    #expect(StorageError(.busy, Self.subject, .sync).operation == nil)
    #expect(StorageError(.io(errno: 5), Self.subject, .sync) != error(.io(errno: 5)))
    for reason in StorageError.WaitingReason.allCases {
      #expect(error(.needsWaiting(reason)).waitingReason == reason)
    }
    for problem in StorageError.CatalogProblem.allCases {
      #expect(error(.invalidCatalog(problem)).catalogProblem == problem)
    }
    #expect(error(.invalidQuery("a")).queryProblem == "a")
    let changed = error(.accessGroupChanged(recorded: "a", current: "b"))
    #expect([changed.recorded, changed.current] == ["a", "b"])
    #expect(error(.locationChanged(from: "/a")).recorded == "/a")
    #expect(error(.rootKeySourceConflict(recorded: "keyFile")).recorded == "keyFile")
    #expect(error(.containerDamaged(.keychain())).damagedDomain == .keychain())
    for problem in [
      StorageProblem.noKeyMaterialProvider(Self.source), .keyMaterialProviderFailed(Self.source),
      .keyMaterialTooShort(Self.source),
    ] { #expect(error(problem).keyMaterialSource == Self.source) }
  }
}
