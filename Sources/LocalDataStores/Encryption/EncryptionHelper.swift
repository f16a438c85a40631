package import LocalDataFoundation
import LocalDataSystem
internal import LocalDataVocabulary

/// Prepares keys: loads or creates the master key, calls providers, stretches passphrases. The sealers and openers that it
/// returns do not wait.
package final class EncryptionHelper: Sendable {
  package let configuration: EncryptionConfiguration
  package let vault: KeysetVault
  let providers: KeyMaterialRegistry
  package let randomness: Randomness
  let executor: BlockingExecutor
  private let stretching: KeyStretching
  /// The files beside keysets; `nil` for a router in memory.
  package let files: KeysetFiles?
  /// Finds the sealed values on the disk; `nil` for a router in memory.
  package let values: SealedValueScan?
  private let holdsSealedValues: @Sendable (KeysetID) throws(StorageProblem) -> Bool

  private let session = Lock(Session())
  private let current = Lock<[KeysetID: CurrentKeys]>([:])

  /// The keys that may seal at one version of a keyset.
  private struct CurrentKeys: Sendable {
    var version: Data
    var ids: Set<KeyID>
  }

  /// The keys that were prepared since ``lock()``.
  ///
  /// A call uses one session from its beginning to its end. Keys that it prepares after a `lock()` are released with it, and
  /// no later call uses them.
  struct Session: Sendable {
    /// The number of times that keysets were forgotten.
    fileprivate var revision = 0
    fileprivate var keysets = OnceCache<CachedName, Keyset>()
    let materials = OnceCache<MaterialName, SecretBytes>()
    fileprivate let stretched = OnceCache<StretchName, SecretBytes>()
    fileprivate(set) var preparations = OnceCache<PreparationName, SealingKey>()
  }

  var currentSession: Session { session.withLock { $0 } }

  /// - Parameters:
  ///   - vault: Stores keysets.
  ///   - providers: The providers of external key material.
  ///   - files: The files beside keysets; `nil` for a router in memory.
  ///   - values: Finds the sealed values on the disk; `nil` for a router in memory.
  ///   - holdsSealedValues: Returns true if any store of a keyset's roots contains a value that needs its master key (see
  ///     ``PlainEnvelope/needsMasterKey(_:)``). It is called before a master key is created. If there is such a value, or if a
  ///     root cannot be read, no key is created.
  package init(
    configuration: EncryptionConfiguration, vault: KeysetVault, providers: KeyMaterialRegistry = KeyMaterialRegistry(),
    randomness: Randomness = .system, stretching: KeyStretching = .pbkdf2, executor: BlockingExecutor = .shared,
    files: KeysetFiles? = nil, values: SealedValueScan? = nil,
    holdsSealedValues: @escaping @Sendable (KeysetID) throws(StorageProblem) -> Bool
  ) {
    self.configuration = configuration
    self.vault = vault
    self.providers = providers
    self.randomness = randomness
    self.stretching = stretching
    self.executor = executor
    self.files = files
    self.values = values
    self.holdsSealedValues = holdsSealedValues
  }

  /// Releases every cached key. Sealers and openers keep theirs, and so do calls in flight.
  package func lock() { session.withLock { $0 = Session(revision: $0.revision + 1) } }

  // MARK: The keys that may seal

  /// The number of times that keysets were forgotten. If it has changed, a sealer that was made before may be refused.
  package var revision: Int { session.withLock { $0.revision } }

  /// Releases keysets, because another process has changed one. The material of providers is kept.
  package func forgetRecords() {
    session.withLock { session in
      session.revision += 1
      session.keysets = OnceCache()
      session.preparations = OnceCache()
    }
  }

  /// Throws ``StorageProblem/busy`` if bytes are sealed with a master key that may not seal any more. The next sealer has the
  /// right one.
  package typealias SealCheck = (_ bytes: Data) throws(StorageProblem) -> Void

  /// Runs `body`, which stores values, while no process changes the keys of their keyset.
  ///
  /// Another process may have changed the keys since a value was sealed, or the folder with the keys may have been removed.
  ///
  /// - Parameters:
  ///   - isInKeychain: True if the values are stored in a keychain.
  ///   - body: Gets the check for the bytes that it stores. It may check them in an update of their store.
  package func checkingKeys<Result>(
    of keyset: KeysetID, isInKeychain: Bool = false, _ body: (SealCheck) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    func run() throws(StorageProblem) -> Result {
      // The keyset may be in the same keychain as the value, and the keychain must not be read inside its own
      // update.
      let known = isInKeychain ? try currentKeys(of: keyset) : nil
      return try body { (bytes) throws(StorageProblem) in
        let keys = if let known { known } else { try currentKeys(of: keyset) }
        guard EnvelopeHeader.begins(bytes), let seal = try EnvelopeHeader.parse(bytes).seal,
          seal.source == .masterKey, !keys.contains(seal.keyID)
        else { return }
        forgetRecords()
        throw .busy
      }
    }
    guard let files else { return try run() }
    try vault.prepare(keyset)
    return try files.lock(keyset).hold(.shared) { () throws(StorageProblem) in try run() }
  }

  /// Returns the ids of the keys that may seal: none if there is no master key.
  func currentKeys(of keyset: KeysetID) throws(StorageProblem) -> Set<KeyID> {
    // The version comes first: if the keyset changes after that, it is read again the next time.
    guard let version = try vault.version(keyset) else { return [] }
    if let known = current.withLock({ $0[keyset] }), known.version == version { return known.ids }
    guard let ids = try vault.read(keyset, .masterKey)?.sealingIDs else { return [] }
    current.withLock { $0[keyset] = CurrentKeys(version: version, ids: ids) }
    return ids
  }

  /// Returns a keyset from memory or, if `isFresh` is true, from the keychain.
  func keys(of keyset: KeysetID, isFresh: Bool = false, in session: Session) async throws(StorageProblem) -> Keyset {
    guard configuration.masterKeyLength == Keyset.Key.count else { throw .configurationConflict }
    if isFresh { session.forget(keyset) }
    return try await session.keysets.value(for: CachedName(keyset: keyset, isCreated: false)) {
      [executor, vault] () async throws(StorageProblem) in
      try await executor.run { () throws(StorageProblem) in
        guard let keys = try vault.read(keyset, .masterKey) else { throw .keyMaterialMissing }
        return try keys.checked()
      }
    }
  }

  /// Returns a keyset. It is created if there never was one.
  func keysetToSealWith(_ keyset: KeysetID, in session: Session) async throws(StorageProblem) -> Keyset {
    guard configuration.masterKeyLength == Keyset.Key.count else { throw .configurationConflict }
    return try await session.keysets.value(for: CachedName(keyset: keyset, isCreated: true)) {
      [executor, vault, randomness, files, holdsSealedValues] () async throws(StorageProblem) in
      try await executor.run { () throws(StorageProblem) in
        if let keys = try vault.read(keyset, .masterKey) {
          let checked = try keys.checked()
          // A process that was killed may have left the key in a log that is not on the disk.
          try vault.makeDurable(keyset)
          // Also if a release without markers has created the key, or a process that was killed right then.
          try files?.mark(keyset)
          return checked
        }
        // The keychain is read again after the scan: another process may have created a key meanwhile, and may have sealed the
        // values that the scan found. A key is on the disk before the values that it seals.
        let keys: Keyset?
        let hasMarker = try files?.hasMarker(keyset) ?? false
        let isLost = if hasMarker { true } else { try holdsSealedValues(keyset) }
        if isLost {
          // Sealed with a key that is missing. A new key would hide the loss, and the old one may be restored.
          keys = try vault.read(keyset, .masterKey)
        } else {
          keys = try vault.update(keyset, .masterKey) { keys in
            keys == nil ? Keyset(newKey: randomness.secret(Keyset.Key.count)) : nil
          }
        }
        guard let keys else { throw .keyMaterialMissing }
        let checked = try keys.checked()
        try files?.mark(keyset)
        return checked
      }
    }
  }

  /// Returns the bytes that PBKDF2 derives from some material. They are derived once until ``lock()``.
  func stretch(
    _ material: SecretBytes, _ name: StretchName, in session: Session
  ) async throws(StorageProblem) -> SecretBytes {
    try await session.stretched.value(for: name) { [executor, stretching] () async throws(StorageProblem) in
      try await executor.run { () throws(StorageProblem) in try stretching.stretch(material, name.parameters) }
    }
  }

  /// A keyset's record, which is only read, or created if there is none. These are two names, so that a call that seals does
  /// not wait for one that only reads.
  fileprivate struct CachedName: Hashable, Sendable {
    var keyset: KeysetID
    var isCreated: Bool
  }

  /// Material of an external source: the requested name, and the registration of the provider.
  struct MaterialName: Hashable, Sendable {
    var source: KeyMaterialSource
    var keyName: String
    var revision: Int
  }

  /// The material that is stretched.
  enum Origin: Hashable, Sendable {
    case master(KeysetID, KeyID)
    case external(MaterialName)
  }

  struct StretchName: Hashable, Sendable {
    var origin: Origin
    var parameters: StretchParameters
  }

  /// The name of a stretched key that is ready to seal with.
  struct PreparationName: Hashable, Sendable {
    var keyset: KeysetID
    var origin: Origin
    var iterations: Int
  }
}

extension EncryptionHelper.Session {
  /// Returns a keyset if a call has read it to open a value.
  func knownKeyset(of keyset: KeysetID) -> Keyset? { keysets.known(.init(keyset: keyset, isCreated: false)) }

  fileprivate func forget(_ keyset: KeysetID) {
    keysets.forget(.init(keyset: keyset, isCreated: false))
    keysets.forget(.init(keyset: keyset, isCreated: true))
  }
}

extension Keyset {
  /// Returns the keyset if it has keys. That of an external source has none.
  fileprivate func checked() throws(StorageProblem) -> Keyset {
    guard primary != nil else { throw .keyMaterialDamaged }
    return self
  }
}

extension EncryptionHelper: CustomStringConvertible, CustomReflectable {
  package var description: String { "EncryptionHelper" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
