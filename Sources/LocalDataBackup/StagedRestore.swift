@_spi(Generated) import LocalDataRecords
import LocalData
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// The treatment of what is stored already.
public enum RestorePolicy: String, Sendable, Hashable, CaseIterable {
  /// Rows and values of the backup replace those with the same key. The others stay.
  case merge
  /// Stored rows and values stay. Only missing ones are added.
  case keep
  /// All rows of the backup's records, and the values of its keys, are removed first.
  case replace
}

/// The numbers of rows and values that a restore changes.
public struct RestorePlan: Sendable, Hashable {
  /// The numbers of one record, or of the keys.
  public struct Counts: Sendable, Hashable {
    /// The number of those that are added.
    public var new = 0
    /// The number of those that replace a different one.
    public var replaced = 0
    /// The number of those that are stored already, and stay as they are.
    public var kept = 0
    /// The number of those that are left out: their retention has ended, another row has their value in a unique field, the row that
    /// they refer to is left out, or only earlier releases had the record or the key.
    public var leftOut = 0
    /// The number of stored rows that are removed, with `.replace`.
    public var removed = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// The numbers by the stored names of the records.
  public var records: [String: Counts] = [:]
  /// The numbers of the keys.
  public var keys = Counts()

  /// Creates a plan.
  public init(records: [String: Counts] = [:], keys: Counts = Counts()) {
    self.records = records
    self.keys = keys
  }
}

/// A backup that was read and checked, and changes nothing until it is applied.
///
/// ```swift
/// let restore = try await router.backups.stage(.full, from: url, passphrase: passphrase)
/// print(try await restore.plan(for: .merge).records)
/// try await restore.apply(.merge)
/// ```
public final class StagedRestore: Sendable {
  /// The time at which the backup was made, in RFC 3339.
  public let created: String
  /// The numbers of rows in the backup, by the stored names of the records.
  public let counts: [String: Int]
  /// The numbers of rows that are lost, by the stored names of the records. Only a salvaged backup has some.
  public let lost: [String: Int]
  /// The damaged chunks of a salvaged backup, from 0.
  public let lostChunks: [Int]
  private let backup: StorageBackup
  private let router: StorageRouter
  private let store: RecordStore?
  private let staging: RecordStaging?
  private let values: [RestoredKeys.Value]
  /// The numbers of rows of records that the app no longer has, and the number of such keys.
  private let ended: [String: Int]
  private let endedKeys: Int
  private let isWhole: Bool
  /// A file that exists until the restore ends.
  private let mark: FileInUse
  private let isApplying = Lock(false)

  init(
    _ backup: StorageBackup, _ staged: BackupStage.Staged, _ router: StorageRouter, _ store: RecordStore?,
    mark: FileInUse
  ) {
    created = staged.header.created
    counts = staged.header.counts
    lost = staged.lost
    lostChunks = staged.lostChunks
    isWhole = staged.isWhole
    self.backup = backup
    self.router = router
    self.store = store
    staging = staged.staging
    values = staged.values
    ended = staged.ended
    endedKeys = staged.endedKeys
    self.mark = mark
  }

  deinit { end() }

  /// Returns what ``apply(_:)`` would change now. Nothing is changed.
  ///
  /// - Parameter policy: The treatment of what is stored already.
  /// - Returns: The numbers of rows and values.
  /// - Throws: ``BackupError/Problem/restoreEnded`` after ``apply(_:)``, ``discard()`` or a sign-out.
  ///   ``BackupError/Problem/storage(_:)`` if the storage cannot be used, or if the restore would fail.
  @concurrent public func plan(for policy: RestorePolicy) async throws(BackupError) -> RestorePlan {
    let keys = RestoredKeys(policy, values)
    return plan(try await rows(policy, mark: nil), try await keys.store(backup, on: router, isDryRun: true))
  }

