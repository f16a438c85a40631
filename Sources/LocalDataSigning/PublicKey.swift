public import LocalDataFoundation
import LocalDataSystem

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// The public key of a pair, for the curve P-256.
public struct SigningPublicKey: Sendable, Hashable {
  /// The key in the form of X9.63: 4, and the two coordinates of 32 bytes.
  public let x963: Data

  /// Creates a key from its form of X9.63, or returns `nil` if the bytes are no point of the curve.
  ///
  /// - Parameter x963: The 65 bytes of the key.
  public init?(x963: Data) {
    do { _ = try P256.Signing.PublicKey(x963Representation: x963) } catch { return nil }
    self.x963 = x963
  }

  /// The key as DER, in the structure SubjectPublicKeyInfo.
  public var der: Data { Self.derPrefix + x963 }

  /// The key as PEM.
  public var pem: String {
    let text = der.base64EncodedString()
    var lines = "-----BEGIN PUBLIC KEY-----\n"
    var rest = text[...]
    while !rest.isEmpty {
      lines += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return lines + "-----END PUBLIC KEY-----"
  }

  /// The key as a JSON Web Key. The members have the order and form of RFC 7638, so that the SHA-256 of the text is the
  /// thumbprint of the key.
  public var jwk: String {
    let x = x963[x963.startIndex + 1..<x963.startIndex + 33].base64URL
    let y = x963.suffix(32).base64URL
    return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
  }

  /// The structure before the point: the identifiers of the algorithm and the curve.
  private static let derPrefix = Data([
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
    0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ])
}

/// A signature of ES256: ECDSA with the curve P-256 and SHA-256.
public struct SigningSignature: Sendable, Hashable {
  /// The two numbers of the signature, 32 bytes each, as JSON Web Signatures contain them.
  public let raw: Data
  /// The signature as DER.
  public let der: Data

  private init(_ signature: P256.Signing.ECDSASignature) {
    raw = signature.rawRepresentation
    der = signature.derRepresentation
  }
}

extension SigningSignature {
  /// Creates a signature from DER.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes are no signature.
  init(der: Data) throws(StorageProblem) {
    do { self.init(try P256.Signing.ECDSASignature(derRepresentation: der)) } catch { throw .corrupted }
  }
}

/// The private key of a pair of the library, without the Secure Enclave.
struct SoftwareKey: Sendable {
  private let key: P256.Signing.PrivateKey

  /// Creates a new key.
  init() { key = P256.Signing.PrivateKey() }

  /// Creates a key from its 32 bytes.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes are no key, or not the one of a public key.
  init(_ secret: Data, of publicKey: Data) throws(StorageProblem) {
    do { key = try P256.Signing.PrivateKey(rawRepresentation: secret) } catch { throw .corrupted }
    guard self.publicKey == publicKey else { throw .corrupted }
  }

  var publicKey: Data { key.publicKey.x963Representation }
  var secret: Data { key.rawRepresentation }

  /// Returns the signature of a message.
  func signature(of message: Data) throws(StorageProblem) -> SigningSignature {
    do { return try SigningSignature(der: key.signature(for: message).derRepresentation) } catch { throw .cannotEncode }
  }
}

extension Data {
  /// The bytes in base64url without padding.
  fileprivate var base64URL: String {
    String(
      base64EncodedString().filter { $0 != "=" }.map { character in
        switch character {
        case "+": "-"
        case "/": "_"
        default: character
        }
      })
  }
}
