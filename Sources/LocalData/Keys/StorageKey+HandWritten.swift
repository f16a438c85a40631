public import LocalDataVocabulary

/// Initializers for keys that are written in Swift instead of a catalog. An owner and a description are required, as in a
/// catalog.
extension StorageKey {
  /// Creates a key whose absence throws ``StorageProblem/Code/notFound``.
  ///
  /// ```swift
  /// extension StorageKey where Value == String {
  ///   static let deviceName = StorageKey(
  ///     name: "device_name", domain: .userDefaults(), security: .none, serializer: .propertyList,
  ///     owner: "AppTeam", description: "The name that the user gave the device.")
  /// }
  ///
  /// try await router.set("Phone", for: .deviceName)
  /// print(try await router.get(.deviceName))   // Phone
  /// ```
  ///
  /// If `Value` is optional, the compiler prefers the initializer of a key that reads `nil`.
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The domain in which the value is stored.
  ///   - security: The protection of the value. `.recommended` encrypts the value.
  ///   - serializer: The serializer that converts the value to bytes.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - options: The options that most keys do not need.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
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
  ///
  /// ```swift
  /// extension StorageKey where Value == String? {
  ///   static let nickname = StorageKey(
  ///     name: "nickname", domain: .userDefaults(), security: .none, serializer: .propertyList,
  ///     owner: "AppTeam", description: "The nickname that the user chose.")
  /// }
  ///
  /// print(try await router.get(.nickname) ?? "none")   // none
  /// ```
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The domain in which the value is stored.
  ///   - security: The protection of the value. `.recommended` encrypts the value.
  ///   - serializer: The serializer that converts the value to bytes.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - options: The options that most keys do not need.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
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
  ///
  /// ```swift
  /// extension StorageKey where Value == Int {
  ///   static let launches = StorageKey(
  ///     name: "launches", domain: .userDefaults(), security: .none, serializer: .propertyList, default: 0,
  ///     owner: "AppTeam", description: "How often the app was launched.")
  /// }
  ///
  /// try await router.update(.launches) { $0 += 1 }
  /// print(try await router.get(.launches))   // 1
  /// ```
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The domain in which the value is stored.
  ///   - security: The protection of the value. `.recommended` encrypts the value.
  ///   - serializer: The serializer that converts the value to bytes.
  ///   - defaultValue: The value that is read if nothing is stored. It is evaluated by each such read.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - options: The options that most keys do not need.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
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

/// Initializers without a serializer. They use JSON.
extension StorageKey {
  /// Creates a key whose absence throws ``StorageProblem/Code/notFound``.
  ///
  /// ```swift
  /// extension StorageKey where Value == String {
  ///   static let deviceName = StorageKey(
  ///     name: "device_name", domain: .userDefaults(), security: .none,
  ///     owner: "AppTeam", description: "The name that the user gave the device.")
  /// }
  ///
  /// try await router.set("Phone", for: .deviceName)
  /// print(try await router.get(.deviceName))   // Phone
  /// ```
  ///
  /// If `Value` is optional, the compiler prefers the initializer of a key that reads `nil`.
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The domain in which the value is stored.
  ///   - security: The protection of the value. `.recommended` encrypts the value.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - options: The options that most keys do not need.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
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
  ///
  /// ```swift
  /// extension StorageKey where Value == String? {
  ///   static let nickname = StorageKey(
  ///     name: "nickname", domain: .userDefaults(), security: .none,
  ///     owner: "AppTeam", description: "The nickname that the user chose.")
  /// }
  ///
  /// print(try await router.get(.nickname) ?? "none")   // none
  /// ```
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The domain in which the value is stored.
  ///   - security: The protection of the value. `.recommended` encrypts the value.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - options: The options that most keys do not need.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
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
  ///
  /// ```swift
  /// extension StorageKey where Value == Int {
  ///   static let launches = StorageKey(
  ///     name: "launches", domain: .userDefaults(), security: .none, default: 0,
  ///     owner: "AppTeam", description: "How often the app was launched.")
  /// }
  ///
  /// try await router.update(.launches) { $0 += 1 }
  /// print(try await router.get(.launches))   // 1
  /// ```
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The domain in which the value is stored.
  ///   - security: The protection of the value. `.recommended` encrypts the value.
  ///   - defaultValue: The value that is read if nothing is stored. It is evaluated by each such read.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - options: The options that most keys do not need.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
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
