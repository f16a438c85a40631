public import StorageVocabulary

/// One persisted value: its name, where it lives, how it is secured and serialized.
///
/// `Value` is what ``StorageRouter/get(_:)`` returns. A key of an optional `Value` reads `nil` where nothing is stored, a
/// key with a default reads the default, and a key with neither throws ``StorageError/notFound(_:)``.
///
///     extension StorageKey where Value == String {
///       static let token = StorageKey(
///         name: "token", domain: .keychain(service: "com.example"),
///         owner: "AuthService", description: "The current user's auth token.")
///     }
public struct StorageKey<Value: Sendable>: Sendable {
  /// The stored name.
  public let name: String
  /// Where it lives.
  public let domain: StorageDomain
  /// How it is secured.
  public let security: SecurityPolicy
  /// On which devices it exists.
  public let availability: PlatformAvailability
  /// When it is sent to the paired device.
  public let syncPolicy: SyncPolicy
  var coding: KeyCoding<Value>
  var traits: StorageKeyTraits
  /// Where its value comes from while nothing is stored.
  var migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)?
  let prose: KeyProse?
}

/// Who answers for a hand-written key and what it is. Boxed: the router never reads it.
final class KeyProse: Sendable {
  let owner: String
  let description: String
  let defaultValue: String?

  init(owner: String, description: String, defaultValue: String? = nil) {
    self.owner = owner
    self.description = description
    self.defaultValue = defaultValue
  }
}
