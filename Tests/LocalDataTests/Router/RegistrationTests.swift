import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData
import LocalDataMaintenance

private func key(
  _ name: String, _ domain: StorageDomain = .userDefaults(), owner: String = "Tests",
  description: String = "A number for tests."
) -> StorageKey<Int?> {
  StorageKey<Int?>(
    name: name, domain: domain, security: domain.kind == .encryptedFileSystem ? .recommended : .none, owner: owner,
    description: description)
}

private enum First: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("a")), .key(key("b"))] }
}

private enum OverlapsFirst: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("c")), .key(key("b"))] }
}

private enum SharedFolder: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [
      .key(key("f", .fileSystem(directory: .documents))), .key(key("f", .encryptedFileSystem(directory: .documents))),
    ]
  }
}

private enum SameService: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [.key(key("k", .keychain(service: nil))), .key(key("k", .keychain(service: "configured")))]
  }
}

private enum SameItem: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [.key(key("k", .keychain(service: "s"))), .key(key("k", .keychain(service: "s", synchronizable: true)))]
  }
}

private enum Listed: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("a"))] }
  static var allFamilies: [StorageKeyFamily] {
    [
      StorageKeyFamily(
        name: "mail_{account}_{box}", domain: .userDefaults(), security: .none, valueType: "Int", owner: "MailTeam",
        description: "Unread mail of one box.")
    ]
  }
}

private enum WithoutOwner: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("a", owner: " "))] }
}

private enum WithoutDescription: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("a", description: ""))] }
}

private enum FileInFoldersPlace: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [
      .key(key("Reports", .fileSystem(directory: .applicationSupport))),
      .key(key("last", .fileSystem(directory: .custom("Reports/Latest")))),
    ]
  }
}

private enum FolderInFilesPlace: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [
      .key(key("last", .fileSystem(directory: .custom("Reports/Latest")))),
      .key(key("Latest", .encryptedFileSystem(directory: .custom("reports")))),
    ]
  }
}

private enum CaseAlone: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [.key(key("Token", .fileSystem(directory: .documents))), .key(key("token", .fileSystem(directory: .documents)))]
  }
}

private enum CaseAloneInGroup: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    ["Token", "token"].map { .key(key($0, .appGroupFileSystem(identifier: "group.a", directory: .documents))) }
  }
}

/// Keys whose addresses are similar but different.
private enum Neighbours: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [
      .key(key("Reports", .fileSystem(directory: .documents))),
      .key(key("Reports", .appGroupFileSystem(identifier: "group.a", directory: .applicationSupport))),
      .key(key("last", .fileSystem(directory: .custom("Reports")))),
      .key(key("last", .fileSystem(directory: .custom("Reports/Latest")))),
      .key(key("Token")), .key(key("token")),
    ]
  }
}

private enum WithFamily: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("draft_a")), .key(key("other"))] }
  static var allFamilies: [StorageKeyFamily] {
    [StorageKeyFamily(name: "draft_{id}", domain: .userDefaults(), security: .none)]
  }
}

/// A catalog whose keys are worked out with the router.
private enum AsksRouter: StorageKeyCatalog {
  static let router = StorageRouter.inMemory()

  static var allKeys: [AnyStorageKey] {
    do { try router.registerCatalog(First.self) } catch { Issue.record(error) }
    return [.key(key("late"))]
  }
}

@Suite struct RegistrationTests {
  let router = StorageRouter.inMemory(configuration: StorageConfiguration(defaultKeychainService: "configured"))

  private func subject(_ name: String, _ domain: StorageDomain.Kind = .userDefaults) -> StorageError.Subject {
    StorageError.Subject(key: name, domain: domain)
  }

  @Test func anUnregisteredKeyIsAnErrorOnceACatalogIsRegistered() async throws {
    #expect(try await router.get(key("z")) == nil)
    try router.registerCatalog(First.self)
    #expect(try await router.get(key("a")) == nil)
    await #expect(throws: StorageError(.unregistered, subject("z"))) { try await router.get(key("z")) }
    await #expect(throws: StorageError(.unregistered, subject("z"))) { try await router.set(1, for: key("z")) }
  }

  @Test func anotherDeclarationOfARegisteredNameIsRefusedAsSuch() async throws {
    try router.registerCatalog(First.self)
    let sealed = StorageKey<Int?>(name: "a", domain: .userDefaults(), owner: "Tests", description: "Sealed number.")
    let list = StorageKey<Int?>(
      name: "a", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Tests", description: "A.")
    let text = StorageKey<String?>(
      name: "a", domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.")
    let differs = StorageError(.differsFromRegistration, subject("a"))
    await #expect(throws: differs) { try await router.get(sealed) }
    await #expect(throws: differs) { try await router.get(list) }
    await #expect(throws: differs) { try await router.set("x", for: text) }
    #expect(try await router.get(key("a")) == nil)
  }

  private enum MalformedGroup: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] {
      [
        .key(
          StorageKey<Int?>(
            name: "a", domain: .appGroupUserDefaults(identifier: "group a"), security: .none, owner: "Tests",
            description: "A number."))
      ]
    }
  }

