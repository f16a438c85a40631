import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// An update changes its value in place, or not at all.
@Suite struct UpdateTests {
  private struct Journal: Codable, Sendable, Hashable {
    var entries: [String] = []
  }

  private struct TooExpensive: Error, Equatable {}

  private let router = StorageRouter.inMemory()

  private let balance = StorageKey<Int>(
    name: "balance", domain: .userDefaults(), security: .none, default: 10, owner: "Tests", description: "A number.")
  private let journal = StorageKey<Journal?>(
    name: "journal", domain: .fileSystem(directory: .documents), owner: "Tests", description: "Sealed entries.")

  @Test func aValueIsChangedInPlace() async throws {
    #expect(try await router.update(balance) { $0 += 1 } == 11)
    try await router.set(Journal(), for: journal)
    try await router.update(journal) { $0?.entries.append("x") }
    #expect(try await router.get(journal)?.entries == ["x"])
    #expect(try await router.update(journal) { $0 = nil } == nil)
    #expect(try await router.exists(journal) == false)
  }

  @Test func aChangeThatThrowsAbandonsTheUpdate() async throws {
    func pay(_ price: Int) async throws {
      try await router.update(balance) { balance in
        balance -= price
        guard balance >= 0 else { throw TooExpensive() }
      }
    }
    try await pay(4)
    await #expect(throws: TooExpensive()) { try await pay(40) }
    #expect(try await router.get(balance) == 6)
  }

  @Test func anAbandonedUpdateOfAnAbsentValueStoresNothing() async throws {
    await #expect(throws: TooExpensive()) {
      try await router.update(journal) { journal in
        journal = Journal(entries: ["x"])
        throw TooExpensive()
      }
    }
    #expect(try await router.exists(journal) == false)
  }

  /// The change has the lock of the store. A call that needs the lock too would wait for itself.
  @Test(.findsHangs, arguments: [true, false])
  func aCallWithinAChangeIsRefusedAtOnce(isInMemory: Bool) async throws {
    let app = try RelaunchedApp()
    let router = isInMemory ? StorageRouter.inMemory() : app.launch()
    let other = StorageKey<Int>(
      name: "other", domain: .userDefaults(), security: .none, default: 1, owner: "Tests", description: "A number.")
    if !isInMemory { try router.register([AnyStorageKey(balance), AnyStorageKey(other)]) }
    try await router.set(5, for: balance)
    await #expect(throws: StorageError(.reentrantCall, .init(key: "other", domain: .userDefaults))) {
      try await router.update(balance) { balance in
        balance += 1
        #expect(try router.value(other) == 1)
        try router.setValue(2, for: other)
      }
    }
    #expect(try await router.get(balance) == 5)
    try await router.update(balance) { $0 += 1 }
    try router.setValue(2, for: other)
    #expect(try await router.get(balance) == 6)
  }

  @Test func anAbandonedUpdateThroughTheProtocolStoresNothingEither() async throws {
    let storage: any StorageProviding = router
    await #expect(throws: TooExpensive()) { try await storage.update(balance) { _ in throw TooExpensive() } }
    try await storage.update(balance) { $0 *= 2 }
    try await storage.set("plain", for: .note)
    #expect(try await storage.get(balance) == 20)
    #expect(try await storage.get(.note) == "plain")
  }
}

extension StorageKey where Value == String? {
  fileprivate static var note: StorageKey<String?> {
    StorageKey<String?>(name: "note", domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.")
  }
}
