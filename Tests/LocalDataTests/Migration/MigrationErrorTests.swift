import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// What the errors of migrations say, and what they keep to themselves.
@Suite struct MigrationErrorTests {
  private let fixture = MigrationFixture()

  private struct Secretive: Error, Equatable { let secret = "hunter2" }

  /// The app can examine the error of its own code. No description shows it.
  @Test(arguments: [true, false]) func anErrorOfTheAppIsTheCause(_ isTransform: Bool) async throws {
    let old = key("old", String.self)
    let new = key("new", String.self) { key in
      isTransform
        ? AnyStorageMigration(
          TransformingMigration(destinationKey: key, sourceKey: old) { (_: String) throws -> String? in
            throw Secretive()
          })
        : AnyStorageMigration(FailingMigration(destinationKey: key, error: Secretive()))
    }
    let router = fixture.router()
    try await router.set("abc", for: old)
    let error = await #expect(throws: StorageError.self) { try await router.get(new) }
    #expect(error?.underlyingError as? Secretive == Secretive())
    #expect(error == StorageError(.migrationFailed, .init(key: "new", domain: .userDefaults)))
    var dumped = ""
    dump(error, to: &dumped)
    let texts = [error.map { "\($0)" }, error.map { String(reflecting: $0) }, error?.localizedDescription, dumped]
    for text in texts.compactMap(\.self) { #expect(!text.contains("hunter2") && !text.contains("Secretive")) }
  }

  /// The error names the source, and the key whose value it has.
  @Test func aSourceInAnotherFormIsNamedWithItsKey() async throws {
    let (text, number) = (key("old", String.self), key("old", Int.self))
    let new = key("new", Int.self) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(number)))
    }
    let router = fixture.router()
    try await router.set("abc", for: text)
    let subject = StorageError.Subject(key: "old", domain: .userDefaults, sourceOf: "new")
    let error = await #expect(throws: StorageError.self) { try await router.get(new) }
    #expect(error == StorageError(.cannotDecode, subject))
    #expect(error?.description.hasPrefix("'old' in userDefaults, a source of 'new': ") == true)
  }

  /// A custom migration was asked and has nothing to do: the value is absent, and can be read at once.
  @Test(arguments: [true, false]) func aCustomMigrationThatFoundNothingNeedsNoWaiting(_ isWithMove: Bool) async throws {
    let found = Lock(false)
    let source = key("older", Int.self)
    let new = StorageKey<Int>(
      name: "new", domain: .userDefaults(), security: .none, default: 7, owner: "Tests", description: "A number.",
      migration: { key in
        let custom = AnyStorageMigration(
          FindingMigration(destinationKey: key, isFound: { found.withLock { $0 } }))
        guard isWithMove else { return custom }
        return AnyStorageMigration(chain: [
          custom, AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source))),
        ])
      })
    let router = fixture.router()
    let pending = StorageError(.needsWaiting(.migrationPending), .init(key: "new", domain: .userDefaults))
    #expect(throws: pending) { try router.value(new) }
    try router.register([.key(new)])
    #expect(await router.migrations.migrateAll().failures.isEmpty)
    #expect(try router.value(new) == 7)
    // A source that appears later is found by the next run.
    if isWithMove {
      try await fixture.router().set(3, for: source)
      #expect(throws: pending) { try router.value(new) }
    }
    found.withLock { $0 = true }
    #expect(try await router.get(new) == 9)
    #expect(try router.value(new) == 9)
  }

  @Test(arguments: StorageError.WaitingReason.allCases)
  func theReasonForWaitingIsSaid(_ reason: StorageError.WaitingReason) {
    let text = StorageError(.needsWaiting(reason), .init(key: "a", domain: .userDefaults)).description
    let words: [StorageError.WaitingReason: String] = [
      .notPlainPreference: "not a plain preference", .migrationPending: "has not run yet",
      .changeIsRecorded: "must record the change",
    ]
    for (other, word) in words { #expect(text.contains(word) == (other == reason), "\(text)") }
  }
}

private struct FailingMigration: StorageMigration {
  let destinationKey: StorageKey<String?>
  let error: any Error

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }
  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult { throw error }
}

private struct FindingMigration: StorageMigration {
  let destinationKey: StorageKey<Int>
  let isFound: @Sendable () -> Bool

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { isFound() }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await router.set(9, for: destinationKey)
    return MigrationResult(success: true)
  }
}