  /// Restores the rows in one transaction, and then the values of the keys.
  ///
  /// - Parameter policy: The treatment of what is stored already.
  /// - Returns: The numbers of rows and values.
  /// - Throws: ``BackupError/Problem/restoreEnded`` after another call of this function, ``discard()`` or a sign-out.
  ///   ``BackupError/Problem/storage(_:)`` if the storage cannot be used. If it is thrown for a key, the rows are restored, and
  ///   the next call of ``StorageBackups`` for this backup restores the keys. Otherwise nothing has changed.
  @discardableResult
  @concurrent public func apply(_ policy: RestorePolicy) async throws(BackupError) -> RestorePlan {
    // A restore that is refused leaves no journal.
    try check(policy)
    isApplying.withLock { $0 = true }
    defer { isApplying.withLock { $0 = false } }
    let keys = RestoredKeys(policy, values)
    let (records, counts) = try await keys.store(
      backup, on: router,
      while: { () throws(StorageError) in
        do throws(StorageProblem) { return try mark.location.exists() } catch {
          throw StorageError(error, backup.subject, .read)
        }
      },
      after: { () async throws(BackupError) in try await rows(policy, mark: keys.id) })
    end()
    return plan(records, counts)
  }

  /// Returns the plan with what the app no longer has.
  private func plan(_ records: [String: RestorePlan.Counts], _ keys: RestorePlan.Counts) -> RestorePlan {
    var plan = RestorePlan(records: records, keys: keys)
    for (name, count) in ended { plan.records[name, default: .init()].leftOut += count }
    plan.keys.leftOut += endedKeys
    return plan
  }

  /// Removes what was staged. A call during ``apply(_:)`` has no effect.
  public func discard() {
    if !isApplying.withLock({ $0 }) { end() }
  }

  private func end() {
    mark.remove()
    // What cannot be removed now is removed as that of a killed process.
    do throws(StorageProblem) { try staging?.discard() } catch {}
  }

  private func check(_ policy: RestorePolicy) throws(BackupError) {
    let isStaged: Bool
    do throws(StorageProblem) { isStaged = try mark.location.exists() } catch {
      throw BackupError(error, of: backup.name)
    }
    guard isStaged else { throw BackupError(.restoreEnded, backup.name) }
    guard policy != .replace || isWhole else { throw BackupError(.incomplete) }
  }

  // MARK: Rows

  /// - Parameter mark: The restore that the commit notes, or nil if nothing is committed.
  private func rows(
    _ policy: RestorePolicy, mark: UUID?
  ) async throws(BackupError) -> [String: RestorePlan.Counts] {
    try check(policy)
    guard let store, let staging else { return [:] }
    let found = Lock<[String: RestorePlan.Counts]>([:])
    let problem = Lock<BackupError?>(nil)
    let file = self.mark.location
    let types = backup.parentsFirst
    do throws(StorageError) {
      let outcome = try await store.writeUnlessThrown(store.callOnAll) { [backup] session in
        var copy = RestoreCopy(policy: policy)
        do throws(StorageError) {
          try staging.read { (staged) throws(StorageProblem) in try copy.run(types, staged, session) }
        } catch {
          // Another process has removed the file.
          throw error.code == .notFound ? BackupError(.restoreEnded, backup.name) : BackupError(.storage(error))
        }
        let counts = copy.counts
        found.withLock { $0 = counts }
        guard let mark else { throw DryRun() }
        // A sign-out during the copy ends the restore.
        guard try file.exists() else { throw BackupError(.restoreEnded, backup.name) }
        try session.note(restore: mark.uuidString, from: backup.name)
      }
      switch outcome {
      case .success: break
      case .failure(let error as BackupError): problem.withLock { $0 = error }
      case .failure(let error as StorageError): problem.withLock { $0 = BackupError(.storage(error)) }
      case .failure(let error as StorageProblem):
        problem.withLock { $0 = BackupError(.storage(StorageError(error, backup.subject, .write))) }
      case .failure: break
      }
    } catch { throw BackupError(.storage(error)) }
    if let error = problem.withLock({ $0 }) { throw error }
    return found.withLock { $0 }
  }

