public import LocalDataVocabulary

/// The key of a plain preference, for a property with ``Stored``.
///
/// A plain preference is stored in UserDefaults or in the UserDefaults of an app group, with `security: none`, without
/// `retention`, and with a default or an optional type. Only such a value can be read and written without `await`.
///
/// For each plain preference of a catalog, the generated code has a `StorageKey` and a `PlainPreferenceKey` of the same name.
/// Other keys have no `PlainPreferenceKey`, so `@Stored(.token)` does not compile for a token in the keychain.
///
/// A key that is written in Swift is declared once, and its `StorageKey` is made from it:
///
/// ```swift
/// extension PlainPreferenceKey where Value == Int {
///   static let launches = PlainPreferenceKey(
///     name: "launches", serializer: .propertyList, default: 0,
///     owner: "AppTeam", description: "How often the app was launched.")
/// }
///
/// extension StorageKey where Value == Int {
///   static let launches = PlainPreferenceKey.launches.storageKey
/// }
///
/// @Stored(.launches) var launches
/// print(try await router.get(.launches))   // 0
/// ```
public struct PlainPreferenceKey<Value: Sendable>: Sendable {
  /// The key with which a router reads and writes the value.
  public let storageKey: StorageKey<Value>
  /// Returns the value of a preference that is not stored.
  let absent: @Sendable () -> Value

  /// Creates the key of a plain preference from a storage key.
  ///
  /// - Parameter key: The storage key.
  /// - Returns: `nil` if the value cannot be read without waiting, or if the key has neither a default nor an optional type.
  public init?(checking key: StorageKey<Value>) {
    guard key.isPlainPreference, let absent = key.coding.absent else { return nil }
    storageKey = key
    self.absent = absent
  }

  /// Creates the key of a plain preference from a generated key.
  ///
  /// - Parameter key: A plain preference. The generator makes no call with another key.
  @_spi(Generated) public init(_ key: StorageKey<Value>) {
    guard let checked = Self(checking: key) else {
      preconditionFailure(
        "\(AnyStorageKey(key)) is no plain preference with a default or an optional type. Generate the code again.")
    }
    self = checked
  }
}

/// The preferences that contain a value.
public enum PlainPreferenceDomain: Sendable, Hashable {
  /// Preferences of the app. A `nil` suite is the app's own.
  case userDefaults(suite: String? = nil)
  /// Preferences that every member of an app group reads and writes. A `nil` identifier is the configured one.
  case appGroupUserDefaults(identifier: String? = nil)

  fileprivate var storageDomain: StorageDomain {
    switch self {
    case .userDefaults(let suite): .userDefaults(suite: suite)
    case .appGroupUserDefaults(let identifier): .appGroupUserDefaults(identifier: identifier)
    }
  }
}

/// Initializers for keys that are written in Swift instead of a catalog.
extension PlainPreferenceKey {
  /// Creates a key with a default.
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The preferences that contain the value.
  ///   - serializer: The serializer of the value. `.propertyList` stores it as `@AppStorage` does.
  ///   - defaultValue: The value that is read if nothing is stored. It is evaluated by each such read.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
  public init(
    name: String, domain: PlainPreferenceDomain = .userDefaults(), serializer: Serializer<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value, owner: String, description: String,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) {
    absent = defaultValue
    storageKey = StorageKey(
      name: name, domain: domain.storageDomain, security: .none, serializer: serializer, default: defaultValue(),
      owner: owner, description: description, availability: availability, syncPolicy: syncPolicy,
      migration: migration)
  }

  /// Creates a key that reads `nil` if nothing is stored.
  ///
  /// - Parameters:
  ///   - name: The stored name: 1 to 200 characters, and no control characters.
  ///   - domain: The preferences that contain the value.
  ///   - serializer: The serializer of the value. `.propertyList` stores it as `@AppStorage` does.
  ///   - owner: The team or person who is responsible for the value.
  ///   - description: A sentence that describes the value.
  ///   - availability: The devices on which the key exists.
  ///   - syncPolicy: The condition for sending the value to the paired device.
  ///   - migration: Returns the migration of the key that is passed to it, or is `nil` if the key has none.
  public init<Wrapped: Sendable>(
    name: String, domain: PlainPreferenceDomain = .userDefaults(), serializer: Serializer<Wrapped>, owner: String,
    description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) where Value == Wrapped? {
    absent = { nil }
    storageKey = StorageKey(
      name: name, domain: domain.storageDomain, security: .none, serializer: serializer, owner: owner,
      description: description, availability: availability, syncPolicy: syncPolicy, migration: migration)
  }
}
