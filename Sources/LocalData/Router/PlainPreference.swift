import LocalDataFoundation
import LocalDataStores

/// A use of a plain preference on the caller's thread. See ``StorageKey/isPlainPreference``.
struct PlainPreference<Value: Sendable>: Sendable {
  private let key: StorageKey<Value>
  private let plan: KeyPlan
  private let router: StorageRouter
  /// The migration; `nil` if it has nothing left to do.
  private let migration: AnyStorageMigration?

  /// Creates a use of a key for one call.
  init(
    _ key: StorageKey<Value>, _ use: KeyUse, of router: StorageRouter, _ meter: CallMeter? = nil
  ) throws(StorageError) {
    let plan = try KeyPlan(checking: AnyStorageKey(key), for: use, on: router).measured(by: meter)
    guard key.isPlainPreference, !MigrationTurn.isRunning(on: router) else {
      throw StorageError(.needsWaiting(.notPlainPreference), plan.subject)
    }
    self.init(key, plan, router)
  }

  /// Creates a use of a plain preference outside of a custom migration.
  ///
  /// - Parameter plan: The plan of the key for this call.
  init(_ key: StorageKey<Value>, _ plan: KeyPlan, _ router: StorageRouter) {
    self.key = key
    self.router = router
    self.plan = plan
    let isSettled = key.migration == nil || router.migrationCache.isSettled(plan.address)
    migration = isSettled ? nil : AnyStorageKey(key).migration?()
  }

  /// Returns what `result` returns for the value and the mark of the stored bytes, and logs the read.
  ///
  /// The pair of both would have a generic type, which Swift looks up in every call.
  static func read<Result>(
    _ key: StorageKey<Value>, of router: StorageRouter, _ result: (Value, StoredMark) -> Result
  ) throws(StorageError) -> Result {
    let meter = router.log.begin(.value, AnyStorageKey(key))
    return try meter.runNow { () throws(StorageError) in
      if let cached = CachedPreference.current(key, in: router, meter) { return result(cached.value, cached.mark) }
      return try CallDeadline.bound(patience: router.timeout) { () throws(StorageError) in
        let (value, mark) = try PlainPreference(key, .read, of: router, meter).read()
        return result(value, mark)
      }
    }
  }

  /// Returns the value and the mark of the stored bytes, and caches both until the next write to the container.
  func read() throws(StorageError) -> (value: Value, mark: StoredMark) {
    let revision = router.setup.withLock(\.preferences.revision)
    // The state is read before the value, so that the next call detects a change in between.
    let store = router.values(for: plan).store(of: plan)
    let state = try plan.naming { () throws(StorageProblem) in try store.state(of: plan.address.container) }
    let (value, mark) = try value()
    if let state, let cached = CachedPreference(key, plan.address, value, mark, state) {
      router.setup.withLock { $0.preferences.insert(cached, madeAt: revision) }
    }
    return (value, mark)
  }

  /// Returns the value and the mark of the stored bytes.
  func value() throws(StorageError) -> (value: Value, mark: StoredMark) {
    guard let migration else { return try stored(plan) }
    // A value at the key's own address takes precedence over its sources. A custom migration may change it.
    guard !migration.isCustom || router.migrationCache.hasFoundNothing(plan.address) else {
      throw StorageError(.needsWaiting(.migrationPending), plan.subject)
    }
    if let found = try storedBesideSources() {
      // If a migration to another address left this value here, a source may have a newer one.
      let ledger = ledger()
      if ledger?.isLeftover(AddressID(plan)) == true {
        throw StorageError(.needsWaiting(.migrationPending), plan.subject)
      }
      if let ledger { try requireNoNewerValue(migration, ledger) }
      return found
    }
    // A source of which other keys have parts may stay.
    if !migration.takesPart || !router.migrationCache.hasFoundNothing(plan.address) {
      try requireNoSource(of: migration)
    }
    // If another call moves the value now, it stores the value here before it removes the source.
    if let found = try storedBesideSources() { return found }
    guard let absent = key.coding.absentValue else { throw StorageError(.notFound, plan.subject) }
    return (absent, StoredMark(nil))
  }

  /// Throws ``StorageProblem/Code/needsWaiting`` if a source that the log knows has a value, which an earlier release may
  /// have written after the move. This is examined once in a process.
  private func requireNoNewerValue(_ migration: AnyStorageMigration, _ ledger: MigrationLedger) throws(StorageError) {
    guard !ledger.isEmpty, !router.migrationCache.isWithoutSource(plan.address) else { return }
    try requireNoSource(of: migration) { ledger.isAbout(AddressID($0)) }
    router.migrationCache.noteWithoutSource(plan.address)
  }

  /// Throws ``StorageProblem/Code/needsWaiting`` if a migration has something to do, or if this is not known.
  private func requireNoSource(
    of migration: AnyStorageMigration, where isIncluded: (KeyPlan) -> Bool = { _ in true }
  ) throws(StorageError) {
    // This uses a copy of the setup without its lock, because the migrations of sources are code of the app.
    let setup = router.setup.withLock(\.self)
    guard let sources = setup.sources(of: migration, at: plan, hasAccessGroups: router.accessGroup != nil) else {
      throw StorageError(.needsWaiting(.migrationPending), plan.subject)
    }
    let services = router.values(for: plan).services
    for source in sources where isIncluded(source) {
      let isStored = try source.naming { () throws(StorageProblem) in try services.isStored(source) }
      // An earlier release may have removed the value.
      if isStored || ledger(of: source)?.hasRemoved(source.removalIDs, after: plan.removalIDs) == true {
        throw StorageError(.needsWaiting(.migrationPending), plan.subject)
      }
    }
  }

