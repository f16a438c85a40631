import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// The end of migrations, of one key and of many at once.
@Suite struct MigrationFinishTests {
  private let fixture = MigrationFixture()

  private func moved(_ name: String, from old: StorageKey<String?>, to domain: StorageDomain) -> StorageKey<String?> {
    key(name, String.self, domain) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
  }

  /// One container that cannot be made durable now, and one log that cannot be written.
  @Test(arguments: [true, false]) func aKeyThatCannotBeFinishedKeepsNoOther(_ isLog: Bool) async throws {
    struct HalfDurableStore: ForwardingStore {
      let base: any ValueStore
      let isDurable: Bool
      func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
        if container.domain.kind == .appGroupUserDefaults, !isDurable { throw .outOfSpace }
      }
    }
    let router = StorageRouter(configuration: StorageConfiguration()) { [fixture] setup in
      var services = StorageServices(over: HalfDurableStore(base: fixture.memory, isDurable: isLog), setup)
      services.migrationLog = { keyset in
        if keyset == .app || !isLog { return fixture.log }
        return MigrationLog().failing(with: .outOfSpace)
      }
      return services
    }
    let (first, second) = (key("first", String.self), key("second", String.self))
    let own = moved("own", from: first, to: .fileSystem(directory: .documents))
    let shared = moved("shared", from: second, to: .appGroupUserDefaults(identifier: "group.tests"))
    try await router.set("a", for: first)
    try await router.set("b", for: second)
    let result = await router.migrations.run([.key(own), .key(shared)]) { _ in }
    #expect(result.failures == [StorageError(.outOfSpace, .init(key: "shared", domain: .appGroupUserDefaults))])
    // A key that was not finished is not reported as moved.
    #expect(result.migrated.map(\.key) == ["own"])
    #expect(try await router.exists(first) == false)
    #expect(try await router.exists(second))
    #expect(try await router.get(shared) == "b")
  }
}
