#if os(Linux)
  import Foundation
  import LocalDataMaintenance
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @_spi(Generated) @testable import LocalData

  /// The behavior of each verb for bytes that are no value of the key, and with everything else that cannot be read.
  @Suite(.findsHangs) struct CorruptionPolicyTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private func seeded(_ address: CorruptionAddress) async throws -> Data {
      try await app.launch().set("abc", for: address.old())
      return try #require(try app.stored(address.old()))
    }

    // MARK: throw

    @Test(arguments: CorruptionAddress.all)
    func toThrowIsTheDefaultAndChangesNothing(_ address: CorruptionAddress) async throws {
      let stored = try await seeded(address)
      let (router, key, error) = (app.launch(), address.key(.throw), StorageError(.cannotDecode, address.subject))
      #expect(StorageKeyOptions().onCorruption == .throw)
      await #expect(throws: error) { try await router.get(key) }
      await #expect(throws: error) { try await router.update(key) { $0 += 1 } }
      await #expect(throws: error) { try await router.get(address.optional(.throw), orSet: 1) }
      if CorruptionAddress.preferences.contains(where: { $0.name == address.name }) {
        #expect(throws: error) { try router.value(key) }
      }
      #expect(try app.stored(key) == stored)
      // A value can be set and removed all the same.
      try await router.set(1, for: key)
      #expect(try await router.get(key) == 1)
    }

    // MARK: useDefault

    @Test(arguments: CorruptionAddress.unsecured)
    func theDefaultIsReturnedAndTheBytesStayUntilTheNextWrite(_ address: CorruptionAddress) async throws {
      let stored = try await seeded(address)
      let (router, key) = (app.launch(), address.key(.useDefault))
      #expect(try await router.get(key) == 7)
      #expect(try await router.get(key) == 7)
      var values = router.values(of: key).makeAsyncIterator()
      #expect(try await values.next() == 7)
      await #expect(throws: CancellationError.self) { try await router.update(key) { _ in throw CancellationError() } }
      #expect(try app.stored(key) == stored)
      // The release before, after a rollback of the app.
      #expect(try await app.launch().get(address.old()) == "abc")
      #expect(try await app.launch().update(key) { $0 += 1 } == 8)
      #expect(try await app.launch().get(key) == 8)
      await #expect(throws: StorageError(.cannotDecode, address.subject)) { try await app.launch().get(address.old()) }
    }

    @Test(arguments: CorruptionAddress.preferences)
    func aPlainPreferenceHasItsDefaultToo(_ address: CorruptionAddress) async throws {
      let stored = try await seeded(address)
      let (router, key) = (app.launch(), address.key(.useDefault))
      let property = Stored(PlainPreferenceKey(key), router: router)
      #expect(try router.value(key) == 7)
      #expect(property.wrappedValue == 7)
      #expect(property.error == nil)
      let inTransaction = try await router.transaction { try await $0.get(key) }
      #expect(inTransaction == 7)
      #expect(try app.stored(key) == stored)
      property.wrappedValue = 9
      #expect(try await app.launch().get(key) == 9)
    }

    @Test func aTransactionReplacesBytesThatAreNoValue() async throws {
      let address = try #require(CorruptionAddress.preferences.first)
      _ = try await seeded(address)
      let key = address.key(.useDefault)
      try await app.launch().transaction { transaction in
        try await transaction.set(try await transaction.get(key) + 1, for: key)
      }
      #expect(try await app.launch().get(key) == 8)
    }

    @Test func membersOfAFamilyHaveTheirPolicyToo() async throws {
      let address = try #require(CorruptionAddress.unsecured.last)
      let family = StorageKeyFamily(name: "draft_{id}", domain: address.domain, security: address.security)
      try await app.launch().set("abc", for: address.old("draft_1"))
      let router = app.launch()
      try router.register([], [family])
      let member = address.key(.useDefault, "draft_1", declaredName: "draft_{id}")
      #expect(try await router.members(of: family).map(\.name) == ["draft_1"])
      #expect(try await router.get(member) == 7)
      #expect(try await router.members(of: family).map(\.name) == ["draft_1"])
    }

    // MARK: Schemas

    private static let schemaTwo = SchemaUpgrades(decoding: .json) { (number: Int) in number * 10 }
    private struct Refused: Error {}

    /// Bytes of an earlier schema that are not of its type are no value. An upgrade that throws has read a value.
    @Test(arguments: [CorruptionPolicy.useDefault, .quarantine])
    func bytesOfAnEarlierSchemaAreDecodedWithIt(_ policy: CorruptionPolicy) async throws {
      let address = try #require(CorruptionAddress.unsecured.last)
      let key = address.key(policy).upgrading(by: Self.schemaTwo)
      try await app.launch().set(3, for: address.key(.throw))
      #expect(try await app.launch().get(key) == 30)
      let refusing = address.key(policy).upgrading(
        by: SchemaUpgrades(decoding: .json) { (_: Int) -> Int in throw Refused() })
      await #expect(throws: StorageError(.migrationFailed, address.subject)) { try await app.launch().get(refusing) }
      let stored = try await seeded(address)
      #expect(try await app.launch().get(key) == 7)
      #expect(try app.stored(key) == (policy == .useDefault ? stored : nil))
    }

    @Test(arguments: [CorruptionPolicy.throw, .useDefault, .quarantine])
    func aDamagedEnvelopeOfAPlainValueIsNoValue(_ policy: CorruptionPolicy) async throws {
      let address = try #require(CorruptionAddress.unsecured.first { $0.domain.kind == .fileSystem })
      let key = address.key(policy).upgrading(by: Self.schemaTwo)
      try await app.launch().set(5, for: key)
      let envelope = try #require(try app.stored(key))
      #expect(EnvelopeHeader.begins(envelope))
      for damaged in [envelope.prefix(100), envelope.prefix(5), envelope.prefix(4), Data()] {
        try write(Data(damaged), address)
        let router = app.launch()
        if policy == .throw {
          await #expect(throws: StorageError.self) { try await router.get(key) }
        } else {
          #expect(try await router.get(key) == 7, "\(damaged.count) bytes")
        }
        #expect(try app.stored(key) == (policy == .quarantine ? nil : Data(damaged)))
      }
    }

    // MARK: Errors with every policy

    private static let policies = CorruptionPolicy.allCases

    /// The policies that a key at a place can have.
    private static func cases(_ addresses: [CorruptionAddress]) -> [(CorruptionAddress, CorruptionPolicy)] {
      addresses.flatMap { address in
        policies.filter { AnyStorageKey(address.key($0)).hasUsableCorruptionPolicy }.map { (address, $0) }
      }
    }

    /// Expects an error of each verb, and that the stored bytes stay.
    private func expectError(
      _ problem: StorageProblem, _ address: CorruptionAddress, _ policy: CorruptionPolicy,
      on router: StorageRouter? = nil, maxSize: Int? = nil
    ) async throws {
      let (router, key) = (router ?? app.launch(), address.key(policy, maxSize: maxSize))
      let (stored, error) = (try app.stored(key), StorageError(problem, address.subject))
      await #expect(throws: error, "\(address.name), \(policy)") { try await router.get(key) }
      await #expect(throws: error, "\(address.name), \(policy)") { try await router.update(key) { $0 += 1 } }
      if CorruptionAddress.preferences.contains(where: { $0.name == address.name }) {
        #expect(throws: error) { try router.value(key) }
        let property = Stored(PlainPreferenceKey(key), router: router)
        #expect(property.wrappedValue == 7)
        #expect(property.error == error)
        property.wrappedValue = 8
      }
      #expect(try app.stored(key) == stored, "\(address.name), \(policy)")
      #expect(try app.quarantined == [], "\(address.name), \(policy)")
    }

    private func write(_ bytes: Data, _ scenario: CorruptionAddress) throws {
      let configuration = StorageConfiguration(
        applicationName: "Test", roots: StorageRoots(below: app.fixture.folder))
      let address = StorageAddress(container: try StorageContainer(scenario.domain, configuration), name: "value")
      let locations = app.fixture.locations
      switch address.container.store {
      case .preferences:
        try UserDefaultsHelper(locations).write(bytes, to: address, StorageAttributes())
      case .keychain: try KeychainHelper(in: locations.appFolder).write(bytes, to: address, StorageAttributes())
      case .files:
        try FileStorageHelper(locations).write(bytes, to: address, StorageAttributes())
      }
    }

    @Test func aFailedAuthenticationIsAnErrorWithEveryPolicy() async throws {
      for (address, policy) in Self.cases(CorruptionAddress.sealed) {
        var sealed = try await seeded(address)
        sealed[sealed.endIndex - 1] ^= 1
        try write(sealed, address)
        try await expectError(.authenticationFailed, address, policy)
        // A header that is cut off, and bytes that were never sealed.
        try write(sealed.prefix(50), address)
        try await expectError(.corrupted, address, policy)
        try write(Data("5".utf8), address)
        try await expectError(.corrupted, address, policy)
        let envelope = PlainEnvelope.wrapPlain(Data("5".utf8), metadata: EnvelopeMetadata(writtenAt: 1))
        for bytes in [envelope, envelope.prefix(100)] {
          try write(bytes, address)
          try await expectError(.corrupted, address, policy)
        }
      }
    }

    @Test func whatANewerVersionWroteIsAnErrorWithEveryPolicy() async throws {
      for (address, policy) in Self.cases(CorruptionAddress.all) {
        try await app.launch().set("abc", for: address.old(schema: true))
        try await expectError(.newerSchema, address, policy)
        var envelope = try #require(try app.stored(address.old()))
        envelope[4] = 2
        try write(envelope, address)
        try await expectError(.unknownFormatVersion, address, policy)
        try await app.launch().remove(address.old())
      }
    }

    @Test func aSealedValueIsNotCorruptToAPlainKey() async throws {
      for (address, policy) in Self.cases(CorruptionAddress.unsecured) {
        let sealed = CorruptionAddress(name: "sealed", domain: address.domain, security: .recommended)
        let stored = try await seeded(sealed)
        try await expectError(.corrupted, address, policy)
        try write(stored.prefix(60), address)
        try await expectError(.corrupted, address, policy)
      }
    }

    @Test func aValueThatIsTooLargeIsAnErrorWithEveryPolicy() async throws {
      for (address, policy) in Self.cases(CorruptionAddress.unsecured) {
        _ = try await seeded(address)
        try await expectError(.valueTooLarge(limit: 2), address, policy, maxSize: 2)
      }
    }

    @Test func whatCannotBeReadNowIsAnErrorWithEveryPolicy() async throws {
      let faults: [StorageProblem] = [
        .io(errno: EIO), .locked, .accessDenied, .databaseDamaged,
        // A record of the store, not the value.
        .corrupted, .configurationConflict,
      ]
      for (address, policy) in Self.cases(CorruptionAddress.unsecured) {
        let stored = try await seeded(address)
        for fault in faults {
          let router = app.launch { services in
            let (preferences, files) = (
              FaultInjectingStore(services.preferences), FaultInjectingStore(services.files)
            )
            for store in [preferences, files] { store.fail(with: fault) { $0.operation == .read } }
            (services.preferences, services.files) = (preferences, files)
          }
          await #expect(throws: StorageError(fault, address.subject)) { try await router.get(address.key(policy)) }
          #expect(try app.stored(address.key(policy)) == stored)
          #expect(try app.quarantined == [])
        }
      }
    }

    // MARK: Keys by hand

    @Test func aKeyThatCannotHaveItsPolicyIsRefused() async throws {
      func key(
        _ address: CorruptionAddress, _ policy: CorruptionPolicy, retention: Retention? = nil, sync: SyncPolicy = .never
      ) -> StorageKey<Int?> {
        StorageKey<Int?>(
          name: "value", domain: address.domain, security: address.security, owner: "Tests", description: "A number.",
          syncPolicy: sync, options: StorageKeyOptions(retention: retention, onCorruption: policy))
      }
      var refused: [(CorruptionAddress, AnyStorageKey)] = []
      for address in CorruptionAddress.all {
        refused.append((address, .key(key(address, .useDefault))))
        if address.security != .none { refused.append((address, .key(address.key(.useDefault)))) }
        if address.security.kind == .keychain { refused.append((address, .key(address.key(.quarantine)))) }
        refused.append((address, .key(key(address, .quarantine, retention: .maxAge(seconds: 60)))))
        refused.append((address, .key(key(address, .quarantine, sync: .manual))))
      }
      #expect(refused.count == 37)
      for (address, key) in refused {
        let error = StorageError(.invalidCatalog(.corruptionPolicy), address.subject)
        #expect(throws: error, "\(address.name)") { try app.launch().register([key]) }
        await #expect(throws: error, "\(address.name)") { try await app.launch().remove(key) }
      }
      for address in CorruptionAddress.all { try app.launch().register([.key(address.key(.throw))]) }
      for address in CorruptionAddress.unsecured { try app.launch().register([.key(address.key(.useDefault))]) }
      for address in CorruptionAddress.quarantining { try app.launch().register([.key(key(address, .quarantine))]) }
    }

    @Test func aGeneratedKeyHasItsPolicy() {
      let key = StorageKey<Int>("value", .userDefaults(), .none, .json, default: 7).onCorruption(.useDefault)
      #expect(key.options.onCorruption == .useDefault)
      #expect(AnyStorageKey(key).descriptor.onCorruption == .useDefault)
    }

    // MARK: Migrations

    private func moving(
      _ source: StorageKey<Int?>, to address: CorruptionAddress, _ policy: CorruptionPolicy
    ) -> StorageKey<Int?> {
      StorageKey<Int?>(
        name: "new", domain: address.domain, security: address.security, owner: "Tests", description: "A number.",
        options: StorageKeyOptions(onCorruption: policy),
        migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) })
    }

    @Test(arguments: [false, true])
    func aSourceThatIsNoValueIsNeverAbsent(_ isLegacy: Bool) async throws {
      let address = try #require(CorruptionAddress.unsecured.first { $0.domain.kind == .fileSystem })
      let stored = try await seeded(address)
      let source = address.optional(.quarantine).with { $0.isLegacy = isLegacy }
      let key = moving(source, to: address, .quarantine)
      var subject = address.subject
      subject.sourceOf = key.name
      await #expect(throws: StorageError(.cannotDecode, subject)) { try await app.launch().get(key) }
      await #expect(throws: StorageError(.cannotDecode, subject)) {
        try await app.launch().update(key) { $0 = ($0 ?? 0) + 1 }
      }
      #expect(try app.stored(address.old()) == stored)
      #expect(try app.quarantined == [])
    }

    /// Before the migration has run, it may still move the value of an earlier release to the key.
    @Test func aPlainPreferenceWaitsForItsMigration() async throws {
      let address = try #require(CorruptionAddress.preferences.first)
      let stored = try await seeded(address)
      for policy in [CorruptionPolicy.useDefault, .quarantine] {
        let key = address.key(policy).with(migration: {
          AnyStorageMigration(
            SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(address.optional(.throw, "old"))))
        })
        let router = app.launch()
        #expect(throws: StorageError(.needsWaiting(.migrationPending), address.subject)) { try router.value(key) }
        #expect(try app.stored(key) == stored)
        #expect(try await router.get(key) == 7)
      }
      #expect(try app.quarantined.count == 1)
    }

    /// A custom migration of the app reads a key as it is.
    private struct Reading: StorageMigration {
      let destinationKey: StorageKey<Int?>
      let source: StorageKey<Int>

      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.exists(source)
      }

      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.set(try await router.get(source), for: destinationKey)
        return MigrationResult(success: true)
      }
    }

    @Test(arguments: [CorruptionPolicy.useDefault, .quarantine])
    func theCodeOfAMigrationGetsTheError(_ policy: CorruptionPolicy) async throws {
      let address = try #require(CorruptionAddress.unsecured.first { $0.domain.kind == .fileSystem })
      let stored = try await seeded(address)
      let source = address.key(policy)
      let key = StorageKey<Int?>(
        name: "new", domain: address.domain, security: address.security, owner: "Tests", description: "A number.",
        migration: { AnyStorageMigration(Reading(destinationKey: $0, source: source)) })
      await #expect(throws: StorageError.self) { try await app.launch().get(key) }
      #expect(try app.stored(key) == nil)
      #expect(try app.stored(source) == stored)
    }

    /// A value that an earlier release stored without encryption is not corrupt.
    @Test func aValueOfAnOlderFormIsMigratedFirst() async throws {
      let address = try #require(CorruptionAddress.sealed.first { $0.domain.kind == .userDefaults })
      let plain = StorageKey<Int?>(
        name: "value", domain: address.domain, security: .none, owner: "Tests", description: "A number.")
      try await app.launch().set(3, for: plain)
      let key = address.optional(.quarantine).with(migration: {
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(plain)))
      })
      #expect(try await app.launch().get(key) == 3)
      #expect(try app.quarantined == [])
    }
  }
#endif