  /// Returns the ledger of migrations, or `nil` if the log cannot be read now, or if it has to be read from the disk and the
  /// call must not wait for it.
  private func ledger(of source: KeyPlan? = nil) -> MigrationLedger? {
    do throws(StorageProblem) {
      return try router.values(for: plan).services.migrationLog((source ?? plan).keyset).ledger()
    } catch {
      return nil
    }
  }

  /// Returns the value at the key's own address, or `nil` if nothing is stored there. The key's migration has not ended.
  private func storedBesideSources() throws(StorageError) -> (value: Value, mark: StoredMark)? {
    do throws(StorageError) {
      // A value that an earlier release stored in another form is not corrupt.
      var plan = plan
      plan.onCorruption = .throw
      let found = try stored(plan)
      return found.mark == StoredMark(nil) ? nil : found
    } catch {
      switch error.code {
      case .notFound: return nil
      // An earlier release may have stored it in another form.
      case .cannotDecode, .corrupted, .newerValue, .unknownFormatVersion:
        throw StorageError(.needsWaiting(.migrationPending), plan.subject)
      default: throw error
      }
    }
  }

  private func stored(_ plan: KeyPlan) throws(StorageError) -> (value: Value, mark: StoredMark) {
    var attributes = plan.attributes
    // Only the caller waits while the value is decoded.
    attributes.maxPromptSize = .max
    switch try ValueStep(coding: key.coding, plan: plan, values: router.values(for: plan)).read(nil, attributes) {
    case .value(let value, let stored): return (value, StoredMark(stored))
    case .needsKey: throw StorageError(.corrupted, plan.subject)
    }
  }

  /// Calls `body` after each change by this process or another one, until the result is released.
  func observe(_ body: @escaping @Sendable () -> Void) throws(StorageError) -> [any Sendable] {
    let own = plan.address.name
    return try router.values(for: plan).observe(plan, own) { name in if name == nil || name == own { body() } }
  }

  /// Stores a value, or removes what is stored if the value means absence.
  ///
  /// - Parameters:
  ///   - patience: The longest time to wait for other threads and processes, if it is shorter than the configured timeout.
  ///   - ifAbsent: True if a value that is stored stays.
  /// - Returns: False if a value was stored, and stays.
  @discardableResult static func set(
    _ value: Value, for key: StorageKey<Value>, on router: StorageRouter, patience: Duration? = nil,
    ifAbsent: Bool = false
  ) throws(StorageError) -> Bool {
    let meter = router.log.begin(.setValue, AnyStorageKey(key))
    let timeout = router.setup.withLock(\.storage.timeout)
    return try meter.runNow { () throws(StorageError) in
      try CallDeadline.bound(patience: min(patience ?? timeout, timeout)) { () throws(StorageError) in
        try PlainPreference(key, .write, of: router, meter).store(value, ifAbsent: ifAbsent)
      }
    }
  }

  private func store(_ value: Value, ifAbsent: Bool) throws(StorageError) -> Bool {
    try requireNoNote(of: key.coding.meansAbsence(value) ? .removal : .write)
    defer { router.changes.publishChange(at: plan.address) }
    let stored = KeyedValue(plan, router.values(for: plan))
    let isChanged = try plan.naming(.write) { () throws(StorageProblem) in
      guard let bytes = try key.coding.serialize(value) else {
        try stored.remove()
        try stored.removeCopies(isPurged: false)
        return true
      }
      let secured = try ValueSealer(plan: plan, sealer: nil, time: router.clock.now).secured(bytes)
      if ifAbsent { return try stored.replace(nil, with: secured) }
      try stored.write(secured)
      return true
    }
    if isChanged, plan.hook?.noteChange() == true {
      let change = FeatureChange(key: AnyStorageKey(key), plan: plan, bytes: nil)
      Task { await router.feature?.catchUp(on: router, with: [change], CallWaits(router.timeout, of: .call)) }
    }
    return isChanged
  }

  /// Prepares a change as ``KeyChange/prepare(_:)`` does, and throws ``StorageProblem/Code/needsWaiting`` where the other one notes it.
  private func requireNoNote(of kind: KeyChange.Kind) throws(StorageError) {
    if let migration {
      // If no source has a value, the migration treats this value as one that was stored before the migration began.
      guard !migration.isCustom else { throw StorageError(.needsWaiting(.migrationPending), plan.subject) }
      try requireNoSource(of: migration)
    }
    let change = KeyMigration(AnyStorageKey(key), plan, on: router)
    let ledger = ledger()
    if change.mustNote(kind, ledger) || !change.isDone(before: kind) && (kind == .removal || ledger == nil) {
      throw StorageError(.needsWaiting(.changeIsRecorded), plan.subject)
    }
  }
}

extension AnyStorageMigration {
  /// A Boolean value that indicates whether code of the app decides what a step does.
  fileprivate var isCustom: Bool {
    steps.contains { if case .custom = $0.action { true } else { false } }
  }

  /// A Boolean value that indicates whether other keys take parts of a source too.
  fileprivate var takesPart: Bool {
    steps.contains { if case .move(let move) = $0.action { move.sources.contains(where: \.isShared) } else { false } }
  }
}
