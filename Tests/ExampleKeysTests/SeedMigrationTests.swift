#if os(Linux)
  import ExampleModels
  import Foundation
  import LocalData
  import TestSupport
  import Testing

  @testable import ExampleKeys

  /// The seed of the wallet, which earlier releases kept as encrypted text in the preferences.
  struct SeedMigrationTests {
    private let scratch: ScratchFolder
    /// The earlier release, which knows no catalog.
    private let past: StorageRouter
    private let key = Data(repeating: 7, count: 32)
    private let seed = "legal winner thank year"

    init() throws {
      scratch = try ScratchFolder()
      past = Self.router(over: scratch.url)
    }

    private static func router(over folder: URL) -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(applicationName: "Tests", roots: StorageRoots(below: folder)))
    }

    private func present() throws -> StorageRouter {
      let router = Self.router(over: scratch.url)
      try router.registerCatalog(WalletCatalog.self)
      return router
    }

    private func cause(of body: () async throws -> Void) async -> (any Error)? {
      do { try await body() } catch { return (error as? StorageError)?.underlyingError }
      return nil
    }

    @Test func theFirstReadMovesTheSeed() async throws {
      try await past.set(key, for: SeedMigration.valuesKey)
      try await past.set(try SeedMigration.encrypt(seed, with: key), for: SeedMigration.encryptedSeed)
      for _ in 0..<2 { #expect(try await present().get(.seed) == seed) }
      #expect(try await !past.exists(SeedMigration.encryptedSeed))
      // The old store needs it too.
      #expect(try await past.get(SeedMigration.valuesKey) == key)
    }

    @Test func theFormIsThatOfThreePartsJoinedByDots() throws {
      let parts = try SeedMigration.encrypt(seed, with: key).split(separator: ".").map {
        Data(base64Encoded: String($0))
      }
      #expect(parts.map { $0?.count } == [seed.utf8.count, 12, 16])
    }

    /// Two items have the account: the one without a service is the key.
    @Test func anItemOfAServiceIsAnotherOne() async throws {
      let other = StorageKey<Data?>(
        name: "com.owned-project.secretkey", domain: .keychain(), security: .keychain(), serializer: .data,
        owner: "Tests", description: "Another key.")
      try await past.set(Data(repeating: 9, count: 32), for: other)
      try await past.set(key, for: SeedMigration.valuesKey)
      try await past.set(try SeedMigration.encrypt(seed, with: key), for: SeedMigration.encryptedSeed)
      #expect(try await present().get(.seed) == seed)
    }

    /// The release before is installed again and stores another seed.
    @Test func aSeedOfARolledBackReleaseDoesNotReplaceTheMovedOne() async throws {
      try await past.set(key, for: SeedMigration.valuesKey)
      try await past.set(try SeedMigration.encrypt(seed, with: key), for: SeedMigration.encryptedSeed)
      #expect(try await present().get(.seed) == seed)
      try await past.set(try SeedMigration.encrypt("another seed", with: key), for: SeedMigration.encryptedSeed)
      #expect(try await present().get(.seed) == seed)
      #expect(try await past.exists(SeedMigration.encryptedSeed))
    }

    @Test func theTextStaysUntilItCanBeDecrypted() async throws {
      let text = try SeedMigration.encrypt(seed, with: key)
      try await past.set(text, for: SeedMigration.encryptedSeed)
      let error = await cause { _ = try await present().get(.seed) }
      #expect(error as? SeedError == .noKey)
      // An app that took this for the absence of a seed would create another one.
      await #expect(throws: StorageError.self) { try await present().get(.seed, orSet: "a new seed") }
      #expect(try await past.get(SeedMigration.encryptedSeed) == text)
      for wrong in [Data(repeating: 8, count: 32), Data(repeating: 7, count: 16)] {
        try await past.set(wrong, for: SeedMigration.valuesKey)
        #expect(await cause { _ = try await present().get(.seed) } != nil)
        #expect(try await past.get(SeedMigration.encryptedSeed) == text)
      }
      try await past.set(key, for: SeedMigration.valuesKey)
      #expect(try await present().get(.seed) == seed)
    }
  }
#endif
