public import StorageVocabulary

/// A key of any value, for catalogs.
///
///     enum AppCatalog: StorageKeyCatalog {
///       static var allKeys: [AnyStorageKey] { [.key(.userToken), .key(.theme)] }
///     }
public struct AnyStorageKey: Sendable {
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
  let coding: any AnyKeyCoding
  let schema: UInt32
  let traits: StorageKeyTraits
  let migration: (@Sendable () -> AnyStorageMigration)?
  let prose: KeyProse?
  /// `nil` where the policy is never.
  let syncing: KeySyncing?

  /// The key without the type of its value.
  public static func key<Value>(_ key: StorageKey<Value>) -> AnyStorageKey { AnyStorageKey(key) }

  var serializer: SerializerKind { coding.serializer }
  var valueType: String { coding.valueType }

  /// The key without the type of its value.
  public init<Value>(_ key: StorageKey<Value>) {
    name = key.name
    domain = key.domain
    security = key.security
    availability = key.availability
    syncPolicy = key.syncPolicy
    coding = key.coding
    schema = key.coding.schema
    traits = key.traits
    if let migrate = key.migration { migration = { migrate(key) } } else { migration = nil }
    prose = key.prose
    syncing = key.syncPolicy == .never ? nil : KeySyncing(key)
  }

  /// What an audit says of it. The prose of a generated key stands in its catalog's descriptors, and is empty here.
  public var descriptor: StorageKeyDescriptor {
    StorageKeyDescriptor(
      member: traits.declaredName ?? name, name: traits.declaredName ?? name, valueType: valueType, domain: domain,
      security: security, serializer: serializer, owner: prose?.owner ?? "", description: prose?.description ?? "",
      availability: availability, syncPolicy: syncPolicy, retention: traits.retention, maxSize: traits.maxSize,
      backup: traits.isBackedUp, isLegacy: traits.isLegacy,
      schema: Int(schema), isResecured: traits.isResecured)
  }
}

extension AnyStorageKey: CustomStringConvertible, CustomReflectable {
  /// `'user_token' in keychain`.
  public var description: String { "\(subject)" }

  /// Empty: the stored name of a member holds its parameters.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// What an error about the key is about.
  var subject: StorageError.Subject {
    StorageError.Subject(key: traits.declaredName ?? name, domain: domain.kind)
  }
}
