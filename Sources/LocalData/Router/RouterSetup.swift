import LocalDataFoundation
import LocalDataStores

/// The configurations and registered keys of a router. It records which configurations are in use already.
package struct RouterSetup: Sendable {
  package var storage: StorageConfiguration
  package var encryption = EncryptionConfiguration()
  package var files = FileStorageConfiguration()
  package var sync = SyncConfiguration()
  /// The slow step for passphrases.
  package var stretching = KeyStretching.pbkdf2
  /// The providers of key material, shared by all copies, because providers can be registered at any time.
  package var providers: KeyMaterialRegistry { deferredProviders.value }
  private let deferredProviders = Deferred { KeyMaterialRegistry() }
  package var registry = KeyRegistry() { didSet { latestRegistry.withLock { [registry] in $0 = registry } } }
  /// The feature that takes part in changes; `nil` until a catalog or the app uses one.
  package var feature: (any ChangeFeature)?
  /// The registered keys for the services, shared by all copies. The services may be made before some keys are registered.
  let latestRegistry = Lock(KeyRegistry())
  /// The app's default keychain access group, once it is known. It is always `nil` on Linux.
  package var defaultAccessGroup: String? { storage.resolvedAccessGroup ?? learnedAccessGroup }
  private var learnedAccessGroup: String?
  private var inUse: Part = []
  /// The reader and writer of values; `nil` before its first use.
  private(set) var values: ValueAccess?
  /// The values of plain preferences that need not be read again.
  var preferences = PreferenceCache()
  /// The number of changes of the configuration.
  private var revision = 0

  /// The parts that a configuration can change until they are used.
  struct Part: OptionSet, Sendable {
    let rawValue: UInt8

    static let storage = Part(rawValue: 1)
    static let files = Part(rawValue: 2)
    static let encryption = Part(rawValue: 4)
  }

  init(storage: StorageConfiguration) { self.storage = storage }

  /// Marks the configurations that the files of databases depend on as used.
  mutating func useDatabases() { inUse.formUnion([.storage, .files, .encryption]) }

  /// Marks the configurations that a plan depends on as used. They can no longer be changed.
  mutating func use(_ plan: KeyPlan?) {
    inUse.formUnion(.storage)
    if plan?.domain.isFile == true { inUse.formUnion(.files) }
    if plan?.sealing != nil { inUse.formUnion(.encryption) }
  }

  /// Caches `values` for later calls and returns true, unless the configuration has changed since `setup`.
  mutating func keep(_ values: ValueAccess, madeFor setup: RouterSetup) -> Bool {
    guard revision == setup.revision else { return false }
    self.values = self.values ?? values
    return self.values === values
  }

  /// Changes a part of the configuration that is not in use yet, and returns true if it could be changed.
  mutating func configure(_ part: Part, _ change: (inout RouterSetup) -> Void) -> Bool {
    guard !inUse.contains(part) else { return false }
    change(&self)
    revision += 1
    values = nil
    preferences.removeAll()
    return true
  }

  /// Returns the plan of a key.
  package func plan(_ key: AnyStorageKey) throws(StorageError) -> KeyPlan {
    try KeyPlan(key, storage, defaultAccessGroup: defaultAccessGroup)
  }

  /// Returns the plan of a key for a call. The router's feature takes part in the call if the call may change the value.
  package func plan(_ key: AnyStorageKey, for use: KeyUse) throws(StorageError) -> KeyPlan {
    var plan = try plan(key)
    if key.isSynced, use != .read || plan.hasMigration || plan.retention != nil {
      plan.hook = feature?.hook(for: key, on: storage.platform)
    }
    return plan
  }

  /// Makes the state of a feature, unless the router has it already.
  package mutating func use(_ feature: StorageFeature, _ clock: any StorageClock) {
    self.feature = self.feature ?? feature.make(clock)
  }

  /// Returns the plan of a migration source.
  func sourcePlan(_ key: AnyStorageKey) throws(StorageError) -> KeyPlan {
    let plan = try plan(key)
    // The master key cannot be a source.
    if encryption.reserves(plan.address) { throw StorageError(.invalidName, plan.subject) }
    return plan.unversioned
  }

  /// Returns the addresses of all sources of a migration, including the sources of its sources. The key's own address is
  /// excluded.
  ///
  /// - Parameter hasAccessGroups: True if the system has keychain access groups.
  /// - Returns: The addresses, or `nil` if an address depends on the default access group, which is not known yet, or if an
  ///   address is not valid. Custom migrations have no addresses.
  func sources(of migration: AnyStorageMigration, at plan: KeyPlan, hasAccessGroups: Bool) -> [KeyPlan]? {
    var sources = [KeyPlan]()
    var steps = migration.steps
    while let step = steps.popLast() {
      guard case .move(let move) = step.action else { continue }
      for key in move.sources {
        if key.domain.kind == .keychain, hasAccessGroups, defaultAccessGroup == nil { return nil }
        let source: KeyPlan
        do throws(StorageError) { source = try sourcePlan(key) } catch { return nil }
        if source.isInPlace(of: plan) || sources.contains(where: source.isInPlace) { continue }
        sources.append(source)
        steps += key.migration?().steps ?? []
      }
    }
    return sources
  }

  /// Returns the container of a family.
  package func container(of family: StorageKeyFamily) throws(StorageError) -> StorageContainer {
    try StorageContainer(of: family, storage, defaultAccessGroup: defaultAccessGroup)
  }

  /// Adds the keys of a catalog and the features that they need, or nothing if a key is refused.
  package mutating func register(_ listing: KeyRegistry.Listing, _ clock: any StorageClock) throws(StorageError) {
    try registry.register(listing, storage, defaultAccessGroup: defaultAccessGroup)
    if let feature = listing.features.first { use(feature, clock) }
    preferences.removeAll()
  }

  /// Sets the default access group. From then on, a key that names it and a key that names no group have the same address,
  /// also if they are registered already.
  ///
  /// - Throws: ``StorageProblem/Code/invalidCatalog`` if two of them are at one address now.
  mutating func adopt(defaultAccessGroup group: String) throws(StorageError) {
    guard group != defaultAccessGroup else { return }
    var registry = KeyRegistry()
    for listing in self.registry.listed { try registry.register(listing, storage, defaultAccessGroup: group) }
    self.registry = registry
    learnedAccessGroup = group
    preferences.removeAll()
  }
}

