import Foundation
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// Keys whose values may be stored in several forms.
struct ReadFormTests {
  private enum Sort: String, Codable { case newest, oldest }
  private static let domains: [StorageDomain] = [.userDefaults(), .fileSystem(directory: .documents)]

  private func key<Value: Codable & Sendable>(
    _ serializer: Serializer<Value>, in domain: StorageDomain = .userDefaults()
  ) -> StorageKey<Value?> {
    StorageKey<Value?>("value", domain, .none, serializer)
  }

  private func isDark(_ domain: StorageDomain) -> StorageKey<Bool> {
    StorageKey<Bool>("value", domain, .none, .json, default: false)
      .reading(Serializer<Int>.json, by: { $0 != 0 })
      .reading(Serializer<String>.propertyList, by: { ["yes": true, "no": false][$0.lowercased()] })
  }

  @Test(arguments: domains) func formsAreTriedInOrder(_ domain: StorageDomain) async throws {
    let router = StorageRouter.inMemory()
    let key = isDark(domain)
    #expect(try await router.get(key) == false)
    try await router.set(2, for: self.key(Serializer<Int>.json, in: domain))
    #expect(try await router.get(key))
    try await router.set("YES", for: self.key(Serializer<String>.propertyList, in: domain))
    #expect(try await router.get(key))
    try await router.set("No", for: self.key(Serializer<String>.propertyList, in: domain))
    #expect(try await router.get(key) == false)
    #expect(try await router.update(key) { $0.toggle() })
    #expect(try await router.get(self.key(Serializer<Bool>.json, in: domain)) == true)
  }

  /// A read changes nothing, and a write stores the declared form.
  @Test func writesStoreTheDeclaredForm() async throws {
    let router = StorageRouter.inMemory()
    let number = key(Serializer<Int>.json)
    try await router.set(1, for: number)
    #expect(try await router.get(isDark(.userDefaults())))
    #expect(try router.value(isDark(.userDefaults())))
    #expect(try await router.get(number) == 1)
    try await router.set(true, for: isDark(.userDefaults()))
    await #expect(throws: StorageError.self) { try await router.get(number) }
  }

  /// The error is that of the declared form.
  @Test func otherBytesAreAnError() async throws {
    let router = StorageRouter.inMemory()
    let subject = StorageError.Subject(key: "value", domain: .userDefaults)
    try await router.set("maybe", for: key(Serializer<String>.propertyList))
    await #expect(throws: StorageError(.cannotDecode, subject)) { try await router.get(isDark(.userDefaults())) }
    let sort = key(Serializer<Sort>.json).reading(Serializer<String>.json, by: { Sort(rawValue: $0.lowercased()) })
    try await router.set("Oldest", for: key(Serializer<String>.json))
    #expect(try await router.get(sort) == .oldest)
    try await router.set("middle", for: key(Serializer<String>.json))
    await #expect(throws: StorageError(.newerValue, subject)) { try await router.get(sort) }
  }

  /// Two releases, and a rollback to the first between two launches of the second.
  @Test func aRollbackReadsWhatItStored() async throws {
    let router = StorageRouter.inMemory()
    let first = key(Serializer<Int>.propertyList)
    let second = key(Serializer<Double>.propertyList).reading(Serializer<Int>.propertyList, by: { Double(exactly: $0) })
    try await router.set(2, for: first)
    #expect(try await router.get(second) == 2)
    #expect(try await router.get(first) == 2)
    try await router.set(3, for: first)
    #expect(try await router.get(second) == 3)
    try await router.set(3.5, for: second)
    #expect(try await router.get(second) == 3.5)
    try await router.set(nil, for: second)
    #expect(try await router.get(first) == nil)
  }

  @Test func numbersConvertExactly() async throws {
    let router = StorageRouter.inMemory()
    let count = key(Serializer<Int>.json).reading(Serializer<Double>.json, by: { Int(exactly: $0) })
    try await router.set(3, for: key(Serializer<Double>.json))
    #expect(try await router.get(count) == 3)
    try await router.set(3.5, for: key(Serializer<Double>.json))
    await #expect(throws: StorageError.self) { try await router.get(count) }
  }
}
