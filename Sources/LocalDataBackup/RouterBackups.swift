@_spi(Generated) import LocalDataRecords
public import LocalData
public import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// Writes backups of the app, and restores them: `router.backups`.
///
/// ```swift
/// let file = try await router.backups.export(.full, passphrase: passphrase)
/// let restore = try await router.backups.stage(.full, from: file.url, passphrase: passphrase)
/// try await restore.apply(.merge)
/// ```
public struct StorageBackups: Sendable {
  let router: StorageRouter

  /// Writes a backup to a file in the caches, and proves that the file opens with the passphrase and has what was written.
  ///
  /// The app moves or shares the file. The next export removes it.
  ///
  /// - Parameters:
  ///   - backup: The backup.
  ///   - passphrase: The passphrase, of at least 8 characters, or 15 for private keys. It is nil for a backup that is declared
  ///     `encrypted: false`.
  ///   - progress: Called from time to time.
  /// - Returns: The address of the file, and the numbers of what is in it.
  /// - Throws: ``BackupError``, for example ``BackupError/Problem/weakPassphrase(minimum:)``. A row that is damaged is the problem
  ///   ``BackupError/Problem/storage(_:)``, unless its record is declared `onCorruption: skip`. So is a passphrase on Linux without
  ///   the package trait `Passphrases`, which is enabled by default.
  @concurrent public func export(
    _ backup: StorageBackup, passphrase: String? = nil,
    progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
  ) async throws(BackupError) -> BackupFile {
    guard backup.isEncrypted == (passphrase != nil) else {
      throw BackupError(backup.isEncrypted ? .passphraseRequired : .passphraseNotUsed)
    }
    let secret = try passphrase.map { (text) throws(BackupError) in
      try BackupPassphrase.bytes(text, minimum: backup.minimumPassphrase)
    }
    try await finishRestore(of: backup)
    let values = try await values(of: backup)
    let export = try make(backup, progress)
    if let personal = backup.personalData { return try await self.export(personal, export, values) }
    guard let store = try store(of: backup) else {
      return try await blocking { () throws(BackupError) in try export.run(nil, values, secret) }
    }
    return try await reading(store) { (session) throws(BackupError) in try export.run(session, values, secret) }
  }

  /// Reads and checks a backup. Nothing that is stored changes.
  ///
  /// The rows are read into a database beside the live one, so that a large backup needs no memory. They are upgraded as those of an
  /// earlier release.
  ///
  /// - Parameters:
  ///   - backup: The backup that the file must be.
  ///   - url: The address of the file.
  ///   - passphrase: The passphrase, or nil for a plain document.
  ///   - acceptsPlain: True if a plain document is accepted for a backup that is declared as encrypted.
  ///   - allowsOtherApplication: True if the backup may be one of another app with the same catalog.
  ///   - salvage: True if the rows of undamaged chunks are staged although other chunks are damaged.
  ///   - progress: Called from time to time.
  /// - Returns: The staged backup, which can be applied or discarded.
  /// - Throws: ``BackupError`` with the record, field and line of the problem. A sealed file on Linux without the package trait
  ///   `Passphrases` is the problem ``BackupError/Problem/storage(_:)``.
  @concurrent public func stage(
    _ backup: StorageBackup, from url: URL, passphrase: String? = nil, acceptsPlain: Bool = false,
    allowsOtherApplication: Bool = false, salvage: Bool = false,
    progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
  ) async throws(BackupError) -> StagedRestore {
    guard backup.personalData == nil else { throw BackupError(.notABackup) }
    try await finishRestore(of: backup)
    let store = try store(of: backup)
    let stretching = router.setup.withLock(\.stretching)
    let stage = BackupStage(
      backup: backup, store: store, application: application,
      isPlainAccepted: !backup.isEncrypted || acceptsPlain && !backup.isPrivate && passphrase == nil,
      allowsOtherApplication: allowsOtherApplication, isSalvaging: salvage, progress: progress)
    let secret: SecretBytes?
    do throws(BackupError) {
      secret = try passphrase.map { (text) throws(BackupError) in try BackupPassphrase.bytes(text) }
    } catch { throw BackupError(.wrongPassphrase) }
    let place = try place(of: backup)
    let (staged, mark) = try await blocking { () throws(BackupError) in
      let mark: FileInUse
      do throws(StorageProblem) {
        try store?.removeStaged(isSignOut: false)
        try place.removeEarlier()
        // A sign-out while the file is read ends the restore too.
        mark = try place.mark()
      } catch { throw BackupError(error, of: backup.name, .write) }
      do throws(BackupError) { return (try stage.run(url, secret, stretching), mark) } catch {
        mark.remove()
        throw error
      }
    }
    return StagedRestore(backup, staged, router, store, mark: mark)
  }
}

