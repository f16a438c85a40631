import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing
import TestSupport

@testable import LocalData

/// Tests with another process that runs right after a value was written to its destination and before it is read back.
@Suite struct MigrationRaceTests {
  private let fixture = MigrationFixture()

  /// Lets another process in after the first value that is stored at a place.
  private final class OvertakenStore: ForwardingStore {
    let base: any ValueStore
    let name: String
    let other: Lock<(@Sendable () async throws -> Void)?>

    init(_ base: MemoryStore, _ name: String, _ other: @escaping @Sendable () async throws -> Void) {
      (self.base, self.name, self.other) = (base, name, Lock(other))
    }

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try CallDeadline.requireWaiting()
      try base.update(address, attributes, change)
      guard address.name == name else { return }
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
    let router = router { other in try await other.update(token.new) { $0 = ($0 ?? "") + "d" } }
    #expect(try await router.get(token.new) == "abcd")
    #expect(try await fixture.router().exists(token.old) == false)
  }

  @Test func whatItSetsWins() async throws {
    let token = movedToken(onConflict: .removeSource)
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

  /// The process that removes it is killed at each of its calls. The other one has read the value before, and announces the move
  /// after that.
  @Test func whatIsRemovedBeforeItsMoveIsAnnouncedIsAbsent() async throws {
    let token = movedToken()
    var removals = 0
    for calls in 0..<12 {
      let fixture = MigrationFixture()
      try await fixture.router().set("abc", for: token.old)
      let gate = CallGate(after: calls)
      let first = CallGate(after: 1)
      var log = fixture.log
      log.willAppend = {
        guard first.pass() else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
          do { try await fixture.router(until: gate).remove(token.new) } catch {}
          done.signal()
        }
        done.wait()
      }
      let value = try await fixture.router(log: log).get(token.new)
      guard try fixture.log.entries().contains(where: { $0.event?.outcome == .removed }) else { continue }
      removals += 1
      #expect(value == nil, "\(calls) calls")
      #expect(try await fixture.router().get(token.new) == nil, "\(calls) calls")
      #expect(try await fixture.router().exists(token.old) == false, "\(calls) calls")
    }
    #expect(removals > 1)
  }

  /// Two processes make random calls at the same time. No call throws an error or returns a value that was never
  /// stored. A value that is removed at the end does not exist any more.
  @Test(arguments: [ConflictPolicy.keepSource, .removeSource])
  func whateverComesTogetherEndsInOneState(_ onConflict: ConflictPolicy) async throws {
    let token = movedToken(onConflict: onConflict)
    var random = SeededRandom(seed: 20)
    for _ in 0..<100 {
      let fixture = MigrationFixture()
      try await fixture.router().set("old", for: token.old)
      let routers = [fixture.router(), fixture.router()]
      let calls = (0..<6).map { _ in (Int.random(in: 0..<7, using: &random), Int.random(in: 0..<2, using: &random)) }
      try await withThrowingTaskGroup(of: String?.self) { group in
        for (call, router) in calls {
          let router = routers[router]
          group.addTask {
            switch call {
            case 0: return try await router.get(token.new)
            case 1: try await router.set("new", for: token.new)
            case 2: return try await router.update(token.new) { _ in }
            case 3: try await router.remove(token.new)
            case 4: _ = try await router.forceMigration(for: token.new)
            case 5: #expect(await router.migrations.run([.key(token.new)]) { _ in }.success)
            default: return try await router.update(token.new) { $0 = nil }
            }
            return nil
          }
        }
        for try await value in group { #expect([nil, "old", "new"].contains(value)) }
      }
      let hasRemoved = calls.contains { [3, 6].contains($0.0) }
      let left = try await fixture.router().get(token.new)
      #expect([nil, "old", "new"].contains(left))
      if !hasRemoved { #expect(left == (calls.contains { $0.0 == 1 } ? "new" : "old")) }
      for router in routers { #expect(try await router.get(token.new) == left) }
      try await routers[0].remove(token.new)
      for router in routers { #expect(try await router.get(token.new) == nil) }
      #expect(try await fixture.router().exists(token.old) == false)
    }
  }
}
