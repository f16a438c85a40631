package import Foundation

/// Where the record of synced keys lies: one for the app, one for each app group.
package protocol SyncRecordStore: Sendable {
  /// Hands out the record with nobody else, of any process, at it. It lasts as long as `body`.
  func locked<Result>(
    _ keyset: KeysetID, _ body: (OpenSyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result
}

/// A record in somebody's hands.
package final class OpenSyncRecord {
  package var record: SyncRecord
  private let write: (Data) throws(StorageFault) -> Void

  /// The record in bytes; a new one, of a new device, where there are none.
  package init(_ bytes: Data?, write: @escaping (Data) throws(StorageFault) -> Void) throws(StorageFault) {
    record = try bytes.map { (bytes) throws(StorageFault) in try SyncRecord(bytes) } ?? SyncRecord(device: UUID())
    self.write = write
  }

  /// Keeps the record as it is now. Durable on return.
  package func save() throws(StorageFault) { try write(record.bytes) }
}

/// Records in memory: for tests and previews.
package struct MemorySyncRecords: SyncRecordStore {
  /// The lock must be one that a closure from outside may run under, which `Lock` does not allow.
  private let turn = NSLock()
  private let records = Lock<[KeysetID: Data]>([:])

  package init() {}

  package func locked<Result>(
    _ keyset: KeysetID, _ body: (OpenSyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    turn.lock()
    defer { turn.unlock() }
    let records = records
    return try body(
      try OpenSyncRecord(records.withLock { $0[keyset] }) { bytes in records.withLock { $0[keyset] = bytes } })
  }
}

/// Records as files, in a folder of their own whose lock is held meanwhile.
struct SyncRecordFiles: SyncRecordStore {
  private let folder: @Sendable (KeysetID) throws(StorageFault) -> FolderLocation
  private let patience: Duration

  private static let name = "record"
  /// Many times what a thousand keys take.
  private static let largestFile = 64 << 20
  /// A backup that held it would make a restored device count again what it had counted already.
  private static let protection = FileProtection(isComplete: false, isBackedUp: false)

  init(
    patience: Duration = FileLock.patience,
    in folder: @escaping @Sendable (KeysetID) throws(StorageFault) -> FolderLocation
  ) {
    self.folder = folder
    self.patience = patience
  }

  func locked<Result>(
    _ keyset: KeysetID, _ body: (OpenSyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    let location = try folder(keyset)
    let lock = try FileLock(in: try location.openForWriting(lock: DurableWriter.stem), named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageFault) in
      let file = FileLocation(folder: location, name: Self.name)
      let bytes = try file.read(upTo: Self.largestFile)
      let open = try OpenSyncRecord(bytes) { (bytes) throws(StorageFault) in
        guard let folder = try location.open(creating: true) else { throw .io(errno: ENOENT) }
        try DurableWriter.replace(Self.name, in: folder, with: [bytes], Self.protection)
      }
      return try body(open)
    }
  }
}
