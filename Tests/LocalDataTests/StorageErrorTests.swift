import Foundation
import LocalDataMaintenance
import LocalDataTesting
import RuntimeTestSupport
import StorageVocabulary
import Testing

@testable import LocalData

@Suite struct StorageErrorTests {
  static let subject = StorageError.Subject(key: "draft_{documentID}", domain: .keychain)

  static let source = KeyMaterialSource(id: "remote.key")

  /// Every case. The switch below does not compile when one is added and not listed here.
  static let allCodes: [StorageError.Code] = [
    .notFound, .unregistered, .legacyKey, .notAvailableOnPlatform,
    .invalidAppGroupIdentifier, .invalidName, .invalidCatalog(.duplicateKey),
    .invalidCatalog(.missingOwner), .invalidCatalog(.missingDescription),
    .invalidCatalog(.alreadyRegistered), .configurationConflict, .cannotEncode,
    .cannotDecode, .valueTooLarge(limit: 32), .tooLargeToSync(limit: 32),
    .syncUnavailable, .locked, .accessDenied, .userCancelled, .busy,
    .outOfSpace, .io(.read, errno: 5), .io(.write, errno: 5),
    .io(.migrate, errno: 5),
    .io(.sync, errno: -50), .corrupted, .authenticationFailed,
    .keyMaterialMissing, .unknownFormatVersion, .newerSchema, .migrationFailed,
    .missingEntitlement, .invalidated, .differsFromRegistration,
    .appGroupNotConfigured, .appGroupNotEntitled, .noKeyMaterialProvider(source),
    .keyMaterialProviderFailed(source), .keyMaterialTooShort(source), .databaseDamaged,
    .keyMaterialDamaged, .overlappingRoots, .needsWaiting(.notPlainPreference),
    .needsWaiting(.migrationPending), .needsWaiting(.changeIsRecorded),
    .cannotJoinTransaction, .retiredKeyInUse, .forkedProcess,
    .rootKeySourceConflict(recorded: "keyFile"), .wrongRootKey, .alreadyStored,
    .containerDamaged(.userDefaults(suite: "old")), .quarantinedFileDamaged,
    .quarantineFull, .recordDamaged, .preferencesFull,
    .folderUnavailable, .keyMaterialExposed, .locationChanged(from: "/a/b"),
    .missingReference, .stillReferenced,
    .accessGroupChanged(recorded: "TEAM.a", current: "TEAM.b"), .queryTooLarge, .valueTooLarge(limit: nil),
    .newerValue,
    .reentrantCall, .invalidQuery("no such column: x"), .secureEnclaveUnavailable,
  ]
  static let allCases = allCodes.map { StorageError($0, subject) }

  static func number(_ code: StorageError.Code) -> Int {
    switch code {
    case .notFound: 0
    case .unregistered: 1
    case .legacyKey: 2
    case .notAvailableOnPlatform: 3
    case .invalidAppGroupIdentifier: 4
    case .invalidName: 5
    case .invalidCatalog: 6
    case .configurationConflict: 7
    case .cannotEncode: 8
    case .cannotDecode: 9
    case .valueTooLarge: 10
    case .tooLargeToSync: 11
    case .syncUnavailable: 12
    case .locked: 13
    case .accessDenied: 14
    case .userCancelled: 15
    case .busy: 16
    case .outOfSpace: 17
    case .io: 18
    case .corrupted: 19
    case .authenticationFailed: 20
    case .keyMaterialMissing: 21
    case .unknownFormatVersion: 22
    case .newerSchema: 23
    case .migrationFailed: 24
    case .missingEntitlement: 25
    case .invalidated: 26
    case .differsFromRegistration: 27
    case .appGroupNotConfigured: 28
    case .appGroupNotEntitled: 29
    case .noKeyMaterialProvider: 30
    case .keyMaterialProviderFailed: 31
    case .keyMaterialTooShort: 32
    case .databaseDamaged: 33
    case .keyMaterialDamaged: 34
    case .overlappingRoots: 35
    case .needsWaiting: 36
    case .cannotJoinTransaction: 37
    case .retiredKeyInUse: 38
    case .forkedProcess: 39
    case .rootKeySourceConflict: 40
    case .wrongRootKey: 41
    case .alreadyStored: 42
    case .containerDamaged: 43
    case .quarantinedFileDamaged: 44
    case .quarantineFull: 45
    case .missingReference: 51
    case .stillReferenced: 52
    case .recordDamaged: 46
    case .preferencesFull: 47
    case .folderUnavailable: 48
    case .keyMaterialExposed: 49
    case .locationChanged: 50
    case .accessGroupChanged: 53
    case .queryTooLarge: 54
    case .newerValue: 55
    case .reentrantCall: 56
    case .invalidQuery: 57
    case .secureEnclaveUnavailable: 58
    }
  }

  @Test func theTableHoldsEveryCase() {
    #expect(Set(Self.allCodes.map(Self.number)) == Set(0...58))
  }

