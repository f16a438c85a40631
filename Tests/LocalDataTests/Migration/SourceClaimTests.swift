import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Migrations that are refused at registration, because they would lose a value or cannot be carried out.
@Suite struct SourceClaimTests {
  struct Refused: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var problem: StorageError.CatalogProblem?
    var keys: [AnyStorageKey]
  }

  private static func text(_ name: String, _ security: SecurityPolicy = .none) -> StorageKey<String?> {
    key(name, String.self, .userDefaults(), security)
  }

  private static func moved(_ name: String, from sources: StorageKey<String?>...) -> StorageKey<String?> {
    key(name, String.self) { key in
      AnyStorageMigration(
        chain: sources.map {
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0)))
        })
    }
  }

  private static func transformed(_ name: String, from source: StorageKey<String?>) -> StorageKey<String?> {
    key(name, String.self) { key in
      AnyStorageMigration(TransformingMigration(destinationKey: key, sourceKey: source) { $0 + "!" })
    }
  }

  private static func joined(_ name: String, _ sources: (StorageKey<String?>, StorageKey<String?>)) -> StorageKey<
    String?
  > {
    key(name, String.self) { key in
      AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: sources) { ($0 ?? "") + ($1 ?? "") })
    }
  }

  private struct Nothing: StorageMigration {
    let destinationKey: StorageKey<String?>
    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { false }
    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
      MigrationResult(success: true)
    }
  }

  private static let custom = key("custom", String.self) { AnyStorageMigration(Nothing(destinationKey: $0)) }

  /// A key whose migration leads back to it.
  private static func circle(_ depth: Int = 3) -> StorageKey<String?> {
    depth == 0 ? text("a") : moved("a", from: moved("b", from: circle(depth - 1)))
  }

  static let refused: [Refused] = [
    Refused(
      testDescription: "a transform in place", problem: .transformInPlace,
      keys: [
        .key(transformed("a", from: text("a")))
      ]),
    Refused(
      testDescription: "an aggregate in place", problem: .transformInPlace,
      keys: [
        .key(joined("a", (text("a"), text("b"))))
      ]),
    Refused(
      testDescription: "one source twice", problem: .sharedSource,
      keys: [
        .key(moved("a", from: text("b"), text("b")))
      ]),
    Refused(
      testDescription: "one source of two keys", problem: .sharedSource,
      keys: [
        .key(moved("a", from: text("c"))), .key(transformed("b", from: text("c"))),
      ]),
    Refused(
      testDescription: "one form twice", problem: .sharedSource,
      keys: [
        .key(moved("a", from: text("a", .recommended), text("a", .recommended)))
      ]),
    Refused(
      testDescription: "a source with a custom migration", problem: .migratingSource,
      keys: [
        .key(moved("a", from: custom))
      ]),
    Refused(
      testDescription: "a part with a migration", problem: .migratingSource,
      keys: [
        .key(joined("a", (moved("b", from: text("c")), text("d"))))
      ]),
    Refused(testDescription: "a circle", problem: .migratingSource, keys: [.key(circle())]),
    Refused(
      testDescription: "a source with a migration", problem: nil,
      keys: [
        .key(moved("a", from: moved("b", from: text("c"), text("b", .recommended))))
      ]),
    Refused(
      testDescription: "two forms and a source", problem: nil,
      keys: [
        .key(moved("a", from: text("a", .recommended), text("a", .encrypted(.aes256GCM())), text("b")))
      ]),
    Refused(testDescription: "a custom migration", problem: nil, keys: [.key(custom)]),
  ]

  @Test(arguments: refused) func registration(_ refused: Refused) {
    let router = StorageRouter.inMemory()
    var found: StorageError.CatalogProblem?
    do throws(StorageError) { try ProbeCatalog.register(refused.keys, on: router) } catch {
      if let problem = error.catalogProblem {
        found = problem
        #expect(refused.keys.map(\.name).contains(error.subject.key ?? ""))
      }
    }
    #expect(found == refused.problem)
  }
}
