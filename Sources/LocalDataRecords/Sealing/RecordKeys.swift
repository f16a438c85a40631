import LocalDataRecordKeys
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

/// The record keys of one database as they are stored: each is an envelope in the table `local_data_keys`.
///
/// A database gets a record key with its first sealed row, and another one after each rotation of the master key:
///
/// 1. ``sealer(with:name:)`` opens the stored keys, if there are any.
/// 2. If the newest of them may not seal, ``newKey(after:)`` seals a new one. Neither function holds a transaction while it waits
///    for a keychain.
/// 3. ``storing(_:_:)`` runs the transaction that stores the new key, unless another process was faster.
///
/// An earlier key keeps its envelope until no row has its number. See ``RecordKeyValues/rotate(_:)``.
final class RecordKeys: Sendable {
  let encryption: EncryptionHelper
  private let policy: SecurityPolicy.EncryptionPolicy
  let identity: RecordKeyIdentity
  private let clock: any StorageClock

  /// A row of `local_data_keys`.
  struct Stored: Equatable, Sendable {
    var number: UInt32
    var envelope: Data
  }

  /// - Parameters:
  ///   - policy: The encryption of the record keys.
  ///   - database: The name of the database.
  init(
    _ encryption: EncryptionHelper, _ policy: SecurityPolicy.EncryptionPolicy, domain: StorageDomain.Kind,
    container: StorageContainer, database: String, clock: any StorageClock = SystemClock()
  ) {
    self.encryption = encryption
    self.policy = policy
    identity = RecordKeyIdentity(domain: domain, container: container, database: database, number: 1)
    self.clock = clock
  }

  var keyset: KeysetID { KeysetID(of: identity.container) }
  /// The name that a provider of key material gets.
  private var keyName: String { "records.\(identity.database)" }

  /// Returns the sealer with the stored keys, or nil if there are none. Never creates a key.
  ///
  /// - Parameters:
  ///   - name: The name of the database in sealed parts, if it is not the present one.
  ///   - shape: The recorded shape, which was compared with the list in the keychain.
  ///   - maySeal: The result of ``maySeal(_:)``, or false if it is not known.
  func sealer(
    with stored: [Stored], name: String? = nil, shape: String? = nil, maySeal: Bool = false
  ) async throws(StorageProblem) -> RecordSealer? {
    var keys: [UInt32: SecretBytes] = [:]
    for row in stored { keys[row.number] = try await secret(row) }
    return sealer(keys, stored, name: name, shape: shape, maySeal: maySeal)
  }

  /// Returns the stored keys, sealed for the address of another database. A new one follows them if their newest may not seal.
  func sealed(
    _ stored: [Stored], above highest: UInt32, for other: RecordKeys
  ) async throws(StorageProblem) -> [Stored] {
    guard !stored.isEmpty else { return [] }
    let sealer = try await encryption.sealer(for: other.policy, keyset: other.keyset, keyName: other.keyName)
    var result: [Stored] = []
    for row in stored {
      let secret = try await secret(row)
      let envelope = try sealer.seal(secret, identity: other.identity(row.number), writtenAt: clock.now)
      result.append(Stored(number: row.number, envelope: envelope))
    }
    if try await !maySeal(stored) {
      result += try await other.newKey(after: try await self.sealer(with: stored), above: highest).stored.suffix(1)
    }
    return result
  }

  /// Returns true if the newest of the stored keys may seal rows: the master key that has sealed it is not retired.
  func maySeal(_ stored: [Stored]) async throws(StorageProblem) -> Bool {
    guard let newest = stored.last else { return false }
    return try await BlockingExecutor.shared.run { [encryption, keyset] () throws(StorageProblem) in
      try encryption.maySeal(newest.envelope, keyset: keyset)
    }
  }

  private func secret(_ row: Stored) async throws(StorageProblem) -> SecretBytes {
    let header = try EnvelopeHeader.parse(row.envelope)
    let opener = try await encryption.opener(for: policy, keyset: keyset, keyName: keyName, header: header)
    return try opener.open(row.envelope, identity: identity(row.number))
  }

  /// Returns a sealer with a new key, which is the last of its stored ones. Creates the master key if there never was one.
  ///
  /// - Parameters:
  ///   - known: The sealer with the stored keys, or nil if there are none.
  ///   - highest: A number that the new one is above.
  /// - Throws: ``StorageProblem/databaseDamaged`` if there is no higher number.
  func newKey(
    after known: RecordSealer? = nil, above highest: UInt32 = 0
  ) async throws(StorageProblem) -> RecordSealer {
    let sealer = try await encryption.sealer(for: policy, keyset: keyset, keyName: keyName)
    let secret = encryption.randomness.secret(Keyset.Key.count)
    let number = max(known?.number ?? 0, highest) &+ 1
    guard number > 0 else { throw .databaseDamaged }
    let envelope = try sealer.seal(secret, identity: identity(number), writtenAt: clock.now)
    let stored = (known?.stored ?? []) + [Stored(number: number, envelope: envelope)]
    let keys = (known?.keys ?? [:]).merging([number: secret]) { $1 }
    guard let new = self.sealer(keys, stored, name: known?.database) else { throw .keyMaterialMissing }
    return new
  }

  /// Runs `body`, which stores keys, while no process changes the keys that seal them. One sealer has sealed the last of them, and
  /// those before it if they are new.
  ///
  /// - Throws: ``StorageProblem/busy`` if they have changed since.
  func storing<Result>(
    _ stored: [Stored], _ body: () throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    guard let envelope = stored.last?.envelope else { return try body() }
    return try encryption.storing(envelope, keyset: keyset, body)
  }

  private func sealer(
    _ keys: [UInt32: SecretBytes], _ stored: [Stored], name: String? = nil, shape: String? = nil,
    maySeal: Bool = true
  ) -> RecordSealer? {
    RecordSealer(
      database: name ?? identity.database, keys: keys, algorithm: policy.algorithm, randomness: encryption.randomness,
      stored: stored, shape: shape, maySeal: maySeal)
  }

  private func identity(_ number: UInt32) -> RecordKeyIdentity {
    var identity = identity
    identity.number = number
    return identity
  }
}
