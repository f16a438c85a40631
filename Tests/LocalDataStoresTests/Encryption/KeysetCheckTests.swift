#if os(Linux)
  import Foundation
  import LocalDataMaintenance
  import RuntimeTestSupport
  import LocalDataFoundation
  import LocalDataVocabulary
  import Testing

  @testable import LocalData

  /// Tests in which the keys of a keyset change while a process has them in memory. No value is sealed with a key that
  /// does not exist any more or is retired.
  @Suite struct KeysetCheckTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func router() -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    }

    private static let domains: [StorageDomain] = [
      .userDefaults(), .userDefaults(suite: "s"), .encryptedFileSystem(directory: .documents),
      .fileSystem(directory: .custom("a/b")), .keychain(), .appGroupUserDefaults(identifier: "group.t"),
      .appGroupFileSystem(identifier: "group.t", directory: .caches),
    ]

    private func key(_ domain: StorageDomain, _ name: String = "n") -> StorageKey<Int?> {
      StorageKey<Int?>(
        name: name, domain: domain, security: .recommended, owner: "Tests", description: "A number.")
    }

    private func keyset(of domain: StorageDomain) -> KeysetID {
      domain.kind.isAppGroup ? .group(identifier: "group.t") : .app
    }

    /// The keychain that has the record of a domain's keyset, and the record's place.
    private func record(for domain: StorageDomain) throws -> (keychain: KeychainHelper, address: StorageAddress) {
      let folder = try fixture.locations.keystore(of: keyset(of: domain)).folder
      let group = domain.kind.isAppGroup ? "group.t" : nil
      return (KeychainHelper(in: folder), .item("MasterKey", service: "LocalData", group: group))
    }

    private func header(of key: StorageKey<Int?>) async throws -> EnvelopeHeader {
      let router = router()
      let plan = try await router.plan(for: AnyStorageKey(key))
      return try EnvelopeHeader.parse(#require(try await router.values(for: plan).stored(plan)))
    }

    /// Makes a new key the primary one, as a rotation does.
    private func changePrimary(for domain: StorageDomain) throws -> KeyID {
      let (keychain, address) = try record(for: domain)
      let fresh = Keyset.Key(secret: Randomness.system.secret(32))
      try keychain.update(address, StorageAttributes()) { (bytes) throws(StorageProblem) in
        guard let bytes else { throw .notFound }
        var record = try Keyset(bytes: bytes)
        record.keys.append(fresh)
        (record.primary, record.epoch) = (fresh.id, record.epoch + 1)
        return .write(try record.encoded())
      }
      return fresh.id
    }

    @Test(arguments: domains) func aFolderThatIsWipedLeavesUsableStorage(_ domain: StorageDomain) async throws {
      let running = router()
      try await running.set(1, for: key(domain))
      for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) {
        try FileManager.default.removeItem(atPath: fixture.path(name))
      }
      try await running.set(2, for: key(domain))
      try await running.update(key(domain)) { $0 = ($0 ?? 0) + 1 }
      #expect(try await running.get(key(domain)) == 3)
      let location = try fixture.locations.record("master-key", of: keyset(of: domain))
      #expect(FileManager.default.fileExists(atPath: location.path))
      // After a restart too.
      #expect(try await router().get(key(domain)) == 3)
      try await router().set(4, for: key(domain))
    }

    @Test(arguments: domains) func nothingIsSealedWithAKeyThatIsNotPrimaryAnyMore(
      _ domain: StorageDomain
    ) async throws {
      let running = router()
      for name in ["n", "m"] { try await running.set(1, for: key(domain, name)) }
      let primary = try changePrimary(for: domain)
      try await running.set(2, for: key(domain))
      try await running.update(key(domain, "m")) { $0 = ($0 ?? 0) + 1 }
      for name in ["n", "m"] {
        #expect(try await header(of: key(domain, name)).seal?.keyID == primary)
        #expect(try await running.get(key(domain, name)) == 2)
      }
    }

    @Test func aValueThatWasSealedBeforeTheChangeIsNotStored() async throws {
      let running = router()
      let key = key(.userDefaults())
      try await running.set(1, for: key)
      let plan = try await running.plan(for: AnyStorageKey(key))
      let values = running.values(for: plan)
      let sealer = try await values.sealer(for: plan)
      let sealed = try plan.secured(Data("2".utf8), sealer, at: Date())
      _ = try changePrimary(for: .userDefaults())
      let value = KeyedValue(plan, values)
      #expect(throws: StorageProblem.busy) { try value.write(sealed) }
      #expect(throws: StorageProblem.busy) { try value.update { _ in .write(sealed) } }
      #expect(try await router().get(key) == 1)
    }

    /// The primary key changes after a transaction or a rotation has sealed a value, and before the value is stored. A
    /// transaction repeats only its write.
    @Test(arguments: [true, false])
    func aValueThatWasSealedBeforeTheChangeIsSealedAgain(isTransaction: Bool) async throws {
      let key = key(.userDefaults())
      try await router().set(1, for: key)
      let primary = Lock<KeyID?>(nil)
      let configuration = StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder))
      let router = StorageRouter(configuration: configuration) { setup in
        var services = StorageServices.live(setup)
        services.preferences = OvertakenStore(base: services.preferences) {
          primary.withLock { primary in
            if primary == nil { primary = try? changePrimary(for: .userDefaults()) }
          }
        }
        return services
      }
      if isTransaction {
        let calls = Lock(0)
        try await router.transaction { transaction in
          calls.withLock { $0 += 1 }
          let value = try await transaction.get(key)
          try await transaction.set(value, for: key)
        }
        #expect(calls.withLock(\.self) == 1)
      } else {
        try await router.maintenance.rotateKeys()
      }
      let changed = try #require(primary.withLock { $0 })
      #expect(try await header(of: key).seal?.keyID == changed)
      #expect(try await self.router().get(key) == 1)
    }

    /// A change of the keys waits for values that are being stored, and those for it.
    @Test func aChangeOfTheKeysAndAWriteExcludeEachOther() throws {
      let lock = try KeysetFiles(fixture.locations).lock(.app)
      try lock.hold(.shared) { () throws(StorageProblem) in
        try lock.hold(.shared, patience: .zero) { () throws(StorageProblem) in }
        #expect(throws: StorageProblem.busy) {
          try lock.hold(.exclusive, patience: .zero) { () throws(StorageProblem) in }
        }
      }
      try lock.hold(.exclusive, patience: .zero) { () throws(StorageProblem) in
        for mode in [SharedFileLock.Mode.shared, .exclusive] {
          #expect(throws: StorageProblem.busy) { try lock.hold(mode, patience: .zero) { () throws(StorageProblem) in } }
        }
      }
      try lock.hold(.exclusive, patience: .zero) { () throws(StorageProblem) in }
    }

    // MARK: The marker of a master key

    private var keystoreFiles: [String] { StoreFixture.keystoreFiles }

    /// If no value is found that was sealed with the lost key, there may still be one that cannot be seen now.
    /// Therefore the key is not created again.
    @Test func aLostMasterKeyIsNotMadeAnewAlthoughNoValueIsLeft() async throws {
      let key = key(.userDefaults())
      try await router().set(1, for: key)
      try await router().remove(key)
      for name in keystoreFiles { try? FileManager.default.removeItem(atPath: fixture.path("data/" + name)) }
      let missing = StorageError(.keyMaterialMissing, .init(key: "n", domain: .userDefaults))
      await #expect(throws: missing) { try await router().set(2, for: key) }
      #expect(!FileManager.default.fileExists(atPath: fixture.path("data/keystore.key")))
    }

    @Test func theMasterKeyOfAReleaseWithoutMarkersGetsOne() async throws {
      let key = key(.userDefaults())
      try await router().set(1, for: key)
      let marker = fixture.path("data/.master-key-created.location")
      try FileManager.default.removeItem(atPath: marker)
      try await router().set(2, for: key)
      #expect(FileManager.default.fileExists(atPath: marker))
    }
  }

  /// A store in which something happens just before each change.
  private struct OvertakenStore: ForwardingStore, TransactingStore {
    let base: any ValueStore
    let before: @Sendable () -> Void

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      before()
      try base.update(address, attributes, change)
    }

    func updateAll(
      _ items: [StorageItem], in container: StorageContainer,
      _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
    ) throws(StorageProblem) {
      before()
      guard let base = base as? any TransactingStore else { throw .invalidName }
      try base.updateAll(items, in: container, change)
    }
  }
#endif
