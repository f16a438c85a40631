package import LocalDataFoundation
package import LocalDataStores
package import LocalDataSystem
package import LocalDataVocabulary

/// The declared identity that the envelope of a record key is bound to. See `EncryptedFormat.md`.
package struct RecordKeyIdentity: Hashable, Sendable {
  package var domain: StorageDomain.Kind
  package var container: StorageContainer
  /// The name of the database.
  package var database: String
  package var number: UInt32

  package init(domain: StorageDomain.Kind, container: StorageContainer, database: String, number: UInt32) {
    self.domain = domain
    self.container = container
    self.database = database
    self.number = number
  }

  package var associatedData: Data {
    var writer = ByteWriter(capacity: 128)
    writer.appendField("record key")
    writer.appendField(domain.rawValue)
    writer.append(container: container)
    writer.appendField(database)
    writer.appendField(withUnsafeBytes(of: number.bigEndian) { Data($0) })
    return writer.bytes
  }
}

extension Sealer {
  /// Returns the envelope of a record key.
  package func seal(
    _ recordKey: SecretBytes, identity: RecordKeyIdentity, writtenAt: Date
  ) throws(StorageProblem) -> Data {
    var plaintext = recordKey.withUnsafeBytes { Data($0) }
    defer { plaintext.wipe() }
    return try seal(
      plaintext, metadata: EnvelopeMetadata(writtenAt: writtenAt), purpose: .recordKey,
      associatedData: identity.associatedData)
  }
}

extension Opener {
  /// Returns the record key in an envelope.
  ///
  /// - Throws: ``StorageProblem/authenticationFailed`` if it was sealed for another identity or with another key, or was changed.
  package func open(_ envelope: Data, identity: RecordKeyIdentity) throws(StorageProblem) -> SecretBytes {
    let header = try EnvelopeHeader.parse(envelope)
    var plaintext = try open(envelope, header: header, purpose: .recordKey, associatedData: identity.associatedData)
    defer { plaintext.wipe() }
    guard plaintext.count == Keyset.Key.count else { throw .corrupted }
    return SecretBytes(plaintext)
  }
}

/// The store of the record keys of a database.
package protocol RecordKeyStore: ValueStore {
  /// Seals every row with the newest record key, which is a new one if the master key of the newest is retired. Then it removes
  /// the other record keys.
  ///
  /// - Returns: False if there was nothing to do.
  /// - Throws: What keeps a row from being opened. The other rows are sealed again, and every record key stays.
  func rotate(_ encryption: EncryptionHelper) async throws(StorageProblem) -> Bool
}

extension EnvelopeHeader.Seal {
  /// The policy of a value that was sealed like this with a master key.
  package var policy: SecurityPolicy.EncryptionPolicy {
    SecurityPolicy.EncryptionPolicy(
      algorithm: algorithm, keyDerivation: stretch.map { .pbkdf2(iterations: $0.iterations) } ?? .hkdf)
  }
}

extension EncryptionHelper {
  /// Returns true if the key that has sealed an envelope may seal values. A provider has no other key.
  package func maySeal(_ envelope: Data, keyset: KeysetID) throws(StorageProblem) -> Bool {
    guard try EnvelopeHeader.parse(envelope).seal?.source == .masterKey else { return true }
    let known = revision
    do throws(StorageProblem) { try storing(envelope, keyset: keyset) {} } catch {
      guard error == .busy, revision != known else { throw error }
      return false
    }
    return true
  }

  /// Runs `body`, which stores an envelope, while no process changes the keys of its keyset.
  ///
  /// - Throws: ``StorageProblem/busy`` if the envelope is sealed with a key that may not seal any more. The next sealer has the
  ///   right one.
  package func storing<Result>(
    _ envelope: Data, keyset: KeysetID, _ body: () throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try checkingKeys(of: keyset) { (check) throws(StorageProblem) in
      try check(envelope)
      return try body()
    }
  }
}
