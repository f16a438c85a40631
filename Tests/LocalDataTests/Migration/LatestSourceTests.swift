import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// Several sources of one key: the value that was written last is read, whatever the order of the declaration.
@Suite struct LatestSourceTests {
  /// The addresses of three releases, the first one first.
  struct Chain: Sendable, CustomTestStringConvertible {
    var addresses: [ProbeAddress]
    var onConflict: ConflictPolicy

    var testDescription: String { addresses.map(\.rawValue).joined(separator: ">") + " \(onConflict)" }

    /// The key of a release, with the keys of earlier ones as its sources, the latest one first.
    func key(_ release: Int, from sources: [Int]? = nil) -> StorageKey<String?> {
      let sources = (sources ?? (0..<release).reversed()).map { key($0, from: []) }
      let address = addresses[release]
      guard !sources.isEmpty else {
        return LocalDataTests.key("note\(release)", String.self, address.domain, address.security)
      }
      return LocalDataTests.key("note\(release)", String.self, address.domain, address.security) { [onConflict] key in
        AnyStorageMigration(
          chain: sources.map {
            AnyStorageMigration(
              SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0), onConflict: onConflict))
          })
      }
    }
  }

  static let chains: [Chain] = [
    [.preferences, .preferences, .preferences], [.preferences, .files, .keychain], [.keychain, .keychain, .keychain],
    [.preferences, .groupPreferences, .groupFiles], [.groupFiles, .preferences, .encryptedFiles],
    [.preferences, .sealedPreferences, .groupPreferences],
  ].flatMap { addresses in
    [ConflictPolicy.keepSource, .removeSource].map { Chain(addresses: addresses, onConflict: $0) }
  }

  private let storage = TestStorage()

  private func launch(_ keys: StorageKey<String?>...) throws -> StorageRouter {
    let router = storage.launch()
    try ProbeCatalog.register(keys.map { .key($0) }, [], on: router)
    return router
  }

  /// The second release has moved the value of the first one, which then stores another one.
  @Test(arguments: chains) func aWriteAfterAMoveIsRead(_ chain: Chain) async throws {
    try await storage.launch().set("one", for: chain.key(0))
    #expect(try await storage.launch().get(chain.key(1)) == "one")
    try await storage.launch().set("two", for: chain.key(0))
    let newest = chain.key(2)
    #expect(try await launch(newest).exists(newest))
    let moves = try await launch(newest).migrations.plan().moves
    #expect(moves.first?.sources.map(\.key) == ["note0"])
    #expect(moves.map(\.kind) == [.move, chain.onConflict == .keepSource ? .keepSource : .removeSource])
    for _ in 0..<2 { #expect(try await storage.launch().get(newest) == "two") }
    #expect(try await storage.launch().exists(chain.key(0)) == false)
    #expect(try await storage.launch().exists(chain.key(1, from: [])) == (chain.onConflict == .keepSource))
  }

  /// The app goes back two releases, step by step, and both of them store a value.
  @Test(arguments: chains) func theLastOfTwoReleasesWins(_ chain: Chain) async throws {
    try await storage.launch().set("one", for: chain.key(0))
    #expect(try await storage.launch().get(chain.key(2)) == "one")
    for round in 0..<2 {
      try await storage.launch().set("second \(round)", for: chain.key(1))
      try await storage.launch().set("first \(round)", for: chain.key(0))
      for _ in 0..<2 { #expect(try await storage.launch().get(chain.key(2)) == "first \(round)") }
    }
  }

  /// Neither of the two earlier releases reads what the other one stores.
  @Test(arguments: chains.filter { $0.addresses.allSatisfy { !$0.rawValue.hasPrefix("group") } }, [true, false])
  func theLastOfTwoWritesWins(_ chain: Chain, _ isFirstLast: Bool) async throws {
    try await storage.launch().set("one", for: chain.key(0))
    #expect(try await storage.launch().get(chain.key(2)) == "one")
    for release in isFirstLast ? [1, 0] : [0, 1] {
      try await storage.launch().set("value \(release)", for: chain.key(release, from: []))
    }
    for _ in 0..<2 { #expect(try await storage.launch().get(chain.key(2)) == "value \(isFirstLast ? 0 : 1)") }
  }

  /// The second release moves the value that the first one has stored after the third one had moved the one before.
  @Test(arguments: chains) func anEarlierReleaseCarriesTheNewestValue(_ chain: Chain) async throws {
    try await storage.launch().set("one", for: chain.key(0))
    for release in [1, 2] { #expect(try await storage.launch().get(chain.key(release)) == "one") }
    try await storage.launch().set("two", for: chain.key(0))
    for release in [1, 2, 2] { #expect(try await storage.launch().get(chain.key(release)) == "two") }
  }

  /// An older value does not take the place of a newer one that cannot be read now.
  @Test(arguments: [true, false]) func aNewestValueThatCannotBeReadIsWaitedFor(_ hasValue: Bool) async throws {
    let chain = Chain(addresses: [.preferences, .files, .keychain], onConflict: .removeSource)
    try await storage.launch().set("one", for: chain.key(0))
    #expect(try await storage.launch().get(chain.key(hasValue ? 2 : 1)) == "one")
    if hasValue { try await storage.launch().set("second", for: chain.key(1, from: [])) }
    try await storage.launch().set("two", for: chain.key(0))
    storage.fail(.userDefaults, with: .locked)
    do throws(StorageError) { #expect(try await storage.launch().get(chain.key(2)) == (hasValue ? "one" : nil)) } catch
    {
      #expect(error.code == .locked && !hasValue)
    }
    storage.succeed()
    for _ in 0..<2 { #expect(try await storage.launch().get(chain.key(2)) == "two") }
  }

  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func aMembersLastWriteIsRead(_ onConflict: ConflictPolicy) async throws {
    func family(_ template: String, from sources: StorageKeyFamily...) -> StorageKeyFamily {
      let own = StorageKeyFamily(name: template + "_{name}", domain: .userDefaults(), security: .none)
      guard !sources.isEmpty else { return own }
      return own.migrating(from: sources) { values in
        let name: String = try values.value(of: "name")
        return member(of: own, name).migrating { key in
          AnyStorageMigration(
            chain: sources.map {
              AnyStorageMigration(
                SimpleLegacyMigration(
                  destinationKey: key, sourceKey: .key(member(of: $0, name)), onConflict: onConflict))
            })
        }
      }
    }
    @Sendable func member(of family: StorageKeyFamily, _ name: String) -> StorageKey<String?> {
      StorageKey(family, StorageKeyName(stringLiteral: family.name.replacing("{name}", with: name)), .json)
    }
    func launch(_ family: StorageKeyFamily) throws -> StorageRouter {
      let router = storage.launch()
      try ProbeCatalog.register([], [family], on: router)
      return router
    }
    let first = family("first")
    let (second, third) = (family("second", from: first), family("third", from: family("second"), first))
    try await launch(first).set("one", for: member(of: first, "a"))
    #expect(try await launch(second).migrations.migrateAll().failures.isEmpty)
    try await launch(first).set("two", for: member(of: first, "a"))
    let router = try launch(third)
    #expect(await router.migrations.migrateAll().failures.isEmpty)
    #expect(try await router.get(member(of: third, "a")) == "two")
    #expect(try await router.members(of: third).map(\.name) == ["third_a"])
  }
}
