import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

/// The record keys of a database: they seal and open the encrypted fields of its rows. See `EncryptedFormat.md`.
package final class RecordSealer: Sendable {
  /// Distinguishes a sealer from others, without its keys.
  final class Identity: Sendable {}

  let identity = Identity()
  /// The name of the database in sealed parts.
  let database: String
  private let algorithm: EncryptionAlgorithm
  let keys: [UInt32: SecretBytes]
  /// The number of the key that seals.
  let number: UInt32
  private let randomness: Randomness
  /// The keys as the database stores them.
  let stored: [RecordKeys.Stored]
  /// The shape that the list in the keychain allows a merge of; `nil` if the database has none.
  let shape: String?
  /// A Boolean value that indicates whether the merge of a release may seal rows.
  let maySeal: Bool
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
  init?(
    database: String, keys: [UInt32: SecretBytes], algorithm: EncryptionAlgorithm, randomness: Randomness = .system,
    stored: [RecordKeys.Stored] = [], shape: String? = nil, maySeal: Bool = true
  ) {
    guard let number = keys.keys.max() else { return nil }
    self.database = database
    self.keys = keys
    self.algorithm = algorithm
    self.number = number
    self.randomness = randomness
    self.stored = stored
    self.shape = shape
    self.maySeal = maySeal
  }

  /// Returns the sealed part of a row.
  ///
  /// - Parameters:
  ///   - message: The encrypted fields, in the wire format.
  ///   - record: The stored name of the record.
  ///   - key: The canonical bytes of the row's key.
  func seal(_ message: [UInt8], record: String, key: Data) throws(StorageProblem) -> [UInt8] {
    var part: [UInt8] = []
    part.reserveCapacity(Self.headerCount + message.count + Self.tagCount)
    part.append(Self.version)
    part.append(algorithm.formatNumber)
    withUnsafeBytes(of: number.bigEndian) { part += $0 }
    let nonce = randomness.bytes(Self.nonceCount)
    var associated: [UInt8] = []
    associated.reserveCapacity(128)
    associated += part
    nonce.withUnsafeBytes { associated += $0 }
    bind(&associated, to: record, key)
    let sealed = try dataKey(number, record, algorithm)
      .seal(message, algorithm, nonce: nonce, associatedData: associated)
    sealed.withUnsafeBytes { part += $0 }
    return part
  }

  /// Returns the encrypted fields in the sealed part of a row.
  ///
  /// - Throws: ``StorageProblem/authenticationFailed`` if the part is of another row, record or database, or was changed, and
  ///   ``StorageProblem/keyMaterialMissing`` if the database does not have its key.
  func open(_ sealed: Data, record: String, key: Data) throws(StorageProblem) -> Data {
    var reader = ByteReader(sealed)
    guard try reader.integer(UInt8.self) == Self.version else { throw .unknownFormatVersion }
    let algorithm = try EncryptionAlgorithm(formatNumber: reader.integer())
    let number: UInt32 = try reader.integer()
    guard reader.remaining >= Self.nonceCount + Self.tagCount else { throw .corrupted }
    var associated = Array(sealed.prefix(Self.headerCount))
    bind(&associated, to: record, key)
    return try dataKey(number, record, algorithm).open(reader.rest(), algorithm, associatedData: associated)
  }

  /// Returns the number of the record key that has sealed a part.
  static func number(of part: Data) throws(StorageProblem) -> UInt32 {
    var reader = ByteReader(part.dropFirst(2))
    return try reader.integer()
  }

  /// Returns the number by which rows with equal values of an encrypted field are found.
  ///
  /// - Parameters:
  ///   - value: The canonical bytes of the value.
  ///   - record: The stored name of the record.
  ///   - field: The number of the field.
  ///   - number: The number of the record key, or nil for the key that seals.
  func blindIndex(
    _ value: Data, record: String, field: Int, key number: UInt32? = nil
  ) throws(StorageProblem) -> Int64 {
    let field = UInt32(truncatingIfNeeded: field)
    let key = try key(KeyName(number: number ?? self.number, record: record, use: .blindIndex(field: field)))
    var reader = ByteReader(key.authenticationCode(for: value))
    return try reader.integer()
  }

  // MARK: Parts of the format

  /// Adds the row to associated data, which contains the header. Appending a few bytes costs less for an array
  /// than for `Data`.
  private func bind(_ associated: inout [UInt8], to record: String, _ key: Data) {
    append("record", to: &associated)
    append(database, to: &associated)
    append(record, to: &associated)
    withUnsafeBytes(of: UInt32(key.count).bigEndian) { associated += $0 }
    key.withUnsafeBytes { associated += $0 }
  }

  private func append(_ text: String, to associated: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) { associated += $0 }
    associated += text.utf8
  }

  private func dataKey(
    _ number: UInt32, _ record: String, _ algorithm: EncryptionAlgorithm
  ) throws(StorageProblem) -> DerivedKey {
    try key(KeyName(number: number, record: record, use: .data(algorithm)))
  }

  private func key(_ name: KeyName) throws(StorageProblem) -> DerivedKey {
    if let key = derived.withLock({ $0[name] }) { return key }
    guard let secret = keys[name.number] else { throw .keyMaterialMissing }
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
