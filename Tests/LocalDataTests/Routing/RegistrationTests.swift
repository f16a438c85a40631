import Foundation
import StorageVocabulary
import Testing

@testable import LocalData

private func key(
  _ name: String, _ domain: StorageDomain = .userDefaults(), owner: String = "Tests",
  description: String = "A number for tests."
) -> StorageKey<Int?> {
  StorageKey<Int?>(name: name, domain: domain, security: .none, owner: owner, description: description)
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

private enum WithoutOwner: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("a", owner: " "))] }
}

private enum WithoutDescription: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(key("a", description: ""))] }
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
    await #expect(throws: StorageError.unregistered(subject("z"))) { try await router.get(key("z")) }
    await #expect(throws: StorageError.unregistered(subject("z"))) { try await router.set(1, for: key("z")) }
  }

  @Test func theSameNameUnderAnotherPolicyIsUnregistered() async throws {
    try router.registerCatalog(First.self)
    let sealed = StorageKey<Int?>(name: "a", domain: .userDefaults(), owner: "Tests", description: "Sealed number.")
    await #expect(throws: StorageError.unregistered(subject("a"))) { try await router.get(sealed) }
  }

  @Test func aRefusedCatalogRegistersNothing() async throws {
    try router.registerCatalog(First.self)
    #expect(throws: StorageError.invalidCatalog(subject("b"), .duplicateKey)) {
      try router.registerCatalog(OverlapsFirst.self)
    }
    await #expect(throws: StorageError.unregistered(subject("c"))) { try await router.get(key("c")) }
    #expect(throws: StorageError.invalidCatalog(.init(key: nil, domain: nil), .alreadyRegistered)) {
      try router.registerCatalog(First.self)
    }
  }

  @Test func twoKeysInOnePlaceAreRefusedAfterDefaultsAreFilledIn() {
    #expect(throws: StorageError.invalidCatalog(subject("f", .encryptedFileSystem), .duplicateKey)) {
      try router.registerCatalog(SharedFolder.self)
    }
    #expect(throws: StorageError.invalidCatalog(subject("k", .keychain), .duplicateKey)) {
      try router.registerCatalog(SameService.self)
    }
  }

  @Test func handWrittenKeysNeedOwnerAndDescription() {
    #expect(throws: StorageError.invalidCatalog(subject("a"), .missingOwner)) {
      try router.registerCatalog(WithoutOwner.self)
    }
    #expect(throws: StorageError.invalidCatalog(subject("a"), .missingDescription)) {
      try router.registerCatalog(WithoutDescription.self)
    }
  }

  @Test func anAuditListsEveryKeyOfAHandWrittenCatalog() {
    let text = StorageAuditReport.renderText(for: First.self)
    #expect(text.contains("a") && text.contains("b") && text.contains("A number for tests."))
  }
}