extension KeyPlan {
  /// Checks that a key may be used, and creates its plan. The default access group is known already, or the key does not need
  /// it.
  init(checking key: AnyStorageKey, for use: KeyUse, on router: StorageRouter) throws(StorageError) {
    let isMigrating = MigrationTurn.isRunning(on: router)
    self = try router.setup.withLock { (setup) throws(StorageError) in
      var plan = try setup.plan(key, for: use)
      // In a custom migration, bytes that do not decode are an error, and never read as absent.
      if isMigrating { plan.onCorruption = .throw }
      // What the code of a migration stores for its own key is the value of an earlier release.
      if isMigrating, MigrationTurn.isRunning(on: router, at: plan.address) { plan = plan.migrating() }
      // Only migrations may read and remove a legacy key, and no call may write it.
      if key.options.isLegacy, !isMigrating || use == .write { throw StorageError(.legacyKey, plan.subject) }
      if let problem = key.declarationProblem { throw StorageError(.invalidCatalog(problem), plan.subject) }
      if key.domain.kind == .keychain, setup.encryption.reserves(plan.address) {
        throw StorageError(.invalidName, plan.subject)
      }
      // Another choice of parameters would have the same name, so that neither can be written.
      if use == .write, let family = key.options.declaredName, FamilyName(family).refuses(key.name) {
        throw StorageError(.invalidName, plan.subject)
      }
      switch setup.registry.standing(of: key, at: plan.address) {
      case .registered: break
      case .different: throw StorageError(.differsFromRegistration, plan.subject)
      case .unknown:
        if setup.storage.assertsRegistration { assertionFailure("\(StorageError(.unregistered, plan.subject))") }
        throw StorageError(.unregistered, plan.subject)
      }
      if setup.registry.isTaken(plan.address, by: key) {
        throw StorageError(.invalidCatalog(.duplicateKey), plan.subject)
      }
      guard key.availability.includes(setup.storage.platform), key.serializer.isAvailable else {
        throw StorageError(.notAvailableOnPlatform, plan.subject)
      }
      if key.isSynced, setup.feature == nil { throw StorageError(.invalidCatalog(.missingSyncFeature), plan.subject) }
      return plan
    }
  }

  /// Creates the plan of a migration source. The source need not be registered, legacy or available on this platform.
  package init(ofSource key: AnyStorageKey, on router: StorageRouter) async throws(StorageError) {
    try await router.accessGroup?.learn(for: key.domain, key.subject, router.setup)
    self = try router.setup.withLock { (setup) throws(StorageError) in try setup.sourcePlan(key) }
  }
}
