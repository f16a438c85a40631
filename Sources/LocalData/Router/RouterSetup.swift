import StorageVocabulary

/// The configurations and registered keys of a router, and which of them are in use already.
package struct RouterSetup: Sendable {
  package var storage: StorageConfiguration
  package var encryption = EncryptionConfiguration()
  package var files = FileStorageConfiguration()
  package var sync = SyncConfiguration()
  /// Shared by all copies: providers may come at any time.
  package var providers: KeyMaterialRegistry { deferredProviders.value }
  private let deferredProviders = Deferred { KeyMaterialRegistry() }
  var registry = KeyRegistry() { didSet { latestRegistry.withLock { [registry] in $0 = registry } } }
  /// The registered keys, for the services, which are made before some of them are registered. Shared by all copies.
  let latestRegistry = Lock(KeyRegistry())
  /// The app's default keychain access group, once it was learned. Elsewhere than on Apple's platforms there is none.
  private(set) var defaultAccessGroup: String?
  private var inUse: Part = []
  /// The reader and writer of values, once it was needed.
  private(set) var values: StoredValues?
  /// The values of plain preferences that need not be read again.
  var preferences = PreferenceCache()
  /// Counts the changes of the configuration.
  private var revision = 0

  /// The parts that a configuration can change until they are used.
  struct Part: OptionSet, Sendable {
    let rawValue: UInt8

    static let storage = Part(rawValue: 1)
    static let files = Part(rawValue: 2)
    static let encryption = Part(rawValue: 4)
  }

  init(storage: StorageConfiguration) { self.storage = storage }

  /// Marks what a plan relies on as used: it can no longer be configured.
  mutating func use(_ plan: KeyPlan?) {
    inUse.formUnion(.storage)
    if plan?.identity.domain.isFile == true { inUse.formUnion(.files) }
    if plan?.sealing != nil { inUse.formUnion(.encryption) }
  }

  /// Keeps `values` for later calls unless the configuration has changed since `setup`, and returns true if it has not.
  mutating func keep(_ values: StoredValues, madeFor setup: RouterSetup) -> Bool {
    guard revision == setup.revision else { return false }
    self.values = self.values ?? values
    return self.values === values
  }

  /// Changes a part of the configuration that is not in use yet, and returns true if it could be changed.
  mutating func configure(_ part: Part, _ change: (inout RouterSetup) -> Bool) -> Bool {
    guard !inUse.contains(part), change(&self) else { return false }
    revision += 1
    values = nil
    preferences.removeAll()
    return true
  }

  /// Returns what the router does for a key.
  func plan(_ key: AnyStorageKey) throws(StorageError) -> KeyPlan {
    try KeyPlan(key, storage, defaultAccessGroup: defaultAccessGroup)
  }

  /// Returns what the router does for a key, which takes part in sync if its declaration says so.
  func plan(_ key: AnyStorageKey, _ sync: SyncLink) throws(StorageError) -> KeyPlan {
    var plan = try plan(key)
    if key.syncing != nil, key.syncRefusal(on: storage.platform) == nil {
      plan.hook = SyncTicket(key.syncKey, key.syncPolicy, sync)
    }
    return plan
  }

  /// Returns the address of a source.
  func sourcePlan(_ key: AnyStorageKey) throws(StorageError) -> KeyPlan {
    let plan = try plan(key)
    // The master key cannot be a source.
    if encryption.reserves(plan.place) { throw .invalidName(plan.subject) }
    return plan.unversioned
  }

  /// Returns the other addresses from which a migration may bring a value, also by the migrations of its sources.
  ///
  /// - Parameter hasAccessGroups: True if the system has keychain access groups.
  /// - Returns: The addresses, or `nil` if code of the app decides which they are, if one of them depends on the default
  ///   access group, which is not known, or if one of them cannot be worked out.
  func sources(of migration: AnyStorageMigration, at plan: KeyPlan, hasAccessGroups: Bool) -> [KeyPlan]? {
    var (sources, steps) = ([KeyPlan](), migration.steps)
    while let step = steps.popLast() {
      guard case .move(let move) = step.action else { return nil }
      for key in move.sources {
        if key.domain.kind == .keychain, hasAccessGroups, defaultAccessGroup == nil { return nil }
        let source: KeyPlan
        do throws(StorageError) { source = try sourcePlan(key) } catch { return nil }
        if source.isInPlace(of: plan) || sources.contains(where: { $0.hasAddress(of: source) }) { continue }
        sources.append(source)
        steps += key.migration?().steps ?? []
      }
    }
    return sources
  }

  /// Returns the container of a family.
  func container(of family: StorageKeyFamily) throws(StorageError) -> StorageContainer {
    try StorageContainer(of: family, storage, defaultAccessGroup: defaultAccessGroup)
  }

  /// Adds the keys of a catalog, or none if one of them is refused.
  mutating func register(_ listing: KeyRegistry.Listing) throws(StorageError) {
    try registry.register(listing, storage, defaultAccessGroup: defaultAccessGroup)
    preferences.removeAll()
  }

  /// Makes the default access group and no access group one address, also for the keys that are registered already.
  ///
  /// - Throws: ``StorageError/invalidCatalog(_:_:)`` if two of them are at one address now.
  mutating func adopt(defaultAccessGroup group: String) throws(StorageError) {
    guard group != defaultAccessGroup else { return }
    var registry = KeyRegistry()
    for listing in self.registry.listed { try registry.register(listing, storage, defaultAccessGroup: group) }
    self.registry = registry
    defaultAccessGroup = group
    preferences.removeAll()
  }
}
