import Foundation
import StorageVocabulary

/// The store of one call on a synced key: every change that goes through it gets a version, recorded before the value is
/// touched.
struct VersionedStore: ValueStore {
  let base: any ValueStore
  let records: any SyncRecordStore
  let keyset: KeysetID
  let ticket: SyncTicket
  var mayWait = true

  /// A look at a value waits for nothing that the store itself does not wait for; the record of a change is a file.
  var withoutWaiting: (any ValueStore)? {
    base.withoutWaiting.map {
      VersionedStore(base: $0, records: records, keyset: keyset, ticket: ticket, mayWait: false)
    }
  }

  func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
    try base.read(place, attributes)
  }

  func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
    try base.exists(place, attributes)
  }

  func write(
    _ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes
  ) throws(StorageFault) {
    try locked { (open) throws(StorageFault) in
      try begin(open, isPresent: try base.exists(place, attributes), isRemoval: false)
      try base.write(bytes, to: place, attributes)
    }
  }

  func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
    try locked { (open) throws(StorageFault) in
      try begin(open, isPresent: try base.exists(place, attributes), isRemoval: true)
      try base.remove(place, attributes)
    }
  }

  func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {
    // The user is asked before the record is locked. The read inside uses the same authentication.
    if mayWait, attributes.accessControl != nil { _ = try base.read(place, attributes) }
    try locked { (open) throws(StorageFault) in
      try base.update(place, attributes) { (stored) throws(StorageFault) in
        let change = try change(stored)
        switch change {
        case .keep: break
        case .write: try begin(open, isPresent: stored != nil, isRemoval: false)
        case .remove: try begin(open, isPresent: stored != nil, isRemoval: true)
        }
        return change
      }
    }
  }

  func scan(
    _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    try base.scan(container, upTo: limit, visit)
  }

  func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    try base.names(in: container, visit)
  }

  func makeDurable(_ container: StorageContainer) throws(StorageFault) { try base.makeDurable(container) }

  func purge(_ container: StorageContainer) throws(StorageFault) { try base.purge(container) }

  var removesAtNextLaunch: Bool { base.removesAtNextLaunch }

  private func locked(_ body: (OpenSyncRecord) throws(StorageFault) -> Void) throws(StorageFault) {
    guard mayWait else { throw .busy }
    try records.locked(keyset, body)
  }

  private func begin(_ open: OpenSyncRecord, isPresent: Bool, isRemoval: Bool) throws(StorageFault) {
    let stamp = open.record.begin(ticket.key, isPresent: isPresent, isRemoval: isRemoval)
    if stamp != nil { try open.save() }
    ticket.stamp = stamp
  }
}

/// One call on a synced key, and the version that its change was given.
final class SyncTicket: Sendable {
  let key: SyncKey
  let policy: SyncPolicy
  private let given = Lock<SyncStamp?>(nil)

  init(_ key: SyncKey, _ policy: SyncPolicy) {
    self.key = key
    self.policy = policy
  }

  /// `nil` where the call has changed nothing that is sent.
  var stamp: SyncStamp? {
    get { given.withLock { $0 } }
    set { given.withLock { $0 = newValue } }
  }
}
