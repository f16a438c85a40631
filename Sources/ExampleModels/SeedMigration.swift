public import Foundation
public import LocalData

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
    try OldWallet.seal(Data(seed.utf8), with: key)
  }

  static func decrypt(_ text: String, with key: Data) throws -> String {
    guard let seed = String(bytes: try OldWallet.open(text, with: key), encoding: .utf8) else {
      throw SeedError.damaged
    }
    return seed
  }
}

/// A reason for which the seed or another value of an earlier release cannot be moved.
public enum SeedError: Error {
  /// The key of the text does not exist.
  case noKey
  /// The text is not one that an earlier release stored.
  case damaged
}
