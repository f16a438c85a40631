public import StorageVocabulary

/// A persisted value: its name, where it is stored, how it is protected and serialized.
///
/// `Value` is what ``StorageRouter/get(_:)`` returns. If nothing is stored, a key of an optional `Value` reads `nil`, a key
/// with a default reads the default, and a key with neither throws ``StorageError/notFound(_:)``.
///
/// ```swift
/// extension StorageKey where Value == String {
///   static let token = StorageKey(
///     name: "token", domain: .keychain(service: "com.example"),
///     owner: "AuthService", description: "The current user's auth token.")
/// }
/// ```
public struct StorageKey<Value: Sendable>: Sendable {
  /// The stored name.
  public let name: String
  /// The domain that the value is stored in.
  public let domain: StorageDomain
  /// The protection of the stored value.
  public let security: SecurityPolicy
  /// The devices that the key exists on.
  public let availability: PlatformAvailability
  /// The occasion on which the value is sent to the paired device.
  public let syncPolicy: SyncPolicy
  var coding: KeyCoding<Value>
  var options: StorageKeyOptions
  /// The migration that brings the value from where an earlier release stored it.
  var migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)?
  let prose: KeyProse?

  /// The serializer of the value.
  public var serializer: SerializerKind { coding.serializer }

  /// The team or person who is responsible for the key. `nil` for a generated key, whose catalog's descriptors say it.
  public var owner: String? { prose?.owner }

  /// The description of the value, as the audit shows it. `nil` for a generated key, whose catalog's descriptors say it.
  public var description: String? { prose?.description }
}

/// A key prints as an error names it: a member of a family by its declaration, without its parameters.
extension StorageKey: CustomDebugStringConvertible, CustomReflectable {
  /// The name and kind of domain: `'user_token' in keychain`.
  public var debugDescription: String { AnyStorageKey(self).description }

  /// An empty mirror: the stored name of a member contains its parameters, and a default is a value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The owner and the description of a hand-written key. A class, because the router copies keys and never reads it.
final class KeyProse: Sendable {
  let owner: String
  let description: String

  init(owner: String, description: String) {
    self.owner = owner
    self.description = description
  }
}
