import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

private let old = StorageKeyFamily(name: "token_{user}", domain: .userDefaults(), security: .none)
private let own = StorageKeyFamily(name: "{+user:UUID}_token", domain: .userDefaults(), security: .none)

private func oldToken(_ user: UUID) -> StorageKey<String?> { StorageKey(old, "token_\(user)", .json) }

private func token(_ user: UUID) -> StorageKey<String?> {
  StorageKey(own, "\(verbatim: user)_token", .json).migrating { key in
    AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldToken(user))))
  }
}

/// Families whose parameters are stored as Swift prints them.
@Suite struct VerbatimFamilyTests {
  private let fixture = MigrationFixture()
  private let users = [UUID(), UUID()]

  private func first() throws -> StorageRouter {
    let router = fixture.router(nil)
    try ProbeCatalog.register([], [old], on: router)
    return router
  }

  private let family = own.migrating(from: [old]) { values in token(try values.value(of: "user")) }

  private func second() throws -> StorageRouter {
    let router = fixture.router(nil)
    try ProbeCatalog.register([], [family], on: router)
    return router
  }

  @Test func membersMoveToVerbatimNamesAndBack() async throws {
    for user in users { try await first().set("1", for: oldToken(user)) }
    #expect(try await second().members(of: family).count == 2)
    #expect(try await second().get(token(users[0])) == "1")
    #expect(try await second().migrations.migrateAll().failures.isEmpty)
    #expect(try await Set(second().members(of: family).map(\.name)) == Set(users.map { "\($0.uuidString)_token" }))
    // The release before does not know the new names, and stores its own again.
    #expect(try await first().get(oldToken(users[0])) == nil)
    try await first().set("2", for: oldToken(users[0]))
    #expect(try await second().members(of: family).count == 2)
    #expect(try await second().get(token(users[1])) == "1")
    try await second().removeAll(of: family)
    #expect(try await second().members(of: family).isEmpty)
    #expect(try await first().get(oldToken(users[0])) == nil)
  }

  @Test func twoChoicesOfOneNameAreNotWritten() async throws {
    let pair = StorageKeyFamily(name: "{+folder}_{+name}", domain: .userDefaults(), security: .none)
    func member(_ folder: String, _ name: String) -> StorageKey<String?> {
      StorageKey(pair, "\(verbatim: folder)_\(verbatim: name)", .json)
    }
    let router = fixture.router(nil)
    try ProbeCatalog.register([], [pair], on: router)
    for key in [member("a_b", "c"), member("a", "b_c")] {
      let error = await #expect(throws: StorageError.self) { try await router.set("1", for: key) }
      #expect(error?.code == .invalidName)
      #expect(try await router.get(key) == nil)
    }
    try await router.set("1", for: member("a", "b"))
    #expect(try await router.members(of: pair).map(\.name) == ["a_b"])
  }

  @Test func ambiguousValuesOfASourceAreRemovedWithTheFamily() async throws {
    let source = StorageKeyFamily(name: "chat_{+user}_{+room}", domain: .userDefaults(), security: .none)
    let chats = StorageKeyFamily(name: "chat.{user}.{room}", domain: .userDefaults(), security: .none)
    let family = chats.migrating(from: [source]) { values in
      let user: String = try values.value(of: "user")
      let room: String = try values.value(of: "room")
      return StorageKey<String?>(chats, "chat.\(user).\(room)", .json).migrating { key in
        let old = StorageKey<String?>(source, "chat_\(verbatim: user)_\(verbatim: room)", .json)
        return AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
      }
    }
    // The user "a" in the room "b_c", or "a_b" in "c".
    let stored = StorageKey<String?>(
      name: "chat_a_b_c", domain: .userDefaults(), security: .none, owner: "Tests", description: "A chat.")
    try await fixture.router(nil).set("text", for: stored)
    let router = fixture.router(nil)
    try ProbeCatalog.register([], [family], on: router)
    try await router.removeAll(where: ["user": "z"])
    let error = await #expect(throws: StorageRemovalError.self) { try await router.removeAll(where: ["user": "a"]) }
    #expect(error?.remaining.map(\.code) == [.invalidName])
    #expect(try await fixture.router(nil).get(stored) == "text")
    try await router.removeAll(of: family)
    #expect(try await fixture.router(nil).get(stored) == nil)
  }
}
