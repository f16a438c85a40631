@_spi(Generated) public import LocalData
import LocalDataRecords
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem

/// The values of keys that a restore stores after its rows. They are a journal until all of them are stored.
struct RestoredKeys: Sendable, Codable {
  /// The stored name of a key, and its value as JSON.
  struct Value: Sendable, Codable {
    var name: String
    /// The name of the family of a member.
    var family: String?
    var json: Data
  }

  private(set) var id = UUID()
  let policy: String
  let values: [Value]

  init(_ policy: RestorePolicy, _ values: [Value]) {
    self.policy = policy.rawValue
    self.values = values
  }

  /// Stores the values, with one authentication for those that the user confirms. Repeating it changes nothing.
  ///
  /// - Parameter isStaged: Returns false if a sign-out has ended the restore. It is called before each change.
  func store(
    _ backup: StorageBackup, on router: StorageRouter, isDryRun: Bool = false,
    while isStaged: @Sendable () throws(StorageError) -> Bool = { true }
  ) async throws(BackupError) -> RestorePlan.Counts {
    try await AuthenticationSession.once { () async throws(BackupError) in
      try await storeEach(backup, on: router, isDryRun: isDryRun, while: isStaged)
    }
  }

  private func storeEach(
    _ backup: StorageBackup, on router: StorageRouter, isDryRun: Bool,
    while isStaged: @Sendable () throws(StorageError) -> Bool
  ) async throws(BackupError) -> RestorePlan.Counts {
    let keeps = policy == RestorePolicy.keep.rawValue || backup.isPrivate && policy == RestorePolicy.merge.rawValue
    var counts = RestorePlan.Counts()
    var isEnded = false
    do throws(StorageError) {
      keys: for key in backup.keys() {
        let own = values.filter { key.members == nil ? $0.family == nil && $0.name == key.name : $0.family == key.name }
        let backedUp = Dictionary(own.map { ($0.name, $0.json) }) { first, _ in first }
        let stored = Set(try await key.names(router))
        for name in stored.union(backedUp.keys).sorted() {
          let old = stored.contains(name) ? try await Stored(key, name, router) : .nothing
          guard let json = backedUp[name] else {
            guard policy == RestorePolicy.replace.rawValue, old != .nothing else { continue }
            counts.removed += 1
            if isDryRun { continue }
            guard try isStaged() else {
              isEnded = true
              break keys
            }
            try await key.remove(name, router)
            continue
          }
          // The release that began the restore had other bounds.
          if key.value(json, name, nil) == nil {
            counts.leftOut += 1
            continue
          }
          if old == .nothing {
            counts.new += 1
          } else if old == .value(json) || keeps {
            counts.kept += 1
            continue
          } else {
            counts.replaced += 1
          }
          if isDryRun { continue }
          guard try isStaged() else {
            isEnded = true
            break keys
          }
          try await key.write(name, json, router)
        }
      }
    } catch { throw BackupError(.storage(error)) }
    if isEnded { throw BackupError(.restoreEnded, backup.name) }
    return counts
  }
}

/// The stored value of a name.
private enum Stored: Equatable {
  case nothing
  case value(Data)
  /// A damaged value, which the one of the backup replaces.
  case damaged

  init(_ key: BackupKey, _ name: String, _ router: StorageRouter) async throws(StorageError) {
    do throws(StorageError) { self = try await key.read(name, router).map { .value($0) } ?? .nothing } catch {
      guard [.corrupted, .authenticationFailed, .cannotDecode].contains(error.code) else { throw error }
      self = .damaged
    }
  }
}

/// The end of a restore that was interrupted, for example because the app was killed.
public enum InterruptedRestore: String, Sendable, Hashable, CaseIterable {
  /// The rows were restored already. Now the values of the keys are restored too.
  case finished
  /// Nothing was restored.
  case discarded
}

extension StorageBackups {
  /// Finishes a restore that was interrupted between its rows and the values of its keys.
  ///
  /// ``export(_:passphrase:progress:)``, ``stage(_:from:passphrase:acceptsPlain:allowsOtherApplication:salvage:progress:)`` and
  /// ``StagedRestore/apply(_:)`` do so, too. Call it at launch to have the values before the user opens the screen of backups.
  ///
  /// ```swift
  /// if try await router.backups.finishRestore(of: .full) == .finished { print("The backup is restored.") }
  /// ```
  ///
  /// - Parameter backup: The backup.
  /// - Returns: What was done, or nil if no restore was interrupted.
  /// - Throws: ``BackupError/Problem/storage(_:)`` if the storage cannot be used now, with ``StorageProblem/Code/busy`` if another
  ///   restore of the database does not end in time.
  @discardableResult
  @concurrent public func finishRestore(of backup: StorageBackup) async throws(BackupError) -> InterruptedRestore? {
    guard backup.hasJournal, let store = try store(of: backup) else { return nil }
    guard try await journal(of: backup) != nil else { return nil }
    return try await inTurn(backup, on: store) { () async throws(BackupError) in try await finish(backup, on: store) }
  }

