import Foundation
import LocalDataMaintenance
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData

/// A name as three releases knew it.
private struct NameV1: Codable, Sendable, Equatable {
  var full: String

  static func upgraded(_ old: NameV1) throws -> NameV2 {
    let parts = old.full.split(separator: " ").map(String.init)
    guard parts.count == 2 else { throw NameFault.notTwoWords(old.full) }
    return NameV2(first: parts[0], last: parts[1])
  }
}

private struct NameV2: Codable, Sendable, Equatable {
  var first: String
  var last: String

  static func upgraded(_ old: NameV2) -> Name { Name(given: old.first, family: old.last, title: nil) }
}

private struct Name: Codable, Sendable, Equatable {
  var given: String
  var family: String
  var title: String?
}

private enum NameFault: Error {
  case notTwoWords(String)
}

private enum NameSerializer: CustomSerializer {
  static let name = "NameSerializer"

  static func encode(_ value: Name) throws -> Data { Data("\(value.given)/\(value.family)".utf8) }

  static func decode(_ data: Data) throws -> Name {
    let parts = String(decoding: data, as: UTF8.self).split(separator: "/").map(String.init)
    guard parts.count == 2 else { throw NameFault.notTwoWords("") }
    return Name(given: parts[0], family: parts[1])
  }
}

/// The key of one name in one place, at each schema.
private struct NameKeys {
  let domain: StorageDomain
  let security: SecurityPolicy
  var options = StorageKeyOptions()

  private func key<Value: Codable & Sendable>(_ serializer: Serializer<Value>) -> StorageKey<Value?> {
    StorageKey<Value?>(
      name: "name", domain: domain, security: security, serializer: serializer, owner: "Tests",
      description: "The name of somebody.", options: options)
  }

  func first(_ serializer: Serializer<NameV1> = .json) -> StorageKey<NameV1?> { key(serializer) }

  func second(_ serializer: Serializer<NameV2> = .json, _ old: Serializer<NameV1> = .json) -> StorageKey<NameV2?> {
    key(serializer).upgrading(by: SchemaUpgrades(decoding: old, NameV1.upgraded))
  }

  func third(
    _ serializer: Serializer<Name> = .json, _ older: Serializer<NameV2> = .json, _ oldest: Serializer<NameV1> = .json
  ) -> StorageKey<Name?> {
    key(serializer).upgrading(
      by: SchemaUpgrades(decoding: oldest, NameV1.upgraded).then(decoding: older, NameV2.upgraded))
  }

  static let plain = NameKeys(domain: .userDefaults(), security: .none)
  static let sealed = NameKeys(domain: .fileSystem(directory: .documents), security: .recommended)
}

private let ada = Name(given: "Ada", family: "Lovelace")

#if os(Linux)
  /// A router over a folder of the test's own, as an app has it.
  private struct FolderRouter {
    let scratch: ScratchFolder
    let router: StorageRouter

    init() throws {
      scratch = try ScratchFolder()
      router = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Tests", roots: StorageRoots(below: scratch.url.appendingPathComponent("store"))))
    }
  }
#endif

@Suite struct SchemaUpgradeTests {
  private let memory = MemoryStore()
  private let router: StorageRouter

  init() {
    let memory = memory
    router = StorageRouter(configuration: StorageConfiguration(applicationName: "Tests")) { setup in
      StorageServices(over: memory, setup)
    }
  }

  private func address(_ keys: NameKeys) throws -> StorageAddress {
    try KeyPlan(AnyStorageKey(keys.first()), StorageConfiguration(applicationName: "Tests")).address
  }

  private func stored(_ keys: NameKeys) throws -> Data? { try memory.read(try address(keys), StorageAttributes()) }

  private func put(_ bytes: Data, _ keys: NameKeys) throws {
    try memory.write(bytes, to: try address(keys), StorageAttributes())
  }

  // MARK: Reading

