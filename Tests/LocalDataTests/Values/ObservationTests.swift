import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing
import TestSupport

@_spi(Generated) @testable import LocalData

private func number(
  _ name: String = "counter", _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none
) -> StorageKey<Int> {
  StorageKey(
    name: name, domain: domain, security: security, default: 0, owner: "Tests", description: "A number.")
}

private enum ObservedCatalog: StorageKeyCatalog {
  static let plain = number("plain")
  static let sealed = number("sealed", .encryptedFileSystem(directory: .documents), .recommended)
  static let pin = number("pin", .keychain(), .keychain(accessControl: .biometryAny))
  static let note = StorageKeyFamily(name: "note_{id}", domain: .userDefaults(), security: .none)

  static func note(_ id: String) -> StorageKey<String?> { StorageKey(note, "note_\(id)", .json) }

  static var allKeys: [AnyStorageKey] { [.key(plain), .key(sealed), .key(pin)] }
  static var allFamilies: [StorageKeyFamily] { [note] }
}

/// A family whose template also fits the names of another family, and that of a key.
private enum OverlappingCatalog: StorageKeyCatalog {
  static let wide = StorageKeyFamily(name: "note_{id}", domain: .userDefaults(), security: .none)
  static let narrow = StorageKeyFamily(name: "note_draft_{id}", domain: .userDefaults(), security: .none)
  static let list = number("note_list")

  static var allKeys: [AnyStorageKey] { [.key(list)] }
  static var allFamilies: [StorageKeyFamily] { [wide, narrow] }
}

/// Each test waits for a change that must arrive. If a change is not seen, the test ends at the time limit.
@Suite(.findsHangs) struct ObservationTests {
  private let memory = MemoryStore()

  private func router(_ store: (any ValueStore)? = nil) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration()) { [memory] in StorageServices(over: store ?? memory, $0) }
  }

  @Test(arguments: addresses)
  func theCurrentValueIsFollowedByEachChange(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
    let (router, key) = (router(), number("counter", domain, security))
    var values = router.values(of: key).makeAsyncIterator()
    #expect(try await values.next() == 0)
    try await router.set(1, for: key)
    #expect(try await values.next() == 1)
    try await router.update(key) { $0 += 1 }
    #expect(try await values.next() == 2)
    try await router.remove(key)
    #expect(try await values.next() == 0)
    var later = router.values(of: key).makeAsyncIterator()
    try await router.set(3, for: key)
    #expect(try await later.next() == 3)
    #expect(try await values.next() == 3)
  }

  @Test func aSlowConsumerGetsTheLatestAndNoValueTwice() async throws {
    let (router, key) = (router(), number())
    var values = router.values(of: key).makeAsyncIterator()
    #expect(try await values.next() == 0)
    for value in 1...300 { try await router.set(value, for: key) }
    #expect(try await values.next() == 300)
    // Neither the same value again nor another key is a change.
    try await router.set(300, for: key)
    try await router.set(1, for: number("other"))
    try await router.set(301, for: key)
    #expect(try await values.next() == 301)
  }

  @Test func aChangeWithoutAwaitIsSeen() async throws {
    let (router, key) = (router(), number())
    var values = router.values(of: key).makeAsyncIterator()
    #expect(try await values.next() == 0)
    try router.setValue(1, for: key)
    #expect(try await values.next() == 1)
  }

  @Test func anErrorIsThrownAndTheNextChangeIsSeen() async throws {
    let store = FaultInjectingStore(memory)
    let (router, key) = (router(store), number())
    var values = router.values(of: key).makeAsyncIterator()
    store.fail(with: .locked) { $0.operation == .read }
    do {
      _ = try await values.next()
      Issue.record("no error was thrown")
    } catch { #expect(error as? StorageError == StorageError(.locked, .init(key: "counter", domain: .userDefaults))) }
    store.succeed()
    try await router.set(1, for: key)
    #expect(try await values.next() == 1)
  }

  @Test func theSequenceEndsWithItsTask() async throws {
    let (router, key) = (router(), number())
    let task = Task {
      var seen: [Int] = []
      for try await value in router.values(of: key) { seen.append(value) }
      return seen
    }
    task.cancel()
    let seen = try await task.value
    #expect(seen.count <= 1)
  }

  @Test func theChangedKeysOfACatalogAreReturned() async throws {
    let router = router()
    try router.registerCatalog(ObservedCatalog.self)
    try await router.set("old", for: ObservedCatalog.note("old"))
    let (changed, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      for try await key in router.changes(in: ObservedCatalog.self) { continuation.yield(key.name) }
    }
    var names = changed.makeAsyncIterator()
    // Until the first change is seen, the observation may not have begun.
    let first = Task {
      var value = 0
      while !Task.isCancelled {
        value += 1
        try await router.set(value, for: ObservedCatalog.plain)
        // Nothing in memory waits, so that without a pause the observation may never get a thread.
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    #expect(await names.next() == "plain")
    first.cancel()
    _ = await first.result
    try await router.set(1, for: ObservedCatalog.sealed)
    try await router.set(1, for: ObservedCatalog.pin)
    try await router.set("new", for: ObservedCatalog.note("new"))
    try await router.remove(ObservedCatalog.note("old"))
    var seen: Set<String> = []
    while seen.count < 4 {
      let name = try #require(await names.next())
      if name != "plain" { seen.insert(name) }
    }
    #expect(seen == ["sealed", "pin", "note_new", "note_old"])
    task.cancel()
  }

  /// A member that is gone is found by what was stored before.
  @Test func aRemovedMemberIsOneOfItsOwnFamily() async throws {
    let (router, changed, removed) = (router(), Lock(0), Lock<[String]>([]))
    try router.registerCatalog(OverlappingCatalog.self)
    let (draft, list) = (StorageKey<String?>(OverlappingCatalog.narrow, "note_draft_1", .json), OverlappingCatalog.list)
    try await router.set("a", for: draft)
    let task = Task {
      for try await key in router.changes(in: OverlappingCatalog.self) {
        if key.name == draft.name { removed.withLock { $0.append("\(key)") } } else { changed.withLock { $0 += 1 } }
      }
    }
    // Until the first change is seen, the observation may not have begun.
    while changed.withLock({ $0 == 0 }) {
      try await router.update(list) { $0 += 1 }
      try await Task.sleep(for: .milliseconds(1))
    }
    try await router.remove(draft)
    while removed.withLock({ $0.isEmpty }) { await Task.yield() }
    #expect(removed.withLock(\.self) == ["'note_draft_{id}' in userDefaults"])
    task.cancel()
  }

  /// The store is busy when the change is looked at, and nothing changes afterwards.
  @Test func aChangeThatCannotBeReadAtOnceIsReturnedLater() async throws {
    let store = FaultInjectingStore(memory)
    let (router, key) = (router(store), ObservedCatalog.sealed)
    try router.registerCatalog(ObservedCatalog.self)
    let next = Task {
      for try await changed in router.changes(in: ObservedCatalog.self) { return changed.name }
      return "nothing"
    }
    func looks() -> Int { store.calls.count { $0.operation == .read && $0.address?.name == key.name } }
    // The observation has begun when it has looked at the value once.
    while looks() == 0 { try await Task.sleep(for: .milliseconds(1)) }
    store.fail(with: .busy) { $0.operation == .read && $0.address?.name == key.name }
    let before = looks()
    try await router.set(1, for: key)
    while looks() == before { try await Task.sleep(for: .milliseconds(1)) }
    store.succeed()
    #expect(try await next.value == key.name)
  }
}
