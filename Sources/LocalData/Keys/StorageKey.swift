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

extension StorageKey {
  /// A Boolean value that indicates whether the key's value may be used without `await`: it is one of the preferences, is not
  /// encrypted, and is kept until it is removed. A plan's `isPreference` is also true for other preferences.
  var isPlainPreference: Bool {
    security == .none && options.retention == nil && domain.kind.isPreferences
  }
}

/// The declaration of a key, without the type of its value. It is a class, because keys are copied often.
final class KeyDeclaration: Sendable {
  let name: String
  let domain: StorageDomain
  let security: SecurityPolicy
  let availability: PlatformAvailability
  let syncPolicy: SyncPolicy
  let coding: any AnyKeyCoding
  let options: StorageKeyOptions
  /// `nil` for a generated key, whose catalog's descriptors have it.
  let owner: String?
  /// `nil` for a generated key, whose catalog's descriptors have it.
  let description: String?

  init(
    name: String, domain: StorageDomain, security: SecurityPolicy, availability: PlatformAvailability,
    syncPolicy: SyncPolicy, coding: any AnyKeyCoding, options: StorageKeyOptions, owner: String?, description: String?
  ) {
    self.name = name
    self.domain = domain
    self.security = security
    self.availability = availability
    self.syncPolicy = syncPolicy
    self.coding = coding
    self.options = options
    self.owner = owner
    self.description = description
  }

  /// Creates the declaration of a family's member by its stored name, for a value whose type is not known.
  convenience init(member name: String, of family: StorageKeyFamily) {
    self.init(
      name: name, domain: family.domain, security: family.security, availability: .all, syncPolicy: .never,
      coding: UnknownCoding(serializer: family.serializer, valueType: family.valueType),
      options: StorageKeyOptions(declaredName: family.name), owner: nil, description: nil)
  }

  /// Returns a copy with another coding or other options.
  func with(coding: any AnyKeyCoding, options: StorageKeyOptions) -> KeyDeclaration {
    KeyDeclaration(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: coding, options: options, owner: owner, description: description)
  }
}

/// Options that most keys leave at their defaults.
public struct StorageKeyOptions: Sendable {
  /// The declared name, with `{parameter}` in a member of a family; `nil` if it is the stored name.
  public var declaredName: String?
  /// The time for which the value is kept.
  public var retention: Retention?
  /// The action of a read on stored bytes that do not decode as the key's type. If the policy does not fit the key's other
  /// options, calls throw ``StorageProblem/Code/invalidCatalog``.
  public var onCorruption: CorruptionPolicy
  /// The maximum number of bytes of a serialized value. If it is `nil`, the domain's default is used.
  public var maxSize: Int?
  /// A Boolean value that indicates whether the device's backups contain the value.
  public var isBackedUp: Bool
  /// The times at which the system lets the app read the file of the value. Only `fileSystem` and `appGroupFileSystem` use it,
  /// and only Apple's platforms have it. A file gets it when it is written.
  public var protection = StorageFileProtection.untilFirstUnlock
  /// A Boolean value that indicates whether the key is only a source of migrations.
  public var isLegacy: Bool
  /// A Boolean value that indicates whether a secured value may leave the device decrypted. The paired device secures it
  /// with the security of its own key.
  public var isDecryptedForSync: Bool
  /// The smaller representation that the watch gets, or `nil` if it gets the key's own bytes.
  package var watchRepresentation: WatchEncoding?
  /// A Boolean value that indicates whether a sign-out leaves the value.
  package var isKeptAtSignOut = false
  /// The keys that take a part of the value of this legacy key.
  package var parts: [StorageSourcePart] = []
  /// A Boolean value that indicates whether records are made from the elements of this legacy key.
  package var isImported = false
  /// A Boolean value that indicates whether the value is a key pair, which only LocalDataSigning reads.
  package var isKeyPair = false

  /// Creates options. The defaults are those of a key in a catalog that names no option.
  ///
  /// ```swift
  /// let options = StorageKeyOptions(retention: .maxAge(seconds: 30 * 86_400), maxSize: 64 * 1024)
  /// ```
  ///
  /// - Parameters:
  ///   - declaredName: The declared name, with `{parameter}` in a member of a family; `nil` if it is the stored name.
  ///   - retention: The time for which the value is kept; `nil` if it is kept until it is removed.
  ///   - maxSize: The maximum number of bytes of a serialized value. If it is `nil`, the maximum is 16 MiB in files and 1 MiB
  ///     elsewhere.
  ///   - backup: False if the device's backups must not contain the value.
  ///   - legacy: True if the key is only a source of migrations.
  ///   - decryptedForSync: True if a secured value may leave the device decrypted.
  ///   - onCorruption: The action of a read on stored bytes that do not decode as the key's type. The default is to throw an
  ///     error.
  public init(
    declaredName: String? = nil, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    legacy: Bool = false, decryptedForSync: Bool = false, onCorruption: CorruptionPolicy = .throw
  ) {
    self.declaredName = declaredName
    self.retention = retention
    self.maxSize = maxSize
    self.isBackedUp = backup
    self.isLegacy = legacy
    self.isDecryptedForSync = decryptedForSync
    self.onCorruption = onCorruption
  }
}
