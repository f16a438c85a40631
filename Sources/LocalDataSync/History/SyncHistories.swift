import LocalData
import LocalDataFoundation

/// A store of the histories of versions: one for the app, one for each app group.
protocol SyncHistoryStore: Sendable {
  /// Returns true if there is a history. Costs one system call at most.
  func isKept(_ keyset: KeysetID) -> Bool

  /// Passes the history to `body`.
  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result

  /// Changes the history while no other process does.
  ///
  /// - Parameter isDurable: Whether the change must survive a loss of power. It survives a killed process in any case.
  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result

  /// Puts a new history in the place of one that cannot be read. Returns false if it can be read after all.
  func setAside(_ keyset: KeysetID) throws(StorageProblem) -> Bool
}

/// Keeps the histories of a configuration.
final class SyncHistoryKeeper: Sendable {
  let histories: any SyncHistoryStore

  init(_ histories: any SyncHistoryStore) { self.histories = histories }

  /// Creates the histories in a storage.
  convenience init(in storage: FeatureStorage) {
    if let locations = storage.locations {
      self.init(SyncHistoryLogs { (keyset) throws(StorageProblem) in try locations.get().syncFolder(of: keyset) })
    } else {
      self.init(SyncHistoryLogs())
    }
  }
}

/// Histories as append-only logs, each in a separate folder, or all in memory.
struct SyncHistoryLogs: SyncHistoryStore {
  /// Returns the folder of a history. `nil` if the histories are in memory.
  private let folder: (@Sendable (KeysetID) throws(StorageProblem) -> FolderLocation)?
  private let patience: Duration
  /// Each log caches the histories that it has read.
  private let logs = Lock<[KeysetID: AppendOnlyLog<SyncHistory>]>([:])

  static let name = "versions"
  static let damagedSuffix = ".damaged"
  /// If a backup contained the history, a restore would bring back versions that other values have got since.
  private static let protection = FileProtection(isComplete: false, isBackedUp: false)

  /// Waits for the history's lock for two seconds at most: a set does not fail if it is not noted.
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
    _ keyset: KeysetID, _ body: (SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try log(of: keyset).read(body)
  }

  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try log(of: keyset).change(isDurable: isDurable) { (history, lines) throws(StorageProblem) in
      let result = try body(&history)
      lines = history.takeChanges()
      return result
    }
  }

  func setAside(_ keyset: KeysetID) throws(StorageProblem) -> Bool {
    try log(of: keyset).setAside(with: Self.damagedSuffix) { SyncHistory.fresh() }
  }

  private func log(of keyset: KeysetID) throws(StorageProblem) -> AppendOnlyLog<SyncHistory> {
    if let known = logs.withLock({ $0[keyset] }) { return known }
    let folder = try folder?(keyset)
    let made = AppendOnlyLog<SyncHistory>(
      folder.map { FileLocation(folder: $0, name: Self.name) }, protection: Self.protection, patience: patience,
      empty: SyncHistory.fresh)
    return logs.withLock { logs in
      logs[keyset] = logs[keyset] ?? made
      return logs[keyset] ?? made
    }
  }
}
