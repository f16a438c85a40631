package import SmallFoundation
import StorageStores
package import StorageSystem
package import StorageVocabulary

/// The record keys of a database: they seal and open the encrypted fields of its rows. See `Encryption/FORMAT.md`.
package final class RecordSealer: Sendable {
  private let database: String
  private let algorithm: EncryptionAlgorithm
  private let keys: [UInt32: SecretBytes]
  /// The number of the key that seals.
  private let number: UInt32
  private let randomness: Randomness
  /// The keys as the database stores them.
  let stored: [RecordKeys.Stored]
  private let derived = Lock<[KeyName: DerivedKey]>([:])

  /// The inputs of a derivation, except for the record key.
  fileprivate struct KeyName: Hashable, Sendable {
    var number: UInt32
    var record: String
    var use: Use

    enum Use: Hashable, Sendable {
      case data(EncryptionAlgorithm)
      case blindIndex(field: UInt32)
    }
  }

  /// The version, algorithm, number of the record key, and nonce before the ciphertext.
  private static let headerCount = 18
  private static let nonceCount = 12
  private static let tagCount = 16
  private static let version: UInt8 = 1

  /// - Parameters:
  ///   - keys: The record keys by their numbers. That with the highest number seals.
  ///   - stored: The keys as the database stores them.
  package init?(
    database: String, keys: [UInt32: SecretBytes], algorithm: EncryptionAlgorithm, randomness: Randomness = .system,
    stored: [RecordKeys.Stored] = []
  ) {
    guard let number = keys.keys.max() else { return nil }
    self.database = database
    self.keys = keys
    self.algorithm = algorithm
    self.number = number
    self.randomness = randomness
    self.stored = stored
  }

  /// Returns the sealed part of a row.
  ///
  /// - Parameters:
  ///   - message: The encrypted fields, in the wire format.
  ///   - record: The stored name of the record.
  ///   - key: The canonical bytes of the row's key.
  package func seal(_ message: Data, record: String, key: Data) throws(StorageFault) -> Data {
    var header = Data(capacity: Self.headerCount)
    header.append(Self.version)
    header.append(algorithm.formatNumber)
    withUnsafeBytes(of: number.bigEndian) { header.append(contentsOf: $0) }
    let nonce = randomness.bytes(Self.nonceCount)
    let dataKey = try dataKey(number, record, algorithm)
    return try header
      + dataKey.seal(
        message, algorithm, nonce: nonce, associatedData: associatedData(header: header + nonce, record, key))
  }

  /// Returns the encrypted fields in the sealed part of a row.
  ///
  /// - Throws: ``StorageFault/authenticationFailed`` if the part is of another row, record or database, or was changed.
  package func open(_ sealed: Data, record: String, key: Data) throws(StorageFault) -> Data {
    var reader = ByteReader(sealed)
    guard try reader.integer(UInt8.self) == Self.version else { throw .unknownFormatVersion }
    let algorithm = try EncryptionAlgorithm(formatNumber: reader.integer())
    let number: UInt32 = try reader.integer()
    guard reader.remaining >= Self.nonceCount + Self.tagCount else { throw .corrupted }
    return try dataKey(number, record, algorithm)
      .open(
        reader.rest(), algorithm,
        associatedData: associatedData(header: sealed.prefix(Self.headerCount), record, key))
  }

  /// Returns the number by which rows with equal values of an encrypted field are found.
  ///
  /// - Parameters:
  ///   - value: The canonical bytes of the value.
  ///   - record: The stored name of the record.
  ///   - field: The number of the field.
  func blindIndex(_ value: Data, record: String, field: Int) throws(StorageFault) -> Int64 {
    let field = UInt32(truncatingIfNeeded: field)
    let key = try key(KeyName(number: number, record: record, use: .blindIndex(field: field)))
    var reader = ByteReader(key.authenticationCode(for: value))
    return try reader.integer()
  }

  // MARK: Parts of the format

  private func associatedData(header: Data, _ record: String, _ key: Data) -> Data {
    var writer = ByteWriter(capacity: 128)
    writer.append(header)
    writer.appendField("record")
    writer.appendField(database)
    writer.appendField(record)
    writer.appendField(key)
    return writer.bytes
  }

  private func dataKey(
    _ number: UInt32, _ record: String, _ algorithm: EncryptionAlgorithm
  ) throws(StorageFault) -> DerivedKey {
    try key(KeyName(number: number, record: record, use: .data(algorithm)))
  }

  private func key(_ name: KeyName) throws(StorageFault) -> DerivedKey {
    if let key = derived.withLock({ $0[name] }) { return key }
    guard let secret = keys[name.number] else { throw .authenticationFailed }
    let key = DerivedKey(from: secret, info: name.info)
    derived.withLock { $0[name] = key }
    return key
  }
}

extension RecordSealer.KeyName {
  fileprivate var info: Data {
    var info = ByteWriter(capacity: 64)
    switch use {
    case .data(let algorithm):
      info.append("LocalData record\u{0}".utf8)
      info.append(algorithm.formatNumber)
      info.append(record.utf8)
    case .blindIndex(let field):
      info.append("LocalData blind\u{0}".utf8)
      info.append(record.utf8)
      info.append(field)
    }
    return info.bytes
  }
}

extension RecordSealer: CustomStringConvertible, CustomReflectable {
  package var description: String { "RecordSealer(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
