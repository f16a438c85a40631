#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData

  /// Before a first master key, each container that may hide a value of a lost one is looked into.
  @Suite struct HiddenEnvelopeTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private var roots: StorageRoots { StorageRoots(below: fixture.folder) }
    private var router: StorageRouter {
      StorageRouter(configuration: StorageConfiguration(applicationName: "Test", roots: roots))
    }

    private static let group = "group.t"
    private static let app: [StorageContainer] = [
      .preferences(suite: nil), .preferences(suite: "s"), .directory(.documents), .directory(.applicationSupport),
      .directory(.custom("a/b")), .directory(.caches),
      .keychain(service: "Test", accessGroup: nil, synchronizable: false),
      .keychain(service: "other", accessGroup: "T.g", synchronizable: false),
    ]
    private static let groups: [StorageContainer] = [
      .groupPreferences(identifier: group), .groupDirectory(identifier: group, .documents),
      .groupDirectory(identifier: group, .applicationSupport), .groupDirectory(identifier: group, .custom("a/b")),
      .groupDirectory(identifier: group, .caches),
    ]

    private func store(_ container: StorageContainer) -> any ValueStore {
      switch container.store {
      case .preferences: UserDefaultsHelper(fixture.locations)
      case .keychain: KeychainHelper(in: fixture.locations.appFolder)
      case .files: FileStorageHelper(fixture.locations)
      }
    }

    @Test(arguments: app + groups) func preventsANewMasterKey(_ container: StorageContainer) async throws {
      let isGroup = Self.groups.contains(container)
      let domain = isGroup ? StorageDomain.appGroupUserDefaults(identifier: Self.group) : .userDefaults(suite: "mine")
      let key = StorageKey<Int?>(
        name: "n", domain: domain, security: .recommended, owner: "Tests", description: "A number.")
      let address = StorageAddress(container: container, name: "hidden")
      let sealed = try EnvelopeTests.Case(algorithm: .aes256GCM).seal()
      try store(container).write(sealed, to: address, StorageAttributes())

      let subject = StorageError.Subject(key: "n", domain: domain.kind)
      await #expect(throws: StorageError(.keyMaterialMissing, subject)) { try await router.set(1, for: key) }
      await #expect(throws: StorageError(.keyMaterialMissing, subject)) { try await router.update(key) { $0 = 1 } }
      let keystore = KeychainHelper(
        in: try fixture.locations.keystore(of: isGroup ? .group(identifier: Self.group) : .app).folder)
      let record = StorageAddress.item("MasterKey", service: "LocalData", group: isGroup ? Self.group : nil)
      #expect(try !keystore.exists(record, StorageAttributes()))

      // Without it, the first set makes the key.
      try store(container).remove(address, StorageAttributes())
      try await router.set(1, for: key)
      #expect(try keystore.exists(record, StorageAttributes()))
    }

    /// A value of one keyset says nothing of the key of another.
    @Test func aValueOfAnotherKeysetPreventsNone() async throws {
      let address = StorageAddress(container: .groupPreferences(identifier: Self.group), name: "hidden")
      try store(address.container).write(
        EnvelopeTests.Case(algorithm: .aes256GCM).seal(), to: address, StorageAttributes())
      let key = StorageKey<Int?>(
        name: "n", domain: .userDefaults(), security: .recommended, owner: "Tests", description: "A number.")
      try await router.set(1, for: key)
    }

    // MARK: What lock() drops

    @Test func lockingDropsTheRootKeyOfALiveRouter() async throws {
      let router = router
      let token = StorageKey<String?>(
        name: "token", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A token.")
      try await router.set("a", for: token)
      #expect(try await router.get(token) == "a")
      let keyFile = fixture.path("data/keystore.key")
      try FileManager.default.moveItem(atPath: keyFile, toPath: keyFile + ".away")
      #expect(try await router.get(token) == "a")
      await router.lock()
      let missing = StorageError(.keyMaterialMissing, .init(key: "token", domain: .keychain))
      await #expect(throws: missing) { try await router.get(token) }
      try FileManager.default.moveItem(atPath: keyFile + ".away", toPath: keyFile)
      #expect(try await router.get(token) == "a")
    }

    @Test func lockingDropsTheProvidersKeysOfALiveRouter() async throws {
      let router = router
      let source = KeyMaterialSource(id: "remote.key")
      let provider = ExternalKey.Provider(Data(repeating: 1, count: 32))
      router.registerKeyMaterialProvider(provider, for: source)
      let note = StorageKey<String?>(
        name: "note", domain: .userDefaults(), security: .encrypted(.external(source: source)), owner: "Tests",
        description: "A note.")
      try await router.set("a", for: note)
      #expect(try await router.get(note) == "a")
      #expect(provider.asked.withLock { $0.count } == 1)
      await router.lock()
      #expect(try await router.get(note) == "a")
      #expect(provider.asked.withLock { $0.count } == 2)
    }
  }
#endif
