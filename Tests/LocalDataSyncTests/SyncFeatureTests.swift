import Foundation
import LocalDataTesting
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

/// Tests of the feature as a part of the router that a catalog names.
@Suite struct SyncFeatureTests {
  private static let key = SyncedKeys.plain
  private static let missing = StorageError(.invalidCatalog(.missingSyncFeature), AnyStorageKey(key).subject)

  private enum WithoutFeature: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [.key(key)] }
  }

  private enum WithFeature: StorageKeyCatalog {
    static let features: [StorageFeature] = [.sync]
    static var allKeys: [AnyStorageKey] { [.key(key)] }
  }

  private enum Unsynced: StorageKeyCatalog {
    static let number = SyncedKeys.number("unsynced", .userDefaults(), .none, .never)
    static var allKeys: [AnyStorageKey] { [.key(number)] }
  }

  @Test func aCatalogWithASyncedKeyNamesTheFeature() async throws {
    let router = StorageRouter.inMemory()
    #expect(throws: Self.missing) { try router.registerCatalog(WithoutFeature.self) }
    // Another catalog that names it does not help.
    try router.registerCatalog(WithFeature.self)
    #expect(throws: Self.missing) { try router.registerCatalog(WithoutFeature.self) }
    try await router.set(1, for: Self.key)
  }

  @Test func theErrorNamesTheProductAndTheLineToWrite() {
    let text = "\(Self.missing)"
    #expect(text.hasPrefix("'plain' in userDefaults: "))
    #expect(text.contains("product LocalDataSync"))
    #expect(text.contains("static let features: [StorageFeature] = [.sync]"))
  }

  /// A version of its change could not be noted.
  @Test func aSyncedKeyOfNoCatalogIsNotUsedWithoutTheFeature() async throws {
    let router = StorageRouter.inMemory()
    await #expect(throws: Self.missing) { try await router.set(1, for: Self.key) }
    #expect(throws: Self.missing) { try router.value(Self.key) }
    _ = router.sync.events
    try await router.set(1, for: Self.key)
    #expect(try router.value(Self.key) == 1)
  }

  /// The error of a key whose catalog is not registered is not hidden.
  @Test func aKeyThatIsNotRegisteredIsNotCalledOneWithoutTheFeature() async throws {
    let router = StorageRouter.inMemory()
    try router.registerCatalog(Unsynced.self)
    await #expect(throws: StorageError(.unregistered, AnyStorageKey(Self.key).subject)) {
      try await router.set(1, for: Self.key)
    }
  }

  @Test func sendingBeforeATransportIsSetIsUnavailable() async throws {
    let router = StorageRouter.inMemory()
    await #expect(throws: StorageError(.syncUnavailable, AnyStorageKey(Self.key).subject)) {
      try await router.sync.send(Self.key)
    }
  }

  @Test func theTransportMayBeSetBeforeTheConfigurationAndTheCatalog() async throws {
    let (linked, router) = (LinkedTransports(), StorageRouter.inMemory())
    router.sync.setTransport(linked.phone)
    try router.updateStorageConfiguration(StorageConfiguration(applicationName: "Later"))
    try router.registerCatalog(WithFeature.self)
    try await router.set(1, for: Self.key)
    #expect(linked.phone.sent.count == 1)
  }

  @Test func eachRouterHasATransport() async throws {
    let linked = LinkedTransports()
    let routers = [StorageRouter.inMemory(), StorageRouter.inMemory()]
    for router in routers { try router.registerCatalog(WithFeature.self) }
    routers[0].sync.setTransport(linked.phone)
    try await routers[1].set(1, for: Self.key)
    #expect(linked.phone.sent.isEmpty)
    try await routers[0].set(1, for: Self.key)
    #expect(linked.phone.sent.count == 1)
  }

  @Test func aRouterWithoutSyncedKeysHasNothingToSend() async throws {
    let (linked, router) = (LinkedTransports(), StorageRouter.inMemory())
    try router.registerCatalog(Unsynced.self)
    router.sync.setTransport(linked.phone)
    try await router.set(1, for: Unsynced.number)
    #expect(linked.phone.sent.isEmpty)
    try await router.sync.sendAll()
    #expect(try linked.phone.sent.flatMap { try SyncPayload($0).entries }.isEmpty)
  }

  /// A launch without a transport notes the versions of changes, because an earlier one had a transport.
  @Test func recordsOfATestStorageOutliveALaunch() async throws {
    let (linked, storage) = (LinkedTransports(), TestStorage())
    func launch(_ transport: LinkedTransport?) throws -> StorageRouter {
      let router = storage.launch()
      try router.registerCatalog(WithFeature.self)
      if let transport { router.sync.setTransport(transport) }
      return router
    }
    try await launch(linked.phone).set(1, for: Self.key)
    try await launch(nil).set(2, for: Self.key)
    // A later change of another value sends what is pending.
    let router = try launch(linked.phone)
    await router.sync.catchUpIfBehind(CallWaits(.seconds(600), of: .call))
    let last = try SyncPayload(try #require(linked.phone.sent.last)).entries
    #expect(last.map(\.bytes) == [Data("2".utf8)])
  }

  @Test func aReadTakesPartOnlyIfItMayChangeTheValue() async throws {
    let router = StorageRouter.inMemory()
    router.sync.setTransport(nil)
    let kept = StorageKey<Int?>(
      name: "kept", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number of two devices.",
      syncPolicy: .manual, options: StorageKeyOptions(retention: .maxAge(seconds: 60)))
    #expect(try await router.plan(for: AnyStorageKey(Self.key), .read).hook == nil)
    #expect(try await router.plan(for: AnyStorageKey(kept), .read).hook != nil)
    #expect(try await router.plan(for: AnyStorageKey(Self.key), .write).hook != nil)
  }
}
