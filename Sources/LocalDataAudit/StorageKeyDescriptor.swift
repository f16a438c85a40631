public import LocalDataVocabulary

/// The description of one key in an audit: a snapshot of its declaration, never of its value.
public struct StorageKeyDescriptor: Sendable, Hashable, Codable {
  /// The Swift member, where the key was generated; a hand-written key has its stored name here.
  public var member: String
  /// The stored name; in a family it holds `{parameter}` for each parameter.
  public var name: String
  /// The Swift type of the value.
  public var valueType: String
  /// The domain in which the value is stored.
  public var domain: StorageDomain
  /// The protection of the value.
  public var security: SecurityPolicy
  /// The serializer of the value.
  public var serializer: SerializerKind
  /// The form of dates in the value, or `nil` if it is the serializer's.
  public var dates: DateForm?
  /// The further forms that a read accepts, in words.
  public var reads: String?
  /// The owner of the value.
  public var owner: String
  /// A description of the value.
  public var description: String
  /// On which devices it exists.
  public var availability: PlatformAvailability
  /// When it is sent to the paired device.
  public var syncPolicy: SyncPolicy
  /// A Boolean value that indicates whether a secured value is sent all the same, as serialized, and secured again
  /// where it arrives.
  public var isDecryptedForSync: Bool
  /// The smaller type that the watch gets, and what makes it, in words.
  public var watchRepresentation: String?
  /// The harm that the value does in the wrong hands.
  public var sensitivity: Sensitivity
  /// The time for which the value is kept, or `nil` if it is kept until it is removed.
  public var retention: Retention?
  /// The action of a read on stored bytes that are no value of the type.
  public var onCorruption: CorruptionPolicy
  /// The most bytes its serialized value may have.
  public var maxSize: Int
  /// A Boolean value that indicates whether a device's backup holds it.
  public var backup: Bool
  /// The protection of the file. `encryptedFileSystem` always has the complete one, and other domains ignore it.
  public var protection = StorageFileProtection.untilFirstUnlock
  /// Parameters of a family with their Swift types, in order; empty in a plain key.
  public var parameters: [Parameter]
  /// The value of an absent key, as the catalog writes it.
  public var defaultValue: String?
  /// The migration, in words.
  public var migration: String?
  /// A Boolean value that indicates whether it is only a source of migrations.
  public var isLegacy: Bool
  /// Why it should no longer be used.
  public var deprecation: String?
  /// The version of the value's own schema; values of earlier ones are upgraded when they are read.
  public var schema: Int
  /// A Boolean value that indicates whether a sign-out leaves the value of a key that is no pair.
  public var isKeptAtSignOut = false
  /// What a key pair declares besides; `nil` for any other key.
  public var signing: StorageSigningDescriptor?

  /// A parameter of a family.
  public struct Parameter: Sendable, Hashable, Codable {
    /// Its name in Swift and in the stored name.
    public var name: String
    /// Its Swift type.
    public var type: String
    /// Its form in the stored name; `nil` if it is escaped.
    public var encoding: ParameterEncoding?

    /// A parameter by its name, its Swift type, and its form in the stored name.
    public init(name: String, type: String, encoding: ParameterEncoding? = nil) {
      self.name = name
      self.type = type
      self.encoding = encoding
    }
  }

  /// A descriptor; what is left out is what a catalog gives a key that says nothing.
  public init(
    member: String, name: String, valueType: String, domain: StorageDomain, security: SecurityPolicy = .recommended,
    serializer: SerializerKind = .json, owner: String, description: String,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
    sensitivity: Sensitivity = .internal, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    parameters: [Parameter] = [], defaultValue: String? = nil, migration: String? = nil, isLegacy: Bool = false,
    deprecation: String? = nil, schema: Int = 1, isDecryptedForSync: Bool = false, watchRepresentation: String? = nil,
    onCorruption: CorruptionPolicy = .throw, dates: DateForm? = nil
  ) {
    self.member = member
    self.name = name
    self.valueType = valueType
    self.domain = domain
    self.security = security
    self.serializer = serializer
    self.dates = dates
    self.owner = owner
    self.description = description
    self.availability = availability
    self.syncPolicy = syncPolicy
    self.isDecryptedForSync = isDecryptedForSync
    self.watchRepresentation = watchRepresentation
    self.sensitivity = sensitivity
    self.retention = retention
    self.onCorruption = onCorruption
    self.maxSize = maxSize ?? domain.kind.defaultMaxSize
    self.backup = backup
    self.parameters = parameters
    self.defaultValue = defaultValue
    self.migration = migration
    self.isLegacy = isLegacy
    self.deprecation = deprecation
    self.schema = schema
  }
}
