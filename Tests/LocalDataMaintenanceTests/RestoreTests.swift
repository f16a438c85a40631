#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance
  @testable import LocalDataSync

  /// Values that were moved aside are listed, stored again and removed.
  @Suite(.findsHangs) struct RestoreTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    /// Stores a text, and moves it aside as what is no number. Returns the stored bytes.
    private func quarantine(_ address: CorruptionAddress, _ name: String = "value") async throws -> Data {
      try await app.launch().set("abc", for: address.old(name))
      let stored = try #require(try app.stored(address.old(name)))
      #expect(try await app.launch().get(address.key(.quarantine, name)) == 7)
      return stored
    }

    /// The app as a release whose key is a text again, or a number.
    private func text(_ address: CorruptionAddress) throws -> StorageRouter {
      let router = app.launch()
      try router.register([.key(address.old())])
      return router
    }

    private func number(_ address: CorruptionAddress) throws -> StorageRouter {
      let router = app.launch()
      try router.register([.key(address.key(.quarantine))])
      return router
    }

    private static let files = CorruptionAddress.unsecured.filter { $0.domain.kind == .fileSystem }

    /// Restoring is a change like any other: nothing else has to be set for it to be sent.
    @Test(arguments: [SyncPolicy.automaticSmall, .manual])
    func aRestoredValueIsSent(_ policy: SyncPolicy) async throws {
      let address = CorruptionAddress.preferences[0]
      func synced(_ name: String, _ policy: SyncPolicy) -> StorageKey<String?> {
        StorageKey<String?>(
          name: name, domain: address.domain, security: address.security, owner: "Tests", description: "A text.",
          syncPolicy: policy)
      }
      _ = try await quarantine(address)
      let (router, linked) = (app.launch(), LinkedTransports())
      try router.register([.key(synced("value", policy)), .key(synced("other", .automaticSmall))])
      router.sync.setTransport(linked.phone)
      try await router.set("x", for: synced("other", .automaticSmall))
      _ = linked.watch.arrivals()
      let value = try #require(try await router.maintenance.quarantined().first)
      #expect(try await router.maintenance.restore(value))
      let sent = try linked.watch.arrivals().flatMap { try SyncPayload($0).entries }.filter { $0.key?.name == "value" }
      #expect(sent.map(\.bytes) == (policy == .manual ? [] : [Data("\"abc\"".utf8)]))
    }

    @Test(arguments: CorruptionAddress.quarantining)
    func aValueIsListedAndStoredAgain(_ address: CorruptionAddress) async throws {
      let stored = try await quarantine(address)
      let router = try text(address)
      let values = try await router.maintenance.quarantined()
      let value = try #require(values.first)
      #expect(values.count == 1)
      #expect(value.key == address.subject)
      #expect(value.size == stored.count)
      #expect(abs(value.date.timeIntervalSinceNow) < 3_600)
      #expect("\(value)" == "\(address.subject), \(stored.count) bytes")
      #expect(Mirror(reflecting: value).children.isEmpty)

      let entries = Lock<[StorageLogEntry]>([])
      router.setLogger { entry in entries.withLock { $0.append(entry) } }
      #expect(try await router.maintenance.restore(value))
      #expect(entries.withLock { $0.map(\.operation) } == [.restore])
      #expect(try await router.get(address.old()) == "abc")
      #expect(try await text(address).get(address.old()) == "abc")
      #expect(try app.quarantined == [])
      #expect(try await router.maintenance.quarantined() == [])
      // Once only.
      #expect(try await router.maintenance.restore(value) == false)
    }

    /// Anyone who can write files can make such a file.
    @Test func aFileOfAKeychainItemIsNotRestored() async throws {
      let address = try #require(CorruptionAddress.all.first { $0.security.kind == .keychain })
      let container = try StorageContainer(address.domain, StorageConfiguration(applicationName: "Test"))
      let forged = SetAsideValue(
        address: StorageAddress(container: container, name: "value"), stored: Data("\"forged\"".utf8))
      let folder = try app.fixture.locations.quarantine(of: .app)
      _ = try FileLocation(folder: folder, name: forged.name).create(forged.bytes)
      let router = try text(address)
      let value = try #require(try await router.maintenance.quarantined().first)
      for isReplacing in [false, true] {
        await #expect(throws: StorageError(.quarantinedFileDamaged, address.subject)) {
          try await router.maintenance.restore(value, replacing: isReplacing)
        }
      }
      #expect(try await router.get(address.old()) == nil)
      #expect(try await router.maintenance.removeQuarantined([value]) == 1)
    }

    @Test(arguments: CorruptionAddress.quarantining)
    func bytesThatStillDoNotDecodeStayAside(_ address: CorruptionAddress) async throws {
      _ = try await quarantine(address)
      let router = try number(address)
      let value = try #require(try await router.maintenance.quarantined().first)
      let files = try app.quarantined
      await #expect(throws: StorageError(.cannotDecode, address.subject)) {
        try await router.maintenance.restore(value)
      }
      #expect(try app.stored(address.key(.throw)) == nil)
      #expect(try app.quarantined == files)
    }

    @Test(arguments: CorruptionAddress.quarantining)
    func anotherValueIsReplacedOnRequestOnly(_ address: CorruptionAddress) async throws {
      _ = try await quarantine(address)
      let router = try text(address)
      let value = try #require(try await router.maintenance.quarantined().first)
      try await router.set("new", for: address.old())
      await #expect(throws: StorageError(.alreadyStored, address.subject)) {
        try await router.maintenance.restore(value)
      }
      #expect(try await text(address).get(address.old()) == "new")
      #expect(try app.quarantined.count == 1)
      #expect(try await router.maintenance.restore(value, replacing: true))
      #expect(try await text(address).get(address.old()) == "abc")
      #expect(try app.quarantined == [])
    }

    /// The process was killed before it removed the copy.
    @Test(arguments: CorruptionAddress.quarantining)
    func aValueThatIsStoredAlreadyIsNoOther(_ address: CorruptionAddress) async throws {
      _ = try await quarantine(address)
      let router = try text(address)
      let value = try #require(try await router.maintenance.quarantined().first)
      try await router.set("abc", for: address.old())
      #expect(try await router.maintenance.restore(value))
      #expect(try await text(address).get(address.old()) == "abc")
      #expect(try app.quarantined == [])
    }

    /// The key has moved: its value is still where an earlier release stored it. One whose retention has ended is none.
    @Test(arguments: [true, false]) func aValueThatIsNotMovedYetIsReplacedOnRequestOnly(_ isEnded: Bool) async throws {
      let address = try #require(Self.files.first)
      let source = address.old("source").with { $0.retention = .maxAge(seconds: 60) }
      let key = address.old().with { $0.retention = .maxAge(seconds: 60) }.with(migration: {
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source)))
      })
      _ = try await quarantine(address)
      try await app.launch().set("kept", for: source)
      if isEnded { app.clock.advance(by: 60) }
      let router = app.launch()
      try router.register([.key(key)])
      let value = try #require(try await router.maintenance.quarantined().first)
      if !isEnded {
        await #expect(throws: StorageError(.alreadyStored, address.subject)) {
          try await router.maintenance.restore(value)
        }
        #expect(try await app.launch().get(key) == "kept")
      }
      #expect(try await router.maintenance.restore(value, replacing: !isEnded))
      #expect(try await app.launch().get(key) == "abc")
      #expect(try app.stored(source) == nil)
    }

    @Test func anotherProcessThatSetsAValueMeanwhileIsSeen() async throws {
      let address = try #require(Self.files.first)
      _ = try await quarantine(address)
      let (other, key) = (app.launch(), address.old())
      let router = app.launch { services in
        services.files = InterruptedStore(base: services.files) { try await other.set("new", for: key) }
      }
      try router.register([.key(key)])
      let value = try #require(try await router.maintenance.quarantined().first)
      await #expect(throws: StorageError(.alreadyStored, address.subject)) {
        try await router.maintenance.restore(value)
      }
      #expect(try await app.launch().get(key) == "new")
      #expect(try app.quarantined.count == 1)
    }

    @Test func aValueThatCannotBeStoredStaysAside() async throws {
      let address = try #require(Self.files.first)
      _ = try await quarantine(address)
      let router = app.launch(failing: .update, with: .outOfSpace)
      try router.register([.key(address.old())])
      let value = try #require(try await router.maintenance.quarantined().first)
      await #expect(throws: StorageError(.outOfSpace, address.subject)) { try await router.maintenance.restore(value) }
      #expect(try app.quarantined.count == 1)
      #expect(try app.stored(address.old()) == nil)
    }

    @Test func valuesAreRemovedAllOrSome() async throws {
      for address in Self.files {
        _ = try await quarantine(address)
        _ = try await quarantine(address, "other")
      }
      let router = app.launch()
      try router.register(Self.files.flatMap { [.key($0.old()), .key($0.old("other"))] })
      let values = try await router.maintenance.quarantined()
      #expect(values.count == 2 * Self.files.count)
      let others = values.filter { $0.key.key == "other" }
      #expect(try await router.maintenance.removeQuarantined(others) == Self.files.count)
      #expect(try await router.maintenance.removeQuarantined(others) == 0)
      let rest = try await router.maintenance.quarantined()
      #expect(rest == values.filter { $0.key.key == "value" })
      #expect(try await router.maintenance.removeQuarantined(rest) == Self.files.count)
      #expect(try app.quarantined == [])
    }

    /// Its key is in no catalog any more.
    @Test(arguments: CorruptionAddress.quarantining)
    func aValueOfNoKeyIsListedAndCanOnlyBeRemoved(_ address: CorruptionAddress) async throws {
      let stored = try await quarantine(address)
      let group = StorageKey<String?>(
        name: "else", domain: .appGroupUserDefaults(identifier: "group.tests"), security: .none, owner: "Tests",
        description: "A key of the group.")
      let router = app.launch()
      try router.register([.key(group)])
      let value = try #require(try await router.maintenance.quarantined().first)
      let nothing = StorageError.Subject(key: nil, domain: nil)
      #expect(value.key == nothing)
      #expect(value.size == stored.count)
      await #expect(throws: StorageError(.unregistered, nothing)) { try await router.maintenance.restore(value) }
      #expect(try app.quarantined.count == 1)
      #expect(try await router.maintenance.removeQuarantined([value]) == 1)
      #expect(try app.quarantined == [])
    }

    @Test(arguments: CorruptionAddress.quarantining)
    func aMemberOfAFamilyIsStoredAgain(_ address: CorruptionAddress) async throws {
      _ = try await quarantine(address, "draft_7")
      let subject = StorageError.Subject(key: "draft_{id}", domain: address.domain.kind)
      let silent = app.launch()
      try silent.register(
        [], [StorageKeyFamily(name: "draft_{id}", domain: address.domain, security: address.security)])
      let value = try #require(try await silent.maintenance.quarantined().first)
      #expect(value.key == subject)
      #expect(!"\(value)".contains("7,"))
      await #expect(throws: StorageError(.cannotDecode, subject)) { try await silent.maintenance.restore(value) }

      let router = app.launch()
      let family = StorageKeyFamily(
        name: "draft_{id}", domain: address.domain, security: address.security,
        members: { name in
          .key(
            StorageKey<String?>(
              name: name, domain: address.domain, security: address.security, owner: "Tests", description: "A text.",
              options: StorageKeyOptions(declaredName: "draft_{id}")))
        })
      try router.register([], [family])
      #expect(try await router.maintenance.restore(value))
      #expect(try await app.launch().get(address.old("draft_7")) == "abc")
    }

    @Test func inMemoryValuesAreStoredAgainToo() async throws {
      let address = try #require(CorruptionAddress.sealed.first)
      let storage = TestStorage()
      let router = storage.launch()
      try await router.set("abc", for: address.old())
      #expect(try await router.get(address.key(.quarantine)) == 7)
      try router.register([.key(address.old())])
      #expect(try await router.maintenance.rotateKeys() == .init(reencrypted: 1))
      #expect(try await router.maintenance.destroyRetiredKeys() == 1)
      let value = try #require(try await router.maintenance.quarantined().first)
      #expect(try await router.maintenance.restore(value))
      #expect(try await router.get(address.old()) == "abc")
      #expect(try await router.maintenance.quarantined() == [])
    }

    // MARK: Rotation

    private func content(_ file: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: app.fixture.path(file)))
    }

    @Test(arguments: CorruptionAddress.sealed)
    func aRotationEncryptsThemAgain(_ address: CorruptionAddress) async throws {
      _ = try await quarantine(address)
      let file = try #require(try app.quarantined.first)
      let before = try content(file)
      let (router, steps) = (try text(address), RecordedProgress())
      let rotation = try await router.maintenance.rotateKeys(progress: steps.note)
      #expect(rotation == .init(reencrypted: 1))
      #expect(steps.count == 1)
      #expect(try app.quarantined == [file])
      #expect(try content(file) != before)
      let permissions = try FileManager.default.attributesOfItem(atPath: app.fixture.path(file))[.posixPermissions]
      #expect(permissions as? Int == 0o600)
      #expect(try await router.maintenance.rotateKeys() == .init(reencrypted: 1))
      #expect(try await router.maintenance.destroyRetiredKeys() == 2)
      // A backup restores the old bytes, whose key is destroyed.
      let value = try #require(try await router.maintenance.quarantined().first)
      let now = try content(file)
      try before.write(to: URL(fileURLWithPath: app.fixture.path(file)))
      await #expect(throws: StorageError(.authenticationFailed, address.subject)) {
        try await router.maintenance.restore(value)
      }
      try now.write(to: URL(fileURLWithPath: app.fixture.path(file)))
      #expect(try await router.maintenance.restore(value))
      #expect(try await text(address).get(address.old()) == "abc")
    }

    @Test(arguments: CorruptionAddress.sealed)
    func aKeyThatOneOfThemNeedsIsNotDestroyed(_ address: CorruptionAddress) async throws {
      _ = try await quarantine(address)
      let file = try #require(try app.quarantined.first)
      let before = try content(file)
      let router = try text(address)
      try await router.maintenance.rotateKeys()
      try before.write(to: URL(fileURLWithPath: app.fixture.path(file)))
      await #expect(throws: StorageError(.retiredKeyInUse, address.subject)) {
        try await router.maintenance.destroyRetiredKeys()
      }
      let value = try #require(try await router.maintenance.quarantined().first)
      #expect(try await router.maintenance.restore(value))
      #expect(try await router.maintenance.destroyRetiredKeys() == 1)
      #expect(try await text(address).get(address.old()) == "abc")
    }
  }
#endif
