import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Tests of the log entries of migrations.
@Suite struct MigrationLoggingTests {
  private let fixture = MigrationFixture()
  private let entries = Lock<[StorageLogEntry]>([])

  private static let secret = "correct-horse-battery"

  private struct Failure: Error, CustomStringConvertible { var description: String { MigrationLoggingTests.secret } }

  private func router(_ store: FaultInjectingStore? = nil) -> StorageRouter {
    let router = fixture.router(store)
    router.setLogger { [entries] entry in entries.withLock { $0.append(entry) } }
    return router
  }

  /// Returns the entries since the last call.
  private func logged() -> [StorageLogEntry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }

  private func operations() -> [String] { logged().map { "\($0.operation.rawValue) \($0.key)" } }

  @Test func aMoveIsLoggedOnceWithItsBytes() async throws {
    let (old, new) = movedToken()
    try await fixture.router().set(Self.secret, for: old)
    let router = router()
    for _ in 0..<2 { #expect(try await router.get(new) == Self.secret) }
    let entries = logged()
    #expect(entries.map(\.operation.rawValue) == ["migrate", "get", "get"])
    #expect(entries.first?.key == .init(key: "token", domain: .keychain))
    #expect(entries.first?.bytes == entries.last?.bytes)
    #expect(entries.allSatisfy { $0.error == nil && $0.duration > .zero })
    for entry in entries { #expect(!"\(entry)".contains(Self.secret)) }
  }

  /// A source that cannot be removed stays. A task that waits for changes of the value does not cause them.
  @Test(.findsHangs) func anObserverDoesNotWakeItself() async throws {
    let (old, new) = movedToken()
    try await fixture.router().set("one", for: old)
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .accessDenied) {
      [.remove, .update].contains($0.operation) && $0.address?.name == old.name && $0.address?.container != nil
    }
    let router = router(store)
    let seen = Lock<[String?]>([])
    let observer = Task {
      for try await value in router.values(of: new) { seen.withLock { $0.append(value) } }
    }
    while seen.withLock({ $0.last }) != "one" { await Task.yield() }
    _ = logged()
    try await Task.sleep(for: .milliseconds(300))
    #expect(logged().count < 10)
    try await router.set("two", for: new)
    while seen.withLock({ $0.last }) != "two" { await Task.yield() }
    observer.cancel()
  }

  @Test func aRunOverAllKeysLogsEachKeyThatItChanges() async throws {
    let (old, new) = movedToken()
    let plain = key("note", String.self)
    let secured = key("note", String.self, .userDefaults(), .recommended) {
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(plain)))
    }
    let unmoved = key("unmoved", String.self) { [absent = key("absent", String.self)] in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(absent)))
    }
    try await fixture.router().set(Self.secret, for: old)
    try await fixture.router().set(Self.secret, for: plain)
    let router = router()
    try ProbeCatalog.register([.key(new), .key(secured), .key(unmoved)], on: router)
    await router.migrations.migrateAll()
    let entries = logged()
    #expect(entries.map(\.operation.rawValue) == ["migrate", "migrate"])
    #expect(entries.map(\.key) == [.init(key: "token", domain: .keychain), .init(key: "note", domain: .userDefaults)])
    #expect(entries.allSatisfy { $0.error == nil && ($0.bytes ?? 0) > Self.secret.utf8.count })
    await router.migrations.migrateAll()
    #expect(operations() == [])
  }

  /// A source that could not be removed is an error, and its removal is logged when it succeeds.
  @Test func theRemovalOfASourceIsLogged() async throws {
    let (old, new) = movedToken()
    try await fixture.router().set(Self.secret, for: old)
    let store = FaultInjectingStore(fixture.memory)
    let router = router(store)
    store.fail(with: .locked) { $0.address?.name == "old_token" && $0.operation != .read && $0.operation != .exists }
    #expect(try await router.get(new) == Self.secret)
    var entries = logged()
    #expect(entries.map(\.operation.rawValue) == ["migrate", "get"])
    #expect(entries.first?.error == StorageError(.locked, .init(key: "old_token", domain: .userDefaults)))
    store.succeed()
    #expect(try await router.get(new) == Self.secret)
    entries = logged()
    #expect(entries.map(\.operation.rawValue) == ["migrate", "get"])
    #expect(entries.first?.error == nil && entries.first?.bytes == nil)
    #expect(try await router.get(new) == Self.secret)
    #expect(operations() == ["get 'token' in keychain"])
  }

  @Test func aFailureIsLoggedWithoutTheTextOfTheApp() async throws {
    let old = key("old", String.self)
    let new = key("new", String.self) { key in
      AnyStorageMigration(
        TransformingMigration(destinationKey: key, sourceKey: old) { (_: String) throws -> String? in throw Failure() })
    }
    try await fixture.router().set(Self.secret, for: old)
    let router = router()
    try ProbeCatalog.register([.key(new)], on: router)
    await router.migrations.migrateAll()
    let entries = logged()
    #expect(entries.map(\.operation.rawValue) == ["migrate"])
    #expect(entries.first?.error == StorageError(.migrationFailed, .init(key: "new", domain: .userDefaults)))
    for entry in entries { #expect(!"\(entry)".contains(Self.secret)) }
  }

  private struct Custom: StorageMigration {
    let destinationKey: StorageKey<String?>
    let source: StorageKey<String?>

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
      try await router.exists(source)
    }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
      try await router.set(try await router.get(source), for: destinationKey)
      try await router.remove(source)
      return MigrationResult(success: true)
    }
  }

  /// The calls of a custom migration are logged as those of the app are.
  @Test func aCustomMigrationIsLoggedBesidesItsCalls() async throws {
    let old = key("old", String.self)
    let new = key("new", String.self) { AnyStorageMigration(Custom(destinationKey: $0, source: old)) }
    try await fixture.router().set(Self.secret, for: old)
    let router = router()
    for _ in 0..<2 { #expect(try await router.get(new) == Self.secret) }
    let (own, source) = ("'new' in userDefaults", "'old' in userDefaults")
    #expect(
      operations() == [
        "exists \(source)", "get \(source)", "set \(own)", "remove \(source)", "migrate \(own)", "get \(own)",
        "get \(own)",
      ])
  }

  /// A value that stays at its source is neither moved nor removed.
  @Test func aConflictThatKeepsBothIsNotLogged() async throws {
    let (old, new) = movedToken()
    try await fixture.router().set("one", for: old)
    let router = router()
    try await router.set("two", for: new)
    #expect(try await router.get(new) == "two")
    #expect(operations() == ["set 'token' in keychain", "get 'token' in keychain"])
  }
}
