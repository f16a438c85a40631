import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// Keys that allow only some values of their types.
@Suite struct ValidValueTests {
  /// The key of the release without bounds.
  private static func any(_ domain: StorageDomain) -> StorageKey<Int> {
    StorageKey<Int>("level", domain, security(of: domain), .propertyList, default: 5)
  }

  private static func level(_ domain: StorageDomain, _ policy: CorruptionPolicy = .throw) -> StorageKey<Int> {
    any(domain).onCorruption(policy).valid("range 1...10") { (1...10).contains($0) }
  }

  private static func security(of domain: StorageDomain) -> SecurityPolicy {
    switch domain.kind {
    case .keychain: .keychain()
    case .encryptedFileSystem: .recommended
    default: .none
    }
  }

  private static let words = StorageKey<[String]?>("words", .userDefaults(), .recommended, .json)
    .valid("count 0...2") { (0...2).contains($0.count) }

  private static func member(_ show: Int) -> StorageKey<Int?> {
    StorageKey<Int?>(
      StorageKeyFamily(name: "note_{show}", domain: .userDefaults(), security: .none), "note_\(show)", .propertyList
    )
    .valid("range 1...") { (1...).contains($0) }
  }

  private static let domains: [StorageDomain] = [
    .userDefaults(), .keychain(), .fileSystem(directory: .documents),
    .encryptedFileSystem(directory: .applicationSupport),
  ]

