// swift-format-ignore-file
@_exported import Crypto
public import Foundation

@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, macCatalyst 13, visionOS 1.0, *)
public enum KDF: Sendable {
  public enum Insecure: Sendable {
    public struct PBKDF2: Sendable {
      public struct HashFunction: Hashable, Sendable { public static let sha256 = HashFunction() }
      public static func deriveKey<Passphrase: DataProtocol, Salt: DataProtocol>(
        from password: Passphrase, salt: Salt, using hashFunction: HashFunction, outputByteCount: Int,
        unsafeUncheckedRounds: Int
      ) throws -> SymmetricKey { fatalError() }
    }
  }
}
