import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData
import LocalDataMaintenance
@testable import LocalDataSystem

private let oldToken = key(
  "old_token", String.self, .keychain(),
  .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: .userPresence))
private let token = key("token", String.self, .fileSystem(directory: .documents), .none) { key in
  AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldToken)))
}
private let note = key("note", String.self, .userDefaults(), .recommended) { key in
  AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(plainNote)))
}
private let plainNote = key("note", String.self)
private let oldName = key("old_name", String.self)
private let name = key("name", String.self, .userDefaults(suite: "s")) { key in
  AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldName)))
}

private enum Catalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(token), .key(note), .key(name)] }
}

/// Tests of what migrations would do, of what they have done, and of what is reported about both.
@Suite struct MigrationPlanTests {
  private let fixture = MigrationFixture()

  private func prepared() async throws -> StorageRouter {
    let writer = fixture.router()
    try await writer.set("hunter2", for: oldToken)
    try await writer.set("hunter3", for: plainNote)
    try await writer.set("hunter4", for: oldName)
    try await writer.set("hunter5", for: key("name", String.self, .userDefaults(suite: "s")))
    let router = fixture.router()
    try router.registerCatalog(Catalog.self)
    return router
  }

  @Test func aPlanSaysWhatWouldMoveAndWhatWouldBeWeaker() async throws {
    let router = try await prepared()
    let moves = try await router.migrations.plan().moves
    #expect(
      moves.map(\.description) == [
        "'token' in fileSystem: move from 'old_token' in keychain; weaker: stored in plain, access control dropped, "
          + "accessible more often, leaves the device",
        "'note' in userDefaults: change the protection in place from 'note' in userDefaults",
        "'name' in userDefaults: keep aside what differs from 'old_name' in userDefaults",
      ])
    // It was a dry run.
    #expect(try await fixture.router().get(oldToken) == "hunter2")
    #expect(try await fixture.router().get(plainNote) == "hunter3")
    #expect(try fixture.log.events().isEmpty)
  }

  /// The sources of a chain, each with what would become of it, as the run then does it.
  @Test func aPlanListsEveryStepOfAKey() async throws {
    enum Catalog: StorageKeyCatalog {
      static let sources = ["v3", "v2", "v1", "v0"].map { LocalDataTests.key($0, String.self) }
      static let newest = LocalDataTests.key("v4", String.self, .keychain(), .keychain()) { key in
        AnyStorageMigration(
          chain: zip(sources, [ConflictPolicy.keepSource, .keepSource, .keepSource, .removeSource]).map {
            source, policy in
            AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source), onConflict: policy))
          })
      }
      static var allKeys: [AnyStorageKey] { [.key(newest)] }
    }
    // The first is absent, the second has the value, the third has another, and the last is to be removed.
    for (source, value) in zip(Catalog.sources.dropFirst(), ["two", "one", "zero"]) {
      try await fixture.router().set(value, for: source)
    }
    let router = fixture.router()
    try router.registerCatalog(Catalog.self)
    let moves = try await router.migrations.plan().moves
    #expect(moves.map(\.kind) == [.move, .keepSource, .removeSource])
    #expect(moves.map { $0.sources.map(\.key) } == [["v2"], ["v1"], ["v0"]])
    #expect(await router.migrations.migrateAll().failures.isEmpty)
    #expect(try await router.get(Catalog.newest) == "two")
    var left: [Bool] = []
    for source in Catalog.sources { left.append(try await fixture.router().exists(source)) }
    #expect(left == [false, false, true, false])
    #expect(try await router.migrations.plan().moves.isEmpty)
  }

  @Test func aSweepDoesWhatThePlanSaysAndTheHistoryTellsIt() async throws {
    let router = try await prepared()
    let progress = Lock<[MigrationProgress]>([])
    let result = await router.migrations.migrateAll { step in progress.withLock { $0.append(step) } }
    #expect(result.success)
    #expect(result.migrated.count == 3)
    #expect(progress.withLock(\.self) == .ofEachKey(3))
    #expect(try await router.migrations.plan().moves.isEmpty)
    let history = try await router.migrations.history()
    #expect(Set(history.map(\.outcome)) == [.moved, .securedInPlace, .conflictKept])
    let text = StorageAuditReport.renderText(for: Catalog.self, history: history)
    #expect(text.contains("'note' in userDefaults: protection changed in place, by version 2.0.0\n"))
    #expect(text.contains("'token' in fileSystem: moved from 'old_token' in keychain, by version 2.0.0\n"))
    #expect(!text.contains("hunter"))
  }

  @Test func aKeyThatCannotBeMigratedNowKeepsNoOther() async throws {
    _ = try await prepared()
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .locked) { $0.address?.name == "old_token" }
    let router = fixture.router(store)
    let result = try await router.registerCatalog(Catalog.self, migrateImmediately: true)
    #expect(!result.success)
    #expect(result.failures == [StorageError(.locked, .init(key: "old_token", domain: .keychain, sourceOf: "token"))])
    #expect(result.migrated.count == 2)
    let unknown = try await router.migrations.plan().moves
    #expect(unknown.map(\.problem) == [StorageError(.locked, .init(key: "old_token", domain: .keychain))])
    store.succeed()
    #expect(try await router.get(token) == "hunter2")
  }

  @Test func aHistoryOfANewerVersionIsItsOwnErrorAndTouchesNothing() async throws {
    _ = try await prepared()
    let router = fixture.router(log: fixture.log.failing(with: .unknownFormatVersion, isReadable: false))
    await #expect(throws: StorageError(.unknownFormatVersion, .init(key: "token", domain: .fileSystem))) {
      try await router.get(token)
    }
    await #expect(throws: StorageError(.unknownFormatVersion, .init(key: nil, domain: nil))) {
      try await router.migrations.history()
    }
    // What is there already is read all the same.
    #expect(try await router.get(name) == "hunter5")
    #expect(try await fixture.router().get(oldToken) == "hunter2")
    #expect(try await fixture.router().get(oldName) == "hunter4")
    // No value would reappear, so nothing has to be recorded.
    try await fixture.router().remove(oldName)
    try await router.remove(name)
    #expect(try await router.exists(key("name", String.self, .userDefaults(suite: "s"))) == false)
  }

  @Test func aPlanTellsWhatARemovalHasLeftAsSomethingToRemove() async throws {
    _ = try await prepared()
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .locked) { $0.address?.name == "old_token" && $0.operation == .remove }
    let router = fixture.router(store)
    try router.registerCatalog(Catalog.self)
    await #expect(throws: StorageError.self) { try await router.remove(token) }
    #expect(try await router.migrations.plan().moves.first?.kind == .removeSource)
  }

  /// Preferences that are written behind.
  private struct WriteBehindStore: ForwardingStore {
    let base: any ValueStore
    var removesAtNextLaunch: Bool { true }
  }

  private func writtenBehind(_ launch: ProcessLaunch) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration(applicationVersion: "1")) { [fixture] setup in
      var services = StorageServices(over: WriteBehindStore(base: fixture.memory), setup)
      services.migrationLog = { _ in fixture.log }
      services.launch = launch
      return services
    }
  }

  /// An extension that is launched meanwhile is no launch of the app.
  @Test func removalsThatMustWaitForTheNextLaunchDo() async throws {
    let (first, second) = (ProcessLaunch(), ProcessLaunch())
    let moved = movedToken()
    try await writtenBehind(first).set("abc", for: moved.old)
    for launch in [first, ProcessLaunch(isExtension: true), first] {
      let router = writtenBehind(launch)
      for _ in 0..<2 { #expect(try await router.get(moved.new) == "abc") }
      #expect(try await router.exists(moved.old))
    }
    #expect(try await writtenBehind(second).get(moved.new) == "abc")
    #expect(try await writtenBehind(second).exists(moved.old) == false)
    #expect(try fixture.log.lastEntries().values.map(\.phase) == [.completed])
    #expect(try fixture.log.entries().count == 3)
  }

  /// An earlier release has written to the source before the next launch.
  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func aSourceThatChangedBeforeTheNextLaunchIsNotTakenForTheOneThatMoved(_ policy: ConflictPolicy) async throws {
    let moved = movedToken(onConflict: policy)
    let launch = ProcessLaunch()
    try await writtenBehind(launch).set("abc", for: moved.old)
    #expect(try await writtenBehind(launch).get(moved.new) == "abc")
    try await writtenBehind(launch).set("changed", for: moved.old)
    let router = writtenBehind(ProcessLaunch())
    #expect(try await router.get(moved.new) == "changed")
    #expect(try await writtenBehind(ProcessLaunch()).get(moved.new) == "changed")
    #expect(try await writtenBehind(ProcessLaunch()).exists(moved.old) == false)
  }

  @Test func anExtensionIsToldByItsBundle() {
    let widget = "/private/var/App.app/PlugIns/Widget.appex"
    #expect(ProcessLaunch.isExtension(bundlePath: widget, point: "com.apple.widgetkit-extension"))
    #expect(ProcessLaunch.isExtension(bundlePath: widget, point: nil))
    #expect(!ProcessLaunch.isExtension(bundlePath: "/private/var/App.app", point: nil))
    // A watch app in the older form.
    #expect(!ProcessLaunch.isExtension(bundlePath: "/private/var/Watch Extension.appex", point: "com.apple.watchkit"))
  }
}

extension [MigrationProgress] {
  /// The reports of a run over a number of keys: one for each key.
  static func ofEachKey(_ count: Int) -> Self {
    (1...count).map { MigrationProgress(completed: $0, total: count) }
  }
}
