import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// Families with a custom migration, whose members nobody has read yet.
@Suite struct CustomFamilyTests {
  private let storage = TestStorage()
  private let old = OldTexts(["a": "of a", "b": "of b"])

  private func launch(_ family: StorageKeyFamily = text) throws -> StorageRouter {
    let router = storage.launch()
    try ProbeCatalog.register([], [family], on: router)
    return router
  }

  /// Removes the family, in one of two ways.
  private func remove(_ isCatalog: Bool, _ router: StorageRouter? = nil) async throws {
    let router = try router ?? launch()
    try await OldTexts.$current.withValue(old) { () async throws in
      if isCatalog {
        try await ProbeCatalog.removeAll([], [text], on: router)
      } else {
        try await router.removeAll(of: text)
      }
    }
  }

  private func value(_ id: String, _ router: StorageRouter? = nil) async throws -> String? {
    let router = try router ?? launch()
    return try await OldTexts.$current.withValue(old) { try await router.get(textKey(id)) }
  }

  @Test func allMembersAreListedAndMigrated() async throws {
    #expect(try await value("b") == "of b")
    let router = try launch()
    try await OldTexts.$current.withValue(old) { () async throws in
      #expect(try await router.members(of: text).map(\.name) == ["text_a", "text_b"])
      let move = "'text_{id}' in userDefaults: custom migration"
      #expect(try await router.migrations.plan().moves.map(\.description) == [move])
      let progress = Lock<[MigrationProgress]>([])
      let result = await router.migrations.migrateAll { step in progress.withLock { $0.append(step) } }
      #expect(result.failures.isEmpty)
      #expect(progress.withLock(\.self) == .ofEachKey(2))
      #expect(try await router.migrations.plan().moves == [])
    }
    #expect(old.texts == [:])
    for id in ["a", "b"] {
      #expect(try await storage.launch().get(StorageKey(plain, "text_\(id)", .json)) == "of \(id)")
    }
  }

