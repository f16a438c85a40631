import Foundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Values that migrations have left at their sources, in releases whose keys are stored there.
@Suite struct LeftoverValueTests {
  private let fixture = MigrationFixture()

  private func note(
    _ name: String, _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none,
    from sources: StorageKey<String?>...
  ) -> StorageKey<String?> {
    key(name, String.self, domain, security) { key in
      AnyStorageMigration(
        chain: sources.map {
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0)))
        })
    }
  }

  /// The value that the second release found at the source stays there, because the release has already stored one. The
  /// first release encrypts it when it reads it.
  @Test(arguments: [true, false]) func aReadOfAnEarlierReleaseIsNoWrite(_ isWritten: Bool) async throws {
    let plain = key("note", String.self)
    let first = note("note", .userDefaults(), .recommended, from: plain)
    let second = note("note", .fileSystem(directory: .documents), from: first, plain)
    try await fixture.router().set("one", for: plain)
    try await fixture.router().set("two", for: second)
    let earlier = fixture.router()
    #expect(try await earlier.get(first) == "one")
    if isWritten { try await earlier.set("three", for: first) }
    for _ in 0..<2 { #expect(try await fixture.router().get(second) == (isWritten ? "three" : "two")) }
  }

  private enum Change: CaseIterable { case set, update, remove }

  /// The third release stores the value where the first one did. Its first call is killed before its value is stored.
  @Test(arguments: Change.allCases) private func aKilledCallBringsBackNoLeftover(_ change: Change) async throws {
    let first = key("note", String.self)
    let second = note("note", .fileSystem(directory: .documents), from: first)
    let third = note("note", from: second)
    var results: Set<String?> = []
    for calls in 0..<60 {
      let fixture = MigrationFixture()
      try await fixture.router().set("one", for: first)
      try await fixture.router().set("two", for: second)
      let gate = CallGate(after: calls)
      let killed = fixture.router(until: gate)
      do throws(StorageError) {
        switch change {
        case .set: try await killed.set("three", for: third)
        case .update: _ = try await killed.update(third) { $0 = ($0 ?? "") + "+" }
        case .remove: try await killed.remove(third)
        }
      } catch { #expect(gate.isClosed) }
      results.insert(try await fixture.router().get(third))
    }
    let end: String? =
      switch change {
      case .set: "three"
      case .update: "two+"
      case .remove: nil
      }
    #expect(results == ["two", end])
  }

  /// A switch has two values. The one that was moved is also the one that the user chooses in the earlier release.
  @Test func aValueThatEqualsTheMovedOneIsTheNewest() async throws {
    let first = key("note", String.self)
    let second = note("note", .fileSystem(directory: .documents), from: first)
    try await fixture.router().set("on", for: first)
    #expect(try await fixture.router().get(second) == "on")
    for _ in 0..<2 {
      try await fixture.router().set("off", for: second)
      try await fixture.router().set("on", for: first)
      #expect(try await fixture.router().get(second) == "on")
    }
  }

  /// The earlier release decrypts the value when it reads it, and is killed. The later release reads the plain value.
  @Test func aKilledReadOfAnEarlierReleaseLeavesAReadableValue() async throws {
    for calls in 0..<40 {
      let fixture = MigrationFixture()
      let plain = key("note", String.self)
      let encrypted = note("note", .userDefaults(), .recommended, from: plain)
      let decrypted = note("note", from: key("note", String.self, .userDefaults(), .recommended))
      try await fixture.router().set("one", for: plain)
      #expect(try await fixture.router().get(encrypted) == "one")
      let gate = CallGate(after: calls)
      do throws(StorageError) { _ = try await fixture.router(until: gate).get(decrypted) } catch {
        #expect(gate.isClosed)
      }
      #expect(try await fixture.router().get(encrypted) == "one", "\(calls)")
    }
  }

  /// The earlier release finds no value at its address any more, moves another one there that was kept aside, and is killed.
  @Test func aKilledMoveOfAnEarlierReleaseIsNoWrite() async throws {
    let other = key("other", String.self)
    let first = note("note", from: other)
    let second = note("note", .fileSystem(directory: .documents), from: first, other)
    for calls in 0..<40 {
      let fixture = MigrationFixture()
      try await fixture.router().set("other", for: other)
      try await fixture.router().set("one", for: first)
      #expect(try await fixture.router().get(second) == "one")
      let gate = CallGate(after: calls)
      do throws(StorageError) { _ = try await fixture.router(until: gate).get(first) } catch {
        #expect(gate.isClosed)
      }
      #expect(try await fixture.router().get(second) == "one", "\(calls)")
    }
  }
}
