import LocalData
import SmallFoundation

/// A store of the records of versions: one for the app, one for each app group.
protocol SyncRecordStore: Sendable {
  /// Returns true if there is a record. Costs one system call at most.
  func isKept(_ keyset: KeysetID) -> Bool

  /// Passes the record to `body`.
  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result

  /// Changes the record while no other process does.
  ///
  /// - Parameter isDurable: Whether the change must survive a loss of power. It survives a killed process in any case.
  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result

  /// Puts a new record in the place of one that cannot be read. Returns false if it can be read after all.
  func setAside(_ keyset: KeysetID) throws(StorageFault) -> Bool
}

/// Keeps the records of a configuration.
final class SyncRecordKeeper: Sendable {
  let records: any SyncRecordStore

  init(_ records: any SyncRecordStore) { self.records = records }

  /// Creates the records in a storage.
  convenience init(in storage: FeatureStorage) {
    if let locations = storage.locations {
      self.init(SyncRecordFiles { (keyset) throws(StorageFault) in try locations.get().syncFolder(of: keyset) })
    } else {
      self.init(MemorySyncRecords())
    }
  }
}

/// Records in memory, for tests and previews.
struct MemorySyncRecords: SyncRecordStore {
  /// `Lock` does not allow a closure of the caller under it.
  private let turn = NSLock()
  private let records: Lock<[KeysetID: SyncRecord]>

  init(_ records: [KeysetID: SyncRecord] = [:]) { self.records = Lock(records) }

  var all: [KeysetID: SyncRecord] { turn.withLock { records.withLock { $0 } } }

  func isKept(_ keyset: KeysetID) -> Bool { turn.withLock { records.withLock { $0[keyset] != nil } } }

  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    // A change takes the record out.
    try body(turn.withLock { records.withLock { $0[keyset] } } ?? .fresh())
  }

  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    turn.lock()
    defer { turn.unlock() }
    // Taken out, so that it is changed in place.
    let known = records.withLock { $0.removeValue(forKey: keyset) }
    var record = known ?? .fresh()
    do throws(StorageFault) {
      let result = try body(&record)
      _ = record.takeChanges()
      records.withLock { [record] in $0[keyset] = record }
      return result
    } catch {
      records.withLock { $0[keyset] = known }
      throw error
    }
  }

  func setAside(_ keyset: KeysetID) throws(StorageFault) -> Bool { false }
}

/// Records that are stored as append-only logs, each in a separate folder.
struct SyncRecordFiles: SyncRecordStore {
  private let folder: @Sendable (KeysetID) throws(StorageFault) -> FolderLocation
  private let patience: Duration
  /// Each log caches the records that it has read.
  private let kept = Lock<[KeysetID: Kept]>([:])

  private struct Kept: Sendable {
    let log: AppendOnlyLog<SyncRecord>
    /// The path of the folder with the record. A device that takes no part in sync has none.
    let folder: String
  }

  static let name = "versions"
  static let damagedName = "versions.damaged"
  private static let largestFile = 64 << 20
  /// If a backup contained the record, a restore would bring back versions that other values have got since.
  private static let protection = FileProtection(isComplete: false, isBackedUp: false)

  /// Waits for the record's lock for two seconds at most: a set does not fail if it is not recorded.
  init(
    patience: Duration = .seconds(2),
    in folder: @escaping @Sendable (KeysetID) throws(StorageFault) -> FolderLocation
  ) {
    self.folder = folder
    self.patience = patience
  }

  func isKept(_ keyset: KeysetID) -> Bool {
    do throws(StorageFault) {
      let kept = try record(of: keyset)
      guard FileStamp(path: kept.folder) != nil else { return false }
      return kept.log.exists
    } catch {
      return false
    }
  }

  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    try log(of: keyset).read(body)
  }

  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    try log(of: keyset).change(isDurable: isDurable) { (record, lines) throws(StorageFault) in
      let result = try body(&record)
      lines = record.takeChanges()
      return result
    }
  }

  func setAside(_ keyset: KeysetID) throws(StorageFault) -> Bool {
    try log(of: keyset).setAside(as: Self.damagedName) { SyncRecord.fresh() }
  }

  private func log(of keyset: KeysetID) throws(StorageFault) -> AppendOnlyLog<SyncRecord> { try record(of: keyset).log }

  private func record(of keyset: KeysetID) throws(StorageFault) -> Kept {
    if let known = kept.withLock({ $0[keyset] }) { return known }
    let folder = try folder(keyset)
    let log = AppendOnlyLog<SyncRecord>(
      FileLocation(folder: folder, name: Self.name), SyncRecord.format, protection: Self.protection,
      largestFile: Self.largestFile, patience: patience, empty: SyncRecord.fresh)
    let made = Kept(log: log, folder: folder.path)
    return kept.withLock { kept in
      kept[keyset] = kept[keyset] ?? made
      return kept[keyset] ?? made
    }
  }
}
