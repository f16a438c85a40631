package import Foundation
import StorageVocabulary

/// The record of a keyset in the keychain: its keys, the one of them that seals, and the salts of PBKDF2.
///
/// An external source has a record too, with the salts and without a key.
package struct KeysetRecord: Sendable {
  /// The number of changes of the set of keys, so that an older set can be recognized.
  package var epoch: UInt64
  /// The key that seals; `nil` if the keys are those of an external source.
  package var primary: KeyID?
  package var keys: [Key]
  package var stretches: [Stretch]

  package init(epoch: UInt64 = 1, primary: KeyID? = nil, keys: [Key] = [], stretches: [Stretch] = []) {
    self.epoch = epoch
    self.primary = primary
    self.keys = keys
    self.stretches = stretches
  }

  /// A keyset of one key.
  package init(newKey secret: SecretBytes) {
    let key = Key(secret: secret)
    self.init(primary: key.id, keys: [key])
  }

  /// A key that seals or has sealed.
  package struct Key: Sendable {
    package static let count = 32
    package let id: KeyID
    package let secret: SecretBytes

    package init(secret: SecretBytes) {
      id = KeyID(of: secret)
      self.secret = secret
    }
  }

  /// Parameters of PBKDF2, fixed once for what they stretch and a number of iterations.
  package struct Stretch: Hashable, Sendable {
    /// The stretched material: the id of a key of this record, or the name that an external source was asked for.
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

  package func key(_ id: KeyID?) -> Key? { keys.first { $0.id == id } }

  package func stretch(of label: Data, iterations: Int) -> Stretch? {
    stretches.first { $0.label == label && $0.parameters.iterations == iterations }
  }

  package func stretch(_ id: KeyID) -> Stretch? { stretches.first { $0.id == id } }
}

extension KeysetRecord: CustomStringConvertible {
  package var description: String { "KeysetRecord(redacted)" }
}

/// The bytes of a record, see `FORMAT.md`: magic, version, epoch, primary, keys, stretches.
extension KeysetRecord {
  private static let magic = Data([0x89, 0x4C, 0x44, 0x4B])
  private static let formatVersion: UInt8 = 1

  /// Reads a record from an item of the keychain. Every key is compared with its id.
  package init(bytes: Data) throws(StorageFault) {
    guard bytes.starts(with: Self.magic) else { throw .corrupted }
    var reader = ByteReader(bytes.dropFirst(Self.magic.count))
    guard try reader.integer(UInt8.self) == Self.formatVersion else { throw .unknownFormatVersion }
    let epoch = try reader.integer(UInt64.self)
    let primary = try reader.keyID()
    var keys: [Key] = []
    for _ in 0..<(try reader.integer(UInt16.self)) {
      let id = try reader.keyID()
      let key = Key(secret: SecretBytes(try reader.take(Key.count)))
      guard key.id == id else { throw .corrupted }
      keys.append(key)
    }
    var stretches: [Stretch] = []
    for _ in 0..<(try reader.integer(UInt16.self)) {
      let label = Data(try reader.take(Int(try reader.integer(UInt16.self))))
      guard let iterations = Int(exactly: try reader.integer(UInt32.self)),
        KeyDerivation.iterations.contains(iterations)
      else { throw .corrupted }
      let salt = Data(try reader.take(StretchParameters.saltCount))
      stretches.append(
        Stretch(label: label, parameters: .init(iterations: iterations, salt: salt), id: try reader.keyID()))
    }
    guard reader.remaining == 0 else { throw .corrupted }
    let isOutside = keys.isEmpty && primary.bytes.allSatisfy { $0 == 0 }
    guard isOutside || keys.contains(where: { $0.id == primary }) else { throw .corrupted }
    self.init(epoch: epoch, primary: isOutside ? nil : primary, keys: keys, stretches: stretches)
  }

  /// Returns the bytes for the keychain. They contain the keys: wipe them after use.
  package func encoded() throws(StorageFault) -> Data {
    guard keys.count <= Int(UInt16.max), stretches.count <= Int(UInt16.max),
      stretches.allSatisfy({ $0.label.count <= Int(UInt16.max) })
    else { throw .valueTooLarge }
    var writer = ByteWriter(capacity: 64 + keys.count * 48 + stretches.reduce(0) { $0 + $1.label.count + 38 })
    writer.append(Self.magic)
    writer.append(Self.formatVersion)
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
    return writer.bytes
  }
}

extension ByteReader {
  fileprivate mutating func keyID() throws(StorageFault) -> KeyID {
    guard let id = KeyID(bytes: try take(KeyID.count)) else { throw .corrupted }
    return id
  }
}
