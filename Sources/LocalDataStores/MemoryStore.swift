package import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// A store that keeps all containers in memory, for tests and previews.
package final class MemoryStore: TransactingStore {
  /// Held while the closure of a caller runs, which `Lock` does not allow.
  private let turns: ThreadTurns
  private let values: Lock<[StorageAddress: Entry]>
  private let changes: ChangeHub
  private let clock: any StorageClock

  private struct Entry: Sendable {
    let bytes: Data
    let writtenAt: Date
  }

  package init(clock: any StorageClock = SystemClock()) {
    turns = ThreadTurns()
    values = Lock([:])
    changes = ChangeHub()
    self.clock = clock
  }

  /// Creates another view of a store, with another clock.
  package init(sharing store: MemoryStore, clock: any StorageClock) {
    turns = store.turns
    values = store.values
    changes = store.changes
    self.clock = clock
  }

  /// All stored values, in no particular order.
  package var entries: [(address: StorageAddress, bytes: Data)] {
    values.withLock { $0 }.map { (address: $0, bytes: $1.bytes) }
  }

  package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    let bytes = values.withLock { $0[address]?.bytes }
    if let bytes, bytes.count > attributes.maxStoredSize { throw .valueTooLarge(limit: attributes.maxStoredSize) }
    return bytes
  }

  package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    values.withLock { $0[address] != nil }
  }

  package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
    address.container.hasTimes ? values.withLock { $0[address]?.writtenAt } : nil
  }

  package func write(
    _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
  ) throws(StorageProblem) {
    try update(address) { () throws(StorageProblem) in .write(bytes) }
  }

  package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try update(address) { () throws(StorageProblem) in .remove }
  }

  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try update(address) { () throws(StorageProblem) in try change(try read(address, attributes)) }
  }

  private func update(
    _ address: StorageAddress, _ change: () throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    guard !address.name.isEmpty || address.container.store == .keychain else { throw .invalidName }
    let isChanged = try inTurn { () throws(StorageProblem) in apply([(address, try change())]) }
    if isChanged { changes.publishChange(at: address) }
  }

  package func updateAll(
    _ items: [StorageItem], in container: StorageContainer,
    _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
  ) throws(StorageProblem) {
    let isChanged = try inTurn { () throws(StorageProblem) in
      var stored: [Data?] = []
      for item in items { stored.append(try read(item.address, item.attributes)) }
      return apply(Array(zip(items.map(\.address), try change(stored) ?? [])))
    }
    if isChanged { changes.publishChange(in: container) }
  }

  private func inTurn(_ body: () throws(StorageProblem) -> Bool) throws(StorageProblem) -> Bool {
    try turns.take(until: CallDeadline.endOfWait(of: CallDeadline.ordinaryPatience))
    defer { turns.end() }
    return try body()
  }

  /// Makes all changes in one step. Returns true if there are any.
  private func apply(_ changes: [(address: StorageAddress, change: StorageChange)]) -> Bool {
    let now = clock.now
    return values.withLock { values in
      var isChanged = false
      for (address, change) in changes {
        switch change {
        case .keep: continue
        case .write(let bytes): values[address] = Entry(bytes: bytes, writtenAt: now)
        case .remove: values[address] = nil
        }
        isChanged = true
      }
      return isChanged
    }
  }

  /// Routers that share a store read each other's changes, like processes that share a disk.
  package func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageProblem) -> (any Sendable)? {
    changes.listen(to: container) { changed in
      if changed == nil || name == nil || changed == name { onChange() }
    }
  }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    let found = values.withLock { values in values.keys.filter { $0.container == container }.map(\.name) }
    for name in found where try !visit(name) { return }
  }

  package func makeDurable(_ container: StorageContainer) throws(StorageProblem) {}

  package func purge(_ container: StorageContainer) throws(StorageProblem) {}

  package var removesAtNextLaunch: Bool { false }
}

extension StorageContainer {
  /// A Boolean value that indicates whether the real store has the time at which a value was written. UserDefaults on Apple's
  /// platforms has none.
  fileprivate var hasTimes: Bool {
    #if os(Linux)
      true
    #else
      store != .preferences
    #endif
  }
}
