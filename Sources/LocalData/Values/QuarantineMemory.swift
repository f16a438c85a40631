package import SmallFoundation
import StorageStores

/// The values that were moved aside in memory.
package final class QuarantineMemory: Sendable {
  package struct Entry: Sendable {
    let address: StorageAddress
    package let name: String
    package var stored: Data
    package var date = Date()

    var copy: QuarantinedCopy {
      QuarantinedCopy(
        address: address, name: name, beginning: stored.prefix(StoredValue.beginning), size: stored.count, date: date)
    }
  }

  /// Held while a store is called, which `Lock` does not allow.
  private let turn = NSLock()
  private let entries = Lock<[Entry]>([])

  package init() {}

  /// Runs `body`, which may call a store, while no other call changes the values.
  package func change<Result>(
    _ body: (inout [Entry]) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    turn.lock()
    defer { turn.unlock() }
    var changed = entries.withLock { $0 }
    let result = try body(&changed)
    entries.withLock { [changed] in $0 = changed }
    return result
  }

  func move(_ value: SetAsideValue, _ plan: KeyPlan, from store: any ValueStore) throws(StorageFault) -> Bool {
    try change { (entries) throws(StorageFault) in
      let count = entries.count { KeysetID(of: $0.address.container) == plan.keyset }
      guard count < Quarantine.limit else { throw .quarantineFull }
      guard try store.replace(value.stored, with: nil, at: plan.address, plan.attributes) else { return false }
      entries.append(Entry(address: value.address, name: UUID().uuidString, stored: value.stored))
      return true
    }
  }

  func copies(of keyset: KeysetID) -> [QuarantinedCopy] {
    entries.withLock { entries in entries.map(\.copy).filter { KeysetID(of: $0.address.container) == keyset } }
  }

  package func removeAll(where isWanted: (QuarantinedCopy) -> Bool) throws(StorageFault) -> Int {
    try change { (entries) throws(StorageFault) in
      let count = entries.count
      entries.removeAll { isWanted($0.copy) }
      return count - entries.count
    }
  }
}