  /// Finishes an interrupted restore. No other restore runs meanwhile.
  func finish(_ backup: StorageBackup, on store: RecordStore) async throws(BackupError) -> InterruptedRestore? {
    guard let bytes = try await journal(of: backup) else { return nil }
    let keys = RestoredKeys(bytes)
    let isCommitted: Bool
    do throws(StorageError) {
      let committed = try await store.read(store.callOnNone) { (session) throws(StorageProblem) in
        try session.restored(from: backup.name)
      }
      isCommitted = keys.map { committed == $0.id.uuidString } ?? false
    } catch { throw BackupError(.storage(error)) }
    if isCommitted { _ = try await keys?.store(backup, on: router) }
    do throws(StorageError) { try await router.remove(backup.journal) } catch { throw BackupError(.storage(error)) }
    return isCommitted ? .finished : .discarded
  }

  private func journal(of backup: StorageBackup) async throws(BackupError) -> Data? {
    do throws(StorageError) { return try await router.get(backup.journal) } catch { throw BackupError(.storage(error)) }
  }

  /// Runs `body` while no other restore changes the database, by this process or another one.
  func inTurn<Result>(
    _ backup: StorageBackup, on store: RecordStore, _ body: () async throws(BackupError) -> Result
  ) async throws(BackupError) -> Result {
    let turn = try await blocking { () throws(BackupError) in
      do throws(StorageProblem) { return try store.takeTurn() } catch {
        throw BackupError(error, of: backup.name, .write)
      }
    }
    defer { turn?.end() }
    return try await body()
  }
}

extension RestoredKeys {
  /// Reads a journal. Returns nil if a release that knows another form has written it.
  init?(_ bytes: Data) {
    do { self = try JSONDecoder().decode(Self.self, from: bytes) } catch { return nil }
  }

  /// Runs `body`, which restores the rows and notes ``id`` in their commit, with a journal, and then stores the values.
  ///
  /// - Parameter isStaged: Returns false if a sign-out has ended the restore.
  func store<Result>(
    _ backup: StorageBackup, on router: StorageRouter, while isStaged: @Sendable () throws(StorageError) -> Bool,
    after body: () async throws(BackupError) -> Result
  ) async throws(BackupError) -> (Result, RestorePlan.Counts) {
    let backups = StorageBackups(router: router)
    guard backup.hasJournal, let database = try backups.store(of: backup) else {
      return (try await body(), try await store(backup, on: router, while: isStaged))
    }
    return try await backups.inTurn(backup, on: database) { () async throws(BackupError) in
      _ = try await backups.finish(backup, on: database)
      do {
        try await router.set(try JSONEncoder().encode(self), for: backup.journal)
      } catch let error as StorageError { throw BackupError(.storage(error)) } catch {
        throw BackupError(.storage(StorageError(.cannotEncode, backup.subject)))
      }
      // After an error, the rows may be committed. The next call finds out.
      let result = try await body()
      // A sign-out that ends the restore here also removes the journal. For every other error, the next call stores the values.
      let counts = try await store(backup, on: router, while: isStaged)
      do throws(StorageError) { try await router.remove(backup.journal) } catch { throw BackupError(.storage(error)) }
      return (result, counts)
    }
  }
}

extension StorageBackup {
  /// A Boolean value that indicates whether a restore changes rows and keys, which are stored one after the other.
  var hasJournal: Bool { personalData == nil && !records().isEmpty && !keys().isEmpty }

  /// The key of the journal.
  var journal: StorageKey<Data?> {
    StorageKey<Data?>(
      .restores(of: catalog), StorageKeyName(stringLiteral: "\(catalog)\(StorageKeyFamily.restoreInfix)\(name)"),
      .data, maxSize: 1 << 28, backup: false)
  }

  var subject: StorageError.Subject { .init(key: name, domain: nil) }
}

extension StorageKeyFamily {
  fileprivate static var restoreInfix: String { ".restore_" }

  /// The journals of restores of a generated catalog's backups.
  @_spi(Generated) public static func restores(of catalog: String) -> Self {
    Self(name: catalog + restoreInfix + "{backup}", domain: .fileSystem(directory: .applicationSupport))
  }
}

extension StorageCatalogPart {
  /// The files of a generated catalog's backups. Sign-out removes them, and a sweep removes those of earlier launches.
  @_spi(Generated) public static func backups(
    _ backups: @escaping @Sendable () -> [StorageBackup]
  ) -> StorageCatalogPart {
    StorageCatalogPart(
      signingOut: StorageBackup.self,
      sweep: { (router) throws(StorageError) in
        try await StorageBackups(router: router).removeFiles(of: backups(), isSignOut: false)
        return []
      },
      removeAll: { (router, _) throws(StorageError) in
        try await StorageBackups(router: router).removeFiles(of: backups(), isSignOut: true)
      })
  }
}
