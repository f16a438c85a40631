import LocalData
import Testing

@testable import App

/// Values that only a process with entitlements can store, in the keychain and the app group of the simulator.
@Suite(.serialized) struct EntitlementTests {
  static let keys: [(String, StorageKey<String?>)] = [
    ("token", .token), ("sharedToken", .sharedToken), ("draft", .draft), ("city", .city), ("report", .report),
  ]

  @Test(arguments: keys)
  func aValueIsKeptUntilItIsRemoved(name: String, key: StorageKey<String?>) async throws {
    let router = StorageRouter.shared
    try await router.set("first", for: key)
    #expect(try await router.get(key) == "first")
    try await router.update(key) { $0 = "second" }
    #expect(try await router.get(key) == "second")
    try await router.remove(key)
    #expect(try await router.get(key) == nil)
  }
}
