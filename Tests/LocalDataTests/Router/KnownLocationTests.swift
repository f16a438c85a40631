#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData

  /// A configured location that differs from the one values were written under finds nothing: it is refused.
  @Suite struct KnownLocationTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func router() -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    }

    private func key(_ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<Int?> {
      StorageKey<Int?>(name: "n", domain: domain, security: security, owner: "Tests", description: "A number.")
    }

    private var file: StorageKey<Int?> { key(.fileSystem(directory: .documents), .none) }
    private var groupFile: StorageKey<Int?> {
      key(.appGroupFileSystem(identifier: "group.t", directory: .documents), .none)
    }
    private var sealed: StorageKey<Int?> { key(.userDefaults(), .recommended) }

    @Test func aSubDirectoryThatChangedIsRefusedAndTheOldOneStillReads() async throws {
      try await router().set(1, for: file)
      try await router().set(2, for: groupFile)
      let changed = router()
      try changed.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "new"))
      for key in [file, groupFile] {
        let conflict = StorageError(.configurationConflict, .init(key: "n", domain: key.domain.kind))
        await #expect(throws: conflict) { try await changed.get(key) }
        await #expect(throws: conflict) { try await changed.set(3, for: key) }
        await #expect(throws: conflict) { try await changed.remove(key) }
      }
      #expect(try await router().get(file) == 1)
      #expect(try await router().get(groupFile) == 2)
    }

    @Test func readingRecordsNothing() async throws {
      let first = router()
      try first.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "a"))
      #expect(try await first.get(file) == nil)
      #expect(try fixture.permissions().isEmpty)
      let second = router()
      try second.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "b"))
      try await second.set(1, for: file)
      #expect(FileManager.default.fileExists(atPath: fixture.path("data/documents/b/n")))
    }

    /// A call of a store of files that reads or changes a value.
    enum FileCall: CaseIterable {
      case read, exists, version, modification, names, remove, update, write

      var recordsLocation: Bool { self == .update || self == .write }

      func run(on store: any ValueStore, _ name: String = "n") throws(StorageProblem) {
        let (address, attributes) = (StorageAddress.file(name), StorageAttributes())
        switch self {
        case .read: _ = try store.read(address, attributes)
        case .exists: _ = try store.exists(address, attributes)
        case .version: _ = try store.version(of: address, attributes)
        case .modification: _ = try store.modification(of: address)
        case .names: try store.names(in: address.container) { _ in true }
        case .remove: try store.remove(address, attributes)
        case .update: try store.update(address, attributes) { _ in .keep }
        case .write: try store.write(Data([1]), to: address, attributes)
        }
      }
    }

    private func files(_ subDirectory: String) -> FileStorageHelper {
      let configuration = FileStorageConfiguration(subDirectory: subDirectory)
      let locations = StorageLocations(
        StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)), configuration)
      return FileStorageHelper(locations, LocationCheck(.files(configuration), named: "files", in: locations))
    }

    @Test(arguments: FileCall.allCases) func everyCallComparesTheLocationOfFiles(_ call: FileCall) throws {
      let record = fixture.path("data/.files.location")
      #expect(throws: StorageProblem.invalidName) { try FileCall.write.run(on: files("a"), "") }
      #expect(!FileManager.default.fileExists(atPath: record))
      try call.run(on: files("a"))
      #expect(FileManager.default.fileExists(atPath: record) == call.recordsLocation)
      try FileCall.write.run(on: files("a"))
      #expect(throws: StorageProblem.configurationConflict) { try call.run(on: files("b")) }
      #expect(try files("a").read(.file("n"), StorageAttributes()) == Data([1]))
    }

    @Test(arguments: [
      EncryptionConfiguration(masterKeyService: "other"), EncryptionConfiguration(masterKeyAccount: "other"),
      EncryptionConfiguration(masterKeyAccessibility: .whenUnlocked),
      EncryptionConfiguration(masterKeyAccessGroup: "T.shared"),
    ])
    func anotherPlaceOfTheMasterKeyIsRefused(_ configuration: EncryptionConfiguration) async throws {
      try await router().set(1, for: sealed)
      let changed = router()
      try changed.updateEncryptionConfiguration(configuration)
      let conflict = StorageError(.configurationConflict, .init(key: "n", domain: .userDefaults))
      await #expect(throws: conflict) { try await changed.get(sealed) }
      await #expect(throws: conflict) { try await changed.set(2, for: sealed) }
      #expect(try await router().get(sealed) == 1)
    }

    @Test func aRecordThatIsDamagedOrNewerIsItsOwnError() async throws {
      try await router().set(1, for: file)
      let record = fixture.path("data/.files.location")
      try Data("{".utf8).write(to: URL(fileURLWithPath: record))
      await #expect(throws: StorageError(.locationsDamaged, .init(key: "n", domain: .fileSystem))) {
        try await router().get(file)
      }
      try Data(#"{"format":2}"#.utf8).write(to: URL(fileURLWithPath: record))
      await #expect(throws: StorageError(.unknownFormatVersion, .init(key: "n", domain: .fileSystem))) {
        try await router().get(file)
      }
    }

    @Test func aLostMasterKeyIsNeverMadeAnewBesideWhatItSealed() async throws {
      try await router().set(1, for: sealed)
      for name in StoreFixture.keystoreFiles {
        try? FileManager.default.removeItem(atPath: fixture.path("data/" + name))
      }
      let later = router()
      let missing = StorageError(.keyMaterialMissing, .init(key: "n", domain: .userDefaults))
      await #expect(throws: missing) { try await later.get(sealed) }
      await #expect(throws: missing) { try await later.set(2, for: sealed) }
      await #expect(throws: missing) { try await later.update(sealed) { _ in } }
      #expect(try await later.exists(sealed))
    }

    @Test func aMissingKeyFileBesideAKeystoreIsAnErrorAndStaysOne() async throws {
      let token = key(.keychain(), .keychain())
      try await router().set(1, for: token)
      let keyFile = fixture.path("data/keystore.key")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: keyFile))
      try FileManager.default.removeItem(atPath: keyFile)
      let missing = StorageError(.keyMaterialMissing, .init(key: "n", domain: .keychain))
      await #expect(throws: missing) { try await router().get(token) }
      await #expect(throws: missing) { try await router().set(2, for: token) }
      #expect(!FileManager.default.fileExists(atPath: keyFile))
      try bytes.prefix(31).write(to: URL(fileURLWithPath: keyFile))
      await #expect(throws: StorageError(.keyMaterialDamaged, .init(key: "n", domain: .keychain))) {
        try await router().get(token)
      }
      try Data(repeating: 0, count: 32).write(to: URL(fileURLWithPath: keyFile))
      await #expect(throws: StorageError(.wrongRootKey, .init(key: "n", domain: .keychain))) {
        try await router().get(token)
      }
      try bytes.write(to: URL(fileURLWithPath: keyFile))
      #expect(try await router().get(token) == 1)
    }
  }
#endif