  @Test(arguments: allCases)
  func aDescriptionSaysWhereAndWhatToDoInOneLine(_ error: StorageError) {
    let text = error.description
    #expect(text.hasPrefix("'draft_{documentID}' in keychain: "))
    #expect(!text.contains("\n"))
    #expect(text.hasSuffix("."))
    #expect(error.localizedDescription == text)
    #expect(error.subject == Self.subject)
  }

  @Test func everyDescriptionIsItsOwn() {
    #expect(Set(Self.allCases.map(\.description)).count == Self.allCases.count)
  }

  @Test func aFailedSystemCallNamesTheOperationAndTheSystemsText() {
    let subject = StorageError.Subject(key: "avatar", domain: .fileSystem)
    #expect(
      StorageError(.io(.write, errno: 5), subject).description
        == "'avatar' in fileSystem: cannot write the value: Input/output error (errno 5). Check the volume and the "
        + "permissions of the app's folders.")
    // The numbers of a folder, a file and a link in the place of something else.
    for errno in [EISDIR, ENOTDIR, ELOOP] {
      #expect(StorageError(.io(.read, errno: errno), subject).description.contains("Move it away"))
    }
    #expect(StorageError(.io(.read, errno: -50), subject).description.contains("the keychain answered with status -50"))
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
    (StorageError.Code.configurationConflict, ["subDirectory", ".files.location"]),
    (
      .accessGroupChanged(recorded: "TEAM.a", current: "TEAM.b"),
      ["StorageConfiguration(defaultKeychainAccessGroup: \"TEAM.a\")", "TEAM.b"]
    ),
    (.recordDamaged, ["setAsideDamaged(_:)"]),
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
  func anErrorNamesTheCallThatMendsIt(_ code: StorageError.Code, _ calls: [String]) {
    let error = StorageError(code, Self.subject)
    for call in calls { #expect(error.description.contains(call), "\(error)") }
  }

  @Test func aNameCannotSteerATerminal() {
    let error = StorageError(.locked, .init(key: "a\u{1B}[2J\u{202E}b", domain: nil))
    #expect(error.description.hasPrefix("'a\\u{1b}[2J\\u{202e}b': "))
  }

  @Test(arguments: [
    (StorageFault.locked, StorageError.Code.locked),
    (.accessDenied, .accessDenied), (.userCancelled, .userCancelled), (.busy, .busy),
    (.outOfSpace, .outOfSpace), (.io(errno: 40), .io(.read, errno: 40)),
    (.alreadyStored(column: "a"), .alreadyStored), (.missingReference, .missingReference),
    (.stillReferenced, .stillReferenced), (.corrupted, .corrupted),
    (.databaseDamaged, .databaseDamaged), (.noRecordDatabase, .unregistered),
    (.containerDamaged(.keychain()), .containerDamaged(.keychain())),
    (.keyMaterialDamaged, .keyMaterialDamaged), (.overlappingRoots, .overlappingRoots),
    (.retiredKeyInUse, .retiredKeyInUse), (.wrongRootKey, .wrongRootKey),
    (.rootKeySourceConflict(recorded: "keyFile"), .rootKeySourceConflict(recorded: "keyFile")),
    (.authenticationFailed, .authenticationFailed), (.keyMaterialMissing, .keyMaterialMissing),
    (.unknownFormatVersion, .unknownFormatVersion), (.newerSchema, .newerSchema), (.newerValue, .newerValue),
    (.migrationFailed, .migrationFailed),
    (.valueTooLarge(limit: 9), .valueTooLarge(limit: 9)), (.queryTooLarge, .queryTooLarge),
    (.reentrantCall, .reentrantCall), (.invalidQuery("a"), .invalidQuery("a")),
    (.invalidName, .invalidName),
    (.invalidAppGroupIdentifier, .invalidAppGroupIdentifier),
    (.configurationConflict, .configurationConflict), (.notFound, .notFound),
    (
      .accessGroupChanged(recorded: "TEAM.a", current: "TEAM.b"),
      .accessGroupChanged(recorded: "TEAM.a", current: "TEAM.b")
    ),
    (.appGroupNotConfigured, .appGroupNotConfigured), (.appGroupNotEntitled, .appGroupNotEntitled),
    (.noKeyMaterialProvider(source), .noKeyMaterialProvider(source)),
    (.keyMaterialProviderFailed(source), .keyMaterialProviderFailed(source)),
    (.keyMaterialTooShort(source), .keyMaterialTooShort(source)),
    (.missingEntitlement, .missingEntitlement), (.invalidated, .invalidated),
    (.cannotEncode, .cannotEncode), (.cannotDecode, .cannotDecode),
  ])
  func aFaultIsNeverMappedOntoAnother(_ fault: StorageFault, _ code: StorageError.Code) {
    #expect(StorageError(fault: fault, Self.subject) == StorageError(code, Self.subject))
  }
}
