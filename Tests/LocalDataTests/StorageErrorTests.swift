import Foundation
import LocalDataMaintenance
import RuntimeTestSupport
import StorageVocabulary
import Testing

@testable import LocalData

@Suite struct StorageErrorTests {
  static let subject = StorageError.Subject(key: "draft_{documentID}", domain: .keychain)

  static let source = KeyMaterialSource(id: "remote.key")
  static let groups = StorageError.AccessGroupChange(recorded: "TEAM.a", current: "TEAM.b")

  /// Every case. The switch below does not compile when one is added and not listed here.
  static let allCases: [StorageError] = [
    .notFound(subject), .unregistered(subject), .legacyKey(subject), .notAvailableOnPlatform(subject),
    .invalidAppGroupIdentifier(subject), .invalidName(subject), .invalidCatalog(subject, .duplicateKey),
    .invalidCatalog(subject, .missingOwner), .invalidCatalog(subject, .missingDescription),
    .invalidCatalog(subject, .alreadyRegistered), .configurationConflict(subject), .cannotEncode(subject),
    .cannotDecode(subject), .valueTooLarge(subject, limit: 32), .tooLargeToSync(subject, limit: 32),
    .syncUnavailable(subject), .locked(subject), .accessDenied(subject), .userCancelled(subject), .busy(subject),
    .outOfSpace(subject), .io(subject, .read, errno: 5), .io(subject, .write, errno: 5),
    .io(subject, .migrate, errno: 5),
    .io(subject, .sync, errno: -50), .corrupted(subject), .authenticationFailed(subject),
    .keyMaterialMissing(subject), .unknownFormatVersion(subject), .newerSchema(subject), .migrationFailed(subject),
    .missingEntitlement(subject), .invalidated(subject), .differsFromRegistration(subject),
    .appGroupNotConfigured(subject), .appGroupNotEntitled(subject), .noKeyMaterialProvider(subject, source),
    .keyMaterialProviderFailed(subject, source), .keyMaterialTooShort(subject, source), .databaseDamaged(subject),
    .keyMaterialDamaged(subject), .overlappingRoots(subject), .needsWaiting(subject, .notPlainPreference),
    .needsWaiting(subject, .migrationPending), .needsWaiting(subject, .changeIsRecorded),
    .cannotJoinTransaction(subject), .retiredKeyInUse(subject), .forkedProcess(subject),
    .rootKeySourceConflict(subject, recorded: "keyFile"), .wrongRootKey(subject), .alreadyStored(subject),
    .containerDamaged(subject, .userDefaults(suite: "old")), .quarantinedFileDamaged(subject),
    .quarantineFull(subject), .recordDamaged(subject), .preferencesFull(subject),
    .folderUnavailable(subject), .keyMaterialExposed(subject), .locationChanged(subject, from: "/a/b"),
    .missingReference(subject), .stillReferenced(subject),
  ]

  static func number(_ error: StorageError) -> Int {
    switch error {
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
    }
  }

