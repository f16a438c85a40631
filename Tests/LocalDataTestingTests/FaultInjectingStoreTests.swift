import Foundation
import LocalData
import LocalDataTesting
import RuntimeTestSupport
import Testing

@Suite struct FaultInjectingStoreTests {
  private let memory = MemoryStore()
  private let attributes = StorageAttributes()
  private let address = StorageAddress.preference("a")

  @Test func theChosenCallFailsAndChangesNothing() throws {
    let store = FaultInjectingStore(memory)
    store.fail(call: 2, with: .outOfSpace)
    try store.write(Data([1]), to: address, attributes)
    #expect(throws: StorageProblem.outOfSpace) { try store.write(Data([2]), to: address, attributes) }
    #expect(try memory.read(address, attributes) == Data([1]))
    try store.write(Data([3]), to: address, attributes)
    #expect(try store.read(address, attributes) == Data([3]))
    #expect(store.count(of: .write) == 3)
    #expect(store.calls.map(\.operation) == [.write, .write, .write, .read])
    #expect(store.calls.map(\.number) == [1, 2, 3, 4])
  }

  @Test(arguments: FaultInjectingStore.Operation.allCases) func everyOperationCanFail(
    _ operation: FaultInjectingStore.Operation
  ) throws {
    let store = FaultInjectingStore(memory)
    store.fail(with: .locked) { $0.operation == operation }
    func outcome(_ body: () throws -> Void) -> StorageProblem? {
      do { try body() } catch { return error as? StorageProblem }
      return nil
    }
    let outcomes: [FaultInjectingStore.Operation: StorageProblem?] = [
      .read: outcome { _ = try store.read(address, attributes) },
      .exists: outcome { _ = try store.exists(address, attributes) },
      .write: outcome { try store.write(Data(), to: address, attributes) },
      .remove: outcome { try store.remove(address, attributes) },
      .update: outcome { try store.update(address, attributes) { _ in .keep } },
      .names: outcome { try store.names(in: address.container) { _ in true } },
      .makeDurable: outcome { try store.makeDurable(address.container) },
      .purge: outcome { try store.purge(address.container) },
    ]
    for (each, fault) in outcomes { #expect(fault == (each == operation ? .locked : nil), "\(each)") }
    store.succeed()
    _ = try store.read(address, attributes)
  }

  /// A predicate sees the place.
  @Test func aPlaceCanFail() throws {
    let store = FaultInjectingStore(memory)
    let address = address
    store.fail(with: .corrupted) { $0.address == address }
    #expect(throws: StorageProblem.corrupted) { try store.read(address, attributes) }
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
