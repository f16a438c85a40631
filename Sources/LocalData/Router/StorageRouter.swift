import Foundation
import StorageVocabulary

/// Reads and writes the values that your app persists.
///
/// ```swift
/// let router = StorageRouter.shared
/// try router.registerCatalog(AccountCatalog.self)
/// try await router.set("token123", for: .userToken)
/// print(try await router.get(.userToken))   // Optional("token123")
/// ```
///
/// A call takes effect after every call on that key that returned before it began. Overlapping calls on one key are served
/// one after another.
public actor StorageRouter: StorageProviding {
  /// The router of the app, in the system's own folders.
  public static let shared = StorageRouter()

  /// The configuration and the registered keys, in a lock so that they can be set synchronously.
  nonisolated let setup: Lock<RouterSetup>
  nonisolated let clock: any StorageClock
  /// Finds out the default keychain access group; `nil` if there are no access groups.
  nonisolated let accessGroup: DefaultAccessGroup?
  nonisolated let syncLink: SyncLink
  private nonisolated let makeServices: @Sendable (RouterSetup) -> StorageServices
  private var turns = TurnQueue()
  nonisolated let migrationCache = MigrationCache()

  /// Creates a router over the folders that a configuration names.
  public init(configuration: StorageConfiguration = StorageConfiguration()) {
    self.init(configuration: configuration, accessGroup: .system, makeServices: StorageServices.live)
  }

  package init(
    configuration: StorageConfiguration, clock: any StorageClock = SystemClock(),
    accessGroup: DefaultAccessGroup? = nil, makeServices: @escaping @Sendable (RouterSetup) -> StorageServices
  ) {
    self.clock = clock
    syncLink = SyncLink(clock: clock)
    self.accessGroup = accessGroup
    setup = Lock(RouterSetup(storage: configuration))
    self.makeServices = makeServices
  }

  // MARK: The verbs

  /// Returns the stored value. If nothing is stored, returns the key's default, or `nil` if its type is optional.
  ///
  /// ```swift
  /// let token = try await router.get(.userToken)   // String?, nil if nothing is stored
  /// let theme = try await router.get(.theme)       // Theme, the key's default if nothing is stored
  /// ```
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The value, or what the key says of absence.
  /// - Throws: ``StorageError/notFound(_:)`` if nothing is stored and the key has neither a default nor an optional type.
  ///   ``StorageError/locked(_:)`` if the value cannot be read now. ``StorageError/cannotDecode(_:)``,
  ///   ``StorageError/corrupted(_:)``, ``StorageError/authenticationFailed(_:)`` and ``StorageError/newerSchema(_:)`` if
  ///   what is stored is not a value of the key. Every other ``StorageError`` says what else keeps it from being read.
  public func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.migration(of: erased, plan)?.settle()
      return try await router.values(for: plan).value(key.coding, plan)
    }
  }

  /// Stores a value. `nil` removes what is stored.
  ///
  /// ```swift
  /// try await router.set(.dark, for: .theme)
  /// print(try await router.get(.theme))   // dark
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key to store it for.
  /// - Throws: ``StorageError/cannotEncode(_:)`` and ``StorageError/valueTooLarge(_:limit:)`` if the value cannot be
  ///   stored, ``StorageError/locked(_:)``, ``StorageError/busy(_:)`` and ``StorageError/outOfSpace(_:)`` if it cannot be
  ///   stored now. Every other ``StorageError`` says what else is wrong. What was stored before is still there then.
  public func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased, .write)
    try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.store(value, for: key, erased, plan)
      if plan.hook != nil { await router.sync.sender.sendChange(of: key, plan, to: value) }
    }
    if plan.hook != nil { await sync.catchUpIfBehind() }
  }

  /// Changes a value with no other writer between, on Linux of any process.
  ///
  /// ```swift
  /// try await router.update(.visits) { $0 += 1 }
  /// try await router.update(.journal) { $0?.entries.append("x") }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - change: Changes the value, which is the key's default or `nil` if nothing is stored. It is called off the main
  ///     actor with the value's lock held: it must be quick and must not call the router. It is called again if another
  ///     process wrote in between, so that the change must be all it does.
  /// - Returns: The value that was written.
  /// - Throws: What ``get(_:)`` and ``set(_:for:)`` throw.
  @discardableResult
  public func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) -> Void
  ) async throws(StorageError) -> Value {
    switch try await updated(key, change) {
    case .success(let value): return value
    }
  }

  /// Changes a value with no other writer between, unless the change throws.
  ///
  /// ```swift
  /// try await router.update(.balance) { balance in
  ///   guard balance >= 10 else { throw PurchaseError.tooExpensive }
  ///   balance -= 10
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - change: Changes the value. If it throws, the update is abandoned and nothing is written.
  /// - Returns: The value that was written.
  /// - Throws: What `change` throws, and what ``get(_:)`` and ``set(_:for:)`` throw.
  @discardableResult
  public func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value {
    try await updated(key, change).get()
  }

  /// Removes what is stored, if anything is.
  ///
  /// - Parameter key: The key of the value.
  /// - Throws: ``StorageError/locked(_:)``, ``StorageError/busy(_:)`` and ``StorageError/accessDenied(_:)`` if it cannot
  ///   be removed now. Every other ``StorageError`` says what else is wrong.
  public func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased)
    try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.removeForGood(erased, plan)
      if plan.hook != nil { await router.sync.sender.sendChange(of: key, plan, to: nil) }
    }
    if plan.hook != nil { await sync.catchUpIfBehind() }
  }

  /// Returns true if a value is stored, or would be brought by a migration. Moves nothing, and never prompts.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: True if ``get(_:)`` would find a value.
  /// - Throws: ``StorageError/locked(_:)`` if it cannot be told now. Every other ``StorageError`` says what else is wrong.
  public func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      if try await router.values(for: plan).isStored(plan) { return true }
      return try await router.migration(of: erased, plan)?.findsSource() ?? false
    }
  }

  // MARK: Verbs in their turn

  private func store<Value>(
    _ value: Value, for key: StorageKey<Value>, _ erased: AnyStorageKey, _ plan: KeyPlan
  ) async throws(StorageError) {
    let values = values(for: plan)
    let bytes = try await values.perform(plan) { (_) throws(StorageFault) in try key.coding.serialize(value) }
    guard let bytes else { return try await removeForGood(erased, plan) }
    let migration = migration(of: erased, plan)
    if let migration {
      // The app has set a newer value since the migration began.
      if MigrationTurn.keepsValue(on: self, at: plan.place) { return }
      try await migration.prepareWrite()
    }
    try await values.store(bytes, plan)
    // A migration of the app's own removes its source next.
    if MigrationTurn.isRunning(on: self) { try await values.makeDurable(plan) }
    await migration?.settleAfterWriting()
  }

  private func updated<Value, Failure: Error>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Value, Failure> {
    let erased = AnyStorageKey(key)
    let plan = try await plan(for: erased, .write)
    let result = try await inTurn(at: plan.place) { router throws(StorageError) in
      if let migration = router.migration(of: erased, plan) {
        try await migration.settle()
        try await migration.prepareWrite()
      }
      let result = try await router.changed(key, erased, plan, change)
      if plan.hook != nil, case .success(let value) = result {
        await router.sync.sender.sendChange(of: key, plan, to: value)
      }
      return result
    }
    if plan.hook != nil { await sync.catchUpIfBehind() }
    return result
  }

  private func changed<Value, Failure: Error>(
    _ key: StorageKey<Value>, _ erased: AnyStorageKey, _ plan: KeyPlan,
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Value, Failure> {
    let values = values(for: plan)
    if MigrationTurn.keepsValue(on: self, at: plan.place) {
      // The app has set a newer value since the migration began: what is changed here is not stored.
      var value = try await values.value(key.coding, plan)
      do throws(Failure) { try change(&value) } catch { return .failure(error) }
      return .success(value)
    }
    // A value that another process changes before its removal is looked at again.
    for _ in 0..<8 {
      switch try await values.update(key.coding, plan, mayRemove: key.migration == nil, change) {
      case .written(let value): return .success(value)
      case .abandoned(let failure): return .failure(failure)
      case .removal(let value, let stored):
        if try await removeForGood(stored, erased, plan) { return .success(value) }
      }
    }
    throw .busy(plan.subject)
  }

  /// Removes a value with its sources, so that none of them brings it back.
  private func removeForGood(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    if MigrationTurn.keepsValue(on: self, at: plan.place) { return }
    if let migration = migration(of: key, plan) {
      try await migration.remove()
    } else {
      try await values(for: plan).removeStored(plan)
    }
    // What a migration removes leaves no copy either.
    if MigrationTurn.isRunning(on: self) { try await values(for: plan).purge(plan) }
  }

  /// Removes a value with its sources if it is still `seen`; returns true if it was.
  private func removeForGood(
    _ seen: Data?, _ key: AnyStorageKey, _ plan: KeyPlan
  ) async throws(StorageError) -> Bool {
    let isRemoved =
      if let migration = migration(of: key, plan) {
        try await migration.remove(ifStill: seen)
      } else {
        try await values(for: plan).removeStored(seen, plan)
      }
    if isRemoved, MigrationTurn.isRunning(on: self) { try await values(for: plan).purge(plan) }
    return isRemoved
  }

  // MARK: Plans and turns

  /// Checks that a key may be used here and now, and works out what to do for it.
  func plan(for key: AnyStorageKey, _ use: KeyUse = .readOrRemove) async throws(StorageError) -> KeyPlan {
    if accessGroup != nil { try await learnAccessGroup(for: key) }
    let isMigrating = MigrationTurn.isRunning(on: self)
    return try setup.withLock { (setup) throws(StorageError) in
      let plan = try setup.plan(key, syncLink)
      // Only migrations may read and remove a legacy key, and no call may write it.
      if key.options.isLegacy, !isMigrating || use == .write { throw .legacyKey(plan.subject) }
      if key.domain.kind == .keychain, setup.encryption.reserves(plan.place) { throw .invalidName(plan.subject) }
      switch setup.registry.standing(of: key, at: plan.place) {
      case .registered: break
      case .different: throw .differsFromRegistration(plan.subject)
      case .unknown:
        if setup.storage.assertsRegistration { assertionFailure("\(StorageError.unregistered(plan.subject))") }
        throw .unregistered(plan.subject)
      }
      if setup.registry.isTaken(plan.place, by: key) { throw .invalidCatalog(plan.subject, .duplicateKey) }
      guard key.availability.includes(setup.storage.platform) else { throw .notAvailableOnPlatform(plan.subject) }
      return plan
    }
  }

  /// Returns the migration of a key, or `nil` if the key has none.
  nonisolated func migration(of key: AnyStorageKey, _ plan: KeyPlan) -> KeyMigration? {
    key.migration.map { KeyMigration(key: key, plan: plan, declaration: $0, router: self) }
  }

  /// Runs `body` once every earlier call on the place has ended; at once within a migration.
  func inTurn<Result: Sendable>(
    at place: StoragePlace, _ body: @Sendable (isolated StorageRouter) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    if MigrationTurn.isRunning { return try await body(self) }
    await takeTurn(at: place)
    defer { endTurn(at: place) }
    return try await inSession(body)
  }

  /// Waits until no other call uses the address.
  func takeTurn(at place: StoragePlace) async {
    if turns.takeTurn(at: place) { return }
    await withCheckedContinuation { turns.wait($0, at: place) }
  }

  func endTurn(at place: StoragePlace) { turns.endTurn(at: place) }

  /// Returns what reads and writes values, built at first use. From then on what a plan relies on can no longer be
  /// configured. Without a plan it serves what concerns no key.
  nonisolated func values(for plan: KeyPlan?) -> StoredValues {
    let (known, setup) = setup.withLock { setup in
      setup.use(plan)
      return (setup.values, setup.values == nil ? setup : nil)
    }
    if let known { return known }
    guard let setup else { return values(for: plan) }
    let made = StoredValues(makeServices(setup), clock: clock)
    // A configuration that came meanwhile counts: what was made before is not kept.
    return self.setup.withLock { $0.keep(made, madeFor: setup) } ? made : values(for: plan)
  }

  /// Drops every key that is held in memory: the next use of a sealed value asks the keychain and providers again.
  ///
  /// Calls in flight end with the keys that they have, and leave none behind.
  public func lock() async { setup.withLock(\.values)?.services.lock() }
}

extension StorageRouter {
  /// Runs `body` with the authentication that is bound, or with one for this call: one call asks the user once.
  private func inSession<Result: Sendable>(
    _ body: @Sendable (isolated StorageRouter) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    #if canImport(LocalAuthentication)
      if AuthenticationSession.current == nil {
        // The binding erases the type of an error: it travels as a value.
        let result = await AuthenticationSession.$current.withValue(AuthenticationSession()) {
          () async -> Swift.Result<Result, StorageError> in
          do throws(StorageError) { return .success(try await body(self)) } catch { return .failure(error) }
        }
        return try result.get()
      }
    #endif
    return try await body(self)
  }
}

extension StorageRouter: CustomReflectable {
  /// Empty: a mirror would read what the actor guards, and what it guards holds values and names.
  public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
