import Foundation
import LocalDataMaintenance
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// A migration made of closures.
private struct ScriptedMigration: StorageMigration {
  let destinationKey: StorageKey<String?>
  var should: @Sendable (StorageRouter, MigrationContext) async throws -> Bool = { _, _ in true }
  let migrating: @Sendable (StorageRouter, MigrationContext) async throws -> MigrationResult

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await should(router, context)
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await migrating(router, context)
  }
}

/// Migrations of the app's own, whose calls on the router join the turn of the key that is read.
@Suite(.findsHangs) struct CustomMigrationTests {
  private let fixture = MigrationFixture()

  private func custom(
    _ name: String = "new",
    should: @escaping @Sendable (StorageRouter, MigrationContext) async throws -> Bool = { _, _ in true },
    _ migrating:
      @escaping @Sendable (StorageRouter, MigrationContext, StorageKey<String?>) async throws -> MigrationResult
  ) -> StorageKey<String?> {
    key(name, String.self) { key in
      AnyStorageMigration(
        ScriptedMigration(destinationKey: key, should: should) { try await migrating($0, $1, key) })
    }
  }

  @Test func itReadsAndRemovesLegacyKeysAndStoresItsOwn() async throws {
    let old = key("old", String.self, options: StorageKeyOptions(legacy: true))
    let writer = key("old", String.self)
    let new = custom { router, _, key in
      guard try await router.exists(old), let value = try await router.get(old) else {
        return MigrationResult(success: true)
      }
      try await router.set(value.uppercased(), for: key)
      #expect(try await router.get(key) == value.uppercased())
      try await router.remove(old)
      return MigrationResult(success: true)
    }
    let router = fixture.router()
    try await router.set("abc", for: writer)
    await #expect(throws: StorageError(.legacyKey, .init(key: "old", domain: .userDefaults))) {
      try await router.get(old)
    }
    #expect(try await router.get(new) == "ABC")
    #expect(try await router.exists(writer) == false)
    await #expect(throws: StorageError(.legacyKey, .init(key: "old", domain: .userDefaults))) {
      try await router.get(old)
    }
  }

  @Test func aLegacyKeyIsWrittenByNobody() async throws {
    let old = key("old", String.self, options: StorageKeyOptions(legacy: true))
    let new = custom { router, _, _ in
      try await router.set("x", for: old)
      return MigrationResult(success: true)
    }
    await #expect(throws: StorageError(.legacyKey, .init(key: "old", domain: .userDefaults))) {
      try await fixture.router().get(new)
    }
  }

  @Test func keysThatReadEachOtherDoNotWaitForEachOther() async throws {
    @Sendable func pair(_ name: String, other: String, depth: Int) -> StorageKey<String?> {
      custom(name) { router, _, key in
        let found = depth > 0 ? try await router.get(pair(other, other: name, depth: depth - 1)) : nil
        try await router.set((found ?? "") + name, for: key)
        return MigrationResult(success: true)
      }
    }
    for _ in 0..<20 {
      let router = MigrationFixture().router()
      async let a = router.get(pair("a", other: "b", depth: 5))
      async let b = router.get(pair("b", other: "a", depth: 5))
      let values = try await (a, b)
      #expect(values.0?.contains("a") == true)
      #expect(values.1?.contains("b") == true)
    }
  }

  @Test func aTaskThatOutlivesTheMigrationWaitsItsTurnAgain() async throws {
    let (started, goOn) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let old = key("old", String.self, options: StorageKeyOptions(legacy: true))
    let new = custom { router, _, key in
      Task {
        for await _ in goOn.stream { break }
        await #expect(throws: StorageError.self) { try await router.get(old) }
        started.continuation.finish()
      }
      try await router.set("value", for: key)
      return MigrationResult(success: true)
    }
    #expect(try await fixture.router().get(new) == "value")
    goOn.continuation.yield()
    for await _ in started.stream {}
  }

  @Test func whatItThrowsIsAnErrorWithoutItsText() async throws {
    struct Secretive: Error { let secret = "hunter2" }
    let router = fixture.router()
    let failing = custom { _, _, _ in throw Secretive() }
    let error = await #expect(throws: StorageError.self) { try await router.get(failing) }
    #expect(error == StorageError(.migrationFailed, .init(key: "new", domain: .userDefaults)))
    let locked = StorageError(.locked, .init(key: "old", domain: .keychain))
    let telling = custom { _, _, _ in MigrationResult(success: false, failures: [locked]) }
    await #expect(throws: locked) { try await router.get(telling) }
    let silent = custom { _, _, _ in MigrationResult(success: false) }
    await #expect(throws: StorageError(.migrationFailed, .init(key: "new", domain: .userDefaults))) {
      try await router.get(silent)
    }
  }

  @Test func itIsToldWhereItRuns() async throws {
    let token = movedToken()
    let router = fixture.router(version: "3.1", platform: .watch)
    try await router.set("abc", for: token.old)
    _ = try await router.get(token.new)
    let new = custom { [before = Date()] router, context, key in
      #expect(context.appVersion == "3.1")
      #expect(context.platform == .watch)
      #expect(context.previousMigrations.map(\.key) == ["token"])
      #expect(before <= context.now && context.now <= Date())
      try await router.set("done", for: key)
      return MigrationResult(success: true)
    }
    #expect(try await router.get(new) == "done")
  }

  @Test func itMayUseADeclaredOneAndIsNotRunAgainOnceItHasStored() async throws {
    let old = key("old", String.self)
    let runs = Lock(0)
    let new = custom { router, context, key in
      runs.withLock { $0 += 1 }
      return try await SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old))
        .migrate(using: router, context: context)
    }
    let router = fixture.router()
    #expect(try await router.get(new) == nil)
    try await router.set("abc", for: old)
    #expect(try await router.get(new) == "abc")
    try await router.remove(new)
    #expect(try await fixture.router().get(new) == nil)
    #expect(runs.withLock(\.self) == 2)
  }

  @Test func oneThatAsksForEveryMigrationIsNotRunWithinItself() async throws {
    enum Catalog: StorageKeyCatalog {
      static let runs = Lock(0)
      static let asking = key("asking", String.self) { key in
        AnyStorageMigration(
          ScriptedMigration(destinationKey: key) { router, _ in
            _ = try await router.migrations.plan()
            return runs.withLock { $0 } < 5
          } migrating: { router, _ in
            runs.withLock { $0 += 1 }
            let forced = try await router.forceMigration(for: key)
            #expect(forced.migrated.isEmpty)
            #expect(await router.migrations.migrateAll().migrated.map(\.key) == ["token"])
            try await router.set("done", for: key)
            return MigrationResult(success: true)
          })
      }
      static var allKeys: [AnyStorageKey] { [.key(asking), .key(movedToken().new)] }
    }
    let router = fixture.router()
    try await fixture.router().set("abc", for: movedToken().old)
    try router.registerCatalog(Catalog.self)
    #expect(try await router.get(Catalog.asking) == "done")
    #expect(Catalog.runs.withLock { $0 } == 1)
  }

  @Test func oneIsNotRunBesidesAValueThatTheAppHasStored() async throws {
    enum Catalog: StorageKeyCatalog {
      static let runs = Lock(0)
      static let new = key("new", String.self) { key in
        AnyStorageMigration(
          ScriptedMigration(destinationKey: key) { router, _ in
            runs.withLock { $0 += 1 }
            try await router.set("migrated", for: key)
            return MigrationResult(success: true)
          })
      }
      static var allKeys: [AnyStorageKey] { [.key(new)] }
    }
    let router = fixture.router()
    try router.registerCatalog(Catalog.self)
    #expect(try await router.migrations.plan().moves.map(\.kind) == [.custom])
    try await router.set("value", for: Catalog.new)
    #expect(try await router.migrations.plan().moves.isEmpty)
    #expect(await router.migrations.migrateAll().migrated.isEmpty)
    #expect(try await router.forceMigration(for: Catalog.new).migrated.isEmpty)
    #expect(try await router.get(Catalog.new) == "value")
    #expect(Catalog.runs.withLock { $0 } == 0)
  }

  /// A migration that fails before or after it has set the value; the user then sets a newer one.
  @Test(arguments: [true, false], [true, false])
  func oneThatFailedDoesNotReplaceANewerValue(_ hasSet: Bool, _ isRemoved: Bool) async throws {
    struct Failure: Error {}
    let old = key("old", String.self, options: StorageKeyOptions(legacy: true))
    let isFailing = Lock(true)
    let new = custom { router, _, key in
      let value = try await router.get(old)
      if isFailing.withLock({ $0 }), !hasSet { throw Failure() }
      try await router.set(value, for: key)
      if isFailing.withLock({ $0 }) { throw Failure() }
      try await router.remove(old)
      return MigrationResult(success: true)
    }
    try await fixture.router().set("old", for: key("old", String.self))
    await #expect(throws: StorageError(.migrationFailed, .init(key: "new", domain: .userDefaults))) {
      try await fixture.router().get(new)
    }
    if isRemoved { try await fixture.router().remove(new) } else { try await fixture.router().set("newer", for: new) }
    isFailing.withLock { $0 = false }
    let router = fixture.router()
    #expect(await router.migrations.run([.key(new)]) { _ in }.failures.isEmpty)
    #expect(try await router.get(new) == (isRemoved ? nil : "newer"))
    #expect(try await fixture.router().get(new) == (isRemoved ? nil : "newer"))
    // The migration was finished all the same: the legacy value is removed.
    #expect(try await fixture.router().exists(key("old", String.self)) == false)
  }

  /// As a process that is killed leaves it.
  @Test func oneThatIsKilledBetweenSetAndRemoveIsFinished() async throws {
    struct Killed: Error {}
    let old = key("old", String.self, options: StorageKeyOptions(legacy: true))
    let runs = Lock(0)
    let new = custom { router, _ in
      try await router.exists(old)
    } _: { router, _, key in
      let run = runs.withLock {
        $0 += 1; return $0
      }
      guard let value = try await router.get(old) else { return MigrationResult(success: true) }
      try await router.set(value, for: key)
      if run == 1 { throw Killed() }
      try await router.remove(old)
      return MigrationResult(success: true)
    }
    try await fixture.router().set("secret", for: key("old", String.self))
    await #expect(throws: StorageError.self) { try await fixture.router().get(new) }
    #expect(try await fixture.router().get(key("new", String.self)) == "secret")
    #expect(try await fixture.router().get(new) == "secret")
    #expect(try await fixture.router().exists(key("old", String.self)) == false)
    #expect(try await fixture.router().get(new) == "secret")
    #expect(runs.withLock(\.self) == 2)
    #expect(try fixture.log.events().map(\.outcome) == [.moved])
  }

  /// Once a custom migration has begun, the values that it would read may be removed. Therefore its start is on the
  /// disk before it runs.
  @Test func oneThatCannotBeRecordedIsNotRun() async throws {
    let runs = Lock(0)
    let new = custom { _, _, _ in
      runs.withLock { $0 += 1 }
      return MigrationResult(success: true)
    }
    await #expect(throws: StorageError(.outOfSpace, .init(key: "new", domain: .userDefaults))) {
      try await fixture.router(log: fixture.log.failing(with: .outOfSpace)).get(new)
    }
    #expect(runs.withLock(\.self) == 0)
  }

  /// Each of them reads a key of the other router while that key's migration is running.
  @Test func migrationsOfTwoRoutersThatReadEachOtherDoNotWaitForEachOther() async throws {
    for _ in 0..<20 {
      let (one, two) = (MigrationFixture().router(), MigrationFixture().router())
      let (first, second) = (Lock<StorageKey<String?>?>(nil), Lock<StorageKey<String?>?>(nil))
      let running = Lock<Set<String>>([])
      @Sendable func meet(_ name: String) async throws {
        running.withLock { _ = $0.insert(name) }
        while running.withLock(\.count) < 2 { try await Task.sleep(for: .milliseconds(1)) }
      }
      let a = custom("a") { router, _, key in
        try await meet("a")
        if let other = second.withLock({ $0 }) { _ = try await two.get(other) }
        try await router.set("a", for: key)
        return MigrationResult(success: true)
      }
      let b = custom("b") { router, _, key in
        try await meet("b")
        if let other = first.withLock({ $0 }) { _ = try await one.get(other) }
        try await router.set("b", for: key)
        return MigrationResult(success: true)
      }
      first.withLock { $0 = a }
      second.withLock { $0 = b }
      async let left = one.get(a)
      async let right = two.get(b)
      #expect(try await left == "a")
      #expect(try await right == "b")
    }
  }

  /// A run over all keys finishes one key before it runs the app's code for another key. Other tasks of that code wait
  /// their turn like every caller.
  @Test func appCodeRunsWhileNoTurnOfAnotherKeyIsHeld() async throws {
    let token = movedToken()
    let last = LocalDataTests.key("last", String.self) { key in
      AnyStorageMigration(
        SimpleLegacyMigration(destinationKey: key, sourceKey: .key(LocalDataTests.key("old_last", String.self))))
    }
    let new = custom { router, _, key in
      try await Task.detached {
        for other in [token.new, last] {
          try await router.set(try await router.get(other).map { $0 + "!" }, for: other)
        }
      }.value
      try await router.set("done", for: key)
      return MigrationResult(success: true)
    }
    try await fixture.router().set("abc", for: token.old)
    try await fixture.router().set("xyz", for: LocalDataTests.key("old_last", String.self))
    let router = fixture.router()
    let result = await router.migrations.run([.key(token.new), .key(new), .key(last)]) { _ in }
    #expect(result.failures.isEmpty)
    #expect(try await router.get(token.new) == "abc!")
    #expect(try await router.get(last) == "xyz!")
    #expect(try await router.get(new) == "done")
    #expect(try await router.exists(token.old) == false)
  }

  /// A second call waits while the first is in the app's code, and does not run it again.
  @Test func aSecondCallWaitsForTheMigrationOfTheFirst() async throws {
    let (started, goOn) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let runs = Lock(0)
    let new = custom { router, _, key in
      runs.withLock { $0 += 1 }
      started.continuation.yield()
      for await _ in goOn.stream { break }
      try await router.set("value", for: key)
      return MigrationResult(success: true)
    }
    let router = fixture.router()
    async let first = router.get(new)
    for await _ in started.stream { break }
    async let second = router.get(new)
    // Long enough for a call that does not wait.
    try await Task.sleep(for: .milliseconds(200))
    #expect(runs.withLock(\.self) == 1)
    goOn.continuation.yield()
    goOn.continuation.finish()
    #expect(try await first == "value")
    #expect(try await second == "value")
    #expect(runs.withLock(\.self) == 1)
  }
}
