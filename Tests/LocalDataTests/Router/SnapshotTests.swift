import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// The values of a catalog, read together.
@Suite struct SnapshotTests {
  private let memory = MemoryStore()

  private func router(_ store: (any ValueStore)? = nil) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration()) { [memory] in StorageServices(over: store ?? memory, $0) }
  }

  @Test func everyDomainIsRead() async throws {
    let router = router()
    try router.registerCatalog(EveryDomain.self)
    let absent = try await router.snapshot(of: EveryDomain.self)
    for key in EveryDomain.numbers { #expect(try absent.get(key) == 7, "\(key)") }
    #expect(try absent.get(EveryDomain.text) == nil)
    #expect(throws: StorageError(.notFound, .init(key: "needed", domain: .userDefaults))) {
      try absent.get(EveryDomain.needed)
    }
    for (index, key) in EveryDomain.numbers.enumerated() { try await router.set(index, for: key) }
    try await router.set("a", for: EveryDomain.text)
    let values = try await router.snapshot(of: EveryDomain.self)
    for (index, key) in EveryDomain.numbers.enumerated() {
      #expect(try values.get(key) == index, "\(key)")
      #expect(try absent.get(key) == 7, "a snapshot does not change")
    }
    #expect(try values.get(EveryDomain.text) == "a")
    var dumped = ""
    dump(values, to: &dumped)
    #expect(dumped == "- \(EveryDomain.allKeys.count) values\n")
  }

  /// A store that cannot be read takes no value of another one from the snapshot, and its values are not absent. An encrypted file
  /// is in the store of files, and its key in the keychain.
  @Test(arguments: [
    (StorageDomain.Kind.userDefaults, [StorageDomain.Kind.userDefaults]),
    (.appGroupUserDefaults, [.appGroupUserDefaults]), (.keychain, [.keychain, .encryptedFileSystem]),
    (.fileSystem, [.fileSystem, .encryptedFileSystem]), (.appGroupFileSystem, [.appGroupFileSystem]),
  ])
  func aStoreThatFailsIsReadByItself(
    _ kind: StorageDomain.Kind, _ unreadable: [StorageDomain.Kind]
  ) async throws {
    for (index, key) in EveryDomain.numbers.enumerated() { try await router().set(index, for: key) }
    let locked = LockedStore(base: memory, domain: kind)
    let values = try await router(locked).snapshot(of: EveryDomain.self)
    var failed = 0
    for (index, key) in EveryDomain.numbers.enumerated() {
      if unreadable.contains(key.domain.kind) {
        #expect(throws: StorageError(.locked, AnyStorageKey(key).subject)) { try values.get(key) }
        failed += 1
      } else {
        #expect(try values.get(key) == index, "\(key)")
      }
    }
    #expect(failed >= unreadable.count)
  }

  /// An item with an access control is not read, and neither is a key pair.
  @Test func nothingPrompts() async throws {
    let counting = LockedStore(base: memory, domain: nil)
    try await router().set("1234", for: Prompting.pin)
    try await router().set(3, for: Prompting.number)
    try await router().set(Data([1]), for: Prompting.pair)
    let values = try await router(counting).snapshot(of: Prompting.self)
    #expect(throws: StorageError(.locked, .init(key: "pin", domain: .keychain))) { try values.get(Prompting.pin) }
    #expect(try values.get(Prompting.number) == 3)
    #expect(counting.read.withLock { $0 }.contains("number"))
    #expect(!counting.read.withLock { $0 }.contains("pin"))
    #expect(throws: StorageError(.unregistered, .init(key: "pair", domain: .keychain))) {
      try values.get(Prompting.pair)
    }
    #expect(!counting.read.withLock { $0 }.contains("pair"))
  }

  @Test func keysOfOtherCatalogsAreErrors() async throws {
    let router = router()
    let values = try await router.snapshot(of: Prompting.self)
    #expect(throws: StorageError(.unregistered, .init(key: "text", domain: .userDefaults))) {
      try values.get(EveryDomain.text)
    }
    let other = StorageKey<String?>("number", .keychain(), .keychain(), .json)
    #expect(throws: StorageError(.differsFromRegistration, .init(key: "number", domain: .keychain))) {
      try values.get(other)
    }
    #expect(throws: StorageError(.legacyKey, .init(key: "old", domain: .userDefaults))) {
      try values.get(Prompting.old)
    }
    try router.registerCatalog(Prompting.self)
    await #expect(throws: StorageError(.unregistered, .none)) { try await router.snapshot(of: EveryDomain.self) }
  }

  @Test func migrationsAndPoliciesAreThoseOfGet() async throws {
    let router = router()
    try await router.set(11, for: StorageKey<Int?>("old", .userDefaults(), .none, .propertyList))
    try await router.set("x", for: StorageKey<String?>("level", .userDefaults(), .none, .propertyList))
    let values = try await router.snapshot(of: Changed.self)
    #expect(try values.get(Changed.new) == 11)
    #expect(try values.get(Changed.level) == 5)
    #expect(try values.get(Changed.strict) == 5)
    #expect(try await router.get(Changed.new) == 11)
  }

  // MARK: Plain preferences that are created once

  private static let identifier = StorageKey<String?>("identifier", .userDefaults(), .none, .propertyList)

  @Test func aPreferenceIsCreatedOnceWithoutAwait() throws {
    let router = router()
    struct Refused: Error {}
    func refused() throws -> String { throw Refused() }
    #expect(throws: Refused.self) { try router.value(Self.identifier, orSet: try refused()) }
    #expect(try router.value(Self.identifier, orSet: "first") == "first")
    #expect(try router.value(Self.identifier, orSet: try refused()) == "first")
    #expect(try self.router().value(Self.identifier) == "first")
    let secret = StorageKey<String?>("secret", .keychain(), .keychain(), .json)
    let error = #expect(throws: StorageError.self) { try router.value(secret, orSet: "a") }
    #expect(error?.code == .needsWaiting)
  }

  /// Another call stores a value after this one has found none.
  @Test func aValueThatIsStoredMeanwhileStays() throws {
    let router = router()
    func made() throws -> String {
      try self.router().setValue("other", for: Self.identifier)
      return "mine"
    }
    #expect(try router.value(Self.identifier, orSet: try made()) == "other")
    #expect(try router.value(Self.identifier) == "other")
  }

  @Test func allThreadsGetTheSameValue() async throws {
    let router = router()
    let found = await withTaskGroup(of: String?.self, returning: Set<String?>.self) { group in
      for number in 0..<20 {
        group.addTask { try? router.value(Self.identifier, orSet: "\(number)") }
      }
      return await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(found.count == 1 && !found.contains(nil))
    #expect(try found == [router.value(Self.identifier)])
  }
}

