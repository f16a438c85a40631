#if os(Linux)
  import Foundation
  import LocalDataMaintenance
  import LocalDataSync
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @_spi(Generated) @testable import LocalData

  /// Every caller of the value step over every state of the stored bytes: what the user gets, and what is stored then.
  @Suite(.findsHangs) struct StoredStateTests {
    enum State: String, CaseIterable, CustomTestStringConvertible {
      case absent, value, olderSchema, corrupt, corruptWithDefault, corruptQuarantined, replacedKey, locked, slow

      var testDescription: String { rawValue }

      var policy: CorruptionPolicy {
        switch self {
        case .corruptWithDefault: .useDefault
        case .corruptQuarantined: .quarantine
        default: .throw
        }
      }

      var isCorrupt: Bool { [.corrupt, .corruptWithDefault, .corruptQuarantined].contains(self) }

      /// The result of a read after the store was unlocked.
      var value: Result<Int, StorageProblem> {
        switch self {
        case .absent, .corruptWithDefault, .corruptQuarantined: .success(7)
        case .olderSchema: .success(30)
        case .corrupt: .failure(.cannotDecode)
        case .value, .replacedKey, .locked, .slow: .success(5)
        }
      }

      /// The result of a read now.
      var read: Result<Int, StorageProblem> { self == .locked ? .failure(.locked) : value }

      var hasBytes: Bool { self != .absent && self != .corruptQuarantined }
    }

    enum Place: String, CaseIterable, CustomTestStringConvertible {
      case preferences, sealedPreferences, files, encryptedFiles

      var testDescription: String { rawValue }

      var isSealed: Bool { self == .sealedPreferences || self == .encryptedFiles }
      var isPreference: Bool { self == .preferences || self == .sealedPreferences }

      var address: CorruptionAddress {
        switch self {
        case .preferences: .init(name: rawValue, domain: .userDefaults(), security: .none)
        case .sealedPreferences: .init(name: rawValue, domain: .userDefaults(), security: .recommended)
        case .files: .init(name: rawValue, domain: .fileSystem(directory: .documents), security: .none)
        case .encryptedFiles:
          .init(name: rawValue, domain: .encryptedFileSystem(directory: .documents), security: .recommended)
        }
      }

      func has(_ state: State) -> Bool {
        switch state {
        case .corruptWithDefault: !isSealed
        case .replacedKey: isSealed
        default: true
        }
      }
    }

    static let cases = Place.allCases.flatMap { place in
      State.allCases.filter(place.has).map { (place, $0) }
    }

    private let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    // MARK: Keys and states

    private static let upgrades = SchemaUpgrades(decoding: .json) { (number: Int) in number * 10 }

    private func key(
      _ place: Place, _ policy: CorruptionPolicy, sync: SyncPolicy = .never,
      movedFrom source: StorageKey<Int?>? = nil
    ) -> StorageKey<Int> {
      var migration: (@Sendable (StorageKey<Int>) -> AnyStorageMigration)?
      if let source {
        migration = {
          AnyStorageMigration(
            TransformingMigration(destinationKey: $0, sourceKey: source) { (number: Int) in number })
        }
      }
      return StorageKey<Int>(
        name: "value", domain: place.address.domain, security: place.address.security, default: 7, owner: "Tests",
        description: "A number.", syncPolicy: sync,
        options: StorageKeyOptions(decryptedForSync: sync != .never && place.isSealed, onCorruption: policy),
        migration: migration
      ).upgrading(by: Self.upgrades)
    }

    /// Stores the bytes of a state, and returns the router of the launch that finds them.
    private func launch(_ place: Place, _ state: State, _ keys: [AnyStorageKey]) async throws -> StorageRouter {
      let address = place.address
      switch state {
      case .absent: break
      case .value, .locked, .slow, .replacedKey: try await app.launch().set(5, for: key(place, .throw))
      case .olderSchema: try await app.launch().set(3, for: address.key(.throw))
      case .corrupt, .corruptWithDefault, .corruptQuarantined: try await app.launch().set("abc", for: address.old())
      }
      let name = "value"
      let router = app.launch { services in
        let check: @Sendable () throws(StorageProblem) -> Void =
          switch state {
          case .locked: { () throws(StorageProblem) in throw .locked }
          case .slow: { () throws(StorageProblem) in try CallDeadline.requireWaiting() }
          default: { () throws(StorageProblem) in }
          }
        services.preferences = StateStore(base: services.preferences, name, check)
        services.files = StateStore(base: services.files, name, check)
      }
      try StateCatalog.$keys.withValue(keys) { try router.registerCatalog(StateCatalog.self) }
      guard state == .replacedKey else { return router }
      // The launch knows the old key before another process replaces it.
      let other = address.old("other")
      try await app.launch().set("abc", for: other)
      let registered = app.launch()
      try registered.register(keys + [.key(other)])
      #expect(try await router.get(key(place, .throw)) == 5)
      try await router.set(5, for: key(place, .throw))
      #expect(try await registered.maintenance.rotateKeys().isComplete)
      return router
    }

    /// Expects what a later launch reads.
    private func expectStored(
      _ expected: Result<Int, StorageProblem>, _ place: Place, _ state: State, _ hasBytes: Bool = true
    ) async throws {
      let key = key(place, state.policy)
      #expect(try (app.stored(key) != nil) == hasBytes)
      if place.isSealed, let bytes = try app.stored(key) { #expect(EnvelopeHeader.begins(bytes)) }
      let value = await result { try await app.launch().get(key) }
      #expect(value == expected)
    }

    private func result(_ body: () async throws -> Int) async -> Result<Int, StorageProblem> {
      do { return .success(try await body()) } catch let error as StorageError {
        return .failure(error.problem)
      } catch {
        Issue.record(error)
        return .failure(.notFound)
      }
    }

    // MARK: Reads

    @Test(arguments: cases)
    func readersGetTheSame(_ place: Place, _ state: State) async throws {
      let key = key(place, state.policy)
      var readers: [(String, (StorageRouter) async throws -> Int)] = [
        ("get", { try await $0.get(key) }),
        (
          "get again",
          { router in
            _ = try await router.get(key)
            return try await router.get(key)
          }
        ),
        (
          "values(of:)",
          { router in
            var values = router.values(of: key).makeAsyncIterator()
            return try #require(try await values.next())
          }
        ),
        (
          "snapshot",
          { router in
            try await StateCatalog.$keys.withValue([.key(key)]) {
              try await router.snapshot(of: StateCatalog.self).get(key)
            }
          }
        ),
      ]
      if place == .preferences { readers.append(("value", { try $0.value(key) })) }
      if place.isPreference { readers.append(("transaction", { try await $0.transaction { try await $0.get(key) } })) }
      for (name, read) in readers {
        let router = try await launch(place, state, [.key(key)])
        let found = await result { try await read(router) }
        #expect(found == state.read, "\(name)")
      }
      try await expectStored(state.value, place, state, state.hasBytes)
    }

    // MARK: Writes

    @Test(arguments: cases)
    func setReplacesEveryState(_ place: Place, _ state: State) async throws {
      let key = key(place, state.policy)
      let router = try await launch(place, state, [.key(key)])
      let outcome = await result {
        try await router.set(9, for: key)
        return try await router.get(key)
      }
      #expect(outcome == (state == .locked ? .failure(.locked) : .success(9)))
      try await expectStored(state == .locked ? .success(5) : .success(9), place, state)
    }

    @Test(arguments: State.allCases.filter(Place.preferences.has))
    func setValueReplacesEveryState(_ state: State) async throws {
      let key = key(.preferences, state.policy)
      let router = try await launch(.preferences, state, [.key(key)])
      let outcome = await result {
        try router.setValue(9, for: key)
        return try router.value(key)
      }
      #expect(outcome == (state == .locked ? .failure(.locked) : .success(9)))
      try await expectStored(state == .locked ? .success(5) : .success(9), .preferences, state)
    }

    @Test(arguments: cases)
    func updateChangesWhatAReadGets(_ place: Place, _ state: State) async throws {
      let key = key(place, state.policy)
      let router = try await launch(place, state, [.key(key)])
      let outcome = await result { try await router.update(key) { $0 += 1 } }
      #expect(outcome == state.read.map { $0 + 1 })
      let isChanged = if case .success = state.read { true } else { false }
      try await expectStored(isChanged ? state.value.map { $0 + 1 } : state.value, place, state)
    }

    @Test(arguments: cases)
    func removeLeavesNothing(_ place: Place, _ state: State) async throws {
      let key = key(place, state.policy)
      let router = try await launch(place, state, [.key(key)])
      let outcome = await result {
        try await router.remove(key)
        return try await router.get(key)
      }
      #expect(outcome == (state == .locked ? .failure(.locked) : .success(7)))
      try await expectStored(state == .locked ? .success(5) : .success(7), place, state, state == .locked)
      #expect(try app.quarantined == [])
    }

    @Test(arguments: cases.filter { $0.0.isPreference })
    func transactionChangesWhatAReadGets(_ place: Place, _ state: State) async throws {
      let key = key(place, state.policy)
      let router = try await launch(place, state, [.key(key)])
      let outcome = await result {
        try await router.transaction { transaction in
          let value = try await transaction.get(key)
          try await transaction.set(value + 1, for: key)
          return value
        }
      }
      #expect(outcome == state.read)
      let isChanged = if case .success = state.read { true } else { false }
      try await expectStored(isChanged ? state.value.map { $0 + 1 } : state.value, place, state)
    }

    // MARK: Values of others

    /// A synced key cannot have its bytes moved aside.
    @Test(arguments: cases.filter { $0.1 != .corruptQuarantined })
    func receivedValueReplacesEveryState(_ place: Place, _ state: State) async throws {
      let key = key(place, state.policy, sync: .automaticSmall)
      let router = try await launch(place, state, [.key(key)])
      let linked = LinkedTransports()
      router.sync.setTransport(linked.watch)
      let phone = try RelaunchedApp()
      phone.clock.advance(by: 60)
      let sender = phone.launch()
      try sender.register([.key(key)])
      sender.sync.setTransport(linked.phone)
      try await sender.set(9, for: key)
      var isReceived = false
      for payload in linked.watch.arrivals() {
        // A value that was sealed with the replaced key is refused, and the app receives the payload again.
        for _ in 1...(state == .replacedKey ? 2 : 1) {
          for event in await router.sync.receive(payload) { if case .received = event { isReceived = true } }
        }
      }
      #expect(isReceived == (state != .locked))
      let value = await result { try await router.get(key) }
      #expect(value == (state == .locked ? .failure(.locked) : .success(9)))
      try await expectStored(state == .locked ? .success(5) : .success(9), place, state)
    }

    /// A value that was moved aside is stored again if no other value is stored.
    @Test(arguments: cases)
    func restoredValueReplacesNoOther(_ place: Place, _ state: State) async throws {
      // A text of an earlier release is no number, and is a number in this release.
      try await app.launch().set(8, for: place.address.key(.throw))
      let text = StorageKey<String?>(
        name: "value", domain: place.address.domain, security: place.address.security, owner: "Tests",
        description: "A text.", options: StorageKeyOptions(onCorruption: .quarantine))
      #expect(try await app.launch().get(text) == nil)
      #expect(try app.quarantined.count == 1)
      let key = key(place, state.policy)
      let router = try await launch(place, state, [.key(key)])
      let copy = try #require(try await router.maintenance.quarantined().first)
      let outcome = await result { try await router.maintenance.restore(copy) ? 1 : 0 }
      let isEmpty = state == .absent
      let expected: Result<Int, StorageProblem> =
        switch state {
        case .absent: .success(1)
        case .locked: .failure(.locked)
        default: .failure(.alreadyStored)
        }
      #expect(outcome == expected)
      #expect(try app.quarantined.count == (isEmpty ? 0 : 1))
      try await expectStored(isEmpty ? .success(80) : state.value, place, state)
    }

    /// A value at the key's own address takes precedence over the source of its migration.
    @Test(arguments: cases)
    func movedValueReplacesNoOther(_ place: Place, _ state: State) async throws {
      let source = StorageKey<Int?>(
        name: "source", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number.")
      try await app.launch().set(4, for: source)
      let key = key(place, state.policy, movedFrom: source)
      let router = try await launch(place, state, [.key(key), .key(source)])
      let outcome = await result { try await router.get(key) }
      #expect(outcome == (state == .absent ? .success(4) : state.read))
      let later = app.launch()
      let value = await result { try await later.get(key) }
      // After the bytes were moved aside, the source has the value.
      #expect(value == (state.hasBytes ? state.value : .success(4)))
    }
  }

  /// The catalog of one test.
  private enum StateCatalog: StorageKeyCatalog {
    @TaskLocal static var keys: [AnyStorageKey] = []

    static let features: [StorageFeature] = [.sync]
    static var allKeys: [AnyStorageKey] { keys }
  }

  /// A store that makes a check before each use of one value.
  private struct StateStore: ForwardingStore, TransactingStore {
    let base: any ValueStore
    private let name: String
    private let check: @Sendable () throws(StorageProblem) -> Void

    init(base: any ValueStore, _ name: String, _ check: @escaping @Sendable () throws(StorageProblem) -> Void) {
      self.base = base
      self.name = name
      self.check = check
    }

    private func check(_ address: StorageAddress) throws(StorageProblem) { if address.name == name { try check() } }

    func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      try check(address)
      return try base.read(address, attributes)
    }

    func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
      try check(address)
      return try base.exists(address, attributes)
    }

    func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      try check(address)
      try base.write(bytes, to: address, attributes)
    }

    func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      try check(address)
      try base.remove(address, attributes)
    }

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try check(address)
      try base.update(address, attributes, change)
    }

    func updateAll(
      _ items: [StorageItem], in container: StorageContainer,
      _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
    ) throws(StorageProblem) {
      for item in items { try check(item.address) }
      guard let base = base as? any TransactingStore else { throw .busy }
      try base.updateAll(items, in: container, change)
    }
  }
#endif
