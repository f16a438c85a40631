import LocalDataStores

/// The keys, families and databases of the registered catalogs. It knows whose a stored name is. As long as no catalog is
/// registered, every key may be used.
package struct KeyRegistry: Sendable {
  private var catalogs: [ObjectIdentifier] = []
  private var keys: [StorageAddress: AnyStorageKey] = [:]
  /// The addresses that the migrations of keys take values from.
  private var sources: Set<StorageAddress> = []
  private var families: [StorageContainer: [Family]] = [:]
  /// The families whose members have a migration, with the names of the members' sources.
  private var familySources: [MigratingFamily] = []
  /// The databases, by their present addresses and those of earlier releases.
  private var parts: [StorageAddress: ObjectIdentifier] = [:]
  private var paths = FilePaths()
  /// The keys and families of the catalogs, to find a key by its name.
  package private(set) var listed: [Listing] = []
  /// Keys that have a migration.
  package private(set) var migrating: [AnyStorageKey] = []
  /// Families whose members have a migration.
  package private(set) var migratingFamilies: [StorageKeyFamily] = []

  private struct Family: Sendable {
    let name: FamilyName
    let family: StorageKeyFamily
  }

  /// The owner of a stored name.
  package enum Owner: Sendable {
    case key(AnyStorageKey), family(StorageKeyFamily)
  }

  /// The keysets of the registered keys and databases. The app's keyset is always the first one.
  package var keysets: [KeysetID] {
    let groups = Set((containers + parts.keys.map(\.container)).map { KeysetID(of: $0) })
    return [.app] + groups.filter { $0 != .app }.sorted { "\($0)" < "\($1)" }
  }

  /// The containers of the keys and families.
  package var containers: [StorageContainer] { keys.keys.map(\.container) + families.keys }

  /// Returns a store of the record keys of any database; `nil` if no database is registered.
  var recordKeys: StorageCatalogPart.RecordKeys? { listed.lazy.flatMap(\.parts).first(where: \.isDatabase)?.recordKeys }

  var isEmpty: Bool { catalogs.isEmpty }

  /// Returns true if the keys of a catalog may be used.
  func mayUse(_ catalog: any StorageKeyCatalog.Type) -> Bool { isEmpty || catalogs.contains(ObjectIdentifier(catalog)) }

  /// Returns the keychain containers of the keys that a platform has, of the families, and of the sources of migrations.
  func keychainContainers(on platform: StoragePlatform) -> Set<StorageContainer> {
    let registered = keys.filter { $0.value.availability.includes(platform) }.keys.map(\.container)
    let migrated = sources.map(\.container) + familySources.flatMap(\.sources).map(\.container)
    return Set((registered + families.keys + migrated).filter { $0.keychainService != nil })
  }

  /// The contents of a catalog. They are read before any lock is taken, because the catalog's code may use the router.
  package struct Listing: Sendable {
    fileprivate let catalog: ObjectIdentifier
    package let keys: [AnyStorageKey]
    package let families: [StorageKeyFamily]
    let features: [StorageFeature]
    package let parts: [StorageCatalogPart]
    /// Returns the catalog's reserved names, which only maintenance needs.
    package let reservedNameRows: @Sendable () -> StorageCatalogRows?
    /// Returns the catalog's descriptors, which only maintenance needs.
    package let descriptorRows: @Sendable () -> StorageCatalogRows?

    init<Catalog: StorageKeyCatalog>(_ catalog: Catalog.Type) {
      self.init(
        catalog: ObjectIdentifier(catalog), keys: catalog.allKeys, families: catalog.allFamilies,
        features: catalog.features, parts: catalog.parts, reservedNameRows: { Catalog.reservedNameRows },
        descriptorRows: { Catalog.descriptorRows })
    }

    package init(
      catalog: ObjectIdentifier, keys: [AnyStorageKey], families: [StorageKeyFamily],
      features: [StorageFeature] = [], parts: [StorageCatalogPart] = [],
      reservedNameRows: @escaping @Sendable () -> StorageCatalogRows?,
      descriptorRows: @escaping @Sendable () -> StorageCatalogRows?
    ) {
      self.catalog = catalog
      self.keys = keys
      self.families = families
      self.features = features
      self.parts = parts
      self.reservedNameRows = reservedNameRows
      self.descriptorRows = descriptorRows
    }

    /// A Boolean value that indicates whether a key or family names a keychain access group.
    var namesAccessGroup: Bool {
      keys.contains { $0.domain.namesAccessGroup } || families.contains { $0.domain.namesAccessGroup }
    }
  }

  /// Adds all keys of a catalog. If one key is refused, none is added.
  mutating func register(
    _ listing: Listing, _ configuration: StorageConfiguration, defaultAccessGroup: String? = nil
  ) throws(StorageError) {
    var new = self
    guard !new.catalogs.contains(listing.catalog) else {
      throw StorageError(.invalidCatalog(.alreadyRegistered), .init(key: nil, domain: nil))
    }
    new.catalogs.append(listing.catalog)
    new.keys.reserveCapacity(new.keys.count + listing.keys.count)
    for key in listing.keys {
      if key.isSynced, listing.features.isEmpty {
        throw StorageError(.invalidCatalog(.missingSyncFeature), key.subject)
      }
      try new.add(key, configuration, defaultAccessGroup)
    }
    for family in listing.families { try new.add(family, configuration, defaultAccessGroup) }
    for part in listing.parts where part.isDatabase { try new.add(part, configuration) }
    new.listed.append(listing)
    self = new
  }

  /// The relation of a key to the registered ones.
  enum Standing: Sendable {
    case registered, unknown
    /// A key of its name and container is registered with another type, serializer, security or domain.
    case different
  }

  /// Returns the relation of a key to the registered keys. As long as no catalog is registered, every key counts as
  /// registered.
  func standing(of key: AnyStorageKey, at address: StorageAddress) -> Standing {
    if isEmpty { return .registered }
    guard let template = key.options.declaredName else {
      return keys[address.item].map { $0.isDeclared(like: key) ? .registered : .different } ?? .unknown
    }
    let family = families[address.container.item]?.first { $0.family.name.hasSameBytes(as: template) }
    guard let family, family.name.matches(key.name) else { return .unknown }
    return family.family.isDeclared(like: key) ? .registered : .different
  }

  /// Returns true if a member of a family would be stored at the address of a registered key.
  ///
  /// Registration cannot check this, because the names of members depend on their parameters.
  func isTaken(_ address: StorageAddress, by key: AnyStorageKey) -> Bool {
    key.options.declaredName != nil && keys[address.item] != nil
  }

  /// Returns the owner of a stored name, or `nil` if it has none. Of several families, it is the most specific one.
  package func owner(of address: StorageAddress) -> Owner? {
    if let key = keys[address.item] { return .key(key) }
    return families[address.container.item]?.owners(of: address.name, \.name).first.map { .family($0.family) }
  }

  /// Returns true if an address belongs to a registered key, or to a source of one.
  package func isTaken(_ address: StorageAddress) -> Bool {
    keys[address.item] != nil || sources.contains(address.item)
  }

  /// The names of the registered families of a container.
  func familyNames(in container: StorageContainer) -> [FamilyName] {
    families[container.item]?.map(\.name) ?? []
  }

  /// Returns true if the database that a type declares belongs to a registered catalog.
  package func contains(database type: ObjectIdentifier) -> Bool { parts.values.contains(type) }

  private mutating func add(_ part: StorageCatalogPart, _ configuration: StorageConfiguration) throws(StorageError) {
    for address in try [part.address(configuration)] + part.earlierAddresses(configuration) {
      // Some file systems do not distinguish the case of names.
      let key = StorageAddress(container: address.container, name: address.name.lowercased())
      guard parts.updateValue(part.type, forKey: key) == nil else {
        throw StorageError(.invalidCatalog(.duplicateKey), part.subject)
      }
    }
  }

  private mutating func add(
    _ key: AnyStorageKey, _ configuration: StorageConfiguration, _ defaultAccessGroup: String?
  ) throws(StorageError) {
    let address = try StorageAddress(of: key, configuration, defaultAccessGroup: defaultAccessGroup)
    if key.owner?.isBlank == true { throw StorageError(.invalidCatalog(.missingOwner), key.subject) }
    if key.prose?.isBlank == true { throw StorageError(.invalidCatalog(.missingDescription), key.subject) }
    if let problem = key.declarationProblem { throw StorageError(.invalidCatalog(problem), key.subject) }
    let isAlone: Bool
    do throws(StorageProblem) {
      isAlone = try paths.insert(address)
    } catch {
      throw StorageError(error, key.subject)
    }
    guard keys.updateValue(key, forKey: address.item) == nil, isAlone else {
      throw StorageError(.invalidCatalog(.duplicateKey), key.subject)
    }
    if key.migration != nil { try addMigration(of: key, configuration, defaultAccessGroup) }
  }

  private mutating func addMigration(
    of key: AnyStorageKey, _ configuration: StorageConfiguration, _ defaultAccessGroup: String?
  ) throws(StorageError) {
    func plan(_ key: AnyStorageKey) throws(StorageError) -> KeyPlan {
      try KeyPlan(key, configuration, defaultAccessGroup: defaultAccessGroup)
    }
    let destination = try plan(key)
    for (source, isShared) in try MigrationRules.sources(of: key, at: destination, plan) {
      guard sources.insert(source.address.item).inserted || isShared,
        !familySources.contains(where: { $0.takes(source) })
      else {
        throw StorageError(.invalidCatalog(.sharedSource), destination.subject)
      }
    }
    // The migration of a legacy key only declares the forms in which its values may be stored.
    if !key.options.isLegacy { migrating.append(key) }
  }

  private mutating func add(
    _ family: StorageKeyFamily, _ configuration: StorageConfiguration, _ defaultAccessGroup: String?
  ) throws(StorageError) {
    let subject = family.subject
    func container(of family: StorageKeyFamily) throws(StorageError) -> StorageContainer {
      try StorageContainer(of: family, configuration, defaultAccessGroup: defaultAccessGroup)
    }
    let container = try container(of: family)
    let isKnown = families[container.item]?.contains { $0.family.name.hasSameBytes(as: family.name) } ?? false
    guard !isKnown, keys[StorageAddress(container: container, name: family.name).item] == nil, paths.insert(container)
    else { throw StorageError(.invalidCatalog(.duplicateKey), subject) }
    families[container.item, default: []].append(Family(name: FamilyName(family.name), family: family))
    guard let migrating = try MigratingFamily(family, container: container(of:)) else { return }
    try MigrationRules.check(migrating, sources, familySources) { (source) throws(StorageError) in
      try KeyPlan(source, configuration, defaultAccessGroup: defaultAccessGroup)
    }
    familySources.append(migrating)
    migratingFamilies.append(family)
  }
}

