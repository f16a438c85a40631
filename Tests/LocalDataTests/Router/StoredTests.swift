import Foundation
import LocalDataTesting
import Observation
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@_spi(Generated) @testable import LocalData

private let counter = StorageKey<Int>(
  name: "counter", domain: .userDefaults(), security: .none, default: 7, owner: "Tests", description: "A number.")

private let movedCounter = StorageKey<Int>(
  name: "moved", domain: .userDefaults(), security: .none, default: 7, owner: "Tests", description: "A moved number."
) { key in
  AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
}

private let old = key("old", Int.self, .userDefaults(suite: "old"))

/// Any type may have stored properties.
private struct Settings {
  @Stored(PlainPreferenceKey(counter)) var count: Int
  @Stored(PlainPreferenceKey(key("name", String.self))) var name: String?
  @Stored(PlainPreferenceKey(movedCounter)) var moved: Int

  init(_ router: StorageRouter) {
    _count = Stored(PlainPreferenceKey(counter), router: router)
    _name = Stored(PlainPreferenceKey(key("name", String.self)), router: router)
    _moved = Stored(PlainPreferenceKey(movedCounter), router: router)
  }

  var error: StorageError? { _count.error }
  var movedError: StorageError? { _moved.error }
}

@Observable private final class Model {
  @ObservationIgnored @Stored(PlainPreferenceKey(counter)) var count: Int

  init(_ router: StorageRouter) { _count = Stored(PlainPreferenceKey(counter), router: router) }
}

/// A custom migration that has nothing to do.
private struct UnneededMigration: StorageMigration {
  let destinationKey: StorageKey<Int>

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { false }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    MigrationResult(success: true)
  }
}

private enum LaterCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(counter)] }
}

@Suite(.findsHangs) struct StoredTests {
  private let memory = MemoryStore()

