import LocalDataFoundation
import LocalDataSystem

/// The stored bytes of a key pair.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 4 | `LDSK` |
/// | 4 | 3 | version 1, kind, algorithm 1 (ES256) |
/// | 7 | 8 | creation, in seconds since 1970 |
/// | 15 | 65 | public key, in the form of X9.63 |
/// | 80 | … | the private part |
///
/// The private part is what the Secure Enclave returned (kind 1), 32 bytes or nothing (kind 2), or the application label of
/// a `SecKey` (kind 3). Nothing means that another item has the 32 bytes. Integers are big-endian.
struct SigningValue: Equatable, Sendable {
  let kind: Kind
  /// The time at which the pair was created or adopted, in seconds since 1970.
  let creation: Int64
  let publicKey: Data
  let privatePart: Data

  enum Kind: UInt8, CaseIterable, Sendable {
    case enclave = 1
    case software, existing
  }

  static let publicKeyCount = 65
  static let secretCount = 32
  /// The number of bytes before the private part.
  static let headCount = 80
  private static let magic = Data("LDSK".utf8)
  private static let version: UInt8 = 1
  private static let algorithm: UInt8 = 1

  init(_ kind: Kind, at time: Date, publicKey: Data, privatePart: Data) {
    self.kind = kind
    creation = Int64(time.timeIntervalSince1970.rounded(.down))
    self.publicKey = publicKey
    self.privatePart = privatePart
  }

  /// Reads stored bytes.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes are no pair, and ``StorageProblem/unknownFormatVersion`` if a later
  ///   version of the library wrote them.
  init(_ bytes: Data) throws(StorageProblem) {
    var reader = ByteReader(bytes)
    guard try reader.take(Self.magic.count) == Self.magic else { throw .corrupted }
    guard try reader.integer(UInt8.self) == Self.version else { throw .unknownFormatVersion }
    guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else { throw .unknownFormatVersion }
    guard try reader.integer(UInt8.self) == Self.algorithm else { throw .unknownFormatVersion }
    self.kind = kind
    creation = try reader.integer()
    publicKey = Data(try reader.take(Self.publicKeyCount))
    privatePart = Data(reader.rest())
    guard SigningPublicKey(x963: publicKey) != nil, kind.mayHave(privatePart.count) else { throw .corrupted }
  }

  var bytes: Data {
    var writer = ByteWriter(capacity: Self.headCount + privatePart.count)
    writer.append(Self.magic)
    writer.append([Self.version, kind.rawValue, Self.algorithm])
    writer.append(creation)
    writer.append(publicKey)
    writer.append(privatePart)
    return writer.bytes
  }
}

extension SigningValue.Kind {
  /// Returns true if the private part of a pair of this kind can have a number of bytes.
  fileprivate func mayHave(_ count: Int) -> Bool {
    switch self {
    case .enclave, .existing: count > 0
    case .software: count == 0 || count == SigningValue.secretCount
    }
  }
}