  #if os(Linux)
    @Test(arguments: addresses)
    func isUpgradedOnReadInEveryDomain(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
      let test = try FolderRouter()
      let keys = NameKeys(domain: domain, security: security)
      try await test.router.set(NameV1(full: "Ada Lovelace"), for: keys.first())
      #expect(try await test.router.get(keys.second()) == NameV2(first: "Ada", last: "Lovelace"))
      #expect(try await test.router.get(keys.third()) == ada)
      #expect(try await test.router.get(keys.first()) == NameV1(full: "Ada Lovelace"), "a read has written")
      let second = try await test.router.update(keys.second()) { $0 = $0.map { NameV2(first: $0.first, last: "King") } }
      #expect(second == NameV2(first: "Ada", last: "King"))
      #expect(try await test.router.get(keys.third()) == Name(given: "Ada", family: "King"))
      let subject = StorageError.Subject(key: "name", domain: domain.kind)
      await #expect(throws: StorageError(.newerSchema, subject)) { try await test.router.get(keys.first()) }
      try await test.router.set(ada, for: keys.third())
      #expect(try await test.router.get(keys.third()) == ada)
      await #expect(throws: StorageError(.newerSchema, subject)) { try await test.router.get(keys.second()) }
      await #expect(throws: StorageError(.newerSchema, subject)) { try await test.router.update(keys.first()) { _ in } }
      try await test.router.remove(keys.third())
      #expect(try await test.router.get(keys.third()) == nil)
    }
  #endif

  @Test(arguments: [NameKeys.plain, .sealed])
  fileprivate func readingLeavesTheBytesAlone(_ keys: NameKeys) async throws {
    try await router.set(NameV1(full: "Ada Lovelace"), for: keys.first())
    let before = try #require(try stored(keys))
    #expect(try await router.get(keys.third()) == ada)
    #expect(try await router.exists(keys.third()))
    #expect(try stored(keys) == before)
  }

  @Test(arguments: [NameKeys.plain, .sealed])
  fileprivate func theSchemaLiesInTheHeader(_ keys: NameKeys) async throws {
    try await router.set(NameV2(first: "a", last: "b"), for: keys.second())
    #expect(try schema(keys) == 2)
    try await router.update(keys.third()) { _ in }
    #expect(try schema(keys) == 3)
    try await router.set(ada, for: keys.third())
    #expect(try schema(keys) == 3)
  }

  private func schema(_ keys: NameKeys) throws -> UInt32 {
    try EnvelopeHeader.parse(try #require(try stored(keys))).metadata.schema
  }

  @Test func aKeyWithoutAnUpgradeStoresBareBytesAsEver() async throws {
    try await router.set(NameV1(full: "a b"), for: NameKeys.plain.first())
    #expect(try stored(.plain) == Data(#"{"full":"a b"}"#.utf8))
    try await router.set(NameV2(first: "a", last: "b"), for: NameKeys.plain.second())
    #expect(try stored(.plain)?.suffix(24) == Data(#"{"first":"a","last":"b"}"#.utf8))
  }

  @Test func aValueKeptForATimeIsUpgradedToo() async throws {
    let keys = NameKeys(
      domain: .userDefaults(), security: .none, options: StorageKeyOptions(retention: .maxAge(seconds: 60)))
    try await router.set(NameV1(full: "Ada Lovelace"), for: keys.first())
    #expect(try await router.get(keys.third()) == ada)
  }

  @Test func aDefaultIsThatOfTodayAndTakesNoUpgrade() async throws {
    let key = StorageKey<Int>(
      name: "name", domain: .userDefaults(), security: .none, default: 7, owner: "Tests", description: "A number."
    ).upgrading(by: SchemaUpgrades(decoding: .json) { (_: String) -> Int in throw NameFault.notTwoWords("") })
    #expect(try await router.get(key) == 7)
    #expect(try await router.update(key) { $0 += 1 } == 8)
    #expect(AnyStorageKey(key).descriptor.schema == 2)
  }

  // MARK: Serializers

  @Test func propertyListsThatWereStoredAsTheyAreAreRead() async throws {
    let number = StorageKey<Int?>(
      name: "name", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Tests",
      description: "A number.")
    let text = StorageKey<String?>(
      name: "name", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Tests",
      description: "A text."
    ).upgrading(by: SchemaUpgrades(decoding: .propertyList) { (old: Int) in "\(old)" })
    try await router.set(5, for: number)
    #expect(try await router.get(text) == "5")
    try await router.set("six", for: text)
    #expect(try await router.get(text) == "six")
    let attributes = try KeyPlan(AnyStorageKey(text), StorageConfiguration()).attributes
    #expect(!attributes.isPropertyListValue && attributes.mayBePropertyListValue)
  }

  @Test func bytesAreHandedOverForDataAndCustomSerializers() async throws {
    let old = StorageKey<String?>(
      name: "name", domain: .userDefaults(), security: .none, serializer: .data, owner: "Tests", description: "Text.")
    let new = StorageKey<Name?>(
      name: "name", domain: .userDefaults(), security: .none, serializer: .custom(NameSerializer.self),
      owner: "Tests", description: "A name."
    ).upgrading(
      by: SchemaUpgrades(decoding: .data) { (bytes: Data) in
        Name(given: String(decoding: bytes, as: UTF8.self), family: "-")
      })
    try await router.set("Ada", for: old)
    #expect(try await router.get(new) == Name(given: "Ada", family: "-"))
    try await router.set(ada, for: new)
    #expect(try await router.get(new) == ada)
  }

  @Test func aStepCanChangeTheSerializer() async throws {
    try await router.set(NameV1(full: "Ada Lovelace"), for: NameKeys.sealed.first(.propertyList))
    let key = NameKeys.sealed.third(.propertyList, .json, .propertyList)
    #expect(try await router.get(key) == ada)
  }

  // MARK: What cannot be upgraded

  @Test(arguments: [NameKeys.plain, .sealed])
  fileprivate func aTransformThatThrowsIsItsOwnErrorAndLeavesTheBytes(_ keys: NameKeys) async throws {
    try await router.set(NameV1(full: "secret"), for: keys.first())
    let before = try stored(keys)
    let subject = StorageError.Subject(key: "name", domain: keys.domain.kind)
    let reading = await #expect(throws: StorageError.self) { try await router.get(keys.third()) }
    let updating = await #expect(throws: StorageError.self) { try await router.update(keys.third()) { $0 = ada } }
    for error in [reading, updating] {
      #expect(error == StorageError(.migrationFailed, subject))
      #expect(error.map { "\($0)\(String(reflecting: $0))".contains("secret") } == false)
    }
    #expect(try stored(keys) == before)
  }

  @Test(arguments: [NameKeys.plain, .sealed])
  fileprivate func bytesOfAnotherTypeCannotBeDecoded(_ keys: NameKeys) async throws {
    try await router.set(NameV2(first: "a", last: "b"), for: keys.asFirst)
    let before = try stored(keys)
    await #expect(throws: StorageError(.cannotDecode, .init(key: "name", domain: keys.domain.kind))) {
      try await router.get(keys.third())
    }
    #expect(try stored(keys) == before)
  }

