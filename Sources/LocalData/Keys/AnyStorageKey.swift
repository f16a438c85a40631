package import LocalDataFoundation
public import LocalDataStores

/// A key whose value has any type, for catalogs.
///
///     enum AppCatalog: StorageKeyCatalog {
///       static var allKeys: [AnyStorageKey] { [.key(.userToken), .key(.theme)] }
///     }
public struct AnyStorageKey: Sendable {
  private let declaration: KeyDeclaration
  /// Makes the migration that moves the value from the address of an earlier release. `nil` if the key has none.
  package let migration: (@Sendable () -> AnyStorageMigration)?

  /// The stored name.
  public var name: String { declaration.name }
  /// The name in the catalog: with `{parameter}` in a member of a family.
  package var declaredName: String { options.declaredName ?? name }
  /// The domain that the value is stored in.
  public var domain: StorageDomain { declaration.domain }
  /// The protection of the stored value.
  public var security: SecurityPolicy { declaration.security }
  /// The devices that the key exists on.
  public var availability: PlatformAvailability { declaration.availability }
  /// The occasion on which the value is sent to the paired device.
  public var syncPolicy: SyncPolicy { declaration.syncPolicy }
  /// A Boolean value that indicates whether the value is ever sent. It is read in each call.
  var isSynced: Bool { if case .never = declaration.syncPolicy { false } else { true } }
  package var coding: any AnyKeyCoding { declaration.coding }
  package var schema: UInt32 { declaration.coding.schema }
  package var options: StorageKeyOptions { declaration.options }
  /// A Boolean value that indicates whether a sign-out leaves the value.
  package var isKeptAtSignOut: Bool { declaration.options.isKeptAtSignOut }
  /// `nil` for a generated key, whose catalog's descriptors have it.
  package var owner: String? { declaration.owner }
  /// `nil` for a generated key, whose catalog's descriptors have it.
  package var prose: String? { declaration.description }

  /// Erases the type of a key's value.
  public static func key<Value>(_ key: StorageKey<Value>) -> AnyStorageKey { AnyStorageKey(key) }

  package var serializer: SerializerKind { coding.serializer }
  package var valueType: String { coding.valueType }

  /// Erases the type of a key's value.
  public init<Value>(_ key: StorageKey<Value>) {
    declaration = key.declaration
    if let migrate = key.migration { migration = { migrate(key) } } else { migration = nil }
  }

  /// Creates the key of a member by its stored name, for a family without a function that makes its members' keys. With this
  /// key a value can be found and removed, but neither read nor written.
  init(member name: String, of family: StorageKeyFamily) {
    declaration = KeyDeclaration(member: name, of: family)
    migration = nil
  }

  /// The keys or families whose whole value a migration moves here, with their stored names, and the result for its value as the
  /// serializer `json` writes it. The result is nil if the value is moved as it is.
  package var moves: [(name: String, pattern: String, value: @Sendable (_ json: Data) throws -> (any Sendable)?)] {
    (migration?().steps ?? []).compactMap { step in
      guard case .move(let move) = step.action, move.sources.count == 1, let source = move.sources.first,
        !source.isShared
      else { return nil }
      let pattern = FamilyName(source.declaredName).pattern
      return (source.name, pattern, { move.keepsValue ? nil : try move.convert([try source.coding.value(ofJSON: $0)]) })
    }
  }

  /// The parameters of a member of a family by their names, for example `["documentID": "7"]`. Empty for other keys.
  ///
  /// If a stored name can be divided in several ways, for example the name of a member of `{a}-{b}`, this is one of them.
  public var parameters: [String: String] {
    guard let declaredName = options.declaredName else { return [:] }
    let values = FamilyName(declaredName).firstMember(of: name) { $0 } ?? [:]
    return values.compactMapValues(StorageKeyName.unescaped)
  }

  /// The problem of the declaration alone, without the other keys of its catalog; `nil` if it has none.
  var declarationProblem: StorageError.CatalogProblem? {
    if isUnreadableElsewhere { return .synchronizableMasterKey }
    if !isProtectedAsDeclared { return .ineffectiveSecurity }
    if !security.canBeDerived, !options.isLegacy { return .keyDerivation }
    return hasUsableCorruptionPolicy ? nil : .corruptionPolicy
  }

  /// A Boolean value that indicates whether the value is sent to devices that do not have its encryption key. A legacy key may
  /// be of that kind, because migrations only read it.
  private var isUnreadableElsewhere: Bool { !options.isLegacy && domain.isSynchronizable && security.usesMasterKey }

  /// A Boolean value that indicates whether the security protects the value in the key's domain. It is true for every legacy
  /// key, because an earlier release declared the security.
  private var isProtectedAsDeclared: Bool {
    // Other code reads the file of a path, and the search for sealed values does not look there.
    if domain.kind.isFile, domain.fields.directory?.exact != nil {
      return security == .none && domain.kind != .encryptedFileSystem
    }
    return switch security {
    case .none: options.isLegacy || domain.kind != .encryptedFileSystem
    case .keychain: options.isLegacy || domain.kind == .keychain
    case .encrypted: true
    }
  }

  /// A Boolean value that indicates whether the key can have its policy for bytes that do not decode.
  ///
  /// A default must not hide that a secured value is damaged. Quarantined bytes stay in a file until the app removes the key,
  /// so a key with a retention cannot be quarantined. Nor can a synced key: the paired device would treat the missing value as
  /// a removal.
  var hasUsableCorruptionPolicy: Bool {
    switch options.onCorruption {
    case .throw: true
    case .useDefault: security == .none && coding.hasDefault
    case .skipElements: coding.isListOfEnums && !security.isEncrypted
    case .quarantine: security.kind != .keychain && options.retention == nil && syncPolicy == .never
    }
  }
}

/// Two keys are equal if they have the same stored name and the same domain, whatever else they declare.
extension AnyStorageKey: Hashable {
  public static func == (one: AnyStorageKey, other: AnyStorageKey) -> Bool {
    one.name.hasSameBytes(as: other.name) && one.domain == other.domain
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(domain)
  }
}

extension AnyStorageKey: CustomStringConvertible, CustomReflectable {
  /// `'user_token' in keychain`.
  public var description: String { "\(subject)" }

  /// An empty mirror: the stored name of a member contains its parameters.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The subject of errors about the key.
  package var subject: StorageError.Subject {
    StorageError.Subject(key: declaredName, domain: domain.kind)
  }
}

extension Collection<AnyStorageKey> {
  /// The keys in the order of their stored names.
  var sortedByName: [AnyStorageKey] { sorted { $0.name < $1.name } }
}

extension StorageDomain {
  /// A Boolean value that indicates whether the system sends the items of the domain to the user's other devices.
  var isSynchronizable: Bool {
    if case .keychain(_, _, true) = self { true } else { false }
  }
}

extension SecurityPolicy {
  fileprivate var canBeDerived: Bool {
    guard case .encrypted(let policy) = self, case .pbkdf2(let iterations) = policy.keyDerivation else { return true }
    return KeyStretching.isAvailable && KeyDerivation.iterations.contains(iterations)
  }

  fileprivate var usesMasterKey: Bool {
    if case .encrypted(let policy) = self { policy.keySource == .masterKey } else { false }
  }
}
