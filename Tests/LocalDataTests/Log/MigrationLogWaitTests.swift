import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// A call that waits for the log of migrations, beside calls for other keys.
@Suite(.findsHangs) struct MigrationLogWaitTests {
  /// The first read of a log returns when the test says so, as if its thread were waiting for the disk.
  private final class SlowDisk: Sendable {
    private struct State {
      var reads = 0
      var isOpen = false
    }

    private let state = Lock(State())

    var reads: Int { state.withLock(\.reads) }
    func open() { state.withLock { $0.isOpen = true } }

    func read() throws(StorageProblem) {
      let isFirst = state.withLock { state in
        state.reads += 1
        return state.reads == 1
      }
      guard isFirst else { return }
      // Long enough for the other calls, whatever else the machine does.
      for _ in 0..<800_000 where !state.withLock(\.isOpen) { usleep(1_000) }
      guard state.withLock(\.isOpen) else { throw .busy }
    }
  }

  @Test(arguments: ["get", "set", "remove", "exists", "migrate"])
  func callsOfOtherKeysDoNotWait(_ verb: String) async throws {
    let (disk, fixture) = (SlowDisk(), MigrationFixture())
    var log = MigrationLog()
    log.willRead = { () throws(StorageProblem) in try disk.read() }
    let (old, new) = movedToken()
    try await fixture.router().set("abc", for: old)
    let router = fixture.router(log: log)
    let other = key("other", Int.self)
    try router.register([.key(new), .key(other)])
    let waiting = Task {
      switch verb {
      case "get": _ = try await router.get(new)
      case "set": try await router.set("new", for: new)
      case "remove": try await router.remove(new)
      case "exists": _ = try await router.exists(new)
      default: _ = await router.migrations.migrateAll()
      }
    }
    while disk.reads == 0 { try await Task.sleep(for: .milliseconds(1)) }
    try await router.set(1, for: other)
    #expect(try await router.get(other) == 1)
    disk.open()
    try await waiting.value
    #expect(try await router.get(new) == ["set": "new", "remove": nil][verb, default: "abc"])
  }
}
