import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Several steps whose sources are there at once, and steps that the running version does not carry out.
@Suite struct MigrationStepsTests {
  private let fixture = MigrationFixture()
  private let newest = key("v2", String.self)
  private let oldest = key("v1", String.self)

  private func chained(_ onConflict: ConflictPolicy, _ security: SecurityPolicy = .none) -> StorageKey<String?> {
    key("v3", String.self, .userDefaults(), security) { [newest, oldest] key in
      AnyStorageMigration(chain: [
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(newest))),
        AnyStorageMigration(
          SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldest), onConflict: onConflict)),
      ])
    }
  }

  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func whatALaterStepHasIsTreatedAsAnyOtherValueBesidesTheKeys(_ onConflict: ConflictPolicy) async throws {
    let router = fixture.router()
    try await router.set("two", for: newest)
    try await router.set("one", for: oldest)
    #expect(try await router.get(chained(onConflict)) == "two")
    #expect(try await router.exists(newest) == false)
    #expect(try await router.exists(oldest) == (onConflict == .keepSource))
    #expect(try fixture.log.events().map(\.outcome) == [.moved])
    #expect(try fixture.log.events().flatMap(\.sources).map(\.key) == ["v2"])
  }

  @Test func aLaterStepThatCannotBeLookedAtHidesNothing() async throws {
    let store = FaultInjectingStore(fixture.memory)
    let router = fixture.router(store)
    try await router.set("two", for: newest)
    try await router.set("one", for: oldest)
    store.fail(with: .locked) { $0.address?.name == "v1" }
    #expect(try await router.get(chained(.removeSource)) == "two")
    store.succeed()
    #expect(try await router.get(chained(.removeSource)) == "two")
    for old in [newest, oldest] { #expect(try await router.exists(old) == false) }
  }

  /// The key as it was, plain and in its own place, and an older one elsewhere, in either order.
  private func secured(_ isInPlaceFirst: Bool, _ onConflict: ConflictPolicy) -> StorageKey<String?> {
    key("v3", String.self, .userDefaults(), .recommended) { [oldest] key in
      let inPlace = SimpleLegacyMigration(destinationKey: key, sourceKey: .key(plain))
      let older = SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldest), onConflict: onConflict)
      let chain = [AnyStorageMigration(inPlace), AnyStorageMigration(older)]
      return AnyStorageMigration(chain: isInPlaceFirst ? chain : chain.reversed())
    }
  }

  @Test(arguments: [true, false], [ConflictPolicy.keepSource, .removeSource])
  func securingInPlaceSeesToTheOtherStepsToo(_ isInPlaceFirst: Bool, _ onConflict: ConflictPolicy) async throws {
    let (router, note) = (fixture.router(), secured(isInPlaceFirst, onConflict))
    try await router.set("two", for: plain)
    try await router.set("one", for: oldest)
    #expect(try await router.get(note) == "two")
    let stored = try #require(try fixture.memory.read(.preference("v3"), StorageAttributes()))
    #expect(EnvelopeHeader.begins(stored))
    #expect(try await router.exists(oldest) == (onConflict == .keepSource))
    #expect(try fixture.log.events().map(\.outcome) == [.securedInPlace])
    #expect(try fixture.log.lastEntries().values.map(\.phase) == [.completed])
  }

  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func aStepThatThisVersionDoesNotCarryOutTouchesNothing(_ onConflict: ConflictPolicy) async throws {
    let router = fixture.router(version: "2.0")
    let new = conditional(onConflict)
    try await router.set("old", for: oldest)
    try await router.set("new", for: new)
    #expect(try await router.forceMigration(for: new).migrated.isEmpty)
    #expect(try await router.get(new) == "new")
    #expect(try fixture.memory.read(.preference("v1"), StorageAttributes()) == Data("\"old\"".utf8))
    #expect(try fixture.log.events().isEmpty)
  }

  private func conditional(_ onConflict: ConflictPolicy) -> StorageKey<String?> {
    key("v3", String.self) { [oldest] key in
      AnyStorageMigration(
        AppVersionConditionalMigration(
          destinationKey: key, condition: .below(2, 0),
          migration: AnyStorageMigration(
            SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldest), onConflict: onConflict))))
    }
  }
}

private let plain = key("v3", String.self)
