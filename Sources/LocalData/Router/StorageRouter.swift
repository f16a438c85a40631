package import LocalDataFoundation
import LocalDataStores

/// Reads and writes the values that your app persists.
///
/// ```swift
/// let router = StorageRouter.shared
/// try router.registerCatalog(AccountCatalog.self)
/// try await router.set("token123", for: .userToken)
/// print(try await router.get(.userToken))   // Optional("token123")
/// ```
///
/// A call takes effect after all calls on the same key that returned before it began. Overlapping calls on one key run one
/// after another. A read that overlaps a change may return the value before the change.
public actor StorageRouter: StorageProviding {
  /// The router of the app, with the standard folders of the system.
  public static let shared = StorageRouter()

  /// The configuration and the registered keys. They are in a lock, so that they can be set synchronously.
  package nonisolated let setup: Lock<RouterSetup>
  package nonisolated let clock: any StorageClock
  /// The default keychain access group; `nil` if the platform has no access groups.
  package nonisolated let accessGroup: DefaultAccessGroup?
  /// The app's logger of calls.
  package nonisolated let log = StorageLog()
  /// Notifies observers of values that may have changed.
  package nonisolated let changes = ChangeHub()
  private nonisolated let makeServices: @Sendable (RouterSetup) -> StorageServices
  package nonisolated let turns = TurnQueue()
  nonisolated let migrationCache = MigrationCache()
  /// The maximum time that a call waits.
  package nonisolated var timeout: Duration { setup.withLock(\.storage.timeout) }

  /// Creates a router that stores files in the folders of a configuration.
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

  // MARK: The verbs

  /// Returns the stored value. If nothing is stored, returns the key's default, or `nil` if its type is optional.
  ///
  /// ```swift
  /// print(try await router.get(.userToken) ?? "signed out")   // signed out: a String?, nil if nothing is stored
  /// print(try await router.get(.theme))                       // system: a Theme, the default if nothing is stored
  /// ```
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The stored value. If nothing is stored, the default of the key, or `nil`.
  /// - Throws: ``StorageProblem/Code/notFound`` if nothing is stored and the key has neither a default nor an optional type.
  ///   ``StorageProblem/Code/locked`` if the value cannot be read now. ``StorageProblem/Code/cannotDecode``,
  ///   ``StorageProblem/Code/corrupted``, ``StorageProblem/Code/authenticationFailed``, ``StorageProblem/Code/newerSchema`` and
  ///   ``StorageProblem/Code/newerValue`` if the stored bytes are not a value of the key. Bytes that do not decode are handled by the key's
  ///   ``StorageKeyOptions/onCorruption``. Every other ``StorageError`` if the value cannot be read for another reason.
  @concurrent public nonisolated func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value {
    let meter = log.begin(.get, AnyStorageKey(key))
    return try await meter.run { () throws(StorageError) in
      if key.isPlainPreference, let cached = CachedPreference.current(key, in: self, meter) { return cached.value }
      let erased = AnyStorageKey(key)
      let plan = try await plan(for: erased, .read).measured(by: meter)
      if let value = key.valueAtOnce(plan, on: self) { return value }
      return try await read(erased, plan) { (values) throws(StorageError) in
        try await ValueStep(coding: key.coding, plan: plan, values: values).value()
      }
    }
  }

  /// Stores a value. `nil` removes the stored value.
  ///
  /// ```swift
  /// try await router.set(.dark, for: .theme)
  /// print(try await router.get(.theme))   // dark
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key to store it for.
  /// - Throws: ``StorageProblem/Code/cannotEncode`` and ``StorageProblem/Code/valueTooLarge`` if the value cannot be
  ///   stored, ``StorageProblem/Code/locked``, ``StorageProblem/Code/busy`` and ``StorageProblem/Code/outOfSpace`` if it cannot be
  ///   stored now. Every other ``StorageError`` if the key cannot be used. After an error the old value is still stored, with
  ///   two exceptions: a disk failed at the end of the write, or `nil` was set and only a copy of the old value could not be
  ///   erased.
  public func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    try await change(AnyStorageKey(key), .set, .write) { (_, change) throws(StorageError) in
      try await change.store(value, key.coding)
      return ((), { try key.coding.serialize(value) })
    }
  }

  /// Reads, changes and writes a value. No other call writes the value in between, and no other process. On Apple's platforms,
  /// another process may change a preference in between.
  ///
  /// ```swift
  /// try await router.set(3, for: .visits)
  /// print(try await router.update(.visits) { $0 += 1 })   // 4
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - change: Changes the value. If nothing is stored, it gets the key's default or `nil`. It is called off the main actor
  ///     while the value's lock is held, so it must be quick, and must neither block nor call the router. A call that needs the
  ///     lock throws ``StorageProblem/Code/reentrantCall``. It can be called again, for example with a value that another process
  ///     wrote in between, so it must have no other effects.
  /// - Returns: The value that was written.
  /// - Throws: Every error that ``get(_:)`` and ``set(_:for:)`` throw.
  @discardableResult
  public func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) -> Void
  ) async throws(StorageError) -> Value {
    switch try await updated(key, change) {
    case .success(let value): return value
    }
  }

  /// Reads, changes and writes a value, unless the change throws an error. No other call writes the value in between.
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
  /// - Throws: Every error that `change`, ``get(_:)`` and ``set(_:for:)`` throw.
  @discardableResult
  public func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value {
    try await updated(key, change).get()
  }

  /// Removes the stored value, if there is one.
  ///
  /// ```swift
  /// try await router.remove(.userToken)
  /// print(try await router.get(.userToken) ?? "signed out")   // signed out
  /// ```
  ///
  /// After the removal of a keychain value or an encrypted value, the files of the library contain no copy of it.
  ///
  /// - Parameter key: The key of the value.
  /// - Throws: ``StorageProblem/Code/locked``, ``StorageProblem/Code/busy`` and ``StorageProblem/Code/accessDenied`` if the value
  ///   cannot be removed now. Every other ``StorageError`` if the key cannot be used. If only a copy of the value could not be
  ///   erased, the call throws an error although the value is removed, and the next call erases the copy.
  public func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    _ = try await KeyChange.remove(AnyStorageKey(key), on: self, isPurged: true)
  }

  /// Returns true if a value is stored, or if a migration would find one. Migrates nothing, and never asks the user. The
  /// result is also true if the stored value does not decode.
  ///
  /// ```swift
  /// try await router.set("token123", for: .userToken)
  /// print(try await router.exists(.userToken))   // true
  /// ```
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: True if a value is stored for the key or for a source of its migration.
  /// - Throws: ``StorageProblem/Code/locked`` if the storage cannot be examined now. Every other ``StorageError`` if the key
  ///   cannot be used.
  public func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool {
    let erased = AnyStorageKey(key)
    return try await log.begin(.exists, erased).run { () throws(StorageError) in
      let plan = try await plan(for: erased, .read)
      return try await inTurn(at: plan.address, plan.subject) { router throws(StorageError) in
        if plan.retention != nil { try await KeyChange(erased, plan, on: router).endRetention(mayPrompt: false) }
        let migration = KeyMigration(erased, plan, on: router)
        if try await router.values(for: plan).isStored(plan), await !migration.isSignedOut() { return true }
        return try await migration.findsValue()
      }
    }
  }

  private func updated<Value, Failure: Error>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Value, Failure> {
    try await self.change(AnyStorageKey(key), .update, .write) { (router, update) throws(StorageError) in
      try await router.prepare(update.key, update.plan)
      let result = try await update.update(key.coding, change)
      guard case .success(let value) = result else { return (result, nil) }
      return (result, { try key.coding.serialize(value) })
    }
  }

  // MARK: Plans and turns

  /// Checks that a key may be used, and returns its plan.
  package func plan(for key: AnyStorageKey, _ use: KeyUse = .readOrRemove) async throws(StorageError) -> KeyPlan {
    try await accessGroup?.learn(for: key.domain, key.subject, setup)
    return try KeyPlan(checking: key, for: use, on: self)
  }

  /// Runs `body` after every earlier call on the address has ended. Within a custom migration, `body` runs at once. The call
  /// has one deadline for this wait and the waits of `body`.
  ///
  /// - Parameters:
  ///   - subject: The key that the error names if the call waits until its deadline.
  ///   - waits: The waits of a call on many values, if this is a step of such a call; `nil` otherwise.
  package func inTurn<Result: Sendable>(
    at address: StorageAddress, _ subject: StorageError.Subject = .init(key: nil, domain: nil),
    _ waits: CallWaits? = nil,
    _ body: @Sendable (isolated StorageRouter) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    let turn = { () async throws(StorageError) -> Result in
      if MigrationTurn.isRunning { return try await body(self) }
      guard await self.turns.take(address) else { throw StorageError(.busy, subject) }
      defer { self.turns.end(address) }
      return try await AuthenticationSession.ofCall(on: self, body)
    }
    if let waits { return try await waits.step(on: .container(address.container), turn) }
    return try await CallDeadline(patience: timeout).bound(turn)
  }

  /// Returns the reader and writer of values, which is made at its first use. From then on, the configurations that the plan
  /// depends on can no longer be changed. The plan is `nil` for calls that concern no key.
  package nonisolated func values(for plan: KeyPlan?) -> ValueAccess {
    let (known, setup) = setup.withLock { setup in
      setup.use(plan)
      return (setup.values, setup.values == nil ? setup : nil)
    }
    if let known { return known }
    guard let setup else { return values(for: plan) }
    var services = makeServices(setup)
    services.timeout = setup.storage.timeout
    let made = ValueAccess(services, clock: clock, changes: changes, log: log)
    // If the configuration was changed meanwhile, the services for the earlier configuration are discarded.
    return self.setup.withLock { $0.keep(made, madeFor: setup) } ? made : values(for: plan)
  }

  /// Removes all encryption keys from memory. The next use of an encrypted value gets the keys from the keychain and the
  /// providers again.
  ///
  /// Running calls continue with the keys that they have, and release these keys when they end.
  public func lock() async {
    guard let services = setup.withLock(\.values)?.services else { return }
    services.lock()
    services.records.lock()
  }
}

extension AuthenticationSession {
  /// Runs `body` with the current session, or with a new one for this call, so that one call asks the user once.
  fileprivate static func ofCall<Result: Sendable>(
    on router: isolated StorageRouter, _ body: @Sendable (isolated StorageRouter) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    #if canImport(LocalAuthentication)
      if current == nil {
        // The error is passed as a value, because the binding erases its type.
        let result = await AuthenticationSession().bound { () async -> Swift.Result<Result, StorageError> in
          do throws(StorageError) { return .success(try await body(router)) } catch { return .failure(error) }
        }
        return try result.get()
      }
    #endif
    return try await body(router)
  }
}

extension StorageRouter: CustomReflectable {
  /// An empty mirror: `dump` must show no value and no name.
  public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
