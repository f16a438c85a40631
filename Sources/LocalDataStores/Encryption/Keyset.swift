package import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// A keyset in the keychain: its keys, the one of them that seals, and the salts of PBKDF2.
///
/// An external source has one too, with the salts and without a key.
package struct Keyset: Sendable {
  /// The number of changes of the set of keys, so that an older set can be recognized.
  package var epoch: UInt64
  /// The key that seals; `nil` if the keys are those of an external source.
  package var primary: KeyID?
  package var keys: [Key]
  package var stretches: [Stretch]
  /// The keys that an external source has returned without PBKDF2.
  package var checks: [Check]
  /// A Boolean value that indicates whether values may still be sealed with another key than the primary one.
  package var isRotating: Bool

  package init(
    epoch: UInt64 = 1, primary: KeyID? = nil, keys: [Key] = [], stretches: [Stretch] = [], checks: [Check] = [],
    isRotating: Bool = false
  ) {
    self.epoch = epoch
    self.primary = primary
    self.keys = keys
    self.stretches = stretches
    self.checks = checks
    self.isRotating = isRotating
  }

  /// A keyset of one key.
  package init(newKey secret: SecretBytes) {
    let key = Key(secret: secret)
    self.init(primary: key.id, keys: [key])
  }

  /// A key that seals or has sealed.
  package struct Key: Sendable {
    package static let count = 32
    package let secret: SecretBytes
    /// The key that seals and opens values, unless it is stretched first.
    let sealingKey: SealingKey

    package var id: KeyID { sealingKey.id }

    package init(secret: SecretBytes) {
      self.secret = secret
      sealingKey = SealingKey(secret, source: .masterKey)
    }
  }

  /// Parameters of PBKDF2, which never change for one material and number of iterations.
  package struct Stretch: Hashable, Sendable {
    /// The stretched material: the id of a key of this keyset, or the name that was passed to an external source.
    package var label: Data
    package var parameters: StretchParameters
    /// The id of the stretched key.
    package var id: KeyID

    package init(label: Data, parameters: StretchParameters, id: KeyID) {
      self.label = label
      self.parameters = parameters
      self.id = id
    }
  }

  /// The id of the key that an external source returned for a name, so that other bytes are detected before a value is sealed
  /// with them.
  package struct Check: Hashable, Sendable {
    /// The name that was passed to the source.
    package var label: Data
    package var id: KeyID

    package init(label: Data, id: KeyID) {
      self.label = label
      self.id = id
    }
  }

  package func check(of label: Data) -> Check? { checks.first { $0.label == label } }

  /// The ids of the keys that may seal: the primary one, and those that are stretched from it.
  package var sealingIDs: Set<KeyID> {
    guard let primary else { return [] }
    return Set([primary] + stretches.filter { $0.label == primary.bytes }.map(\.id))
  }

  package func key(_ id: KeyID?) -> Key? { keys.first { $0.id == id } }

  package func stretch(of label: Data, iterations: Int) -> Stretch? {
    stretches.first { $0.label == label && $0.parameters.iterations == iterations }
  }

  package func stretch(_ id: KeyID) -> Stretch? { stretches.first { $0.id == id } }
}

extension Keyset: CustomStringConvertible {
  package var description: String { "Keyset(redacted)" }
}

/// The bytes of a keyset, see `EncryptedFormat.md`: magic, version, epoch, primary, keys, stretches, checks
/// and whether a rotation is unfinished.
extension Keyset {
  private static let magic = Data([0x89, 0x4C, 0x44, 0x4B])
  private static let version: UInt8 = 2

  /// Reads a keyset from an item of the keychain. Every key is compared with its id.
  package init(bytes: Data) throws(StorageProblem) {
    do throws(StorageProblem) { try self.init(fields: bytes) } catch {
      // A field is missing.
      throw error == .corrupted ? .keyMaterialDamaged : error
    }
  }

  private init(fields bytes: Data) throws(StorageProblem) {
    guard bytes.starts(with: Self.magic) else { throw .keyMaterialDamaged }
    var reader = ByteReader(bytes.dropFirst(Self.magic.count))
    let version = try reader.integer(UInt8.self)
    guard version == Self.version else { throw .unknownFormatVersion }
    let epoch = try reader.integer(UInt64.self)
    let primary = try reader.keyID()
    var keys: [Key] = []
    for _ in 0..<(try reader.integer(UInt16.self)) {
      let id = try reader.keyID()
      let key = Key(secret: SecretBytes(try reader.take(Key.count)))
      guard key.id == id else { throw .keyMaterialDamaged }
      keys.append(key)
    }
    var stretches: [Stretch] = []
    for _ in 0..<(try reader.integer(UInt16.self)) {
      let label = Data(try reader.take(Int(try reader.integer(UInt16.self))))
      guard let iterations = Int(exactly: try reader.integer(UInt32.self)),
        KeyDerivation.iterations.contains(iterations)
      else { throw .keyMaterialDamaged }
      let salt = Data(try reader.take(StretchParameters.saltCount))
      stretches.append(
        Stretch(label: label, parameters: .init(iterations: iterations, salt: salt), id: try reader.keyID()))
    }
    var checks: [Check] = []
    for _ in 0..<(try reader.integer(UInt16.self)) {
      let label = Data(try reader.take(Int(try reader.integer(UInt16.self))))
      checks.append(Check(label: label, id: try reader.keyID()))
    }
    let flags = try reader.integer(UInt8.self)
    guard flags <= 1 else { throw .keyMaterialDamaged }
    guard reader.remaining == 0 else { throw .keyMaterialDamaged }
    let isOutside = keys.isEmpty && primary.bytes.allSatisfy { $0 == 0 }
    guard isOutside || keys.contains(where: { $0.id == primary }) else { throw .keyMaterialDamaged }
    self.init(
      epoch: epoch, primary: isOutside ? nil : primary, keys: keys, stretches: stretches, checks: checks,
      isRotating: flags == 1)
  }

  /// Returns the bytes for the keychain. They contain the keys: wipe them after use.
  package func encoded() throws(StorageProblem) -> Data {
    let most = Int(UInt16.max)
    let labels = stretches.map(\.label.count) + checks.map(\.label.count)
    guard max(keys.count, stretches.count, checks.count) <= most, labels.allSatisfy({ $0 <= most }) else {
      throw .valueTooLarge(limit: nil)
    }
    var writer = ByteWriter(capacity: 64 + keys.count * 48 + labels.reduce(0) { $0 + $1 + 38 })
    writer.append(Self.magic)
    writer.append(Self.version)
    writer.append(epoch)
    writer.append(primary?.bytes ?? Data(count: KeyID.count))
    writer.append(UInt16(keys.count))
    for key in keys {
      writer.append(key.id.bytes)
      key.secret.withUnsafeBytes { writer.append($0) }
    }
    writer.append(UInt16(stretches.count))
    for stretch in stretches {
      writer.append(UInt16(stretch.label.count))
      writer.append(stretch.label)
      writer.append(UInt32(stretch.parameters.iterations))
      writer.append(stretch.parameters.salt)
      writer.append(stretch.id.bytes)
    }
    writer.append(UInt16(checks.count))
    for check in checks {
      writer.append(UInt16(check.label.count))
      writer.append(check.label)
      writer.append(check.id.bytes)
    }
    writer.append(UInt8(isRotating ? 1 : 0))
    return writer.bytes
  }
}

extension ByteReader {
  fileprivate mutating func keyID() throws(StorageProblem) -> KeyID {
    guard let id = KeyID(bytes: try take(KeyID.count)) else { throw .keyMaterialDamaged }
    return id
  }
}
