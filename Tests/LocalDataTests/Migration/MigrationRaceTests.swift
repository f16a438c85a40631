import Foundation
import LocalDataTesting
import StorageVocabulary
import Testing

@testable import LocalData

/// Another process that comes right after a value was put at its destination, before that was read back.
@Suite struct MigrationRaceTests {
  private let fixture = MigrationFixture()

  /// Lets another process in after the first value that is stored at a place.
  private final class OvertakenStore: ValueStore {
    let base: MemoryStore
    let name: String
    let other: Lock<(@Sendable () async throws -> Void)?>

    init(_ base: MemoryStore, _ name: String, _ other: @escaping @Sendable () async throws -> Void) {
      (self.base, self.name, self.other) = (base, name, Lock(other))
    }

    var removesAtNextLaunch: Bool { false }
    var withoutWaiting: (any ValueStore)? { nil }
    func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      try base.read(place, attributes)
    }
    func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
      try base.exists(place, attributes)
    }
    func write(_ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
      try base.write(bytes, to: place, attributes)
    }
    func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
      try base.remove(place, attributes)
    }
    func update(
      _ place: StoragePlace, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) {
      try base.update(place, attributes, change)
      guard place.name == name else { return }
      let other = other.withLock { other in
        defer { other = nil }
        return other
      }
      guard let other else { return }
      // This runs on a thread that may wait.
      let done = DispatchSemaphore(value: 0)
      Task {
        do { try await other() } catch { Issue.record(error) }
        done.signal()
      }
      done.wait()
    }
    func scan(
      _ container: StorageContainer, _ visit: (Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) { try base.scan(container, visit) }
    func makeDurable(_ container: StorageContainer) throws(StorageFault) {}
    func purge(_ container: StorageContainer) throws(StorageFault) {}
  }

  private func router(_ other: @escaping @Sendable (StorageRouter) async throws -> Void) -> StorageRouter {
    let another = fixture.router()
    let store = OvertakenStore(fixture.memory, "token") { try await other(another) }
    let configuration = StorageConfiguration(
      applicationName: "Test", applicationVersion: "2.0.0", platform: .phone, defaultKeychainService: "service")
    return StorageRouter(configuration: configuration) { [fixture] setup in
      var services = StorageServices(over: store, setup)
      services.migrationLog = { _ in fixture.log }
      return services
    }
  }

  @Test func whatItChangesIsRead() async throws {
    let token = movedToken()
    try await fixture.router().set("abc", for: token.old)
    let router = router { other in try await other.update(token.new) { ($0 ?? "") + "d" } }
    #expect(try await router.get(token.new) == "abcd")
    #expect(try await fixture.router().exists(token.old) == false)
  }

  @Test func whatItSetsWins() async throws {
    let token = movedToken(onConflict: .remove)
    try await fixture.router().set("abc", for: token.old)
    let router = router { other in try await other.set("new", for: token.new) }
    #expect(try await router.get(token.new) == "new")
    #expect(try await fixture.router().exists(token.old) == false)
  }

  @Test func whatItRemovesIsAbsent() async throws {
    let token = movedToken()
    try await fixture.router().set("abc", for: token.old)
    let router = router { other in try await other.remove(token.new) }
    #expect(try await router.get(token.new) == nil)
    #expect(try await fixture.router().get(token.new) == nil)
    #expect(try await fixture.router().exists(token.old) == false)
  }
}
