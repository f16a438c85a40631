public import Foundation
public import LocalData

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Moves the seed of the releases that kept it as encrypted text in the preferences.
///
/// The text is sealed with AES-GCM, in three parts in Base64: ciphertext, nonce and tag, joined by dots. The key of the text
/// stays in the keychain, because the values of the old store need it too. Without the key the migration throws an error, and
/// the app must not create another seed: the user would lose the identity that is derived from it.
public struct SeedMigration: StorageMigration {
  /// The seed of the catalog Wallet.
  public let destinationKey = StorageKey<String?>(
    name: "seed", domain: .keychain(),
    security: .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: .userPresence), serializer: .data,
    owner: "KeyManagement", description: "The mnemonic from which the wallet derives every signing key.")

  /// The text of earlier releases. It is declared with `legacy: true`, so only this migration uses it.
  public static let encryptedSeed = StorageKey<String?>(
    name: "seed", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "KeyManagement",
    description: "The encrypted mnemonic of earlier releases.")

  /// The key that the text is encrypted with: an item without a service.
  public static let valuesKey = StorageKey<Data?>(
    name: "com.owned-project.secretkey", domain: .keychain(service: ""), security: .keychain(), serializer: .data,
    owner: "KeyManagement",
    description: "The key of earlier releases.")

  /// Creates the migration, which has no state.
  public init() {}

  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.exists(Self.encryptedSeed)
  }

  public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let text = try await router.get(Self.encryptedSeed) else { return MigrationResult(success: true) }
    // Without its key the text stays, and the next read tries again.
    guard let key = try await router.get(Self.valuesKey) else { throw SeedError.noKey }
    try await router.set(try Self.decrypt(text, with: key), for: destinationKey)
    try await router.remove(Self.encryptedSeed)
    return MigrationResult(success: true)
  }

  /// Returns a seed as earlier releases stored it.
  public static func encrypt(_ seed: String, with key: Data) throws -> String {
    let box = try AES.GCM.seal(Data(seed.utf8), using: SymmetricKey(data: key))
    return [box.ciphertext, Data(box.nonce), box.tag].map { $0.base64EncodedString() }.joined(separator: ".")
  }

  static func decrypt(_ text: String, with key: Data) throws -> String {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Data(base64Encoded: String($0)) }
    guard parts.count == 3, let ciphertext = parts[0], let nonce = parts[1], let tag = parts[2] else {
      throw SeedError.damaged
    }
    let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
    guard let seed = String(bytes: try AES.GCM.open(box, using: SymmetricKey(data: key)), encoding: .utf8) else {
      throw SeedError.damaged
    }
    return seed
  }
}

/// Why the seed of an earlier release cannot be moved.
public enum SeedError: Error {
  /// The key of the text does not exist.
  case noKey
  /// The text is not one that an earlier release stored.
  case damaged
}
