import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

extension StorageKey where Value == String {
  fileprivate static let note = StorageKey(
    name: "note", domain: .userDefaults(), security: .none, owner: "Tests", description: "A note without default.")
  fileprivate static let sealedNote = StorageKey(
    name: "sealed_note", domain: .fileSystem(directory: .documents), owner: "Tests",
    description: "A note sealed as recommended.")
}

extension StorageKey where Value == String? {
  fileprivate static var token: Self {
    Self(
      name: "token", domain: .keychain(service: "tests"), security: .keychain(), owner: "Tests",
      description: "An optional token.")
  }
}

extension StorageKey where Value == Int {
  fileprivate static func counter(_ domain: StorageDomain, _ security: SecurityPolicy) -> Self {
    Self(
      name: "counter", domain: domain, security: security, default: 7, owner: "Tests",
      description: "A counter with a default.")
  }
}

@Suite struct StorageRouterTests {
  let router = StorageRouter.inMemory()

  @Test(arguments: addresses)
  func everyVerbInEveryDomain(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
    let key = StorageKey<Int>.counter(domain, security)
    #expect(try await router.exists(key) == false)
    #expect(try await router.get(key) == 7)
    #expect(try await router.update(key) { $0 += 1 } == 8)
    #expect(try await router.exists(key))
    try await router.set(-1, for: key)
    #expect(try await router.get(key) == -1)
    #expect(try await router.update(key) { $0 *= 3 } == -3)
    #expect(try await router.get(key) == -3)
    try await router.remove(key)
    try await router.remove(key)
    #expect(try await router.get(key) == 7)
    #expect(try await router.exists(key) == false)
  }