  @Test func aSchemaThatNobodyWritesIsCorrupted() async throws {
    try put(PlainEnvelope.wrapPlain(Data("{}".utf8), metadata: EnvelopeMetadata(schema: 0, writtenAt: 0)), .plain)
    let subject = StorageError.Subject(key: "name", domain: .userDefaults)
    await #expect(throws: StorageError(.corrupted, subject)) { try await router.get(NameKeys.plain.first()) }
    await #expect(throws: StorageError(.corrupted, subject)) { try await router.get(NameKeys.plain.third()) }
  }

  /// A sealed value of another schema is never returned, whatever is written into the header.
  @Test(arguments: [UInt32(0), 1, 3, 4, .max])
  func anEditedSchemaDoesNotOpen(_ schema: UInt32) async throws {
    try await router.set(NameV2(first: "a", last: "b"), for: NameKeys.sealed.second())
    var bytes = try #require(try stored(.sealed))
    withUnsafeBytes(of: schema.bigEndian) { bytes.replaceSubrange(8..<12, with: $0) }
    try put(bytes, .sealed)
    let subject = StorageError.Subject(key: "name", domain: .fileSystem)
    await #expect(throws: StorageError(.authenticationFailed, subject)) {
      try await router.get(NameKeys.sealed.second())
    }
    await #expect(throws: StorageError(.authenticationFailed, subject)) {
      try await router.get(NameKeys.sealed.third())
    }
    #expect(try stored(.sealed) == bytes)
  }

  @Test func aSealedValueIsNotTakenForAPlainOneOfAnEarlierSchema() async throws {
    try await router.set(NameV2(first: "a", last: "b"), for: NameKeys.sealed.second())
    let plain = PlainEnvelope.wrapPlain(
      Data(#"{"full":"Eve Mallory"}"#.utf8), metadata: EnvelopeMetadata(schema: 1, writtenAt: 0))
    for bytes in [plain, Data(#"{"full":"Eve Mallory"}"#.utf8)] {
      try put(bytes, .sealed)
      await #expect(throws: StorageError(.corrupted, .init(key: "name", domain: .fileSystem))) {
        try await router.get(NameKeys.sealed.third())
      }
    }
  }
}

extension NameKeys {
  /// The first schema's key with the second's type.
  fileprivate var asFirst: StorageKey<NameV2?> { key(.json) }
}
