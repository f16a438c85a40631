#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @_spi(Generated) @testable import LocalData
  @testable import LocalDataMaintenance

  /// An inventory says what is stored without a value, and orphans are what nothing declares.
  @Suite struct InventoryTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    @Test(arguments: ProbeAddress.allCases)
    func aStoredValueIsPresentWithItsSizeAndAge(_ address: ProbeAddress) async throws {
      let (key, absent) = (RetainedKey.of(address, .maxAge(seconds: 600)), RetainedKey.of(address, nil, name: "absent"))
      let router = app.launch()
      try router.register([.key(key), .key(absent)])
      try await router.set("secret", for: key)
      app.clock.advance(by: 90)
      let inventory = await router.maintenance.inventory()
      try #require(inventory.count == 2)
      #expect(inventory[0].isPresent)
      #expect(inventory[0].size == (try app.stored(key)?.count))
      #expect(inventory[0].age == 90)
      #expect(inventory[0].problem == nil)
      #expect(inventory[1] == Maintenance.Entry(key: .init(key: "absent", domain: address.domain.kind)))
      #expect(!"\(inventory)".contains("secret"))
    }

    @Test func theAgeOfAFileWithoutRetentionIsThatOfTheFile() async throws {
      let key = RetainedKey.of(.files, nil)
      let router = app.launch()
      try router.register([.key(key)])
      try await router.set("abc", for: key)
      let written = app.clock.now.addingTimeInterval(-50)
      try FileManager.default.setAttributes(
        [.modificationDate: written], ofItemAtPath: app.fixture.path("data/documents/value"))
      #expect(await router.maintenance.inventory().map(\.age) == [50])
    }

    @Test func theAgeOfAKeychainItemIsThatOfTheItem() async throws {
      let key = StorageKey<String?>(
        name: "token", domain: .keychain(service: "s"), security: .keychain(), owner: "Tests", description: "A token.")
      let keychain = KeychainHelper(in: app.fixture.locations.appFolder, clock: app.clock)
      try keychain.write(Data(#""abc""#.utf8), to: .item("token", service: "s"), StorageAttributes())
      app.clock.advance(by: 90)
      let router = app.launch(isLater: false)
      try router.register([.key(key)])
      #expect(try await router.get(key) == "abc")
      #expect(await router.maintenance.inventory().map(\.age) == [90])
    }

    @Test func aFamilyIsOneEntryWithoutItsParameters() async throws {
      let family = StorageKeyFamily(name: "draft_{id}", domain: .fileSystem(directory: .documents), security: .none)
      let other = RetainedKey.of(.files, nil, name: "draft_other")
      for (name, age) in [("draft_jane", 50.0), ("draft_joe", 0.0)] {
        try await app.launch().set("abc", for: RetainedKey.of(.files, .maxAge(seconds: 600), name: name))
        app.clock.advance(by: age)
      }
      let router = app.launch()
      try router.register([.key(other)], [family])
      let inventory = await router.maintenance.inventory()
      try #require(inventory.count == 2)
      #expect(inventory[1].key == .init(key: "draft_{id}", domain: .fileSystem))
      #expect(inventory[1].count == 2)
      #expect(inventory[1].size == 2 * (EnvelopeHeader.count + 5))
      #expect(inventory[1].age == 52)
      #expect(!"\(inventory)".contains("jane"))
    }

    @Test func whatCannotBeExaminedIsAProblemOfItsKey() async throws {
      let (damaged, fine) = (RetainedKey.of(.preferences, nil), RetainedKey.of(.files, nil))
      let router = app.launch()
      try router.register([.key(damaged), .key(fine)])
      try await router.set("abc", for: fine)
      try FileManager.default.createDirectory(
        atPath: app.fixture.path("data/preferences"), withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: app.fixture.path("data/preferences/standard.db")))
      let inventory = await router.maintenance.inventory()
      try #require(inventory.count == 2)
      #expect(inventory[0].problem != nil)
      #expect(inventory[1].isPresent)
    }

    /// The folder of values that were moved aside is that of all keys of the app.
    @Test(arguments: [true, false]) func aFolderThatCannotBeListedIsOneProblem(_ isLink: Bool) async throws {
      let router = app.launch()
      try router.register(
        [
          .key(RetainedKey.of(.files, nil)), .key(RetainedKey.of(.preferences, nil)),
          .key(RetainedKey.of(.keychain, nil)),
        ],
        [StorageKeyFamily(name: "draft_{id}", domain: .fileSystem(directory: .documents), security: .none)])
      try await router.set("abc", for: RetainedKey.of(.files, nil))
      let folder = app.fixture.path("data/.quarantine")
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: folder, withDestinationPath: app.fixture.path("data/documents"))
      } else {
        try Data("text".utf8).write(to: URL(fileURLWithPath: folder))
      }
      let inventory = await router.maintenance.inventory()
      #expect(inventory.map(\.key.key) == [nil, "value", "value", "value", "draft_{id}"])
      #expect(inventory.map { $0.problem != nil } == [true, false, false, false, false])
      #expect(
        inventory.first?.problem
          == StorageError(.io(errno: isLink ? ELOOP : ENOTDIR), .init(key: nil, domain: nil)))
      #expect(inventory.map(\.count) == [0, 1, 0, 0, 0])
    }

    // MARK: Orphans

    @Test func aValueThatNothingDeclaresIsAnOrphan() async throws {
      let source = RetainedKey.of(.preferences, nil, name: "source")
      let key = StorageKey<String?>(
        name: "key", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A text.",
        migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) })
      let family = StorageKeyFamily(name: "draft_{id}", domain: .userDefaults(), security: .none)
      let sealed = RetainedKey.of(.encryptedFiles, nil, name: "sealed")
      for name in ["source", "draft_1", "reserved", "forgotten"] {
        try await app.launch().set("abc", for: RetainedKey.of(.preferences, nil, name: name))
      }
      // The master key of an encrypted value is the library's own.
      try await app.launch().set("abc", for: sealed)
      try await app.launch().set("abc", for: RetainedKey.of(.keychain, nil, name: "item"))
      let router = app.launch()
      try router.register(
        [.key(key), .key(sealed), .key(StorageKey<String?>.masterKeyNeighbor)], [family],
        reserved: [StorageReservedName(name: "reserved", domain: .userDefaults())])
      let progress = RecordedProgress()
      let orphans = await router.maintenance.orphans(progress: progress.note)
      // The service of the keychain that the keys have in common, that of the neighbor, the preferences, and the files.
      #expect(progress.count == 4)
      #expect(orphans.failures == [])
      #expect(
        orphans.values == [
          .init(name: "item", domain: .keychain()), .init(name: "forgotten", domain: .userDefaults()),
        ])
      #expect(!"\(orphans.values[0])".contains("item"))
      #expect(try app.stored(RetainedKey.of(.preferences, nil, name: "forgotten")) != nil)
    }
  }

  extension StorageKey where Value == String? {
    /// A key of the service in which the library stores its master key.
    fileprivate static var masterKeyNeighbor: StorageKey<String?> {
      StorageKey<String?>(
        name: "neighbor", domain: .keychain(service: "LocalData"), security: .keychain(), owner: "Tests",
        description: "A text.")
    }
  }
#endif