extension StorageContainer {
  /// The container of a family.
  init(
    of family: StorageKeyFamily, _ configuration: StorageConfiguration, defaultAccessGroup: String?
  ) throws(StorageError) {
    do throws(StorageProblem) {
      try self.init(family.domain, configuration, defaultAccessGroup: defaultAccessGroup)
    } catch {
      throw StorageError(error, family.subject)
    }
  }
}

extension AnyStorageKey {
  /// Returns true if a key at the same address has the declaration of this one.
  fileprivate func isDeclared(like other: AnyStorageKey) -> Bool {
    domain.isLike(other.domain) && security == other.security && serializer == other.serializer
      && coding.dates == other.coding.dates && coding.typeID == other.coding.typeID
  }
}

extension StorageKeyFamily {
  /// Returns true if a member in the same container can be one of this family.
  fileprivate func isDeclared(like member: AnyStorageKey) -> Bool {
    domain.isLike(member.domain) && security == member.security
  }
}

extension StorageDomain {
  /// Returns true if both domains have the same kind, and both are synchronizable or neither is. An address contains neither
  /// property.
  fileprivate func isLike(_ other: StorageDomain) -> Bool {
    kind == other.kind && isSynchronizable == other.isSynchronizable
  }

  fileprivate var namesAccessGroup: Bool {
    if case .keychain(_, .some, _) = self { true } else { false }
  }
}

extension String {
  fileprivate var isBlank: Bool {
    // Most texts contain a visible ASCII character. This check is faster than the one with Unicode tables.
    if utf8.contains(where: { (0x21...0x7e).contains($0) }) { return false }
    return allSatisfy(\.isWhitespace)
  }
}