  private func router(_ store: (any ValueStore)? = nil) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration()) { [memory] in StorageServices(over: store ?? memory, $0) }
  }

  @Test func aPropertyIsReadAndWrittenAtOnce() async throws {
    let router = router()
    let settings = Settings(router)
    #expect(settings.count == 7)
    settings.count += 1
    #expect(settings.count == 8)
    #expect(try await router.get(counter) == 8)
    try await router.set(9, for: counter)
    #expect(settings.count == 9)
    settings.name = "a"
    #expect(settings.name == "a")
    settings.name = nil
    #expect(try await router.exists(key("name", String.self)) == false)
    #expect(settings.error == nil)
  }

  /// Waits until observation reports a change of what `body` has read. It reports the change before the value is another one.
  private func change(of body: () -> Void, by cause: () async throws -> Void) async throws {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking(body) { continuation.yield() }
    try await cause()
    var iterator = changes.makeAsyncIterator()
    _ = await iterator.next()
  }

  @Test func anObservableModelTellsOfEveryChange() async throws {
    let router = router()
    let model = Model(router)
    try await change(of: { _ = model.count }) { model.count = 8 }
    try await change(of: { _ = model.count }) { try await router.set(9, for: counter) }
    try await change(of: { _ = model.count }) { Model(router).count += 1 }
    #expect(model.count == 10)
  }

  /// The update has the lock that the assignment needs.
  @Test func anAssignmentWithinAnUpdateIsStoredAfterIt() async throws {
    let router = router()
    try await router.update(counter) { count in
      Settings(router).name = "b"
      count += 1
    }
    while try await router.get(key("name", String.self)) != "b" { await Task.yield() }
    #expect(try await router.get(counter) == 8)
  }

  @Test func whatCannotBeReadIsNotReplaced() async throws {
    let store = FaultInjectingStore(memory)
    let router = router(store)
    try await router.set("text", for: key("counter", String.self))
    let settings = Settings(router)
    #expect(settings.count == 7)
    let subject = StorageError.Subject(key: "counter", domain: .userDefaults)
    #expect(settings.error == StorageError(.cannotDecode, subject))
    settings.count += 1
    #expect(try await router.get(key("counter", String.self)) == "text")
    try await router.set(3, for: counter)
    #expect(settings.count == 3)
    #expect(settings.error == nil)
    // The last value that was read stays.
    store.fail(with: .locked) { $0.operation == .read }
    #expect(settings.count == 3)
    #expect(settings.error == StorageError(.locked, subject))
    settings.count += 1
    store.succeed()
    #expect(try await router.get(counter) == 3)
    store.fail(with: .outOfSpace) { $0.operation == .write }
    #expect(settings.count == 3)
    settings.count = 5
    #expect(settings.error == StorageError(.outOfSpace, subject))
    store.succeed()
    settings.count = 5
    #expect(settings.count == 5)
    #expect(settings.error == nil)
  }

  /// A value that another part of the app has repaired can be replaced without a read before.
  @Test func aRepairedValueIsReplaced() async throws {
    let router = router()
    try await router.set("text", for: key("counter", String.self))
    let settings = Settings(router)
    #expect(settings.count == 7)
    try await change(of: { _ = settings.count }) { try await router.set(3, for: counter) }
    settings.count = 9
    #expect(try await router.get(counter) == 9)
  }

  /// A type without a view reads a property once. Its later assignments are not lost because of that read.
  @Test func aValueThatCouldOnceNotBeReadIsReplacedLater() async throws {
    let store = FaultInjectingStore(memory)
    let router = router(store)
    try await router.set(3, for: counter)
    let settings = Settings(router)
    store.fail(with: .accessDenied) { $0.operation == .read }
    #expect(settings.count == 7)
    store.succeed()
    // Based on the default.
    settings.count = 8
    #expect(try await router.get(counter) == 3)
    try await Task.sleep(for: .milliseconds(150))
    settings.count = 9
    #expect(try await router.get(counter) == 9)
    #expect(settings.error == nil)
  }

  @Test func aPropertyThatWasReadBeforeItsCatalogWasRegisteredIsAssignedLater() async throws {
    let router = router()
    try router.register([.key(key("other", Int.self))])
    let settings = Settings(router)
    #expect(settings.count == 7)
    #expect(settings.error != nil)
    try router.registerCatalog(LaterCatalog.self)
    try await Task.sleep(for: .milliseconds(150))
    settings.count = 9
    #expect(try await router.get(counter) == 9)
  }

  /// A custom migration that has nothing to do leaves every read waiting until there is a value.
  @Test func aKeyWithoutAnEarlierValueIsAssignedLater() async throws {
    let custom = StorageKey<Int>(
      name: "custom", domain: .userDefaults(), security: .none, default: 7, owner: "Tests", description: "A number."
    ) { key in AnyStorageMigration(UnneededMigration(destinationKey: key)) }
    let router = router()
    let property = Stored(PlainPreferenceKey(custom), router: router)
    try await change(of: { _ = property.wrappedValue }) {}
    try await Task.sleep(for: .milliseconds(150))
    property.wrappedValue = 9
    while try await router.get(custom) != 9 { await Task.yield() }
  }

  @Test func aRouterThatComesBackIsReadAgain() async throws {
    let store = FaultInjectingStore(memory)
    let (first, second) = (router(store), router(MemoryStore()))
    let property = ObservedPreference(counter, absent: 7, router: first)
    #expect(property.value == 7)
    store.fail(with: .busy) { $0.operation == .write }
    property.set(3)
    property.use(second)
    #expect(property.value == 7)
    property.use(first)
    store.succeed()
    while try await first.get(counter) != 3 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(50))
    // The task of the first use counts for none of the second one.
    store.fail(with: .busy) { $0.operation == .write }
    property.set(10)
    store.succeed()
    while try await first.get(counter) != 10 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(50))
    try await first.set(9, for: counter)
    #expect(property.value == 9)
  }

  /// The main thread must not wait for another process. The value is stored later, and the last assignment counts.
  @Test func assignmentsWaitInATask() async throws {
    let store = FaultInjectingStore(memory)
    let router = router(store)
    let settings = Settings(router)
    #expect(settings.count == 7)
    store.fail(with: .busy) { $0.operation == .write }
    settings.count = 8
    store.succeed()
    for number in 9..<30 { settings.count = number }
    #expect(settings.count == 29)
    while try await router.get(counter) != 29 { await Task.yield() }
    #expect(settings.count == 29)
    #expect(settings.error == nil)
  }

  /// The earlier release stored the number elsewhere: it is neither lost nor hidden by the default.
  @Test func aMigrationRunsByItself() async throws {
    try await router().set(3, for: old)
    let router = router()
    let settings = Settings(router)
    try await change(of: { _ = settings.moved }) {
      settings.moved += 1
    }
    while settings.moved != 3 { await Task.yield() }
    settings.moved += 1
    while try await router.get(movedCounter) != 4 { await Task.yield() }
    // A value that was set without a look at the old one is stored once the migration has run.
    let later = self.router()
    try await later.remove(movedCounter)
    try await self.router().set(3, for: old)
    let again = Settings(self.router())
    again.moved = 5
    #expect(again.moved == 5)
    while try await self.router().get(movedCounter) != 5 { await Task.yield() }
  }

  /// The value of a new user is stored nowhere, and so is a removed one. The migration of the key stays open.
  @Test func aKeyWithAMigrationAndNoValueIsReadAndWritten() async throws {
    let router = router()
    let settings = Settings(router)
    #expect(settings.moved == 7)
    #expect(settings.movedError == nil)
    settings.moved += 1
    while try await router.get(movedCounter) != 8 { await Task.yield() }
    #expect(settings.moved == 8)
    try await router.remove(movedCounter)
    while settings.moved != 7 { await Task.yield() }
    #expect(settings.movedError == nil)
    try await router.set(8, for: movedCounter)
    #expect(settings.moved == 8)
    try await router.remove(movedCounter)
    while settings.moved != 7 { await Task.yield() }
    settings.moved = 9
    while try await router.get(movedCounter) != 9 { await Task.yield() }
  }

  @Test func aValueWithAMigrationIsRemoved() async throws {
    let oldName = key("old_name", String.self)
    let name = key("name", String.self) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldName)))
    }
    let router = router()
    try await router.set("a", for: name)
    let property = Stored(PlainPreferenceKey(name), router: router)
    #expect(property.wrappedValue == "a")
    property.wrappedValue = nil
    while try await router.exists(name) { await Task.yield() }
    while property.wrappedValue != nil { await Task.yield() }
    property.wrappedValue = "b"
    while try await router.get(name) != "b" { await Task.yield() }
    #expect(property.wrappedValue == "b")
  }

  /// The error is the one that says what to do.
  @Test func aMigrationThatFailsIsTheError() async throws {
    try await router().set(3, for: old)
    let store = FaultInjectingStore(memory)
    store.fail(with: .locked) { $0.address?.name == old.name && $0.operation == .read }
    let settings = Settings(router(store))
    try await change(of: { _ = settings.moved }) {}
    while settings.movedError == nil { await Task.yield() }
    #expect(settings.moved == 7)
    #expect(settings.movedError == StorageError(.locked, .init(key: "old", domain: .userDefaults, sourceOf: "moved")))
    settings.moved = 8
    store.succeed()
    #expect(try await self.router().get(movedCounter) == 3)
  }

  /// The app was launched in the background. No change tells that the device was unlocked since.
  @Test func aValueOfALockedDeviceIsReadAgain() async throws {
    let store = FaultInjectingStore(memory)
    try await router().set(3, for: counter)
    try await router().set(4, for: old)
    let router = router(store)
    let settings = Settings(router)
    store.fail(with: .locked) { $0.operation == .read }
    try await change(of: { _ = settings.moved }) {}
    #expect(settings.moved == 7)
    #expect(settings.count == 7)
    try await change(of: { _ = settings.count }) { store.succeed() }
    while settings.count != 3 { await Task.yield() }
    settings.count += 1
    #expect(try await router.get(counter) == 4)
    while settings.moved != 4 { await Task.yield() }
    #expect(settings.movedError == nil)
  }

  /// A value that is being stored by one router is none of the next one.
  @Test func anotherRouterHasItsOwnValue() async throws {
    let stores = [FaultInjectingStore(memory), FaultInjectingStore(MemoryStore())]
    let routers = stores.map(router)
    let property = ObservedPreference(counter, absent: 7, router: routers[0])
    let address = StorageAddress(container: .preferences(suite: nil), name: "counter")
    func store(_ value: Int, _ index: Int, _ body: () -> Void) async throws {
      _ = await routers[index].turns.take(address)
      stores[index].fail(with: .busy) { $0.operation == .write }
      property.set(value)
      stores[index].succeed()
      body()
      routers[index].turns.end(address)
      while try await routers[index].get(counter) != value { await Task.yield() }
    }
    try await store(8, 0) { property.use(routers[1]) }
    #expect(property.value == 7)
    try await store(9, 1) {}
    try await routers[1].set(10, for: counter)
    while property.value != 10 { await Task.yield() }
  }

  /// A key that cannot be read without waiting is no key of a property.
  @Test func onlyPlainPreferencesAreKeysOfProperties() {
    func text(
      _ domain: StorageDomain, _ security: SecurityPolicy = .none, _ options: StorageKeyOptions = StorageKeyOptions()
    ) -> StorageKey<String?> {
      StorageKey(
        name: "name", domain: domain, security: security, owner: "Tests", description: "A text.", options: options)
    }
    #expect(PlainPreferenceKey(checking: text(.userDefaults())) != nil)
    #expect(PlainPreferenceKey(checking: text(.appGroupUserDefaults())) != nil)
    #expect(PlainPreferenceKey(checking: text(.userDefaults(), .recommended)) == nil)
    #expect(PlainPreferenceKey(checking: text(.keychain(), .keychain())) == nil)
    #expect(PlainPreferenceKey(checking: text(.fileSystem(directory: .documents))) == nil)
    let retention = StorageKeyOptions(retention: .maxAge(seconds: 60))
    #expect(PlainPreferenceKey(checking: text(.userDefaults(), .none, retention)) == nil)
    let required = StorageKey<String>(
      name: "name", domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.")
    #expect(PlainPreferenceKey(checking: required) == nil)
  }

  @Test func aKeyThatIsWrittenInSwiftIsDeclaredOnce() async throws {
    let router = router()
    let count = PlainPreferenceKey(
      name: "count", domain: .userDefaults(suite: "numbers"), serializer: .propertyList, default: 7, owner: "Tests",
      description: "A number.")
    let name = PlainPreferenceKey<String?>(
      name: "name", serializer: .propertyList, owner: "Tests", description: "A text.")
    #expect(Stored(count, router: router).wrappedValue == 7)
    #expect(Stored(name, router: router).wrappedValue == nil)
    Stored(count, router: router).wrappedValue = 8
    #expect(try await router.get(count.storageKey) == 8)
  }

  #if os(Linux)
    @Test func aChangeOfAnotherProcessIsTold() async throws {
      let fixture = try StoreFixture()
      let model = Model(StorageRouter.probe(on: fixture))
      try await change(of: { _ = model.count }) {
        let end = try ChildProcess.probe("router", fixture, "preferences", "set", "41")
        #expect(end.code == 0)
      }
      while model.count != 41 { await Task.yield() }
    }
  #endif
}
