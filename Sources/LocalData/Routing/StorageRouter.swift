import StorageVocabulary

/// The one way to what an app persists.
///
///     let router = StorageRouter.shared
///     try router.registerCatalog(AccountCatalog.self)
///     try await router.set("token123", for: .userToken)
///     let token = try await router.get(.userToken)   // String?
///
/// A call takes effect after every call on that key that returned before it began; overlapping calls on a key are served
/// one after another.
public actor StorageRouter: StorageProviding {
  /// The router of the app, in the system's own folders.
  public static let shared = StorageRouter()

  /// What registration and configuration share with the verbs: a lock, so that `registerCatalog` is synchronous.
  nonisolated let setup: Lock<RouterSetup>
  nonisolated let clock: any StorageClock
  /// Finds out the default keychain access group; `nil` if there are no access groups.
  nonisolated let accessGroup: DefaultAccessGroup?
  nonisolated let outbox = SyncOutbox()
  nonisolated let syncEvents = SyncEventHub()
  private let makeServices: @Sendable (RouterSetup) -> StorageServices
  private var services: StorageServices?
  private var turns = TurnQueue()
  /// Keys whose sources need no look any more in this process.
  var settledPlaces: Set<StoragePlace> = []

  /// A router over the folders that a configuration names.
  public init(configuration: StorageConfiguration = StorageConfiguration()) {
    self.init(configuration: configuration, accessGroup: .system, makeServices: StorageServices.live)
  }

  package init(
    configuration: StorageConfiguration, clock: any StorageClock = SystemClock(),
    accessGroup: DefaultAccessGroup? = nil, makeServices: @escaping @Sendable (RouterSetup) -> StorageServices
  ) {
    self.clock = clock
    self.accessGroup = accessGroup
    setup = Lock(RouterSetup(storage: configuration))
    self.makeServices = makeServices
  }

  /// The value of a key; what its type says of absence where nothing is stored.
  public func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.settle(erased, plan)
      return try await router.value(of: key, plan)
    }
  }

  /// Stores a value; `nil` removes.
  public func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased, .write)
    try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.store(value, for: key, plan)
      await router.settleAfterWriting(erased, plan)
      await router.sendChange(of: key, plan, to: value)
    }
  }

  /// Reads, changes and writes a value with no other writer between, on Linux of any process; returns what was written.
  ///
  /// - Parameter change: Called off the main actor, with the value's lock held: it must be quick, and must not call the
  ///   router. On Apple it is called again where another process came between, so its result should be all it does.
  @discardableResult
  public func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (Value) -> Value
  ) async throws(StorageError) -> Value {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased, .write)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.settle(erased, plan)
      let written = try await router.change(key, plan, change)
      await router.sendChange(of: key, plan, to: written)
      return written
    }
  }

  /// Removes what is stored, if anything is.
  public func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased)
    try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.removeForGood(erased, plan)
      await router.sendChange(of: key, plan, to: nil)
    }
  }

  /// Whether anything is stored, or lies where a migration would bring it from. Moves nothing, and never prompts.
  public func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      if try await router.isStored(plan) { return true }
      return try await router.isInSource(erased, plan)
    }
  }

  /// Checks that a key may be used here and now, and works out what to do for it.
  func plan(for key: AnyStorageKey, _ use: KeyUse = .readOrRemove) async throws(StorageError) -> KeyPlan {
    try await learnAccessGroup(for: key)
    let isMigrating = MigrationTurn.isRunning(on: self)
    return try setup.withLock { (setup) throws(StorageError) in
      let plan = try setup.plan(key)
      // What a migration has moved is read and removed by it, and written by nobody.
      if key.traits.isLegacy, !isMigrating || use == .write { throw .legacyKey(plan.subject) }
      if setup.encryption.reserves(plan.place) { throw .invalidName(plan.subject) }
      guard setup.registry.contains(key, at: plan.place) else {
        if setup.storage.assertsRegistration { assertionFailure("\(StorageError.unregistered(plan.subject))") }
        throw .unregistered(plan.subject)
      }
      if setup.registry.isTaken(plan.place, by: key) { throw .invalidCatalog(plan.subject, .duplicateKey) }
      guard key.availability.includes(setup.storage.platform) else { throw .notAvailableOnPlatform(plan.subject) }
      return plan
    }
  }

  /// Runs `body` once every earlier call on the place has ended; at once within a migration.
  func inTurn<Result: Sendable>(
    at place: StoragePlace, _ body: (isolated StorageRouter) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    if MigrationTurn.isRunning(on: self) { return try await body(self) }
    await takeTurn(at: place)
    defer { turns.endTurn(at: place) }
    return try await inSession(body)
  }

  /// The same for several places. Whoever takes several takes them in one and the same order.
  func inTurns<Result: Sendable>(
    of places: [StoragePlace], _ body: (isolated StorageRouter) async -> Result
  ) async -> Result {
    if MigrationTurn.isRunning(on: self) { return await body(self) }
    for place in places { await takeTurn(at: place) }
    defer { for place in places { turns.endTurn(at: place) } }
    return await body(self)
  }

  private func takeTurn(at place: StoragePlace) async {
    if turns.takeTurn(at: place) { return }
    await withCheckedContinuation { turns.wait($0, at: place) }
  }

  /// Runs one step on a key's store: in place where it need not wait, else on a thread of its own.
  func perform<Result: Sendable>(
    _ plan: KeyPlan, _ step: @escaping @Sendable (any ValueStore) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    let store = ready(for: plan).store(for: plan)
    do throws(StorageFault) {
      if let prompt = store.withoutWaiting {
        // What is busy has done nothing, and is done again where it may wait.
        do throws(StorageFault) { return try step(prompt) } catch { guard error == .busy else { throw error } }
      }
      let session = AuthenticationSession.current
      return try await BlockingExecutor.shared.run { () throws(StorageFault) in
        try AuthenticationSession.bound(session) { () throws(StorageFault) in try step(store) }
      }
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }

  /// The services, built at first use; from then on what a plan relies on can no longer be configured. Without a plan it
  /// is what concerns no key.
  func ready(for plan: KeyPlan?) -> StorageServices {
    let setup = setup.withLock { setup in
      setup.inUse.insert(.storage)
      if plan?.identity.domain.isFile == true { setup.inUse.insert(.files) }
      if plan?.sealing != nil { setup.inUse.insert(.encryption) }
      return setup
    }
    if let services { return services }
    let made = makeServices(setup)
    services = made
    return made
  }

  /// Drops every key that is held in memory: the next use of a sealed value asks the keychain and providers again.
  ///
  /// Calls in flight end with the keys that they have, and leave none behind.
  public func lock() async { services?.lock() }

  /// Forgets the services, so that the next use builds them as configured by then.
  func dropServices() { services = nil }
}