  @Test func absenceIsNilForAnOptionalValueAndAnErrorForAnother() async throws {
    #expect(try await router.get(.token) == nil)
    try await router.set("a", for: .token)
    #expect(try await router.get(.token) == "a")
    try await router.set(nil, for: .token)
    #expect(try await router.exists(.token) == false)
    await #expect(throws: StorageError(.notFound, .init(key: "note", domain: .userDefaults))) {
      try await router.get(.note)
    }
    await #expect(throws: StorageError(.notFound, .init(key: "sealed_note", domain: .fileSystem))) {
      try await router.update(.sealedNote) { $0 += "!" }
    }
  }

  @Test func aValueOfAByteTooManyIsRefusedAndTheOldOneStays() async throws {
    let key = StorageKey<Data?>(
      name: "blob", domain: .fileSystem(directory: .documents), serializer: .data, owner: "Tests",
      description: "Four bytes at most.", options: StorageKeyOptions(maxSize: 4))
    try await router.set(Data([1, 2, 3, 4]), for: key)
    await #expect(throws: StorageError(.valueTooLarge(limit: 4), .init(key: "blob", domain: .fileSystem))) {
      try await router.set(Data([1, 2, 3, 4, 5]), for: key)
    }
    #expect(try await router.get(key) == Data([1, 2, 3, 4]))
  }

  @Test func aLargerValueThanTheKeyAllowsIsNotReadEither() async throws {
    func key(_ maxSize: Int?) -> StorageKey<Data?> {
      StorageKey<Data?>(
        name: "blob", domain: .userDefaults(), security: .none, serializer: .data, owner: "Tests",
        description: "Bytes.", options: StorageKeyOptions(maxSize: maxSize))
    }
    try await router.set(Data(repeating: 1, count: 5), for: key(nil))
    await #expect(throws: StorageError(.valueTooLarge(limit: 4), .init(key: "blob", domain: .userDefaults))) {
      try await router.get(key(4))
    }
  }

  @Test func anotherTypeIsCannotDecodeAndSetOverwrites() async throws {
    let text = StorageKey<String?>(
      name: "x", domain: .userDefaults(), security: .none, owner: "Tests", description: "Text.")
    let number = StorageKey<Int?>(
      name: "x", domain: .userDefaults(), security: .none, owner: "Tests", description: "Number.")
    try await router.set("secret-value", for: text)
    let error = await #expect(throws: StorageError.self) { try await router.get(number) }
    #expect(error == StorageError(.cannotDecode, .init(key: "x", domain: .userDefaults)))
    #expect(error.map { "\($0)".contains("secret") } == false)
    #expect(try await router.get(text) == "secret-value")
    try await router.set(3, for: number)
    #expect(try await router.get(number) == 3)
  }

  @Test func aValueThatCannotBeEncodedLeavesTheOldOne() async throws {
    let key = StorageKey<Double?>(
      name: "d", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number.")
    try await router.set(1.5, for: key)
    await #expect(throws: StorageError(.cannotEncode, .init(key: "d", domain: .userDefaults))) {
      try await router.set(.nan, for: key)
    }
    #expect(try await router.get(key) == 1.5)
  }

  @Test func availabilityIsThatOfThePlatform() async throws {
    let phone = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .phone))
    let watch = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .watch))
    func key(_ availability: PlatformAvailability) -> StorageKey<Int?> {
      StorageKey<Int?>(
        name: "k", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number.",
        availability: availability)
    }
    let subject = StorageError.Subject(key: "k", domain: .userDefaults)
    await #expect(throws: StorageError(.notAvailableOnPlatform, subject)) { try await phone.get(key(.watchOnly)) }
    await #expect(throws: StorageError(.notAvailableOnPlatform, subject)) {
      try await watch.set(1, for: key(.phoneOnly))
    }
    for available in [PlatformAvailability.all, .phoneWithWatchSync] {
      #expect(try await phone.get(key(available)) == nil)
      #expect(try await watch.get(key(available)) == nil)
    }
  }

  @Test func aLegacyKeyIsNeitherReadNorWritten() async throws {
    let key = StorageKey<Int?>(
      name: "old", domain: .userDefaults(), security: .none, owner: "Tests", description: "A legacy number.",
      options: StorageKeyOptions(legacy: true))
    let subject = StorageError.Subject(key: "old", domain: .userDefaults)
    await #expect(throws: StorageError(.legacyKey, subject)) { try await router.get(key) }
    await #expect(throws: StorageError(.legacyKey, subject)) { try await router.set(1, for: key) }
  }

  @Test func anAppGroupWithoutIdentifierNeedsTheConfiguredOne() async throws {
    let key = StorageKey<Int>.counter(.appGroupUserDefaults(), .none)
    await #expect(throws: StorageError(.appGroupNotConfigured, .init(key: "counter", domain: .appGroupUserDefaults))) {
      try await router.get(key)
    }
    let configured = StorageRouter.inMemory(
      configuration: StorageConfiguration(defaultAppGroupIdentifier: "group.tests"))
    try await configured.set(1, for: key)
    let explicit = StorageKey<Int>.counter(.appGroupUserDefaults(identifier: "group.tests"), .none)
    #expect(try await configured.get(explicit) == 1)
  }

  @Test func noKeyTakesTheMasterKeysPlace() async throws {
    let key = StorageKey<String?>(
      name: "MasterKey", domain: .keychain(service: "LocalData"), security: .keychain(), owner: "Tests",
      description: "A key in the wrong place.")
    await #expect(throws: StorageError(.invalidName, .init(key: "MasterKey", domain: .keychain))) {
      try await router.get(key)
    }
  }

  @Test func tasksThatUpdateOneKeyLoseNoUpdate() async throws {
    for (domain, security) in addresses.prefix(8) {
      let key = StorageKey<Int>.counter(domain, security)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { for _ in 0..<25 { try await router.update(key) { $0 += 1 } } }
        }
        try await group.waitForAll()
      }
      #expect(try await router.get(key) == 207)
      // The next key may have the same address and another policy.
      try await router.remove(key)
    }
  }

  @Test func aCallSeesEveryCallThatReturnedBefore() async throws {
    let key = StorageKey<Int>.counter(.fileSystem(directory: .documents), .recommended)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let last = Lock(0)
      for value in 1...40 {
        group.addTask {
          try await router.update(key) { $0 = max($0, value) }
          let seen = last.withLock { last in
            last = max(last, value)
            return last
          }
          #expect(try await router.get(key) >= seen)
        }
      }
      try await group.waitForAll()
    }
  }
}
