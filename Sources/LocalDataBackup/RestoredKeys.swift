@_spi(Generated) public import LocalData
import LocalDataRecords
import SmallFoundation
import StorageSystem

/// The values of keys that a restore stores after its rows. They are a journal until all of them are stored.
struct RestoredKeys: Sendable, Codable {
  /// The name of a key, and its value as JSON.
  struct Value: Sendable, Codable {
    var name: String
    var json: Data
  }

  private(set) var id = UUID()
  let policy: String
  let values: [Value]

  /// The restores of this process that are not finished.
  static let running = Lock<Set<UUID>>([])

  init(_ policy: RestorePolicy, _ values: [Value]) {
    self.policy = policy.rawValue
    self.values = values
  }

  /// Stores the values. Repeating it changes nothing.
  func store(
    _ backup: StorageBackup, on router: StorageRouter, isDryRun: Bool = false
  ) async throws(BackupError) -> RestorePlan.Counts {
    let keeps = policy == RestorePolicy.keep.rawValue || backup.isPrivate && policy == RestorePolicy.merge.rawValue
    var counts = RestorePlan.Counts()
    let backedUp = Dictionary(values.map { ($0.name, $0.json) }) { first, _ in first }
    do throws(StorageError) {
      for key in backup.keys() {
        var (stored, isDamaged): (Data?, Bool) = (nil, false)
        do throws(StorageError) { stored = try await key.read(router) } catch {
          // A damaged value, which the one of the backup replaces.
          guard [.corrupted, .authenticationFailed, .cannotDecode].contains(error.code) else { throw error }
          isDamaged = true
        }
        guard let json = backedUp[key.name] else {
          guard policy == RestorePolicy.replace.rawValue, stored != nil || isDamaged else { continue }
          counts.removed += 1
          if !isDryRun { try await router.remove(key.key) }
          continue
        }
        if stored == nil, !isDamaged {
          counts.new += 1
        } else if stored == json || keeps {
          counts.kept += 1
          continue
        } else {
          counts.replaced += 1
        }
        if !isDryRun { try await key.write(json, router) }
      }
    } catch { throw BackupError(.storage(error)) }
    return counts
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
  /// - Throws: ``BackupError/Problem/storage(_:)`` if the storage cannot be used now.
  @discardableResult
  @concurrent public func finishRestore(of backup: StorageBackup) async throws(BackupError) -> InterruptedRestore? {
    guard backup.hasJournal, let store = try store(of: backup) else { return nil }
    let journal = backup.journal
    let keys: RestoredKeys?
    let isCommitted: Bool
    do throws(StorageError) {
      guard let bytes = try await router.get(journal) else { return nil }
      keys = RestoredKeys(bytes)
      if let keys, RestoredKeys.running.withLock({ $0.contains(keys.id) }) { throw StorageError(.busy, backup.subject) }
      let committed = try await store.read(store.callOnNone) { (session) throws(StorageProblem) in
        try session.restored(from: backup.name)
      }
      isCommitted = keys.map { committed == $0.id.uuidString } ?? false
    } catch { throw BackupError(.storage(error)) }
    if isCommitted { _ = try await keys?.store(backup, on: router) }
    do throws(StorageError) { try await router.remove(journal) } catch { throw BackupError(.storage(error)) }
    return isCommitted ? .finished : .discarded
  }
}

extension RestoredKeys {
  /// Reads a journal. Returns nil if a release that knows another form has written it.
  init?(_ bytes: Data) {
    do { self = try JSONDecoder().decode(Self.self, from: bytes) } catch { return nil }
  }

  /// Runs `body`, which restores the rows and notes ``id`` in their commit, with a journal, and then stores the values.
  func store<Result>(
    _ backup: StorageBackup, on router: StorageRouter, after body: () async throws(BackupError) -> Result
  ) async throws(BackupError) -> (Result, RestorePlan.Counts) {
    let backups = StorageBackups(router: router)
    try await backups.finishRestore(of: backup)
    guard backup.hasJournal else {
      return (try await body(), try await store(backup, on: router))
    }
    _ = Self.running.withLock { $0.insert(id) }
    defer { _ = Self.running.withLock { $0.remove(id) } }
    do {
      try await router.set(try JSONEncoder().encode(self), for: backup.journal)
    } catch let error as StorageError { throw BackupError(.storage(error)) } catch {
      throw BackupError(.storage(StorageError(.cannotEncode, backup.subject)))
    }
    // After an error, the rows may be committed. The next call finds out.
    let result = try await body()
    let counts = try await store(backup, on: router)
    do throws(StorageError) { try await router.remove(backup.journal) } catch { throw BackupError(.storage(error)) }
    return (result, counts)
  }
}

extension StorageBackup {
  /// A Boolean value that indicates whether a restore changes rows and keys, which are stored one after the other.
  var hasJournal: Bool { !records().isEmpty && !keys().isEmpty }

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
      removeAll: { (router) throws(StorageError) in
        try await StorageBackups(router: router).removeFiles(of: backups(), isSignOut: true)
      })
  }
}
