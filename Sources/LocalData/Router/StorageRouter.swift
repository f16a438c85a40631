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
/// one after another; a read that overlaps a change may return the value before the change.
public actor StorageRouter: StorageProviding {
  /// The router of the app, in the system's own folders.
  public static let shared = StorageRouter()

  /// The configuration and the registered keys, in a lock so that they can be set synchronously.
  nonisolated let setup: Lock<RouterSetup>
  nonisolated let clock: any StorageClock
  /// Finds out the default keychain access group; `nil` if there are no access groups.
  nonisolated let accessGroup: DefaultAccessGroup?
  nonisolated let syncLink: SyncLink
  /// The app's logger of calls.
  nonisolated let log = StorageLog()
  /// Tells observers which values may have changed.
  nonisolated let changes = ChangeHub()
  private nonisolated let makeServices: @Sendable (RouterSetup) -> StorageServices
  private nonisolated let turns = TurnQueue()
  nonisolated let migrationCache = MigrationCache()
  /// The longest time that a call waits.
  nonisolated var timeout: Duration { setup.withLock(\.storage.timeout) }

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
  /// - Returns: The stored value. If nothing is stored, the default of the key, or `nil`.
  /// - Throws: ``StorageError/notFound(_:)`` if nothing is stored and the key has neither a default nor an optional type.
  ///   ``StorageError/locked(_:)`` if the value cannot be read now. ``StorageError/cannotDecode(_:)``,
  ///   ``StorageError/corrupted(_:)``, ``StorageError/authenticationFailed(_:)`` and ``StorageError/newerSchema(_:)`` if
  ///   what is stored is not a value of the key, except bytes that do not decode, if the key's
  ///   ``StorageKeyOptions/onCorruption`` says otherwise. Every other ``StorageError`` says what else keeps it from being
  ///   read.
  public nonisolated func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value {
    let meter = log.begin(.get, AnyStorageKey(key))
    return try await meter.run { () throws(StorageError) in
      // If it throws, the slower path reads again and throws the same error.
      if key.mayBePlain { do throws(StorageError) { return try PlainPreference.prompt(key, of: self, meter) } catch {} }
      let erased = AnyStorageKey(key)
      let plan = try await plan(for: erased).measured(by: meter)
      if let value = PromptRead.value(of: erased, key.coding, plan, on: self) { return value }
      return try await inTurn(at: plan.place, plan.subject) { router throws(StorageError) in
        try await router.migration(of: erased, plan)?.settle()
        if plan.retention != nil { try await router.endRetention(of: erased, plan, mayPrompt: true) }
        return try await router.values(for: plan).value(key.coding, plan)
      }
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
  ///   stored now. Every other ``StorageError`` says what else is wrong. What was stored before is still there then, unless
  ///   a disk failed at the end of the write, or `nil` was set and only a copy of the old value could not be erased.
  public func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    let erased = AnyStorageKey(key)
    let meter = log.begin(.set, erased)
    try await meter.run { () throws(StorageError) in
      let plan = try await plan(for: erased, .write).measured(by: meter)
      let waits = CallWaits(ofChangeOf: plan, timeout)
      try await inTurn(at: plan.place, plan.subject, waits) { router throws(StorageError) in
        try await KeyChange(key: erased, plan: plan, router: router).store(value, key.coding)
        if plan.hook != nil { await router.sync.sender.sendChange(of: key, plan, to: value) }
      }
      if let waits { await sync.catchUpIfBehind(waits) }
    }
  }

  /// Changes a value with no other writer between, also of another process. On Apple's platforms this does not hold for
  /// preferences, which another process may change in between.
  ///
  /// ```swift
  /// try await router.update(.visits) { $0 += 1 }
  /// try await router.update(.journal) { $0?.entries.append("x") }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - change: Changes the value, which is the key's default or `nil` if nothing is stored. It is called off the main
  ///     actor with the value's lock held: it must be quick and must not call the router. If another process wrote in
  ///     between, it is called again with the new value: it must have no other effect.
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
  /// A removed value of the keychain, and one that was encrypted, leaves no copy in the files of the library.
  ///
  /// - Parameter key: The key of the value.
  /// - Throws: ``StorageError/locked(_:)``, ``StorageError/busy(_:)`` and ``StorageError/accessDenied(_:)`` if it cannot
  ///   be removed now. Every other ``StorageError`` says what else is wrong. If only a copy of the value could not be erased,
  ///   the value is removed, and the next call erases the copy.
  public func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    try await remove(AnyStorageKey(key))
  }

  /// Returns true if a value is stored, or if a migration would find one. Moves nothing, and never prompts. A stored value
  /// that does not decode exists too.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: True if something is stored for the key.
  /// - Throws: ``StorageError/locked(_:)`` if the storage cannot be examined now. Every other ``StorageError`` says what
  ///   else is wrong.
  public func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool {
    let erased = AnyStorageKey(key)
    return try await log.begin(.exists, erased).run { () throws(StorageError) in
      let plan = try await plan(for: erased)
      return try await inTurn(at: plan.place, plan.subject) { router throws(StorageError) in
        if plan.retention != nil { try await router.endRetention(of: erased, plan, mayPrompt: false) }
        if try await router.values(for: plan).isStored(plan) { return true }
        return try await router.migration(of: erased, plan)?.findsValue() ?? false
      }
    }
  }

  private func updated<Value, Failure: Error>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Value, Failure> {
    let erased = AnyStorageKey(key)
    let meter = log.begin(.update, erased)
    return try await meter.run { () throws(StorageError) in
      let plan = try await plan(for: erased, .write).measured(by: meter)
      let waits = CallWaits(ofChangeOf: plan, timeout)
      let result = try await inTurn(at: plan.place, plan.subject, waits) { router throws(StorageError) in
        let migration = router.migration(of: erased, plan)
        try await migration?.settle()
        if plan.retention != nil { try await router.endRetention(of: erased, plan, mayPrompt: true) }
        try await migration?.prepareWrite()
        let result = try await KeyChange(key: erased, plan: plan, router: router).update(key.coding, change)
        if plan.hook != nil, case .success(let value) = result {
          await router.sync.sender.sendChange(of: key, plan, to: value)
        }
        return result
      }
      if let waits { await sync.catchUpIfBehind(waits) }
      return result
    }
  }

  // MARK: Plans and turns

  /// Checks that a key may be used here and now, and works out what to do for it.
  func plan(
    for key: AnyStorageKey, _ use: KeyUse = .readOrRemove, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> KeyPlan {
    try await accessGroup?.learn(for: key.domain, key.subject, setup)
    return try checkedPlan(for: key, use)
  }

  /// Does what ``plan(for:_:)`` does, if the default access group is known or does not matter.
  nonisolated func checkedPlan(for key: AnyStorageKey, _ use: KeyUse) throws(StorageError) -> KeyPlan {
    let isMigrating = MigrationTurn.isRunning(on: self)
    return try setup.withLock { (setup) throws(StorageError) in
      var plan = try setup.plan(key, syncLink)
      // To the code of a migration, bytes that are no value are never absent.
      if isMigrating { plan.onCorruption = .throw }
      // Only migrations may read and remove a legacy key, and no call may write it.
      if key.options.isLegacy, !isMigrating || use == .write { throw .legacyKey(plan.subject) }
      if let problem = key.declarationProblem { throw .invalidCatalog(plan.subject, problem) }
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

  /// Runs `body` once every earlier call on the place has ended; at once within a migration. The call has one deadline for
  /// this wait and for those of `body`.
  ///
  /// - Parameters:
  ///   - subject: The key that the error names if the call waits until its deadline.
  ///   - waits: The waits of a call over many values, of which this is a step; `nil` if it is a call itself.
  func inTurn<Result: Sendable>(
    at place: StoragePlace, _ subject: StorageError.Subject = .init(key: nil, domain: nil), _ waits: CallWaits? = nil,
    _ body: @Sendable (isolated StorageRouter) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    let turn = { () async throws(StorageError) -> Result in
      if MigrationTurn.isRunning { return try await body(self) }
      guard await self.turns.take(place) else { throw .busy(subject) }
      defer { self.turns.end(place) }
      return try await self.inSession(body)
    }
    if let waits { return try await waits.step(on: .container(place.container), turn) }
    return try await CallDeadline(patience: timeout).bound(turn)
  }

  /// Takes the turn of an address, which ``endTurn(at:)`` gives back. Returns false if it is not free before the deadline of
  /// the call.
  @discardableResult
  func takeTurn(at place: StoragePlace) async -> Bool { await turns.take(place) }

  nonisolated func endTurn(at place: StoragePlace) { turns.end(place) }

  /// Returns what reads and writes values, built at first use. From then on what a plan relies on can no longer be
  /// configured. Without a plan it serves what concerns no key.
  nonisolated func values(for plan: KeyPlan?) -> StoredValues {
    let (known, setup) = setup.withLock { setup in
      setup.use(plan)
      return (setup.values, setup.values == nil ? setup : nil)
    }
    if let known { return known }
    guard let setup else { return values(for: plan) }
    var services = makeServices(setup)
    services.timeout = setup.storage.timeout
    let made = StoredValues(services, clock: clock, changes: changes, log: log)
    // If the configuration was changed meanwhile, the services that were made for the earlier one are not kept.
    return self.setup.withLock { $0.keep(made, madeFor: setup) } ? made : values(for: plan)
  }

  /// Removes all encryption keys from memory. The next use of an encrypted value asks the keychain and the providers again.
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
        let result = await AuthenticationSession().bound { () async -> Swift.Result<Result, StorageError> in
          do throws(StorageError) { return .success(try await body(self)) } catch { return .failure(error) }
        }
        return try result.get()
      }
    #endif
    return try await body(self)
  }
}

extension StorageRouter: CustomReflectable {
  /// An empty mirror: `dump` must show no value and no name.
  public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