  @Test(arguments: domains) func otherValuesAreRefused(_ domain: StorageDomain) async throws {
    let router = StorageRouter.inMemory()
    let key = Self.level(domain)
    try await router.set(10, for: key)
    let error = StorageError(.invalidValue("range 1...10"), .init(key: "level", domain: domain.kind))
    await #expect(throws: error) { try await router.set(4_711, for: key) }
    await #expect(throws: error) { try await router.update(key) { $0 = 4_711 } }
    if domain == .userDefaults() {
      #expect(throws: error) { try router.setValue(4_711, for: key) }
      await #expect(throws: error) { try await router.transaction { try await $0.set(4_711, for: key) } }
    }
    #expect(try await router.get(key) == 10)
    #expect(error.validValues == "range 1...10")
    #expect(
      error.description.contains("'level' in \(domain.kind.rawValue)") && error.description.contains("range 1...10"))
    #expect(!error.description.contains("4711"))
  }

  /// A generated key is a new value each time. Assignments of `@Stored` and cached values belong to all of them.
  @Test func keysWithTheSameBoundsAreOne() {
    let key = Self.level(.userDefaults())
    #expect(key.isSame(as: Self.level(.userDefaults())))
    #expect(!key.isSame(as: Self.any(.userDefaults())))
    #expect(!key.isSame(as: Self.any(.userDefaults()).valid("range 1...11") { (1...11).contains($0) }))
  }

  @Test func nilAndMembersOfFamiliesAreChecked() async throws {
    let router = StorageRouter.inMemory()
    try await router.set(["a", "b"], for: Self.words)
    let refused = await #expect(throws: StorageError.self) { try await router.set(["a", "b", "c"], for: Self.words) }
    #expect(refused?.code == .invalidValue)
    #expect(try await router.get(Self.words) == ["a", "b"])
    try await router.set(nil, for: Self.words)
    #expect(try await router.get(Self.words) == nil)
    try await router.set(7, for: Self.member(1))
    let error = await #expect(throws: StorageError.self) { try await router.set(0, for: Self.member(1)) }
    #expect(error?.subject.key == "note_{show}")
    #expect(try await router.get(Self.member(1)) == 7)
  }

  /// The release before had no bounds, and reads its value again after the update is undone.
  @Test(arguments: domains) func narrowedBoundsKeepTheStoredValue(_ domain: StorageDomain) async throws {
    let router = StorageRouter.inMemory()
    try await router.set(11, for: Self.any(domain))
    let error = await #expect(throws: StorageError.self) { try await router.get(Self.level(domain)) }
    #expect(error?.code == .cannotDecode)
    await #expect(throws: StorageError.self) { try await router.update(Self.level(domain)) { $0 = 3 } }
    if Self.security(of: domain) == .none {
      #expect(try await router.get(Self.level(domain, .useDefault)) == 5)
      if domain == .userDefaults() { #expect(try router.value(Self.level(domain, .useDefault)) == 5) }
    }
    #expect(try await router.get(Self.any(domain)) == 11)
    try await router.set(7, for: Self.level(domain))
    #expect(try await router.get(Self.any(domain)) == 7)
  }

  @Test func quarantineMovesTheValueAside() async throws {
    let router = StorageRouter.inMemory()
    try await router.set(11, for: Self.any(.userDefaults()))
    #expect(try await router.get(Self.level(.userDefaults(), .quarantine)) == 5)
    #expect(try await router.exists(Self.any(.userDefaults())) == false)
  }

  /// The cached value of the earlier release is not returned for the key with bounds.
  @Test func cachedValuesAreChecked() async throws {
    let router = StorageRouter.inMemory()
    try router.setValue(11, for: Self.any(.userDefaults()))
    #expect(try router.value(Self.any(.userDefaults())) == 11)
    #expect(throws: StorageError.self) { try router.value(Self.level(.userDefaults())) }
    #expect(try router.value(Self.any(.userDefaults())) == 11)
  }

  /// A later release allows more values, and its update is undone.
  @Test func widenedBoundsAreReadByTheLaterRelease() async throws {
    let router = StorageRouter.inMemory()
    let wider = Self.any(.userDefaults()).valid("range 1...100") { (1...100).contains($0) }
    try await router.set(10, for: Self.level(.userDefaults()))
    #expect(try await router.get(wider) == 10)
    try await router.set(50, for: wider)
    await #expect(throws: StorageError.self) { try await router.get(Self.level(.userDefaults())) }
    #expect(try await router.get(Self.level(.userDefaults(), .useDefault)) == 5)
    #expect(try await router.get(wider) == 50)
  }

  @Test func otherFormsAndElementsAreChecked() async throws {
    let router = StorageRouter.inMemory()
    let text = StorageKey<String?>("level", .userDefaults(), .none, .propertyList)
    let reading = Self.level(.userDefaults()).reading(Serializer<String>.propertyList, by: { Int($0) })
    try await router.set("7", for: text)
    #expect(try await router.get(reading) == 7)
    try await router.set("11", for: text)
    await #expect(throws: StorageError.self) { try await router.get(reading) }
  }

  /// A migration moves the value as it is. The key's policy is applied to it when it is read.
  @Test(arguments: [CorruptionPolicy.throw, .useDefault]) func movedValuesAreChecked(_ policy: CorruptionPolicy)
    async throws
  {
    let router = StorageRouter.inMemory()
    let old = StorageKey<Int?>("old", .userDefaults(), .none, .propertyList, legacy: true)
    try await router.set(11, for: StorageKey<Int?>("old", .userDefaults(), .none, .propertyList))
    let key = Self.level(.userDefaults(), policy).migrating { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    if policy == .useDefault {
      #expect(try await router.get(key) == 5)
    } else {
      let error = await #expect(throws: StorageError.self) { try await router.get(key) }
      #expect(error?.code == .cannotDecode)
    }
    try await router.set(4, for: key)
    #expect(try await router.get(key) == 4)
  }

  private enum Sort: String, Codable, CaseIterable, Sendable { case newest, oldest }

  /// Of a list with unknown elements, the known ones are the value.
  @Test func knownElementsAreChecked() async throws {
    let router = StorageRouter.inMemory()
    let texts = StorageKey<[String]?>("sorts", .userDefaults(), .none, .json)
    let sorts = StorageKey<[Sort]?>("sorts", .userDefaults(), .none, .json).onCorruption(.skipElements)
      .valid("count ...1") { (...1).contains($0.count) }
    try await router.set(["newest", "other"], for: texts)
    #expect(try await router.get(sorts) == [.newest])
    for list in [["newest", "oldest"], ["newest", "other", "oldest"]] {
      try await router.set(list, for: texts)
      await #expect(throws: StorageError.self) { try await router.get(sorts) }
      #expect(try await router.get(texts) == list)
    }
  }
}
