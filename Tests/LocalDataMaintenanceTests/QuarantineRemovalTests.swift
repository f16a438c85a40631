#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @_spi(Generated) @testable import LocalData
  @testable import LocalDataMaintenance
  @testable import LocalDataSync

  /// Quarantined bytes are counted, and removed together with their key, by every way to remove a value.
  @Suite(.findsHangs) struct QuarantineRemovalTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private func member(_ address: CorruptionAddress, _ number: Int) -> StorageKey<Int> {
      address.key(.quarantine, "draft_\(number)", declaredName: "draft_{id}")
    }

    @Test(arguments: CorruptionAddress.quarantining)
    func theInventoryCountsThemAndRemovalsRemoveThem(_ address: CorruptionAddress) async throws {
      let family = StorageKeyFamily(name: "draft_{id}", domain: address.domain, security: address.security)
      let other = address.key(.quarantine, "draft_other_key")
      let key = address.key(.quarantine)
      let router = app.launch()
      try router.register([.key(key), .key(other)], [family])
      for number in 1...3 { _ = try await app.seeded(address, "draft_\(number)") }
      _ = try await app.seeded(address, "draft_other_key")
      _ = try await app.seeded(address)
      for number in 1...3 { #expect(try await router.get(member(address, number)) == 7) }
      #expect(try await router.get(other) == 7)
      #expect(try await router.get(key) == 7)
      var inventory = await router.maintenance.inventory()
      #expect(inventory.map(\.quarantined) == [1, 1, 3])
      #expect(inventory.allSatisfy { !$0.isPresent && $0.problem == nil })
      #expect(try await router.members(of: family).isEmpty)
      #expect(await router.maintenance.orphans().values == [])

      try await router.remove(member(address, 1))
      inventory = await router.maintenance.inventory()
      #expect(inventory.map(\.quarantined) == [1, 1, 2])
      try await router.removeAll(of: family)
      inventory = await router.maintenance.inventory()
      #expect(inventory.map(\.quarantined) == [1, 1, 0])
      try await router.remove(other)
      try await router.set(nil, for: address.optional(.quarantine))
      #expect(try app.quarantined == [])
    }

    /// An earlier release has moved the bytes aside. The key has another name by now.
    @Test func aRemovalRemovesTheCopiesOfItsSources() async throws {
      let address = try #require(CorruptionAddress.sealed.first)
      let old = address.optional(.quarantine)
      let new = StorageKey<Int?>(
        name: "new", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A number."
      ) { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
      }
      for isTransaction in [false, true] {
        _ = try await app.seeded(address)
        #expect(try await app.launch().get(old) == nil)
        #expect(try app.quarantined.count == 1)
        try await app.launch().set(1, for: new)
        if isTransaction {
          try await app.launch().transaction { try await $0.remove(new) }
        } else {
          try await app.launch().remove(new)
        }
        #expect(try app.quarantined == [])
      }
    }

    @Test func aRemovalOfAFamilyRemovesTheCopiesOfItsSources() async throws {
      let address = try #require(CorruptionAddress.sealed.first)
      let old = StorageKeyFamily(name: "old_{id}", domain: address.domain, security: address.security)
      let own = StorageKeyFamily(name: "new_{id}", domain: .keychain(), security: .keychain())
      let moving = own.migrating(from: [old]) { values in
        let id: String = try values.value(of: "id")
        return StorageKey<Int?>(own, "new_\(id)", .json).migrating { key in
          AnyStorageMigration(
            SimpleLegacyMigration(destinationKey: key, sourceKey: .key(StorageKey<Int?>(old, "old_\(id)", .json))))
        }
      }
      _ = try await app.seeded(address, "old_1")
      #expect(try await app.launch().get(address.key(.quarantine, "old_1", declaredName: "old_{id}")) == 7)
      #expect(try app.quarantined.count == 1)
      let router = app.launch()
      try router.register([], [moving])
      try await router.removeAll(of: moving)
      #expect(try app.quarantined == [])
    }

    /// A template fits the names of another family, which has more text.
    @Test(arguments: [true, false]) func aCopyIsOneOfItsOwnFamily(_ isFirst: Bool) async throws {
      let address = try #require(CorruptionAddress.unsecured.first)
      let wide = StorageKeyFamily(name: "draft_{id}", domain: address.domain, security: address.security)
      let narrow = StorageKeyFamily(name: "draft_old_{id}", domain: address.domain, security: address.security)
      let router = app.launch()
      try router.register([], isFirst ? [wide, narrow] : [narrow, wide])
      _ = try await app.seeded(address, "draft_old_1")
      #expect(try await router.get(address.key(.quarantine, "draft_old_1", declaredName: narrow.name)) == 7)
      #expect(try await router.maintenance.quarantined().map(\.key.key) == [narrow.name])
    }

    /// Also if the key has another policy by now, and if its value is removed in another way.
    @Test func everyRemovalOfAKeyRemovesThem() async throws {
      for address in CorruptionAddress.quarantining {
        let key = address.optional(.quarantine)
        func quarantine() async throws {
          _ = try await app.seeded(address)
          #expect(try await app.launch().get(key) == nil)
          #expect(try app.quarantined.count == 1, "\(address.name)")
        }
        try await quarantine()
        try await app.launch().remove(address.optional(.throw))
        #expect(try app.quarantined == [], "\(address.name)")
        try await quarantine()
        try await app.launch().update(key) { $0 = nil }
        #expect(try app.quarantined == [], "\(address.name)")
        try await quarantine()
        try await app.launch().set(1, for: key)
        try await app.launch().update(key) { $0 = nil }
        #expect(try app.quarantined == [], "\(address.name)")
        try await quarantine()
        try await app.launch().set(1, for: key)
        try await app.launch().update(address.optional(.throw)) { $0 = nil }
        #expect(try app.quarantined == [], "\(address.name)")
        guard CorruptionAddress.preferences.contains(where: { $0.name == address.name }) else { continue }
        try await quarantine()
        try app.launch().setValue(nil, for: key)
        #expect(try app.quarantined == [], "\(address.name)")
      }
    }

    /// The removal comes from the paired device, for the key itself or for one that takes its value from it.
    @Test(arguments: CorruptionAddress.quarantining, [true, false])
    func aRemovalThatIsReceivedRemovesThem(_ address: CorruptionAddress, isMoved: Bool) async throws {
      let source = address.optional(.quarantine)
      let migration: @Sendable (StorageKey<Int?>) -> AnyStorageMigration = { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
      }
      let key = StorageKey<Int?>(
        name: isMoved ? "moved" : "value", domain: address.domain, security: address.security, owner: "Tests",
        description: "A number.", syncPolicy: .manual,
        options: StorageKeyOptions(decryptedForSync: address.security != .none), migration: isMoved ? migration : nil)
      _ = try await app.seeded(address)
      #expect(try await app.launch().get(source) == nil)
      #expect(try app.quarantined.count == 1)
      let earlier = app.launch()
      try earlier.register([.key(key)])
      try await earlier.set(1, for: key)

      let router = app.launch()
      try router.register([.key(key)])
      let device = UUID()
      let removal = SyncPayload.Entry(
        key: AnyStorageKey(key).syncKey, version: SyncVersion(counter: 1 << 42, device: device), schema: 1,
        isWatchRepresentation: false, bytes: nil)
      let payload = SyncPayload(header: SyncPayload.Header(sender: device, clock: 1 << 42), entries: [removal])
      #expect(await router.sync.receive(payload.bytes) == [.received(AnyStorageKey(key).subject)])
      #expect(try await router.get(key) == nil)
      #expect(try app.quarantined == [])
    }

    /// A secret that is removed is in no file any more, neither as it was encrypted.
    @Test(arguments: CorruptionAddress.sealed)
    func aRemovedSecretLeavesNoCopy(_ address: CorruptionAddress) async throws {
      let key = address.key(.quarantine)
      let sealed = try await app.seeded(address)
      #expect(try await app.launch().get(key) == 7)
      try await app.launch().remove(key)
      var count = 0
      for name in try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path) {
        // A folder, or a file of a database that is being closed.
        guard let bytes = try? app.content(name) else { continue }
        count += 1
        #expect(bytes.range(of: sealed.suffix(16)) == nil, "\(name)")
      }
      #expect(count > 3)
    }

    @Test func thereAreNoMoreThanTheLimitAndThenTheErrorIsThrown() async throws {
      let address = try #require(CorruptionAddress.unsecured.first { $0.domain.kind == .fileSystem })
      let router = app.launch()
      for number in 0...Quarantine.limit { try await router.set("abc", for: address.old("draft_\(number)")) }
      let today = app.launch()
      for number in 0..<Quarantine.limit { #expect(try await today.get(member(address, number)) == 7) }
      let last = member(address, Quarantine.limit)
      let error = StorageError(.quarantineFull, .init(key: "draft_{id}", domain: .fileSystem))
      await #expect(throws: error) { try await today.get(last) }
      #expect(try app.quarantined.count == Quarantine.limit)
      #expect(try app.stored(last) != nil)
      // Room is made by a removal. The same bytes of the same key need none.
      try await today.remove(member(address, 0))
      #expect(try await today.get(last) == 7)
      try await router.set("abc", for: address.old("draft_1"))
      #expect(try await today.get(member(address, 1)) == 7)
    }

    /// Not a value of another container or name, and nothing else that is in the folder.
    @Test func onlyTheCopiesOfTheAddressAreRemoved() async throws {
      let addresses = CorruptionAddress.unsecured.filter { $0.domain.kind == .fileSystem }
      for address in addresses {
        _ = try await app.seeded(address)
        #expect(try await app.launch().get(address.key(.quarantine)) == 7)
      }
      let foreign = app.fixture.path("data/.quarantine/notes.txt")
      try Data("notes".utf8).write(to: URL(fileURLWithPath: foreign))
      try await app.launch().remove(addresses[0].key(.quarantine))
      #expect(try app.quarantined.count == addresses.count)
      #expect(FileManager.default.fileExists(atPath: foreign))
    }
  }

  extension RelaunchedApp {
    /// Stores a value that the keys of a later release cannot decode, and returns its stored bytes.
    func seeded(_ address: CorruptionAddress, _ name: String = "value") async throws -> Data {
      try await launch().set("abc", for: address.old(name))
      return try #require(try stored(address.old(name)))
    }

    /// Returns the content of a file of the app.
    func content(_ file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: fixture.path(file))) }
  }
#endif
