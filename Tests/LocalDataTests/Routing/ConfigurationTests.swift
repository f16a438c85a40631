import Foundation
import StorageVocabulary
import Testing

@testable import LocalData

@Suite struct ConfigurationTests {
  private func key(_ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<Int?> {
    StorageKey<Int?>(name: "n", domain: domain, security: security, owner: "Tests", description: "A number.")
  }

  private let conflict = StorageError.configurationConflict(.init(key: nil, domain: nil))

  @Test func everyConfigurationCanBeSetBeforeItsFirstUse() async throws {
    let router = StorageRouter.inMemory()
    try await router.updateStorageConfiguration(StorageConfiguration(defaultKeychainService: "s"))
    try await router.updateEncryptionConfiguration(EncryptionConfiguration(masterKeyService: "s"))
    try await router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "d"))
    try await router.updateSyncConfiguration(SyncConfiguration(maxAutoSyncSize: 1))
    try await router.set(1, for: key(.keychain(), .keychain()))
    #expect(try await router.get(key(.keychain(service: "s"), .keychain())) == 1)
  }

  @Test func afterTheFirstUseOfWhatItChangesAConfigurationIsAConflict() async throws {
    let router = StorageRouter.inMemory()
    try await router.set(1, for: key(.userDefaults(), .none))
    await #expect(throws: conflict) { try await router.updateStorageConfiguration(StorageConfiguration()) }
    try await router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "d"))
    #expect(try await router.get(key(.userDefaults(), .none)) == 1)

    try await router.set(2, for: key(.fileSystem(directory: .documents), .none))
    await #expect(throws: conflict) {
      try await router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "e"))
    }
    try await router.updateEncryptionConfiguration(EncryptionConfiguration(masterKeyService: "s"))

    try await router.set(3, for: key(.userDefaults(suite: "x"), .recommended))
    await #expect(throws: conflict) { try await router.updateEncryptionConfiguration(EncryptionConfiguration()) }
  }

  @Test func aMasterKeyOfAnotherLengthIsRefused() async throws {
    let router = StorageRouter.inMemory()
    try await router.updateEncryptionConfiguration(EncryptionConfiguration(masterKeyLength: 16))
    await #expect(throws: StorageError.configurationConflict(.init(key: "n", domain: .userDefaults))) {
      try await router.set(1, for: key(.userDefaults(), .recommended))
    }
  }
}
