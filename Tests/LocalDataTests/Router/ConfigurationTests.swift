import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

@Suite struct ConfigurationTests {
  private func key(_ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<Int?> {
    StorageKey<Int?>(name: "n", domain: domain, security: security, owner: "Tests", description: "A number.")
  }

  private let conflict = StorageError(.configurationConflict, .init(key: nil, domain: nil))

  @Test func everyConfigurationCanBeSetBeforeItsFirstUse() async throws {
    let router = StorageRouter.inMemory()
    try router.updateStorageConfiguration(StorageConfiguration(defaultKeychainService: "s"))
    try router.updateEncryptionConfiguration(EncryptionConfiguration(masterKeyService: "s"))
    try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "d"))
    router.updateSyncConfiguration(SyncConfiguration(maxAutoSyncSize: 1))
    try await router.set(1, for: key(.keychain(), .keychain()))
    #expect(try await router.get(key(.keychain(service: "s"), .keychain())) == 1)
  }

  @Test func afterTheFirstUseOfWhatItChangesAConfigurationIsAConflict() async throws {
    let router = StorageRouter.inMemory()
    try await router.set(1, for: key(.userDefaults(), .none))
    #expect(throws: conflict) { try router.updateStorageConfiguration(StorageConfiguration()) }
    try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "d"))
    #expect(try await router.get(key(.userDefaults(), .none)) == 1)

    try await router.set(2, for: key(.fileSystem(directory: .documents), .none))
    #expect(throws: conflict) {
      try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "e"))
    }
    try router.updateEncryptionConfiguration(EncryptionConfiguration(masterKeyService: "s"))

    try await router.set(3, for: key(.userDefaults(suite: "x"), .recommended))
    #expect(throws: conflict) { try router.updateEncryptionConfiguration(EncryptionConfiguration()) }
  }

  @Test func aMasterKeyOfAnotherLengthIsRefused() async throws {
    let router = StorageRouter.inMemory()
    try router.updateEncryptionConfiguration(EncryptionConfiguration(masterKeyLength: 16))
    await #expect(throws: StorageError(.configurationConflict, .init(key: "n", domain: .userDefaults))) {
      try await router.set(1, for: key(.userDefaults(), .recommended))
    }
  }
}
