import LocalDataStores

/// The parts that a router works with: a store for each kind of container, and the cipher.
package struct StorageServices: Sendable {
  package var preferences: any ValueStore
  package var keychain: any ValueStore {
    get { deferredKeychain.value }
    set { deferredKeychain = Deferred { newValue } }
  }
  package var files: any ValueStore {
    get { deferredFiles.value }
    set { deferredFiles = Deferred { newValue } }
  }
  package var encryption: EncryptionHelper {
    get { deferredEncryption.value }
    set { deferredEncryption = Deferred { newValue } }
  }
  /// The log of migrations of the app or of a group.
  package var migrationLog: @Sendable (KeysetID) throws(StorageProblem) -> MigrationLog
  /// The records of features.
  package var features = FeatureStorage()
  /// The open databases of records.
  package var records = FeatureStorage()
  /// Returns true if queries that read every row fail. A test may ask for that.
  package var refusesScans: @Sendable () -> Bool = { false }
  /// The configured timeout of calls.
  package var timeout = CallDeadline.ordinaryPatience
  /// The run of the program.
  package var launch = ProcessLaunch.current
  /// The installation of the app; `nil` if an uninstall removes every value.
  package var installation: Installation? {
    get { deferredInstallation.value }
    set { deferredInstallation = Deferred { newValue } }
  }
  /// The locations of the library's files; `nil` if everything is in memory.
  package var locations: StorageLocations?
  /// The stored bytes that were no values of their keys.
  package var quarantine = Quarantine()
  /// Removes every key from memory.
  package var lock: @Sendable () -> Void
  /// Encrypts the root key of a keystore with the configured source instead of an earlier one. Returns false if it is already,
  /// or if there is no keystore. It may block.
  package var changeRootKey: @Sendable (KeysetID, RootKeySource) throws(StorageProblem) -> Bool = {
    (_, _) throws(StorageProblem) in false
  }
  /// Unwraps the root key of a keystore, if the keystore has one. The call may block.
  package var openKeystore: @Sendable (KeysetID) throws(StorageProblem) -> Void = { _ throws(StorageProblem) in }

  /// Creates services. The keychain, the files and the cipher are made at their first use.
  package init(
    preferences: any ValueStore, keychain: @autoclosure @escaping @Sendable () -> any ValueStore,
    files: @autoclosure @escaping @Sendable () -> any ValueStore,
    encryption: @autoclosure @escaping @Sendable () -> EncryptionHelper,
    migrationLog: @escaping @Sendable (KeysetID) throws(StorageProblem) -> MigrationLog,
    lock: @escaping @Sendable () -> Void
  ) {
    self.preferences = preferences
    deferredKeychain = Deferred(keychain)
    deferredFiles = Deferred(files)
    deferredEncryption = Deferred(encryption)
    self.migrationLog = migrationLog
    self.lock = lock
  }

  private var deferredKeychain: Deferred<any ValueStore>
  private var deferredFiles: Deferred<any ValueStore>
  private var deferredEncryption: Deferred<EncryptionHelper>
  var deferredInstallation = Deferred<Installation?> { nil }

  /// Runs a step that may block on another thread. Outside of a call, each wait of the step ends after the timeout.
  package func run<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if CallDeadline.current != nil { return try await BlockingExecutor.shared.run(body) }
    return try await CallDeadline(patience: timeout, of: .eachWait).bound { () async throws(Failure) in
      try await BlockingExecutor.shared.run(body)
    }
  }

  /// Runs a step for a key that may block on another thread. A fault is an error of the key.
  package func run<Result: Sendable>(
    for plan: KeyPlan, _ operation: StorageError.Operation = .read,
    _ body: @escaping @Sendable () throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) { return try await run(body) } catch { throw plan.error(error, operation) }
  }

  /// Returns the current state of the log of migrations that a key belongs to. If the log must be read from the disk, another
  /// thread does it.
  func ledger(of plan: KeyPlan) async throws(StorageError) -> MigrationLedger {
    let log = try plan.naming { () throws(StorageProblem) in try migrationLog(plan.keyset) }
    do throws(StorageProblem) {
      return try CallDeadline.withoutWaiting { () throws(StorageProblem) in try log.ledger() }
    } catch {
      return try await run(for: plan) { () throws(StorageProblem) in try log.ledger() }
    }
  }

  /// Runs `body`, which stores values of a container, with the check of their seals. No process changes the keys meanwhile.
  ///
  /// - Parameter keyset: The keyset whose master key seals the values. If it is nil, the check accepts all bytes.
  func checkingKeys(
    of keyset: KeysetID?, in container: StorageContainer,
    _ body: (EncryptionHelper.SealCheck) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    guard let keyset else { return try body { _ in } }
    try encryption.checkingKeys(of: keyset, isInKeychain: container.store == .keychain, body)
  }

  /// Returns true if a value of a key is stored. Never prompts.
  package func isStored(_ plan: KeyPlan) throws(StorageProblem) -> Bool {
    try base(for: plan.address.container).exists(plan.address, plan.attributes)
  }

  /// The store of a container. It checks and records no change of a key, see ``KeyedValue``.
  package func base(for container: StorageContainer) -> any ValueStore {
    switch container.store {
    case .preferences: preferences
    case .keychain: keychain
    case .files: files
    }
  }
}
