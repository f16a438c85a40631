public import Foundation
public import LocalData

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Moves the seed of the releases that kept it as encrypted text in the preferences.
///
/// The key of the text stays in the keychain, because the app uses it for other data too.
public struct SeedMigration: StorageMigration {
  /// The seed of the catalog Wallet.
  public let destinationKey = StorageKey<String?>(
    name: "seed", domain: .keychain(),
    security: .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: .userPresence), serializer: .data,
    owner: "KeyManagement", description: "The mnemonic from which the wallet derives every signing key.")

  /// The text of earlier releases. It is declared with `legacy: true`, so only this migration uses it.
  public static let encryptedSeed = StorageKey<String?>(
    name: "seed_key", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "KeyManagement",
    description: "The encrypted mnemonic of earlier releases.")

  /// The key that the text is encrypted with.
  public static let dataEncryptionKey = StorageKey<Data?>(
    name: "dataEncryptionKey", domain: .keychain(),
    security: .keychain(accessibility: .whenUnlockedThisDeviceOnly), serializer: .data, owner: "KeyManagement",
    description: "The key of earlier releases.")

  /// Creates the migration, which has no state.
  public init() {}

  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.exists(Self.encryptedSeed)
  }

  public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let text = try await router.get(Self.encryptedSeed) else { return MigrationResult(success: true) }
    // Without its key the text stays, and the next read tries again.
    guard let key = try await router.get(Self.dataEncryptionKey) else { throw SeedError.noKey }
    try await router.set(try Self.decrypt(text, with: key), for: destinationKey)
    try await router.remove(Self.encryptedSeed)
    return MigrationResult(success: true)
  }

  /// Returns a seed as earlier releases stored it: AES-GCM with nonce and tag, in Base64.
  public static func encrypt(_ seed: String, with key: Data) throws -> String {
    let box = try AES.GCM.seal(
      Data(seed.utf8), using: SymmetricKey(data: key), authenticating: Data())
    guard let bytes = box.combined else { throw SeedError.damaged }
    return bytes.base64EncodedString()
  }

  static func decrypt(_ text: String, with key: Data) throws -> String {
    guard let bytes = Data(base64Encoded: text) else { throw SeedError.damaged }
    let seed = try AES.GCM.open(
      AES.GCM.SealedBox(combined: bytes), using: SymmetricKey(data: key), authenticating: Data())
    guard let text = String(bytes: seed, encoding: .utf8) else { throw SeedError.damaged }
    return text
  }
}

/// Why the seed of an earlier release cannot be moved.
public enum SeedError: Error {
  /// The key of the text does not exist.
  case noKey
  /// The text is not one that an earlier release stored.
  case damaged
}
