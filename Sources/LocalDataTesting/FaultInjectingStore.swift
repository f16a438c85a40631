package import Foundation
import LocalData

/// A store that records its calls and throws a fault for the calls that a test selects. The underlying store does not get
/// these calls.
///
/// ```swift
/// let store = FaultInjectingStore(MemoryStore())
/// store.fail(with: .outOfSpace) { $0.operation == .write }
/// ```
///
/// `@unchecked Sendable`: every mutable property is used only while `lock` is held.
package final class FaultInjectingStore: ValueStore, @unchecked Sendable {
  package enum Operation: String, Sendable, Hashable, CaseIterable {
    case read, exists, write, remove, update, names, makeDurable, purge
  }

  /// A call, which the predicate of a rule examines.
  package struct Call: Sendable, Hashable {
    package var operation: Operation
    /// The address of the call; `nil` if the call is for a whole container.
    package var address: StorageAddress?
    /// The number of the call; 1 for the first call since the store was created.
    package var number: Int
  }

  private let base: any ValueStore
  private let lock = NSLock()
  private var history: [Call] = []
  private var given: [StorageAttributes] = []
  private var rules: [(fault: StorageProblem, picks: @Sendable (Call) -> Bool)] = []

  package init(_ base: any ValueStore) { self.base = base }

  // MARK: What fails

  /// Makes every call fail for which `picks` returns true, until ``succeed()`` is called.
  package func fail(with fault: StorageProblem, where picks: @escaping @Sendable (Call) -> Bool) {
    lock.withLock { rules.append((fault, picks)) }
  }

  /// Makes the call with this number fail. The first call since the store was created has the number 1.
  package func fail(call number: Int, with fault: StorageProblem) { fail(with: fault) { $0.number == number } }

  /// Ends all failures.
  package func succeed() { lock.withLock { rules = [] } }

  // MARK: What happened

  /// All calls so far, including those that failed.
  package var calls: [Call] { lock.withLock { history } }

  /// The attributes of all writes and updates so far.
  package var attributes: [StorageAttributes] { lock.withLock { given } }

  package func count(of operation: Operation) -> Int { calls.count { $0.operation == operation } }

  private func enter(_ operation: Operation, _ address: StorageAddress?) throws(StorageProblem) {
    let fault: StorageProblem? = lock.withLock {
      let call = Call(operation: operation, address: address, number: history.count + 1)
      history.append(call)
      return rules.first { $0.picks(call) }?.fault
    }
    if let fault { throw fault }
  }

  // MARK: The store

  package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try enter(.read, address)
    return try base.read(address, attributes)
  }

  package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    try enter(.exists, address)
    return try base.exists(address, attributes)
  }

  package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
    try enter(.exists, address)
    return try base.modification(of: address)
  }

  package func write(
    _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
  ) throws(StorageProblem) {
    try enter(.write, address)
    lock.withLock { given.append(attributes) }
    try base.write(bytes, to: address, attributes)
  }

  package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try enter(.remove, address)
    try base.remove(address, attributes)
  }

  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try enter(.update, address)
    lock.withLock { given.append(attributes) }
    try base.update(address, attributes, change)
  }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    try enter(.names, nil)
    try base.names(in: container, visit)
  }

  package func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
    try enter(.makeDurable, nil)
    try base.makeDurable(container)
  }

  package func purge(_ container: StorageContainer) throws(StorageProblem) {
    try enter(.purge, nil)
    try base.purge(container)
  }

  package var removesAtNextLaunch: Bool { base.removesAtNextLaunch }
}
