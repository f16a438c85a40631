public import LocalDataVocabulary

/// A persisted value: its name, where it is stored, how it is protected and serialized.
///
/// `Value` is the type that ``StorageRouter/get(_:)`` returns. If nothing is stored, a key of an optional `Value` reads `nil`,
/// a key with a default reads the default, and a key with neither throws ``StorageProblem/Code/notFound``.
///
/// ```swift
/// extension StorageKey where Value == String {
///   static let token = StorageKey(
///     name: "token", domain: .keychain(service: "com.example"),
///     owner: "AuthService", description: "The current user's auth token.")
/// }
/// ```
public struct StorageKey<Value: Sendable>: Sendable {
  let declaration: KeyDeclaration
  /// The coding of the declaration, with the type of the value.
  let coding: KeyCoding<Value>
  /// The function that makes the migration from the address of an earlier release. `nil` if the key has no migration.
  let migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)?

  /// The stored name.
  public var name: String { declaration.name }
  /// The domain that the value is stored in.
  public var domain: StorageDomain { declaration.domain }
  /// The protection of the stored value.
  public var security: SecurityPolicy { declaration.security }
  /// The devices that the key exists on.
  public var availability: PlatformAvailability { declaration.availability }
  /// The occasion on which the value is sent to the paired device.
  public var syncPolicy: SyncPolicy { declaration.syncPolicy }
  var options: StorageKeyOptions { declaration.options }

  /// The serializer of the value.
  public var serializer: SerializerKind { coding.serializer }

  /// The team or person who is responsible for the key. `nil` for a generated key: its owner is in its catalog's descriptors.
  public var owner: String? { declaration.owner }

  /// The description of the value, as the audit shows it. `nil` for a generated key: its description is in its catalog's
  /// descriptors.
  public var description: String? { declaration.description }
}

/// A key prints as in errors: with its declared name, so that a member of a family does not show its parameters.
extension StorageKey: CustomDebugStringConvertible, CustomReflectable {
  /// The name and kind of domain: `'user_token' in keychain`.
  public var debugDescription: String { AnyStorageKey(self).description }

  /// An empty mirror: the stored name of a member contains its parameters, and a default is a value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StorageKey {
  /// Creates a key from its parts.
  init(
    name: String, domain: StorageDomain, security: SecurityPolicy, availability: PlatformAvailability,
    syncPolicy: SyncPolicy, coding: KeyCoding<Value>, options: StorageKeyOptions,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil, owner: String? = nil,
    description: String? = nil
  ) {
    let isInFile =
      domain.kind.isFile && domain.fields.directory?.exact != nil && coding.serializer == .propertyList
      && coding.dates == nil
    let coding = isInFile ? KeyCoding(inFile: coding) : coding
    declaration = KeyDeclaration(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: coding.erased, options: options, owner: owner, description: description)
    self.coding = coding
    self.migration = migration
  }

  /// Creates a copy of a key with another coding, other options or another migration.
  private init(
    _ key: Self, coding: KeyCoding<Value>, options: StorageKeyOptions,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)?
  ) {
    declaration = key.declaration.with(coding: coding, options: options)
    self.coding = coding
    self.migration = migration
  }

  /// Returns a copy with other options.
  package func with(_ change: (inout StorageKeyOptions) -> Void) -> Self {
    var options = options
    change(&options)
    return Self(self, coding: coding, options: options, migration: migration)
  }

  /// Returns a copy with another coding.
  func with(_ coding: KeyCoding<Value>) -> Self { Self(self, coding: coding, options: options, migration: migration) }

  /// Returns a copy with another migration, or with none.
  package func with(migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)?) -> Self {
    Self(self, coding: coding, options: options, migration: migration)
  }
}
