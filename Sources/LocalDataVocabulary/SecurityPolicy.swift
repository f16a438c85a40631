/// The protection of a stored value.
public enum SecurityPolicy: Sendable, Hashable {
  /// Stored as it is. Not possible in `encryptedFileSystem`.
  case none
  /// Left to the keychain, which hands it out under these conditions. Only for the domain `keychain`.
  case keychain(accessibility: KeychainAccessibility = .whenUnlocked, accessControl: KeychainAccessControl? = nil)
  /// Sealed by LocalData before it is stored.
  case encrypted(EncryptionPolicy)

  /// ChaCha20-Poly1305 with HKDF under the master key: what a key gets that says nothing.
  public static let recommended = SecurityPolicy.encrypted(EncryptionPolicy())

  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case none, recommended, keychain, encrypted
  }

  /// The name of this case. The encryption that ``recommended`` stands for is named `recommended`, as in a catalog.
  public var kind: Kind {
    switch self {
    case .none: .none
    case .keychain: .keychain
    case .recommended: .recommended
    case .encrypted: .encrypted
    }
  }
}

extension SecurityPolicy {
  /// The encryption of a value: the cipher, and the source of its key.
  public struct EncryptionPolicy: Sendable, Hashable {
    /// The authenticated cipher.
    public var algorithm: EncryptionAlgorithm
    /// The derivation of the key.
    public var keyDerivation: KeyDerivation
    /// The source of the key.
    public var keySource: KeySource

    /// An encryption policy; what is left out is what ``SecurityPolicy/recommended`` has.
    public init(
      algorithm: EncryptionAlgorithm = .chaCha20Poly1305, keyDerivation: KeyDerivation = .hkdf,
      keySource: KeySource = .masterKey
    ) {
      self.algorithm = algorithm
      self.keyDerivation = keyDerivation
      self.keySource = keySource
    }

    /// AES-256-GCM, under the master key unless said.
    public static func aes256GCM(keyDerivation: KeyDerivation = .hkdf, keySource: KeySource = .masterKey) -> Self {
      Self(algorithm: .aes256GCM, keyDerivation: keyDerivation, keySource: keySource)
    }

    /// ChaCha20-Poly1305, under the master key unless said.
    public static func chaCha20Poly1305(
      keyDerivation: KeyDerivation = .hkdf, keySource: KeySource = .masterKey
    ) -> Self {
      Self(algorithm: .chaCha20Poly1305, keyDerivation: keyDerivation, keySource: keySource)
    }

    /// ChaCha20-Poly1305 under key material of the app's own.
    public static func external(source: KeyMaterialSource, keyDerivation: KeyDerivation = .hkdf) -> Self {
      Self(keyDerivation: keyDerivation, keySource: .external(source))
    }
  }
}

/// The authenticated ciphers.
public enum EncryptionAlgorithm: String, Sendable, Hashable, Codable, CaseIterable {
  case aes256GCM, chaCha20Poly1305
}

/// The derivation of a key from its source.
public enum KeyDerivation: Sendable, Hashable {
  /// HKDF-SHA256: for sources of full entropy.
  case hkdf
  /// PBKDF2-HMAC-SHA256 of so many rounds, then HKDF: for passphrases. A number that is not in ``iterations`` is refused.
  /// On Linux it needs the package trait `Passphrases`, which is enabled by default.
  case pbkdf2(iterations: Int)

  /// HKDF-SHA256.
  public static func hkdf() -> KeyDerivation { .hkdf }

  /// The rounds that PBKDF2 may have: at least what OWASP's Password Storage Cheat Sheet asks of PBKDF2-HMAC-SHA256
  /// (2023), at most what takes a few seconds, since a header that arrives from outside names the number.
  public static let iterations = 600_000...10_000_000

  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case hkdf, pbkdf2
  }

  /// Which case this is.
  public var kind: Kind {
    switch self {
    case .hkdf: .hkdf
    case .pbkdf2: .pbkdf2
    }
  }
}

/// The source from which a sealing key is derived.
public enum KeySource: Sendable, Hashable {
  /// The app's master key, which is stored in the keychain.
  case masterKey
  /// Bytes that the app gives for this source.
  case external(KeyMaterialSource)
}

/// The name of key material that the app provides.
public struct KeyMaterialSource: Sendable, Hashable {
  /// The name under which the provider is registered.
  public var id: String

  /// A source by its name.
  public init(id: String) { self.id = id }
}

extension SecurityPolicy {
  /// A Boolean value that indicates whether the library encrypts the value.
  package var isEncrypted: Bool { if case .encrypted = self { true } else { false } }
}
