public import StorageVocabulary

/// Where the master key lies in the keychain.
public struct EncryptionConfiguration: Sendable, Hashable {
  /// The keychain service of the master key.
  public var masterKeyService: String
  /// The keychain account of the master key.
  public var masterKeyAccount: String
  /// Bytes of the master key. Only 32 is taken, the key length of both ciphers.
  public var masterKeyLength: Int
  /// When the keychain gives the master key out.
  public var masterKeyAccessibility: KeychainAccessibility
  /// The access group of the master key, so that extensions can share it; on Apple only.
  public var masterKeyAccessGroup: String?

  /// A configuration; what is left out is the library's own.
  public init(
    masterKeyService: String = "LocalData", masterKeyAccount: String = "MasterKey", masterKeyLength: Int = 32,
    masterKeyAccessibility: KeychainAccessibility = .afterFirstUnlock, masterKeyAccessGroup: String? = nil
  ) {
    self.masterKeyService = masterKeyService
    self.masterKeyAccount = masterKeyAccount
    self.masterKeyLength = masterKeyLength
    self.masterKeyAccessibility = masterKeyAccessibility
    self.masterKeyAccessGroup = masterKeyAccessGroup
  }
}
