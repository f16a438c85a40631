#if os(Linux)
  import ExampleKeys
  import ExampleModels
  import Foundation
  import LocalData
  import Testing

  @Suite struct DefaultTests {
    @Test func anAbsentKeyReadsItsDefaultOrNil() async throws {
      let test = try GeneratedKeyFixture()
      #expect(try await test.router.get(.theme) == .system)
      #expect(try await test.router.get(.launchCount) == 0)
      #expect(try await test.router.get(.searchHistory) == [])
      #expect(try await test.router.get(.badgeLevel) == .bronze)
      #expect(try await test.router.get(.paymentCards) == [:])
      #expect(try await test.router.get(.exchangeRate) == Decimal(string: "1.0925"))
      #expect(try await test.router.get(.userToken) == nil)
      #expect(try await test.router.get(.profile) == nil)
    }

    @Test func theWalletStartsAsItsCatalogSays() async throws {
      let test = try GeneratedKeyFixture()
      #expect(try await test.router.get(.isNotFirstLaunch) == false)
      #expect(try await test.router.get(.preferSignedMetadata) == false)
      #expect(try await test.router.get(.useDPoP))
      #expect(try await test.router.get(.useTrustList))
      #expect(try await test.router.get(.useClientAttestation) == false)
      #expect(try await test.router.get(.seed) == nil)
      #expect(try await test.router.get(.lastBackupAt) == nil)
      #expect(try await test.router.get(.clientAttestationJWT) == nil)
      #expect(try await test.router.get(.dataEncryptionKey) == nil)
    }

    @Test func readingCreatesNothing() async throws {
      let test = try GeneratedKeyFixture()
      _ = try await test.router.get(.theme)
      _ = try await test.router.get(.userToken)
      _ = try await test.router.get(.addresses)
      _ = try await test.router.exists(.stickyNote)
      try await test.router.remove(.profile)
      #expect(!FileManager.default.fileExists(atPath: test.folder.path))
    }
  }

  @Suite struct RoundTripTests {
    /// Sets a value, and reads it through another router over the same folder.
    private func roundTrip<Value: Equatable>(_ key: StorageKey<Value>, _ value: Value) async throws {
      let test = try GeneratedKeyFixture()
      try await test.router.set(value, for: key)
      #expect(try await test.router.get(key) == value)
      #expect(try await GeneratedKeyFixture.router(over: test.folder).get(key) == value)
    }

    @Test func enumsOfTheCatalog() async throws {
      try await roundTrip(.theme, .dark)
      try await roundTrip(.badgeLevel, .gold)
    }

    @Test func structsOfTheCatalog() async throws {
      try await roundTrip(
        .addresses, [Address(street: "a", city: "b", lines: ["c"]), Address(street: "", city: "", lines: [])])
      try await roundTrip(.syncState, SyncState(cursor: "c", pending: 1, progress: [.light: 0.25]))
    }

    @Test func typesOfTheApp() async throws {
      try await roundTrip(.profile, Profile(name: "n", emails: ["e"]))
      try await roundTrip(.stickyNote, Note(title: "t", lines: ["a", "", "b"]))
      try await roundTrip(.healthJournal, [Note(title: "t")])
    }

    @Test func scalars() async throws {
      try await roundTrip(.lastBackupAt, "2025-06-15T15:06:40Z")
      try await roundTrip(.exchangeRate, Decimal(string: "3.133") ?? 0)
      try await roundTrip(.deviceIdentifier, UUID())
      try await roundTrip(.dataEncryptionKey, Data(repeating: 1, count: 32))
      try await roundTrip(.seed, "legal winner thank year")
      try await roundTrip(.launchCount, .max)
    }

    @Test func containers() async throws {
      try await roundTrip(.searchHistory, ["one"])
      try await roundTrip(.paymentCards, ["a \u{1F4B3}": "b"])
    }
  }

  @Suite struct LimitAndFamilyTests {
    @Test func theWalletsKeyTakes32BytesAtMost() async throws {
      let test = try GeneratedKeyFixture()
      await #expect(throws: StorageError(.valueTooLarge(limit: 32), .init(key: "dataEncryptionKey", domain: .keychain)))
      {
        try await test.router.set(Data(repeating: 1, count: 33), for: .dataEncryptionKey)
      }
      #expect(try await test.router.get(.dataEncryptionKey) == nil)
    }

    @Test func theMembersOfAFamilyAreValuesOfTheirOwn() async throws {
      let test = try GeneratedKeyFixture()
      let (first, second) = (UUID(), UUID())
      try await test.router.set("one", for: .draft(documentID: first))
      try await test.router.set("two", for: .draft(documentID: second))
      #expect(try await test.router.get(.draft(documentID: first)) == "one")
      try await test.router.remove(.draft(documentID: first))
      #expect(try await test.router.get(.draft(documentID: first)) == nil)
      #expect(try await test.router.get(.draft(documentID: second)) == "two")
      #expect(StorageKey<String?>.draft(documentID: first).name == "draft_\(first.uuidString.lowercased())")
    }

    @Test func anErrorNamesAFamilyWithoutItsParameters() async throws {
      let test = try GeneratedKeyFixture()
      let id = UUID()
      let key = StorageKey<String?>.draft(documentID: id)
      try await test.router.set("text", for: key)
      let file = test.folder.appendingPathComponent("caches/" + key.name)
      try Data("not sealed".utf8).write(to: file)
      let error = await #expect(throws: StorageError.self) { try await test.router.get(key) }
      #expect(error == StorageError(.corrupted, .init(key: "draft_{documentID}", domain: .fileSystem)))
      #expect(error.map { "\($0)".lowercased().contains(id.uuidString.lowercased()) } == false)
    }

    @Test func anUndeclaredKeyIsRefusedOnceTheCatalogsAreRegistered() async throws {
      let test = try GeneratedKeyFixture()
      let stray = StorageKey<Int?>(
        name: "stray", domain: .userDefaults(), security: .none, owner: "Tests", description: "In no catalog.")
      await #expect(throws: StorageError(.unregistered, .init(key: "stray", domain: .userDefaults))) {
        try await test.router.set(1, for: stray)
      }
    }
  }
#endif
