package import SmallFoundation
import StorageStores

/// The values that were moved aside in memory.
package final class QuarantineMemory: Sendable {
  private struct Entry: Sendable {
    let address: StorageAddress
    let name: String
    var stored: Data
    var date = Date()

    var copy: QuarantinedCopy {
      QuarantinedCopy(
        address: address, name: name, beginning: stored.prefix(StoredValue.beginning), size: stored.count, date: date)
    }
  }

  /// The lock must be one under which a store can be called, which `Lock` does not allow.
  private let turn = NSLock()
  private let entries = Lock<[Entry]>([])

  package init() {}

  func move(_ value: SetAsideValue, _ plan: KeyPlan, from store: any ValueStore) throws(StorageFault) -> Bool {
    turn.lock()
    defer { turn.unlock() }
    let count = entries.withLock { entries in entries.count { KeysetID(of: $0.address.container) == plan.keyset } }
    guard count < Quarantine.limit else { throw .quarantineFull }
    guard try store.replace(value.stored, with: nil, at: plan.address, plan.attributes) else { return false }
    let entry = Entry(address: value.address, name: UUID().uuidString, stored: value.stored)
    entries.withLock { $0.append(entry) }
    return true
  }

  func copies(of keyset: KeysetID) -> [QuarantinedCopy] {
    entries.withLock { entries in entries.map(\.copy).filter { KeysetID(of: $0.address.container) == keyset } }
  }

  package func stored(_ copy: QuarantinedCopy) -> Data? {
    entries.withLock { entries in entries.first { $0.name == copy.name }?.stored }
  }

  package func update(_ copy: QuarantinedCopy, _ change: (Data) throws(StorageFault) -> StorageChange)
    throws(StorageFault)
  {
    turn.lock()
    defer { turn.unlock() }
    guard let stored = stored(copy) else { return }
    let change = try change(stored)
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.name == copy.name }) else { return }
      switch change {
      case .keep: break
      case .write(let bytes): (entries[index].stored, entries[index].date) = (bytes, Date())
      case .remove: entries.remove(at: index)
      }
    }
  }

  func removeAll(where isWanted: (QuarantinedCopy) -> Bool) -> Int {
    turn.lock()
    defer { turn.unlock() }
    let names = Set(entries.withLock { entries in entries.map(\.copy) }.filter(isWanted).map(\.name))
    entries.withLock { entries in entries.removeAll { names.contains($0.name) } }
    return names.count
  }
}