  @Test func aMalformedAppGroupIsRefusedAtRegistration() {
    #expect(throws: StorageError(.invalidAppGroupIdentifier, subject("a", .appGroupUserDefaults))) {
      try router.registerCatalog(MalformedGroup.self)
    }
  }

  @Test func aRefusedCatalogRegistersNothing() async throws {
    try router.registerCatalog(First.self)
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("b"))) {
      try router.registerCatalog(OverlapsFirst.self)
    }
    await #expect(throws: StorageError(.unregistered, subject("c"))) { try await router.get(key("c")) }
    #expect(throws: StorageError(.invalidCatalog(.alreadyRegistered), .init(key: nil, domain: nil))) {
      try router.registerCatalog(First.self)
    }
  }

  @Test func twoKeysInOnePlaceAreRefusedAfterDefaultsAreFilledIn() {
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("f", .encryptedFileSystem))) {
      try router.registerCatalog(SharedFolder.self)
    }
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("k", .keychain))) {
      try router.registerCatalog(SameService.self)
    }
    // On Linux an item is found whether it is synchronizable or not.
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("k", .keychain))) {
      try router.registerCatalog(SameItem.self)
    }
  }

  @Test func aFileInThePlaceOfAFolderIsRefused() throws {
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("last", .fileSystem))) {
      try router.registerCatalog(FileInFoldersPlace.self)
    }
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("Latest", .encryptedFileSystem))) {
      try router.registerCatalog(FolderInFilesPlace.self)
    }
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("token", .fileSystem))) {
      try router.registerCatalog(CaseAlone.self)
    }
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject("token", .appGroupFileSystem))) {
      try router.registerCatalog(CaseAloneInGroup.self)
    }
    try router.registerCatalog(Neighbours.self)
  }

  private func member(_ name: String) -> StorageKey<Int?> {
    StorageKey<Int?>(
      name: name, domain: .userDefaults(), security: .none, owner: "Tests", description: "A draft.",
      options: StorageKeyOptions(declaredName: "draft_{id}"))
  }

  @Test func aMemberOfAFamilyLiesInNoOtherKeysPlace() async throws {
    try router.registerCatalog(WithFamily.self)
    try await router.set(1, for: key("draft_a"))
    let taken = StorageError(.invalidCatalog(.duplicateKey), subject("draft_{id}"))
    await #expect(throws: taken) { try await router.set(2, for: member("draft_a")) }
    #expect(try await router.get(key("draft_a")) == 1)
    try await router.set(3, for: member("draft_b"))
    #expect(try await router.get(member("draft_b")) == 3)
  }

  @Test func aNameThatIsNoMembersIsNotRegisteredWithTheFamily() async throws {
    try router.registerCatalog(WithFamily.self)
    for name in ["stray", "draf_a", "x_draft_a"] {
      await #expect(throws: StorageError(.unregistered, subject("draft_{id}"))) { try await router.get(member(name)) }
    }
  }

  @Test(arguments: [
    ("a_{x}_b", "a__b", true), ("a_{x}_b", "a_1_b", true), ("a_{x}_b", "a_b", false), ("{x}", "", true),
    ("{x}-{y}", "1-2", true), ("{x}-{y}", "12", false), ("{x}-{y}-{z}", "1--2", true), ("a", "a", true),
    ("a", "ab", false), ("{x}ab{y}ab", "ab", false), ("{x}ab{y}ab", "abab", true),
  ])
  func aFamilysNameIsAPattern(_ declared: String, _ name: String, _ isMatch: Bool) {
    #expect(FamilyName(declared).matches(name) == isMatch)
  }

  @Test func aCatalogMayUseTheRouterWhileItListsItsKeys() async throws {
    try AsksRouter.router.registerCatalog(AsksRouter.self)
    #expect(try await AsksRouter.router.get(key("late")) == nil)
  }

  @Test func handWrittenKeysNeedOwnerAndDescription() {
    #expect(throws: StorageError(.invalidCatalog(.missingOwner), subject("a"))) {
      try router.registerCatalog(WithoutOwner.self)
    }
    #expect(throws: StorageError(.invalidCatalog(.missingDescription), subject("a"))) {
      try router.registerCatalog(WithoutDescription.self)
    }
  }

  @Test func anAuditListsEveryKeyOfAHandWrittenCatalog() {
    let text = StorageAuditReport.renderText(for: First.self)
    #expect(text.contains("a") && text.contains("b") && text.contains("A number for tests."))
  }

  @Test func anAuditListsTheFamiliesOfAHandWrittenCatalog() throws {
    let text = StorageAuditReport.renderText(for: Listed.self)
    for part in ["mail_{account}_{box}", "account: String, box: String", "MailTeam", "Unread mail of one box."] {
      #expect(text.contains(part), "\(part)")
    }
    try router.registerCatalog(Listed.self)
  }
}