  @Test(arguments: [true, false], [[], ["a"], ["a", "b"]])
  func removedFamilyStaysEmpty(_ isCatalog: Bool, _ read: [String]) async throws {
    for id in read { #expect(try await value(id) == "of \(id)") }
    try await remove(isCatalog)
    #expect(old.texts == [:])
    for _ in 0..<2 {
      for id in ["a", "b"] { #expect(try await value(id) == nil) }
    }
    // What the next user sets stays.
    try await launch().set("next", for: textKey("a"))
    #expect(try await value("a") == "next")
  }

  /// The code of the app fails. The values of the previous user stay where they are, and are not shown.
  @Test(arguments: [true, false]) func aFailedRemovalBringsNothingBack(_ isListed: Bool) async throws {
    old.fail(isListed: isListed)
    let error = await #expect(throws: StorageError.self) { try await remove(true) }
    #expect(error == StorageError(.migrationFailed, .init(key: "text_{id}", domain: .userDefaults)))
    #expect(error?.underlyingError is OldTexts.Failure)
    old.succeed()
    #expect(old.texts == (isListed ? ["a": "of a", "b": "of b"] : [:]))
    for _ in 0..<2 {
      for id in ["a", "b"] { #expect(try await value(id) == nil) }
      let router = try launch()
      try await OldTexts.$current.withValue(old) { () async throws in
        #expect(try await router.members(of: text).isEmpty)
        #expect(try await router.migrations.plan().moves == [])
        #expect(await router.migrations.migrateAll().migrated == [])
      }
    }
    try await remove(true)
    #expect(old.texts == [:])
  }

  /// That a member is not listed now is not the same as that there is none.
  @Test func aListThatFailsIsAnError() async throws {
    old.fail(isListed: false)
    let router = try launch()
    let failed = StorageError(.migrationFailed, .init(key: "text_{id}", domain: .userDefaults))
    try await OldTexts.$current.withValue(old) { () async throws in
      await #expect(throws: failed) { try await router.members(of: text) }
      #expect(await router.migrations.migrateAll().failures == [failed])
      #expect(try await router.migrations.plan().moves.map(\.problem) == [failed])
    }
  }

  @Test func aKeyOfAnotherFamilyIsNoMember() async throws {
    let other = StorageKeyFamily(name: "other_{id}", domain: .userDefaults(), security: .none)
      .migrating(from: []) { try textKey($0.value(of: "id")) }.migrating(by: TextMigration.self)
    let router = try launch(other)
    try await router.set("stays", for: StorageKey<String?>(other, "other_\("a")", .json))
    try await OldTexts.$current.withValue(old) { () async throws in
      await #expect(throws: StorageError(.migrationFailed, other.subject)) { try await router.removeAll(of: other) }
    }
    #expect(try await storage.launch().exists(textKey("a")) == false)
  }

  /// A release without the migration removed only what it knew.
  @Test func aRemovalBeforeTheMigrationWasDeclaredKeepsItsSources() async throws {
    try await storage.launch().set("now", for: StorageKey(plain, "text_\("c")", .json))
    try await ProbeCatalog.removeAll([], [plain], on: storage.launch())
    #expect(try await value("a") == "of a")
  }

  /// The process is killed while it removes the family. A removal that is repeated removes all.
  @Test func aKilledRemovalIsRepeated() async throws {
    var isDone = false
    for calls in 0..<60 where !isDone {
      let (fixture, old) = (MigrationFixture(), OldTexts(["a": "of a", "b": "of b"]))
      try await OldTexts.$current.withValue(old) { () async throws in
        #expect(try await fixture.router().get(textKey("a")) == "of a")
        let gate = CallGate(after: calls)
        do throws(StorageError) { try await fixture.router(until: gate).removeAll(of: text) } catch {}
        isDone = !gate.isClosed
        if !isDone { try await fixture.router().removeAll(of: text) }
        for id in ["a", "b"] { #expect(try await fixture.router().get(textKey(id)) == nil) }
      }
      #expect(old.texts == [:])
    }
    #expect(isDone)
  }
}

/// The texts of a release before the library, by the parameters of the members.
private final class OldTexts: Sendable {
  @TaskLocal static var current = OldTexts([:])

  struct Failure: Error {}

  private let stored: Lock<[String: String]>
  private let failing = Lock<(list: Bool, removal: Bool)>((false, false))

  init(_ texts: [String: String]) { stored = Lock(texts) }

  var texts: [String: String] {
    get { stored.withLock(\.self) }
    set { stored.withLock { $0 = newValue } }
  }

  func fail(isListed: Bool) { failing.withLock { $0 = (!isListed, isListed) } }
  func succeed() { failing.withLock { $0 = (false, false) } }

  func members() throws -> [String] {
    if failing.withLock({ $0.list }) { throw Failure() }
    return texts.keys.sorted()
  }

  func removeAll() throws {
    if failing.withLock({ $0.removal }) { throw Failure() }
    texts = [:]
  }
}

private struct TextMigration: StorageFamilyMigration {
  let destinationKey: StorageKey<String?>

  private var id: String { AnyStorageKey(destinationKey).parameters["id"] ?? "" }

  static func members(using router: StorageRouter, context: MigrationContext) async throws -> [StorageKey<String?>] {
    try OldTexts.current.members().map { textKey($0) }
  }

  static func removeMembers(using router: StorageRouter, context: MigrationContext) async throws {
    try OldTexts.current.removeAll()
  }

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    OldTexts.current.texts[id] != nil
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await router.set(OldTexts.current.texts[id], for: destinationKey)
    OldTexts.current.texts[id] = nil
    return MigrationResult(success: true)
  }
}

private let plain = StorageKeyFamily(name: "text_{id}", domain: .userDefaults(), security: .none)
private let text = plain.migrating(from: [plain]) { try textKey($0.value(of: "id")) }.migrating(by: TextMigration.self)

private func textKey(_ id: String) -> StorageKey<String?> {
  StorageKey<String?>(plain, "text_\(id)", .json).migrating { AnyStorageMigration(TextMigration(destinationKey: $0)) }
}
