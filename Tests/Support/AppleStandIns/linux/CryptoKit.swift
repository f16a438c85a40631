// CryptoKit as swift-crypto implements it: the same interface, on BoringSSL. The Secure Enclave is in memory.
@_exported import Crypto
public import Foundation
public import LocalAuthentication
public import Security

/// The state of the device's Secure Enclave.
public final class FakeEnclave: @unchecked Sendable {
  public static let shared = FakeEnclave()
  public var isAvailable = true
  /// The enclave of the device. It refuses the keys of any other one.
  public var device: UInt8 = 1

  public func reset() { (isAvailable, device) = (true, 1) }
}

public enum SecureEnclave {
  public static var isAvailable: Bool { FakeEnclave.shared.isAvailable }

  public enum P256 {
    public enum Signing {
      public struct PrivateKey: @unchecked Sendable {
        private let key: Crypto.P256.Signing.PrivateKey
        private let flags: SecAccessControlCreateFlags
        private let serial: Int
        private let context: LAContext?

        public init(
          compactRepresentable: Bool = true, accessControl: SecAccessControl, authenticationContext: LAContext? = nil
        ) throws {
          guard accessControl.flags.contains(.privateKeyUsage) else { throw Self.refusal }
          key = .init()
          flags = accessControl.flags.subtracting(.privateKeyUsage)
          serial = FakeKeychain.shared.newSerial()
          context = authenticationContext
        }

        /// Device, flags, serial and key. A real enclave encrypts them.
        public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
          let bytes = Array(dataRepresentation)
          guard bytes.count == 41, bytes[0] == FakeEnclave.shared.device else { throw Self.refusal }
          flags = .init(rawValue: bytes[1...4].reduce(0) { $0 << 8 | UInt($1) })
          serial = bytes[5...8].reduce(0) { $0 << 8 | Int($1) }
          key = try .init(rawRepresentation: Data(bytes[9...]))
          context = authenticationContext
        }

        public var publicKey: Crypto.P256.Signing.PublicKey { key.publicKey }

        public var dataRepresentation: Data {
          func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
          return Data([FakeEnclave.shared.device] + bytes(Int(flags.rawValue)) + bytes(serial)) + key.rawRepresentation
        }

        public func signature<D: DataProtocol>(for data: D) throws -> Crypto.P256.Signing.ECDSASignature {
          try FakeKeychain.shared.useKey(flags, serial: serial, context)
          return try key.signature(for: data)
        }

        /// The error of an enclave that does not know the bytes.
        private static var refusal: NSError { NSError(domain: "CryptoTokenKit", code: -3) }
      }
    }
  }
}