  /// Undoes the changes of a restore that is only planned.
  private struct DryRun: Error {}
}

/// The copy of staged rows into the live database, in one transaction.
struct RestoreCopy {
  let policy: RestorePolicy
  private(set) var counts: [String: RestorePlan.Counts] = [:]

  init(policy: RestorePolicy) { self.policy = policy }

  mutating func run(
    _ types: [any StorageRecord.Type], _ staged: RecordSession, _ live: RecordSession
  ) throws(StorageProblem) {
    if policy == .replace {
      for type in types.reversed() {
        counts[type.declaration.name, default: .init()].removed = try live.deleteAll(type.declaration)
      }
    }
    for type in types { try copy(type, staged, live) }
    // In a circle of records, no order has each row after the one that it refers to.
    let isCircle = types.indices.contains { index in
      live.refers(types[index].declaration, to: Set(types[(index + 1)...].map { $0.declaration.name }))
    }
    guard isCircle, counts.values.contains(where: { $0.leftOut > 0 }) else { return }
    try live.deferringReferences { () throws(StorageProblem) in
      for type in types { try copyAgain(type, staged, live) }
    }
  }

  private mutating func copyAgain<Record: StorageRecord>(
    _ type: Record.Type, _ staged: RecordSession, _ live: RecordSession
  ) throws(StorageProblem) {
    var counts = counts[Record.declaration.name] ?? .init()
    var position = 0
    _ = try staged.copy(type, position: &position) { (record, _, _) throws(StorageProblem) in
      try add(record, to: live, &counts, isAgain: true)
    }
    self.counts[Record.declaration.name] = counts
  }

  private mutating func copy<Record: StorageRecord>(
    _ type: Record.Type, _ staged: RecordSession, _ live: RecordSession
  ) throws(StorageProblem) {
    var counts = counts[Record.declaration.name] ?? .init()
    var position = 0
    let found = try staged.copy(type, position: &position) { (record, _, _) throws(StorageProblem) in
      try add(record, to: live, &counts)
    }
    // A row may come before the one that it refers to, if both are of this record.
    var before = -1
    while counts.leftOut > 0, counts.leftOut != before, live.refers(Record.declaration, to: [Record.declaration.name]) {
      before = counts.leftOut
      _ = try staged.copy(type, position: &position) { (record, _, _) throws(StorageProblem) in
        try add(record, to: live, &counts, isAgain: true)
      }
    }
    counts.leftOut += found.ended
    self.counts[Record.declaration.name] = counts
  }

  /// - Parameter isAgain: True if each row was counted already.
  private func add<Record: StorageRecord>(
    _ record: Record, to live: RecordSession, _ counts: inout RestorePlan.Counts, isAgain: Bool = false
  ) throws(StorageProblem) {
    var isStored = false
    var isEqual = false
    do throws(StorageProblem) {
      let stored: Record? = try live.fetch(record.id)
      isStored = stored != nil
      isEqual = stored == record
    } catch {
      // A damaged row, or one with a value that this release does not allow, which the one of the backup replaces.
      guard [.corrupted, .authenticationFailed, .cannotDecode, .newerValue].contains(error.code) else { throw error }
      isStored = true
    }
    if isStored, isEqual || policy == .keep {
      counts.kept += isAgain ? 0 : 1
      return
    }
    do throws(StorageProblem) { try live.save(record, isNew: !isStored) } catch {
      switch error.code {
      // Another row has the value of a unique field, or the row that this one refers to is left out.
      case .alreadyStored, .missingReference: counts.leftOut += isAgain ? 0 : 1
      default: throw error
      }
      return
    }
    if isAgain { counts.leftOut -= 1 }
    if isStored { counts.replaced += 1 } else { counts.new += 1 }
  }
}