extension StorageRouter {
  /// Writes backups of the app, and restores them.
  public nonisolated var backups: StorageBackups { StorageBackups(router: self) }
}

extension StorageBackups {
  private var services: StorageServices { router.values(for: nil).services }

  private var launch: ProcessLaunch { services.launch }

  private var application: String {
    StorageConfiguration.bundleIdentifier ?? router.setup.withLock(\.storage.applicationName)
  }

  private func make(
    _ backup: StorageBackup, _ progress: @escaping @Sendable (BackupProgress) -> Void
  ) throws(BackupError) -> BackupExport {
    let place = try place(of: backup)
    let (stretching, version) = router.setup.withLock { ($0.stretching, $0.storage.resolvedApplicationVersion) }
    return BackupExport(
      backup: backup, place: place, application: application, version: version, created: router.clock.now,
      stretching: stretching, progress: progress)
  }

  private func place(of backup: StorageBackup) throws(BackupError) -> BackupPlace {
    do throws(StorageProblem) { return try BackupPlace(services.locations, launch: launch) } catch {
      throw BackupError(error, of: backup.name)
    }
  }

  /// Removes exported and staged files: all of them, or those that earlier launches have left.
  func removeFiles(of backups: [StorageBackup], isSignOut: Bool) async throws(StorageError) {
    do throws(BackupError) {
      for backup in backups {
        // Nothing of a document about the user is staged, and its catalogs need not be registered here.
        let store = backup.personalData == nil ? try store(of: backup) : nil
        let place = try place(of: backup)
        try await blocking { () throws(BackupError) in
          do throws(StorageProblem) {
            try store?.removeStaged(isSignOut: isSignOut)
            guard isSignOut else { return try place.removeEarlier() }
            if backup.personalData == nil { try place.removeAll() } else { try place.remove(backup) }
          } catch { throw BackupError(error, of: backup.name, .write) }
        }
      }
    } catch {
      guard case .storage(let error) = error.problem else { return }
      throw error
    }
  }

  /// Returns the database of a backup's records, or nil if it has none.
  func store(of backup: StorageBackup) throws(BackupError) -> RecordStore? {
    guard let type = backup.records().first else { return nil }
    return try store(of: type)
  }

  func store(of type: any StorageRecord.Type) throws(BackupError) -> RecordStore {
    do throws(StorageError) { return try store(type) } catch { throw BackupError(.storage(error)) }
  }

  private func store<Record: StorageRecord>(_ type: Record.Type) throws(StorageError) -> RecordStore {
    try RecordStore.of(Record.Database.self, on: router)
  }

  /// Calls `body` in a transaction that reads the rows whose retention has not ended.
  func reading<Value: Sendable>(
    _ store: RecordStore, _ body: @escaping @Sendable (RecordSession) throws(BackupError) -> Value
  ) async throws(BackupError) -> Value {
    let outcome: Result<Value, BackupError>
    do throws(StorageError) {
      // A row whose retention has ended is not exported, and goes with those that refer to it.
      try await store.write(store.callOnAll) { _ in }
      outcome = try await store.read(store.callOnAll) { session in
        do throws(BackupError) { return .success(try body(session)) } catch { return .failure(error) }
      }
    } catch { throw BackupError(.storage(error)) }
    return try outcome.get()
  }

  private func values(of backup: StorageBackup) async throws(BackupError) -> [BackupExport.Value] {
    do throws(StorageError) {
      return try await AuthenticationSession.once { () async throws(StorageError) in
        var values: [BackupExport.Value] = []
        for key in backup.keys() {
          do throws(StorageError) {
            guard let json = try await key.document(router) else { continue }
            values.append(.init(name: key.documentName, json: json))
          } catch {
            // A document about the user is that of one device. A backup is the same on each.
            guard backup.personalData != nil, error.code == .notAvailableOnPlatform else { throw error }
          }
        }
        return values
      }
    } catch { throw BackupError(.storage(error)) }
  }

  func blocking<Result: Sendable>(
    _ body: @escaping @Sendable () throws(BackupError) -> Result
  ) async throws(BackupError) -> Result {
    try await services.run(body)
  }
}

extension RecordStore {
  /// A call that reads or writes encrypted fields too.
  var callOnAll: RecordCall {
    RecordCall(subject: .init(key: declaration.name, domain: declaration.domain.kind), usesKeys: true)
  }

  /// A call that reads no encrypted field.
  var callOnNone: RecordCall {
    RecordCall(subject: .init(key: declaration.name, domain: declaration.domain.kind), usesKeys: false)
  }
}
