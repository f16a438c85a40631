import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// The sign-out of one account of several, and values that a sign-out leaves.
@Suite struct AccountRemovalTests {
  private let storage = TestStorage()
  private let first = UUID()
  private let second = UUID()

  private static let tokens = StorageKeyFamily(
    name: "token_{userID}", domain: .keychain(service: "accounts"), security: .keychain())
  private static let drafts = StorageKeyFamily(
    name: "draft_{userID}_{number}", domain: .userDefaults(), security: .none)
  private static let note = StorageKeyFamily(name: "note_{number}", domain: .userDefaults(), security: .none)
  private static let mails = StorageKeyFamily(name: "mail_{userID}", domain: .userDefaults(), security: .none)
    .keptAtSignOut()
  private static let theme = key("theme", String.self).keptAtSignOut()

  private static func token(_ id: UUID) -> StorageKey<String?> { StorageKey(tokens, "token_\(id)", .json) }
  private static func draft(_ id: UUID, _ number: Int) -> StorageKey<String?> {
    StorageKey(drafts, "draft_\(id)_\(number)", .json)
  }
  private static func mail(_ id: UUID) -> StorageKey<String?> { StorageKey(mails, "mail_\(id)", .json) }
  private static let families = [tokens, drafts, note, mails]

  private func launch(_ families: [StorageKeyFamily] = Self.families) throws -> StorageRouter {
    let router = storage.launch()
    try ProbeCatalog.register([.key(Self.theme)], families, on: router)
    return router
  }

  private func fill() async throws {
    let router = try launch()
    for id in [first, second] {
      try await router.set("token", for: Self.token(id))
      for number in 1...2 { try await router.set("draft", for: Self.draft(id, number)) }
      try await router.set("mail", for: Self.mail(id))
    }
    try await router.set("note", for: StorageKey<String?>(Self.note, "note_\(1)", .json))
    try await router.set("dark", for: Self.theme)
  }

  /// The names of the stored values, without their parameters.
  private func stored(_ id: UUID) async throws -> [String] {
    let router = try launch()
    var names: [String] = []
    for key in [Self.token(id), Self.draft(id, 1), Self.draft(id, 2), Self.mail(id)] {
      if try await router.get(key) != nil { names.append(String(key.name.prefix { $0 != "_" })) }
    }
    return names
  }

  @Test func oneAccountOfTwoIsRemoved() async throws {
    try await fill()
    try await launch().removeAll(where: ["userID": first])
    #expect(try await stored(first) == ["mail"])
    #expect(try await stored(second) == ["token", "draft", "draft", "mail"])
    // A UUID in upper case is the same account.
    try await launch().removeAll(where: ["userID": second.uuidString], includingKept: true)
    #expect(try await stored(second) == [])
    #expect(try await launch().members(of: Self.note).count == 1)
    #expect(try await launch().get(Self.theme) == "dark")
  }

  @Test func severalParametersSelectTheirFamilies() async throws {
    try await fill()
    try await launch().removeAll(where: ["userID": first, "number": 2])
    #expect(try await stored(first) == ["token", "draft", "mail"])
  }

  @Test func keptValuesStayUntilAllIsErased() async throws {
    try await fill()
    let router = try launch()
    try await ProbeCatalog.removeAll([.key(Self.theme)], Self.families, on: router)
    #expect(try await stored(first) == ["mail"])
    #expect(try await router.get(Self.theme) == "dark")
    try await ProbeCatalog.removeAll([.key(Self.theme)], Self.families, includingKept: true, on: router)
    #expect(try await stored(first) == [])
    #expect(try await router.get(Self.theme) == nil)
  }

  @Test func theErrorListsWhatIsLeft() async throws {
    let router = StorageRouter.inMemory(failing: [.keychain: .locked])
    try ProbeCatalog.register([], Self.families, on: router)
    try await router.set("draft", for: Self.draft(first, 1))
    let error = await #expect(throws: StorageRemovalError.self) {
      try await router.removeAll(where: ["userID": first])
    }
    #expect(error?.remaining == [StorageError(.locked, .init(key: "token_{userID}", domain: .keychain))])
    #expect(error?.description.contains(first.uuidString) == false)
    #expect(try await router.get(Self.draft(first, 1)) == nil)
  }

  @Test func otherParametersAreRefused() async throws {
    for parameters: [String: any Sendable] in [[:], ["userID": 1.5]] {
      let error = await #expect(throws: StorageRemovalError.self) { try await launch().removeAll(where: parameters) }
      #expect(error?.remaining.map(\.code) == [.invalidName])
    }
  }

  /// The user has gone back to a release that stored the token elsewhere.
  @Test func aSignOutInAnEarlierReleaseCounts() async throws {
    let old = StorageKeyFamily(name: "old_{userID}", domain: .userDefaults(), security: .none)
    let sources = [first, second].map { StorageKey<String?>(old, "old_\($0)", .json) }
    func moved(_ index: Int) -> StorageKey<String?> {
      let source = sources[index]
      return Self.token([first, second][index]).migrating { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
      }
    }
    for source in sources { try await launch([old]).set("old", for: source) }
    for index in 0...1 { #expect(try await storage.launch().get(moved(index)) == "old") }
    try await launch([old]).removeAll(where: ["userID": first])
    #expect(try await storage.launch().get(moved(0)) == nil)
    #expect(try await storage.launch().get(moved(1)) == "old")
  }
}
