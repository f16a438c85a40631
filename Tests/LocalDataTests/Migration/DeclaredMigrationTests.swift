import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Tests of what each kind of migration moves, and when.
@Suite struct DeclaredMigrationTests {
  private let fixture = MigrationFixture()

  @Test func aValueIsReadWithTheSourcesPolicyAndStoredWithTheDestinations() async throws {
    let router = fixture.router()
    let old = key("old", String.self, .fileSystem(directory: .documents), .recommended, serializer: .propertyList)
    let new = key("new", String.self, .userDefaults(), .none) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    try await router.set("hello", for: old)
    #expect(try await router.get(new) == "hello")
    let bytes = try fixture.memory.read(.preference("new"), StorageAttributes())
    #expect(bytes == Data("\"hello\"".utf8))
    #expect(try await router.exists(old) == false)
  }

  @Test func aTransformGetsTheSourceItself() async throws {
    let router = fixture.router()
    let old = key("old", String.self)
    let new = key("new", Int.self) { key in
      AnyStorageMigration(TransformingMigration(destinationKey: key, sourceKey: old) { $0.count })
    }
    try await router.set("four", for: old)
    #expect(try await router.get(new) == 4)
    #expect(try await router.exists(old) == false)
  }

  @Test func anAggregateGetsWhatIsThereInItsOrder() async throws {
    let router = fixture.router()
    let (first, last, age) = (key("first", String.self), key("last", String.self), key("age", Int.self))
    let new = key("name", String.self) { key in
      AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: (first, last, age)) { first, last, age in
          "\(first ?? "-") \(last ?? "-") \(age.map(String.init) ?? "-")"
        })
    }
    #expect(try await router.get(new) == nil)
    try await router.set("Lovelace", for: last)
    try await router.set(36, for: age)
    #expect(try await router.get(new) == "- Lovelace 36")
    #expect(try await router.exists(last) == false)
    #expect(try await router.exists(age) == false)
  }

  @Test func theFirstOfAChainThatFindsSomethingCounts() async throws {
    let router = fixture.router()
    let (newest, oldest) = (key("v2", String.self), key("v1", String.self))
    let new = key("v3", String.self) { key in
      AnyStorageMigration(chain: [
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(newest))),
        AnyStorageMigration(TransformingMigration(destinationKey: key, sourceKey: oldest) { $0 + "!" }),
      ])
    }
    try await router.set("one", for: oldest)
    #expect(try await router.get(new) == "one!")
    try await router.remove(new)
    #expect(try await router.get(new) == nil)
  }

  @Test(arguments: [("1.9.9", true), ("2.0.0", false), ("2", false), ("1.10", true), ("1.9-beta.2", true)])
  func aConditionDecidesByTheRunningVersion(_ version: String, _ isMigrated: Bool) async throws {
    let router = fixture.router(version: version)
    let old = key("old", String.self)
    let new = conditional(old)
    try await router.set("value", for: old)
    #expect(try await router.exists(new) == isMigrated)
    #expect(try await router.get(new) == (isMigrated ? "value" : nil))
    #expect(try await router.exists(old) == !isMigrated)
  }

  @Test(arguments: [nil, "", "beta", "1..2"]) func aVersionThatNobodyKnowsIsNoAnswer(_ version: String?) async throws {
    let router = fixture.router(version: version)
    let old = key("old", String.self)
    #expect(try await router.get(conditional(old)) == nil)
    try await router.set("value", for: old)
    await #expect(throws: StorageError(.migrationFailed, .init(key: "new", domain: .userDefaults))) {
      try await router.get(conditional(old))
    }
    #expect(try await router.get(old) == "value")
  }

  private func conditional(_ old: StorageKey<String?>) -> StorageKey<String?> {
    key("new", String.self) { key in
      AnyStorageMigration(
        AppVersionConditionalMigration(
          destinationKey: key, condition: .below(2, 0),
          migration: AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))))
    }
  }

  @Test func aTransformThatThrowsIsAnErrorAndNeverTheDefault() async throws {
    struct Secretive: Error { let secret: String }
    let router = fixture.router()
    let old = key("old", String.self)
    let new = StorageKey<Int>(
      name: "new", domain: .userDefaults(), security: .none, default: 7, owner: "Tests", description: "A number.",
      migration: { key in
        AnyStorageMigration(
          TransformingMigration(destinationKey: key, sourceKey: old) { throw Secretive(secret: $0) })
      })
    #expect(try await router.get(new) == 7)
    try await router.set("secret", for: old)
    for _ in 0..<2 {
      let error = await #expect(throws: StorageError.self) { try await router.get(new) }
      #expect(error == StorageError(.migrationFailed, .init(key: "new", domain: .userDefaults)))
      #expect(error.map { "\($0)".contains("secret") } == false)
    }
    #expect(try await router.get(old) == "secret")
    #expect(try fixture.memory.read(.preference("new"), StorageAttributes()) == nil)
  }

  @Test func aSourceOfAnotherTypeIsAnError() async throws {
    let router = fixture.router()
    let old = key("old", Int.self)
    let new = key("new", String.self) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    try await router.set(5, for: old)
    await #expect(throws: StorageError(.cannotEncode, .init(key: "new", domain: .userDefaults))) {
      try await router.get(new)
    }
    #expect(try await router.get(old) == 5)
  }

  @Test func existsCountsASourceWithoutMovingIt() async throws {
    let (router, token) = (fixture.router(), movedToken())
    #expect(try await router.exists(token.new) == false)
    try await router.set("abc", for: token.old)
    #expect(try await router.exists(token.new))
    #expect(try await router.exists(token.old))
  }

  @Test func anUpdateBeginsWithTheSourcesValue() async throws {
    let (router, token) = (fixture.router(), movedToken())
    try await router.set("abc", for: token.old)
    #expect(try await router.update(token.new) { $0 = ($0 ?? "") + "d" } == "abcd")
    #expect(try await router.exists(token.old) == false)
  }
}