  @Test func theTableHoldsEveryCase() {
    #expect(Set(Self.allCases.map(Self.number)) == Set(0...52))
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
      StorageError.io(subject, .write, errno: 5).description
        == "'avatar' in fileSystem: cannot write the value: Input/output error (errno 5). Check the volume and the "
        + "permissions of the app's folders.")
    // The numbers of a folder, a file and a link in the place of something else.
    for errno in [EISDIR, ENOTDIR, ELOOP] {
      #expect(StorageError.io(subject, .read, errno: errno).description.contains("Move it away"))
    }
    #expect(StorageError.io(subject, .read, errno: -50).description.contains("the keychain answered with status -50"))
  }

  @Test(arguments: [
    (StorageDomain.userDefaults(), ".userDefaults()"),
    (.userDefaults(suite: "a\u{1B}"), #".userDefaults(suite: "a\u{1b}")"#),
    (.appGroupUserDefaults(identifier: "group.a"), #".appGroupUserDefaults(identifier: "group.a")"#),
    (.keychain(service: "s"), ".keychain()"),
  ])
  func aDamagedContainerIsNamedAsTheCallThatMendsItNeedsIt(_ domain: StorageDomain, _ text: String) {
    let error = StorageError.containerDamaged(Self.subject, domain)
    #expect(error.description.contains("router.maintenance.setAsideDamaged(\(text)),"), "\(error)")
  }

  @Test(arguments: [
    (StorageError.configurationConflict(subject), ["subDirectory", ".files.location"]),
    (
      .configurationConflict(subject, groups),
      ["StorageConfiguration(defaultKeychainAccessGroup: \"TEAM.a\")", "TEAM.b"]
    ),
    (.recordDamaged(subject), ["setAsideDamaged(_:)"]),
    (.databaseDamaged(subject), ["setAsideDamaged(_:)"]),
    (
      .keyMaterialDamaged(subject),
      ["setAsideDamaged(_:)", "abandonKeystores()", "abandonEncryptedData()", "forgetKeyMaterial(of:)"]
    ),
    (.keyMaterialMissing(subject), ["abandonEncryptedData()", "abandonKeystores()"]),
    (.wrongRootKey(subject), ["abandonKeystores()"]),
    (.rootKeySourceConflict(subject, recorded: "keyFile"), ["changeRootKeySource(from:)"]),
    (.retiredKeyInUse(subject), ["rotateKeys()"]),
    (.authenticationFailed(subject), ["forgetKeyMaterial(of:)"]),
    (.quarantinedFileDamaged(subject), ["removeQuarantined(_:)"]),
    (.quarantineFull(subject), ["removeQuarantined(_:)"]),
  ])
  func anErrorNamesTheCallThatMendsIt(_ error: StorageError, _ calls: [String]) {
    for call in calls { #expect(error.description.contains(call), "\(error)") }
  }

  @Test func aNameCannotSteerATerminal() {
    let error = StorageError.locked(.init(key: "a\u{1B}[2J\u{202E}b", domain: nil))
    #expect(error.description.hasPrefix("'a\\u{1b}[2J\\u{202e}b': "))
  }

  @Test(arguments: [
    (StorageFault.locked, StorageError.locked(subject)),
    (.accessDenied, .accessDenied(subject)), (.userCancelled, .userCancelled(subject)), (.busy, .busy(subject)),
    (.outOfSpace, .outOfSpace(subject)), (.io(errno: 40), .io(subject, .read, errno: 40)),
    (.alreadyStored(column: "a"), .alreadyStored(subject)), (.missingReference, .missingReference(subject)),
    (.stillReferenced, .stillReferenced(subject)), (.corrupted, .corrupted(subject)),
    (.databaseDamaged, .databaseDamaged(subject)), (.noRecordDatabase, .unregistered(subject)),
    (.containerDamaged(.keychain()), .containerDamaged(subject, .keychain())),
    (.keyMaterialDamaged, .keyMaterialDamaged(subject)), (.overlappingRoots, .overlappingRoots(subject)),
    (.retiredKeyInUse, .retiredKeyInUse(subject)), (.wrongRootKey, .wrongRootKey(subject)),
    (.rootKeySourceConflict(recorded: "keyFile"), .rootKeySourceConflict(subject, recorded: "keyFile")),
    (.authenticationFailed, .authenticationFailed(subject)), (.keyMaterialMissing, .keyMaterialMissing(subject)),
    (.unknownFormatVersion, .unknownFormatVersion(subject)), (.newerSchema, .newerSchema(subject)),
    (.migrationFailed, .migrationFailed(subject)),
    (.valueTooLarge, .valueTooLarge(subject, limit: 9)), (.invalidName, .invalidName(subject)),
    (.invalidAppGroupIdentifier, .invalidAppGroupIdentifier(subject)),
    (.configurationConflict, .configurationConflict(subject)), (.notFound, .notFound(subject)),
    (
      .accessGroupChanged(recorded: "TEAM.a", current: "TEAM.b"), .configurationConflict(subject, groups)
    ),
    (.appGroupNotConfigured, .appGroupNotConfigured(subject)), (.appGroupNotEntitled, .appGroupNotEntitled(subject)),
    (.noKeyMaterialProvider(source), .noKeyMaterialProvider(subject, source)),
    (.keyMaterialProviderFailed(source), .keyMaterialProviderFailed(subject, source)),
    (.keyMaterialTooShort(source), .keyMaterialTooShort(subject, source)),
    (.missingEntitlement, .missingEntitlement(subject)), (.invalidated, .invalidated(subject)),
    (.cannotEncode, .cannotEncode(subject)), (.cannotDecode, .cannotDecode(subject)),
  ])
  func aFaultIsNeverMappedOntoAnother(_ fault: StorageFault, _ error: StorageError) {
    #expect(StorageError(fault, Self.subject, limit: 9) == error)
  }
}
