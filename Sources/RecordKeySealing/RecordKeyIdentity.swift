package import SmallFoundation
package import StorageStores
package import StorageSystem
package import StorageVocabulary

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
  ) throws(StorageFault) -> Data {
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
  /// - Throws: ``StorageFault/authenticationFailed`` if it was sealed for another identity or with another key, or was changed.
  package func open(_ envelope: Data, identity: RecordKeyIdentity) throws(StorageFault) -> SecretBytes {
    let header = try EnvelopeHeader.parse(envelope)
    var plaintext = try open(envelope, header: header, purpose: .recordKey, associatedData: identity.associatedData)
    defer { plaintext.wipe() }
    guard plaintext.count == KeysetRecord.Key.count else { throw .corrupted }
    return SecretBytes(plaintext)
  }
}

extension Sealer {
  /// Returns an envelope of the record key that another key has sealed.
  package func reseal(
    _ envelope: Data, openedBy opener: Opener, identity: RecordKeyIdentity
  ) throws(StorageFault) -> Data {
    var plaintext = try opener.open(envelope, identity: identity).withUnsafeBytes { Data($0) }
    defer { plaintext.wipe() }
    return try seal(
      plaintext, metadata: try EnvelopeHeader.parse(envelope).metadata, purpose: .recordKey,
      associatedData: identity.associatedData)
  }
}

extension EncryptionHelper {
  /// Runs `body`, which stores an envelope, while no process changes the keys of its keyset.
  ///
  /// - Throws: ``StorageFault/busy`` if the envelope is sealed with a key that may not seal any more. The next sealer has the
  ///   right one.
  package func storing<Result>(
    _ envelope: Data, keyset: KeysetID, _ body: () throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    try checkingKeys(of: keyset) { (check) throws(StorageFault) in
      try check(envelope)
      return try body()
    }
  }
}
