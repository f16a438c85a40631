// swift-format-ignore-file
// The part of CryptoKit that the package uses.
public import Foundation
public import LocalAuthentication
public import Security

@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public enum CryptoKitError: Error { case incorrectKeySize, incorrectParameterSize, authenticationFailure }

@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
  static var byteCount: Int { get }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public protocol HashFunction: Sendable {
  associatedtype Digest: CryptoKit.Digest
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension HashFunction {
  public static func hash<D: DataProtocol>(data: D) -> Digest { fatalError() }
  public mutating func update<D: DataProtocol>(data: D) {}
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct SHA256Digest: Digest {
  public static var byteCount: Int { 32 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
  public var description: String { fatalError() }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct SHA256: HashFunction {
  public typealias Digest = SHA256Digest
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { fatalError() }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct SymmetricKey: ContiguousBytes, Sendable {
  public init<D: ContiguousBytes>(data: D) { fatalError() }
  public var bitCount: Int { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Sequence, Sendable {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct HMAC<H: HashFunction>: Sendable {
  public static func authenticationCode<D: DataProtocol>(
    for data: D, using key: SymmetricKey
  ) -> HashedAuthenticationCode<H> { fatalError() }
}
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct HKDF<H: HashFunction>: Sendable {
  public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
  ) -> SymmetricKey { fatalError() }
  public static func deriveKey<Info: DataProtocol>(
    inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
  ) -> SymmetricKey { fatalError() }
  public static func deriveKey<Salt: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
  ) -> SymmetricKey { fatalError() }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public enum AES: Sendable {
  public enum GCM: Sendable {
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
      public init() {}
      public init<D: DataProtocol>(data: D) throws { fatalError() }
      public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
      public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    }
    public struct SealedBox: Sendable {
      public var nonce: Nonce { fatalError() }
      public var ciphertext: Data { fatalError() }
      public var tag: Data { fatalError() }
      public var combined: Data? { fatalError() }
      public init<D: DataProtocol>(combined: D) throws { fatalError() }
      public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws { fatalError() }
    }
    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
      _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil, authenticating: AuthenticatedData
    ) throws -> SealedBox { fatalError() }
    public static func open<AuthenticatedData: DataProtocol>(
      _ sealedBox: SealedBox, using key: SymmetricKey, authenticating: AuthenticatedData
    ) throws -> Data { fatalError() }
    public static func seal<Plaintext: DataProtocol>(
      _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
    ) throws -> SealedBox { fatalError() }
    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data { fatalError() }
  }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public enum ChaChaPoly: Sendable {
  public struct Nonce: ContiguousBytes, Sequence, Sendable {
    public init() {}
    public init<D: DataProtocol>(data: D) throws { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
  }
  public struct SealedBox: Sendable {
    public var ciphertext: Data { fatalError() }
    public var tag: Data { fatalError() }
    public var combined: Data { fatalError() }
    public init<D: DataProtocol>(combined: D) throws { fatalError() }
    public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws { fatalError() }
  }
  public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil, authenticating: AuthenticatedData
  ) throws -> SealedBox { fatalError() }
  public static func open<AuthenticatedData: DataProtocol>(
    _ sealedBox: SealedBox, using key: SymmetricKey, authenticating: AuthenticatedData
  ) throws -> Data { fatalError() }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public enum P256: Sendable {
  public enum Signing: Sendable {
    public struct PublicKey: Sendable {
      public init<D: ContiguousBytes>(x963Representation: D) throws { fatalError() }
      public var x963Representation: Data { fatalError() }
      public func isValidSignature<D: DataProtocol>(_ signature: ECDSASignature, for data: D) -> Bool { fatalError() }
    }
    public struct PrivateKey: Sendable {
      public init(compactRepresentable: Bool = true) { fatalError() }
      public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
      public var publicKey: PublicKey { fatalError() }
      public var rawRepresentation: Data { fatalError() }
      public func signature<D: DataProtocol>(for data: D) throws -> ECDSASignature { fatalError() }
    }
    public struct ECDSASignature: ContiguousBytes, Sendable {
      public init<D: DataProtocol>(rawRepresentation: D) throws { fatalError() }
      public init<D: DataProtocol>(derRepresentation: D) throws { fatalError() }
      public var rawRepresentation: Data { fatalError() }
      public var derRepresentation: Data { fatalError() }
      public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    }
  }
}
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public enum SecureEnclave: Sendable {
  public static var isAvailable: Bool { fatalError() }
  public enum P256: Sendable {
    public enum Signing: Sendable {
      public struct PrivateKey: Sendable {
        public init(
          compactRepresentable: Bool = true, accessControl: SecAccessControl, authenticationContext: LAContext? = nil
        ) throws { fatalError() }
        public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws { fatalError() }
        public var publicKey: CryptoKit.P256.Signing.PublicKey { fatalError() }
        public var dataRepresentation: Data { fatalError() }
        public func signature<D: DataProtocol>(for data: D) throws -> CryptoKit.P256.Signing.ECDSASignature {
          fatalError()
        }
      }
    }
  }
}
