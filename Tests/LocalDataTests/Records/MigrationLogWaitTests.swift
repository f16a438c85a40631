import Foundation
import LocalDataTesting
import RuntimeTestSupport
import SmallFoundation
import StorageVocabulary
import Testing

@testable import LocalData

/// A call that waits for the log of migrations, beside calls for other keys.
@Suite(.findsHangs) struct MigrationLogWaitTests {
  /// A log that answers when the test says so, as if another thread were waiting for the disk.
  private final class SlowLog: MigrationLog, Sendable {
    private struct State {
      var asked = 0
      var isOpen = false
    }

    private let base = MemoryMigrationLog()
    private let state = Lock(State())

    var asked: Int { state.withLock(\.asked) }
    func open() { state.withLock { $0.isOpen = true } }

    private func wait() throws(StorageFault) {
      state.withLock { $0.asked += 1 }
      // Long enough for the other calls, whatever else the machine does.
      for _ in 0..<800_000 where !state.withLock(\.isOpen) { usleep(1_000) }
      guard state.withLock(\.isOpen) else { throw .busy }
    }

    func ledger() throws(StorageFault) -> MigrationLedger {
      try wait()
      return try base.ledger()
    }

    func records() throws(StorageFault) -> [MigrationRecord] {
      try wait()
      return try base.records()
    }

    func append(isDurable: Bool, _ make: (MigrationLedger) -> [MigrationEntry]) throws(StorageFault) {
      try base.append(isDurable: isDurable, make)
    }
  }

  @Test(arguments: ["get", "set", "remove", "exists", "migrate"])
  func callsOfOtherKeysDoNotWait(_ verb: String) async throws {
    let (log, fixture) = (SlowLog(), MigrationFixture())
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
    while log.asked == 0 { try await Task.sleep(for: .milliseconds(1)) }
    try await router.set(1, for: other)
    #expect(try await router.get(other) == 1)
    log.open()
    try await waiting.value
    #expect(try await router.get(new) == ["set": "new", "remove": nil][verb, default: "abc"])
  }
}
