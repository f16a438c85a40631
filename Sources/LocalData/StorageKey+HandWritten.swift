public import StorageVocabulary

/// Initializers for keys that are written in Swift instead of a catalog. Owner and description are required, because the audit
/// lists them.
///
///     extension StorageKey where Value == Int {
///       static let launches = StorageKey(
///         name: "launches", domain: .userDefaults(), security: .none, default: 0,
///         owner: "AppTeam", description: "How often the app was launched.")
///     }
extension StorageKey {
  /// Creates a key whose absence throws ``StorageError/notFound(_:)``.
  ///
  /// The overload is disfavored. A key with an optional `Value` uses the next initializer, and reads `nil`.
  @_disfavoredOverload
  public init(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, serializer: Serializer<Value>,
    owner: String, description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    options: StorageKeyOptions = StorageKeyOptions(),
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer, default: nil), options: options,
      migration: migration, owner: owner, description: description)
  }

  /// Creates a key that reads `nil` if nothing is stored.
  public init<Wrapped: Sendable>(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, serializer: Serializer<Wrapped>,
    owner: String, description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    options: StorageKeyOptions = StorageKeyOptions(),
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) where Value == Wrapped? {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer), options: options, migration: migration,
      owner: owner, description: description)
  }

  /// Creates a key with a default.
  public init(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, serializer: Serializer<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value, owner: String, description: String,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    options: StorageKeyOptions = StorageKeyOptions(),
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer, default: defaultValue), options: options,
      migration: migration, owner: owner, description: description)
  }
}

/// Initializers without a serializer, for JSON.
extension StorageKey {
  /// Creates a key whose absence throws ``StorageError/notFound(_:)``.
  @_disfavoredOverload
  public init(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, owner: String,
    description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    options: StorageKeyOptions = StorageKeyOptions(),
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) where Value: Codable {
    self.init(
      name: name, domain: domain, security: security, serializer: Serializer<Value>.json, owner: owner,
      description: description, availability: availability, syncPolicy: syncPolicy, options: options,
      migration: migration
    )
  }

  /// Creates a key that reads `nil` if nothing is stored.
  public init<Wrapped: Codable & Sendable>(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, owner: String,
    description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    options: StorageKeyOptions = StorageKeyOptions(),
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) where Value == Wrapped? {
    self.init(
      name: name, domain: domain, security: security, serializer: Serializer<Wrapped>.json, owner: owner,
      description: description, availability: availability, syncPolicy: syncPolicy, options: options,
      migration: migration
    )
  }

  /// Creates a key with a default.
  public init(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value, owner: String, description: String,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    options: StorageKeyOptions = StorageKeyOptions(),
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) where Value: Codable {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(Serializer<Value>.json, default: defaultValue), options: options, migration: migration,
      owner: owner, description: description)
  }
}
