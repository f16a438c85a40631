import LocalData
import SmallFoundation

/// A store of the records of versions: one for the app, one for each app group.
protocol SyncRecordStore: Sendable {
  /// Returns true if there is a record. Costs one system call at most.
  func isKept(_ keyset: KeysetID) -> Bool

  /// Passes the record to `body`.
  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncRecord) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result

  /// Changes the record while no other process does.
  ///
  /// - Parameter isDurable: Whether the change must survive a loss of power. It survives a killed process in any case.
  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncRecord) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result

  /// Puts a new record in the place of one that cannot be read. Returns false if it can be read after all.
  func setAside(_ keyset: KeysetID) throws(StorageProblem) -> Bool
}

/// Keeps the records of a configuration.
final class SyncRecordKeeper: Sendable {
  let records: any SyncRecordStore

  init(_ records: any SyncRecordStore) { self.records = records }

  /// Creates the records in a storage.
  convenience init(in storage: FeatureStorage) {
    if let locations = storage.locations {
      self.init(SyncRecordLogs { (keyset) throws(StorageProblem) in try locations.get().syncFolder(of: keyset) })
    } else {
      self.init(SyncRecordLogs())
    }
  }
}

/// Records as append-only logs, each in a separate folder, or all in memory.
struct SyncRecordLogs: SyncRecordStore {
  /// Returns the folder of a record. `nil` if the records are in memory.
  private let folder: (@Sendable (KeysetID) throws(StorageProblem) -> FolderLocation)?
  private let patience: Duration
  /// Each log caches the records that it has read.
  private let logs = Lock<[KeysetID: AppendOnlyLog<SyncRecord>]>([:])

  static let name = "versions"
  static let damagedSuffix = ".damaged"
  /// If a backup contained the record, a restore would bring back versions that other values have got since.
  private static let protection = FileProtection(isComplete: false, isBackedUp: false)

  /// Waits for the record's lock for two seconds at most: a set does not fail if it is not recorded.
  init(
    patience: Duration = .seconds(2),
    in folder: (@Sendable (KeysetID) throws(StorageProblem) -> FolderLocation)? = nil
  ) {
    self.folder = folder
    self.patience = patience
  }

  func isKept(_ keyset: KeysetID) -> Bool {
    do throws(StorageProblem) { return try log(of: keyset).exists } catch { return false }
  }

  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncRecord) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try log(of: keyset).read(body)
  }

  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncRecord) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try log(of: keyset).change(isDurable: isDurable) { (record, lines) throws(StorageProblem) in
      let result = try body(&record)
      lines = record.takeChanges()
      return result
    }
  }

  func setAside(_ keyset: KeysetID) throws(StorageProblem) -> Bool {
    try log(of: keyset).setAside(with: Self.damagedSuffix) { SyncRecord.fresh() }
  }

  private func log(of keyset: KeysetID) throws(StorageProblem) -> AppendOnlyLog<SyncRecord> {
    if let known = logs.withLock({ $0[keyset] }) { return known }
    let folder = try folder?(keyset)
    let made = AppendOnlyLog<SyncRecord>(
      folder.map { FileLocation(folder: $0, name: Self.name) }, protection: Self.protection, patience: patience,
      empty: SyncRecord.fresh)
    return logs.withLock { logs in
      logs[keyset] = logs[keyset] ?? made
      return logs[keyset] ?? made
    }
  }
}
