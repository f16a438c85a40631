import Foundation
import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// Three releases of an app: the second secures a value in place, and the third moves it. The third declares the old place
/// as a legacy key whose own migration names the older form.
@Suite struct SecuredSourceTests {
  struct Address: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The domains and policies of the first and the second release.
    var first: (domain: StorageDomain, security: SecurityPolicy)
    var second: (domain: StorageDomain, security: SecurityPolicy)
  }

  static let addresses: [Address] = [
    Address(
      testDescription: "a keychain item", first: (.keychain(service: "old"), .keychain()),
      second: (.keychain(service: "old"), .recommended)),
    Address(
      testDescription: "a plain preference", first: (.userDefaults(), .none), second: (.userDefaults(), .recommended)),
    Address(
      testDescription: "a file", first: (.fileSystem(directory: .documents), .none),
      second: (.encryptedFileSystem(directory: .documents), .recommended)),
  ]

  /// A value as each release declares it.
  private struct Releases {
    let address: Address

    var first: StorageKey<String?> { key("token", String.self, address.first.domain, address.first.security) }

    var second: StorageKey<String?> { secured(.init()) }

    var legacy: StorageKey<String?> { secured(.init(legacy: true)) }

    var third: StorageKey<String?> {
      key("token", String.self, .keychain(service: "new"), .keychain()) { [legacy] key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(legacy)))
      }
    }

    private func secured(_ options: StorageKeyOptions) -> StorageKey<String?> {
      key("token", String.self, address.second.domain, address.second.security, options: options) { [address] key in
        AnyStorageMigration(
          SimpleLegacyMigration(
            destinationKey: key,
            sourceKey: .key(StorageKey(key, domain: address.first.domain, security: address.first.security))))
      }
    }
  }

  /// The use of the releases before the third one.
  enum Path: CaseIterable {
    case skippingTheSecond, withoutReadingInTheSecond, readInTheSecond, setInTheSecond
  }

  @Test(arguments: addresses, Path.allCases)
  func everyFormIsMoved(_ address: Address, _ path: Path) async throws {
    for isRun in [true, false] {
      let (fixture, releases) = (MigrationFixture(), Releases(address: address))
      if path != .setInTheSecond { try await fixture.router().set("one", for: releases.first) }
      switch path {
      case .skippingTheSecond: break
      case .withoutReadingInTheSecond: try ProbeCatalog.register([.key(releases.second)], on: fixture.router())
      case .readInTheSecond: #expect(try await fixture.router().get(releases.second) == "one")
      case .setInTheSecond: try await fixture.router().set("one", for: releases.second)
      }
      let router = fixture.router()
      try ProbeCatalog.register([.key(releases.third), .key(releases.legacy)], on: router)
      if isRun {
        #expect(try await router.migrations.plan().moves.map(\.kind) == [.move])
        let result = await router.migrations.migrateAll()
        #expect(result.failures == [])
        #expect(result.migrated.map(\.outcome) == [.moved])
      }
      #expect(try await router.get(releases.third) == "one")
      #expect(try await fixture.router().exists(releases.first) == false)
      #expect(try await router.migrations.plan().moves == [])
    }
  }

  /// A catalog that migrates immediately leaves its legacy keys alone.
  @Test func aLegacyKeyIsNotMigratedByItself() async throws {
    let fixture = MigrationFixture()
    let releases = Releases(address: Self.addresses[1])
    try await fixture.router().set("one", for: releases.first)
    let router = fixture.router()
    try ProbeCatalog.register([.key(releases.legacy)], on: router)
    #expect(await router.migrations.migrateAll() == .nothing)
    #expect(try await router.migrations.plan().moves == [])
    #expect(try await fixture.router().get(releases.first) == "one")
  }

  /// Once the second release has secured the value, plain bytes at the old place were put there by somebody else.
  @Test func aFormThatTheSecondReleaseRetiredIsNotAccepted() async throws {
    let fixture = MigrationFixture()
    let releases = Releases(address: Self.addresses[1])
    try await fixture.router().set("one", for: releases.first)
    #expect(try await fixture.router().get(releases.second) == "one")
    try fixture.memory.write(Data("\"planted\"".utf8), to: .preference("token"), StorageAttributes())
    let subject = StorageError.Subject(key: "token", domain: .userDefaults, sourceOf: releases.third.name)
    await #expect(throws: StorageError(.corrupted, subject)) { try await fixture.router().get(releases.third) }
    // The first release records what it writes.
    try await fixture.router().set("rolled back", for: releases.first)
    #expect(try await fixture.router().get(releases.third) == "rolled back")
  }

  /// An aggregate reads each of its sources in the forms that the source's own migration names.
  @Test func theFormsOfAnAggregatesSourcesAreRead() async throws {
    for isSecured in [true, false] {
      let fixture = MigrationFixture()
      let releases = Releases(address: Self.addresses[1])
      let other = key("other", String.self, options: .init(legacy: true))
      try await fixture.router().set("one", for: releases.first)
      try await fixture.router().set("two", for: key("other", String.self))
      if isSecured { #expect(try await fixture.router().get(releases.second) == "one") }
      let joined = key("joined", String.self, .keychain(), .keychain()) { [legacy = releases.legacy] key in
        AnyStorageMigration(
          AggregatingMigration(destinationKey: key, sourceKeys: (legacy, other)) { "\($0 ?? "-") \($1 ?? "-")" })
      }
      let router = fixture.router()
      try ProbeCatalog.register([.key(joined), .key(releases.legacy), .key(other)], on: router)
      #expect(try await router.get(joined) == "one two")
      #expect(try await fixture.router().exists(releases.first) == false)
    }
  }
}
