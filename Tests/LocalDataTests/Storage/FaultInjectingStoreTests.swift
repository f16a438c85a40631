import Foundation
import LocalData
import LocalDataTesting
import Testing

@Suite struct FaultInjectingStoreTests {
  private let memory = MemoryStore()
  private let attributes = StorageAttributes()
  private let place = StoragePlace.preference("a")

  @Test func theChosenCallFailsAndChangesNothing() throws {
    let store = FaultInjectingStore(memory)
    store.fail(call: 2, with: .outOfSpace)
    try store.write(Data([1]), to: place, attributes)
    #expect(throws: StorageFault.outOfSpace) { try store.write(Data([2]), to: place, attributes) }
    #expect(try memory.read(place, attributes) == Data([1]))
    try store.write(Data([3]), to: place, attributes)
    #expect(try store.read(place, attributes) == Data([3]))
    #expect(store.count(of: .write) == 3)
    #expect(store.calls.map(\.operation) == [.write, .write, .write, .read])
    #expect(store.calls.map(\.number) == [1, 2, 3, 4])
  }

  @Test(arguments: FaultInjectingStore.Operation.allCases) func everyOperationCanFail(
    _ operation: FaultInjectingStore.Operation
  ) throws {
    let store = FaultInjectingStore(memory)
    store.fail(with: .locked) { $0.operation == operation }
    func outcome(_ body: () throws -> Void) -> StorageFault? {
      do { try body() } catch { return error as? StorageFault }
      return nil
    }
    let outcomes: [FaultInjectingStore.Operation: StorageFault?] = [
      .read: outcome { _ = try store.read(place, attributes) },
      .exists: outcome { _ = try store.exists(place, attributes) },
      .write: outcome { try store.write(Data(), to: place, attributes) },
      .remove: outcome { try store.remove(place, attributes) },
      .update: outcome { try store.update(place, attributes) { _ in .keep } },
      .scan: outcome { try store.scan(place.container) { _ in true } },
    ]
    for (each, fault) in outcomes { #expect(fault == (each == operation ? .locked : nil), "\(each)") }
    store.succeed()
    _ = try store.read(place, attributes)
  }

  /// A predicate sees the place.
  @Test func aPlaceCanFail() throws {
    let store = FaultInjectingStore(memory)
    let place = place
    store.fail(with: .corrupted) { $0.place == place }
    #expect(throws: StorageFault.corrupted) { try store.read(place, attributes) }
    #expect(try store.read(.preference("b"), attributes) == nil)
  }

  /// It is a store like any other while nothing is to fail.
  @Test(arguments: ValueStoreContract.clauses) func contract(_ clause: ValueStoreContract.Clause) throws {
    try clause.check(FaultInjectingStore(MemoryStore()), .directory(.caches))
  }

  @Test func theClockStandsUntilItIsMoved() {
    let clock = ControllableClock()
    let start = clock.now
    #expect(clock.now == start)
    clock.advance(by: 60)
    #expect(clock.now == start + 60)
    clock.now = start
    #expect(clock.now == start)
  }
}

/// The contract notices stores that break it.
@Suite struct ValueStoreContractBiteTests {
  /// A store with one fault of its own.
  private struct Broken: ValueStore {
    enum Fault: CaseIterable, Sendable {
      case forgetsEmptyValues, foldsCase, losesUpdates, ignoresLimit, keepsAfterRemoval, scansRemoved, writesOnThrow
    }

    let fault: Fault
    let base = MemoryStore()
    var mayBlock: Bool { false }

    private func place(_ place: StoragePlace) -> StoragePlace {
      fault == .foldsCase ? StoragePlace(container: place.container, name: place.name.lowercased()) : place
    }

    func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      var attributes = attributes
      if fault == .ignoresLimit { attributes.maxStoredSize = .max }
      let bytes = try base.read(self.place(place), attributes)
      return fault == .forgetsEmptyValues && bytes?.isEmpty == true ? nil : bytes
    }

    func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
      try base.exists(self.place(place), attributes)
    }

    func write(_ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
      try base.write(bytes, to: self.place(place), attributes)
    }

    func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
      if fault != .keepsAfterRemoval { try base.remove(self.place(place), attributes) }
    }

    func update(
      _ place: StoragePlace, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) {
      if fault == .writesOnThrow { try base.write(Data(), to: place, attributes) }
      guard fault == .losesUpdates else { return try base.update(self.place(place), attributes, change) }
      let old = try base.read(place, attributes)
      usleep(100)
      switch try change(old) {
      case .keep: break
      case .write(let bytes): try base.write(bytes, to: place, attributes)
      case .remove: try base.remove(place, attributes)
      }
    }

    func scan(
      _ container: StorageContainer, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      try base.scan(container, visit)
      if fault == .scansRemoved { _ = try visit(Data([9])) }
    }
  }

  @Test(arguments: Broken.Fault.allCases) private func notices(_ fault: Broken.Fault) {
    let failures = ValueStoreContract.clauses.filter { clause in
      do {
        try clause.check(Broken(fault: fault), .directory(.caches))
        return false
      } catch { return true }
    }
    #expect(!failures.isEmpty)
  }
}
