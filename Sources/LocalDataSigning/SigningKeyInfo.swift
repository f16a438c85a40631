public import LocalDataFoundation

/// The facts about a key pair that need no confirmation by the user.
public struct SigningKeyInfo: Sendable, Hashable {
  /// The place of the private key.
  public let kind: Kind
  /// The time at which the pair was created, or adopted from an earlier release of the app.
  public let creation: Date
  /// The result of the last signature by this process.
  public let lastUse: LastUse

  /// The place of a private key.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The Secure Enclave of the device.
    case secureEnclave
    /// The keychain, or the keystore on Linux.
    case software
    /// A key of Keychain Services that an earlier release of the app created.
    case existing
  }

  /// The result of a signature.
  public enum LastUse: String, Sendable, Hashable, CaseIterable {
    /// This process has not signed with the pair.
    case none
    /// The pair has signed.
    case usable
    /// The private key exists no more, or the enrolled fingers or faces changed.
    case invalidated
    /// The private key is in the Secure Enclave of another device.
    case madeOnAnotherDevice
  }

  init(_ value: SigningValue) {
    kind =
      switch value.kind {
      case .enclave: .secureEnclave
      case .software: .software
      case .existing: .existing
      }
    creation = Date(timeIntervalSince1970: TimeInterval(value.creation))
    lastUse = Self.lastUse(of: value)
  }
}

extension SigningKeyInfo {
  /// The last uses by their public keys, of which no two pairs have the same.
  private static let uses = Lock<[Data: LastUse]>([:])

  static func lastUse(of value: SigningValue) -> LastUse { uses.withLock { $0[value.publicKey] } ?? .none }

  static func note(_ use: LastUse, of value: SigningValue) { uses.withLock { $0[value.publicKey] = use } }
}
