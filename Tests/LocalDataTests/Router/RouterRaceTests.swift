import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Tests of a router while other processes use the same stores.
@Suite struct RouterRaceTests {
  private func number(_ domain: StorageDomain, _ security: SecurityPolicy = .none) -> StorageKey<Int> {
    StorageKey<Int>(
      name: "n", domain: domain, security: security, default: 0, owner: "Tests", description: "A number.")
  }

  #if os(Linux)
    @Test func whoWaitsForAnotherProcessHoldsUpNobodyElse() async throws {
      let fixture = try StoreFixture()
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      let (preference, file) = (number(.userDefaults()), number(.fileSystem(directory: .documents)))
      try await router.set(1, for: preference)

      let lock = open(fixture.path("data/preferences/.standard.db.lock"), O_RDWR | O_CLOEXEC)
      let gate = open(fixture.path("data/preferences/.standard.db.gate"), O_RDWR | O_CLOEXEC)
      defer { for file in [lock, gate] { close(file) } }
      try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
      async let waiting: Void = router.set(2, for: preference)
      // Who waits for the lock holds the gate.
      while flock(gate, LOCK_EX | LOCK_NB) == 0 {
        flock(gate, LOCK_UN)
        try await Task.sleep(for: .milliseconds(1))
      }
      try await router.set(3, for: file)
      #expect(try await router.get(file) == 3)
      flock(lock, LOCK_UN)
      try await waiting
      #expect(try await router.get(preference) == 2)
    }
  #endif

  /// A store that calls `change` again, as a store does if its compare and swap failed because another value was
  /// written in between.
  private struct OvertakenStore: ForwardingStore {
    let base: any ValueStore
    let other: Data

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      if address.name == "n" {
        _ = try change(try base.read(address, attributes))
        try base.write(other, to: address, attributes)
      }
      try base.update(address, attributes, change)
    }
  }

  @Test func anUpdateThatWasOvertakenDoesNotCountAsWritten() async throws {
    let key = number(.fileSystem(directory: .documents), .recommended)
    let elsewhere = MemoryStore()
    let other = StorageRouter(configuration: StorageConfiguration()) { StorageServices(over: elsewhere, $0) }
    try await other.set(5, for: key)
    let sealed = try #require(
      try elsewhere.read(StorageAddress(container: .directory(.documents), name: "n"), StorageAttributes()))
    let store = OvertakenStore(base: MemoryStore(), other: sealed)
    let router = StorageRouter(configuration: StorageConfiguration()) { StorageServices(over: store, $0) }
    await #expect(throws: StorageError(.authenticationFailed, .init(key: "n", domain: .fileSystem))) {
      try await router.update(key) { $0 += 1 }
    }
  }

  #if os(Linux)
    @Test(arguments: [Int.max, Int.min, -1])
    func aLimitBeyondReasonIsNoCrash(_ maxSize: Int) async throws {
      let fixture = try StoreFixture()
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      for (domain, security) in [
        (StorageDomain.userDefaults(), SecurityPolicy.none), (.keychain(), .keychain()),
        (.fileSystem(directory: .documents), .none), (.fileSystem(directory: .caches), .recommended),
      ] {
        let key = StorageKey<Data?>(
          name: String(repeating: "n", count: 300), domain: domain, security: security, serializer: .data,
          owner: "Tests", description: "Bytes.", options: StorageKeyOptions(maxSize: maxSize))
        if maxSize < 0 {
          await #expect(throws: StorageError.self) { try await router.set(Data([1]), for: key) }
        } else {
          try await router.set(Data([1]), for: key)
          #expect(try await router.get(key) == Data([1]))
        }
      }
    }
  #endif
}
