import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Overlapping calls on one key: the second waits until the first has ended, wherever that is blocked.
///
/// The time limit ends a deadlock. It is far longer than the calls, because all tests begin at once. The tests of this
/// suite run one after another: each blocks a thread that others wait for.
@Suite(.serialized, .findsHangs) struct TurnTests {
  /// A store whose first call on one value is blocked until the test lets it go on.
  private final class BlockedStore: ForwardingStore {
    let base: any ValueStore = MemoryStore()
    let entered = AsyncStream<Void>.makeStream()
    private let gate = DispatchSemaphore(value: 0)
    private let calls = Lock(0)

    /// The calls on the value so far.
    var count: Int { calls.withLock(\.self) }

    func goOn() { gate.signal() }

    private func enter(_ address: StorageAddress) throws(StorageProblem) {
      try CallDeadline.requireWaiting()
      guard address.name == "blocked" else { return }
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      guard isFirst else { return }
      entered.continuation.yield()
      gate.wait()
    }

    func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      try enter(address)
      return try base.read(address, attributes)
    }

    func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
      try enter(address)
      return try base.exists(address, attributes)
    }

    func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      try enter(address)
      try base.write(bytes, to: address, attributes)
    }

    func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      try enter(address)
      try base.remove(address, attributes)
    }

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try enter(address)
      try base.update(address, attributes, change)
    }
  }

  struct Verb: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var call: @Sendable (StorageRouter, StorageKey<Int?>) async throws -> Void
  }

  static let verbs: [Verb] = [
    Verb(testDescription: "get") { _ = try await $0.get($1) },
    Verb(testDescription: "set") { try await $0.set(1, for: $1) },
    Verb(testDescription: "update") { _ = try await $0.update($1) { $0 = ($0 ?? 0) + 1 } },
    Verb(testDescription: "remove") { try await $0.remove($1) },
    Verb(testDescription: "exists") { _ = try await $0.exists($1) },
  ]

  /// Each verb before and after another one.
  static let pairs = zip(verbs, verbs.dropFirst() + verbs.prefix(1)).map { ($0, $1) } + verbs.map { ($0, $0) }

  /// A pause that is long enough for a call that does not wait to reach the store.
  private static let pause = Duration.milliseconds(200)

  @Test(arguments: pairs) func theSecondWaitsWhileTheFirstIsInTheStore(_ first: Verb, _ second: Verb)
    async throws
  {
    let store = BlockedStore()
    let router = StorageRouter(configuration: StorageConfiguration()) { StorageServices(over: store, $0) }
    let key = key("blocked", Int.self)
    async let one: Void = first.call(router, key)
    for await _ in store.entered.stream { break }
    async let two: Void = second.call(router, key)
    // Another key is not held up.
    try await router.set(7, for: LocalDataTests.key("free", Int.self))
    try await Task.sleep(for: Self.pause)
    #expect(store.count == 1)
    store.goOn()
    _ = try await (one, two)
    #expect(store.count > 1)
  }

  /// Two calls take effect in the order in which they were made, so that no update is lost.
  @Test func updatesAreServedOneAfterAnother() async throws {
    let store = BlockedStore()
    let router = StorageRouter(configuration: StorageConfiguration()) { StorageServices(over: store, $0) }
    let key = key("blocked", Int.self)
    async let one = router.update(key) { $0 = ($0 ?? 0) + 1 }
    for await _ in store.entered.stream { break }
    async let two = router.update(key) { $0 = ($0 ?? 0) * 10 }
    try await Task.sleep(for: Self.pause)
    store.goOn()
    #expect(try await one == 1)
    #expect(try await two == 10)
    #expect(try await router.get(key) == 10)
  }
}