/// A store whose values of one domain cannot be read. It notes what is read.
private struct LockedStore: ForwardingStore {
  let base: any ValueStore
  let domain: StorageDomain.Kind?
  let read = Lock<Set<String>>([])

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    read.withLock { _ = $0.insert(address.name) }
    if address.container.domain.kind == domain { throw .locked }
    return try base.read(address, attributes)
  }
}

private enum EveryDomain: StorageKeyCatalog {
  static let numbers: [StorageKey<Int>] = [
    number(.userDefaults()), number(.userDefaults(suite: "other")),
    number(.appGroupUserDefaults(identifier: "group.tests")), number(.keychain(), .keychain()),
    number(.fileSystem(directory: .documents)),
    number(.encryptedFileSystem(directory: .applicationSupport), .recommended),
    number(.appGroupFileSystem(identifier: "group.tests", directory: .documents)),
  ]
  static let text = StorageKey<String?>("text", .userDefaults(), .recommended, .json)
  static let needed = StorageKey<String>(
    name: "needed", domain: .userDefaults(), security: .none, owner: "Tests", description: "No default.")

  private static func number(_ domain: StorageDomain, _ security: SecurityPolicy = .none) -> StorageKey<Int> {
    StorageKey<Int>("number", domain, security, .json, default: 7)
  }

  static var allKeys: [AnyStorageKey] { numbers.map { .key($0) } + [.key(text), .key(needed)] }
}

private enum Prompting: StorageKeyCatalog {
  static let pin = StorageKey<String?>(
    "pin", .keychain(), .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: .biometryAny), .json)
  static let number = StorageKey<Int?>("number", .keychain(), .keychain(), .json)
  static let old = StorageKey<Int?>("old", .userDefaults(), .none, .json, legacy: true)
  static let pair = StorageKey<Data?>("pair", .keychain(), .keychain(), .data).with { $0.isKeyPair = true }

  static var allKeys: [AnyStorageKey] { [.key(pin), .key(number), .key(old), .key(pair)] }
}

private enum Changed: StorageKeyCatalog {
  private static let old = StorageKey<Int?>("old", .userDefaults(), .none, .propertyList, legacy: true)
  static let new = StorageKey<Int?>("new", .userDefaults(), .none, .json).migrating { key in
    AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
  }
  static let level = StorageKey<Int>("level", .userDefaults(), .none, .propertyList, default: 5)
    .onCorruption(.useDefault)
  static let strict = StorageKey<Int>("strict", .userDefaults(), .none, .propertyList, default: 5)

  static var allKeys: [AnyStorageKey] { [.key(old), .key(new), .key(level), .key(strict)] }
}
