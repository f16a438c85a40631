import LocalDataFoundation
import LocalDataStores

/// A transaction: several values that are changed together. See ``StorageRouter/transaction(_:)``.
///
/// Use it only within its closure. After the closure has returned, for example in a task that is still running, every call
/// throws ``StorageProblem/Code/cannotJoinTransaction``, because the change would not be stored.
public final class StorageTransaction: Sendable {
  private struct Entry: Sendable {
    let key: AnyStorageKey
    let plan: KeyPlan
    /// The stored bytes that the transaction has read; `nil` if it has not read them.
    var seen: Data??
    var change = StorageChange.keep
    /// The measurement of the change for the log. It ends with the transaction.
    var meter: CallMeter?

    /// The kind of the change; `nil` if the value is only read.
    var kind: KeyChange.Kind? {
      switch change {
      case .keep: nil
      case .write: .write
      case .remove: .removal
      }
    }
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    /// A Boolean value that indicates whether the closure has returned.
    var isOver = false

    /// Returns the entry of an address. The entries are few, and are searched in the order in which the closure used them.
    func entry(at address: StorageAddress) -> Entry? { entries.first { $0.plan.address == address } }

    /// Returns true if the container is the same as for the other values, or if there are no values yet.
    func admits(_ container: StorageContainer) -> Bool { entries.allSatisfy { $0.plan.address.container == container } }

    /// Changes the entry of an address, and returns true if the closure has not returned yet.
    mutating func change(_ address: StorageAddress, _ body: (inout Entry) -> Void) -> Bool {
      guard !isOver, let index = entries.firstIndex(where: { $0.plan.address == address }) else { return false }
      body(&entries[index])
      return true
    }
  }

  private let router: StorageRouter
  private let state = Lock(State())

  init(router: StorageRouter) { self.router = router }

  // MARK: The verbs

  /// Returns the value that the transaction has set. If it has not set one, returns the stored value, as
  /// ``StorageRouter/get(_:)`` does.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The stored value. If nothing is stored, the default of the key, or `nil`.
  /// - Throws: Every error that ``StorageRouter/get(_:)`` throws, and ``StorageProblem/Code/cannotJoinTransaction`` if the key is
  ///   in another container than the other keys.
  @concurrent public func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value {
    let erased = AnyStorageKey(key)
    let meter = router.log.begin(.get, erased)
    return try await meter.run { () throws(StorageError) in
      let entry = try await entry(of: erased)
      let values = router.values(for: entry.plan)
      if entry.kind != nil {
        return try entry.plan.naming { () throws(StorageProblem) in
          guard case .write(let bytes) = entry.change else { return try key.coding.deserialize(nil) }
          meter?.note(bytes.count)
          return try key.coding.deserialize(OpenedValue(bytes: bytes, schema: key.coding.schema))
        }
      }
      let stored = try await stored(entry)
      meter?.note(stored?.count)
      change(entry.plan.address) { $0.seen = .some(stored) }
      let step = ValueStep(coding: key.coding, plan: entry.plan, values: values)
      let found = try await step.waitingRead(known: .some(stored))
      change(entry.plan.address) { $0.seen = .some(found.stored) }
      return found.value
    }
  }

  /// Stores a value when the transaction ends. `nil` removes the stored value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key to store it for.
  /// - Throws: ``StorageProblem/Code/cannotEncode`` if the value cannot be serialized,
  ///   ``StorageProblem/Code/cannotJoinTransaction`` if the key is in another container than the other keys, and every other
  ///   ``StorageError`` if the key cannot be used.
  @concurrent public func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    try await note(.set, AnyStorageKey(key), .write) { (plan) throws(StorageError) in
      let bytes = try plan.naming { () throws(StorageProblem) in try key.coding.serialize(value) }
      return bytes.map { .write($0) } ?? .remove
    }
  }

  /// Removes the stored value when the transaction ends.
  ///
  /// - Parameter key: The key of the value.
  /// - Throws: ``StorageProblem/Code/cannotJoinTransaction`` if the key is in another container than the other keys, and every
  ///   other ``StorageError`` if the key cannot be used.
  @concurrent public func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    try await note(.remove, AnyStorageKey(key), .readOrRemove) { _ in .remove }
  }

  /// Adds a change, which is made at the end of the transaction. The change is logged at the end. If it fails now, it is
  /// logged now.
  private func note(
    _ operation: StorageLogEntry.Operation, _ key: AnyStorageKey, _ use: KeyUse,
    _ make: (KeyPlan) async throws(StorageError) -> StorageChange
  ) async throws(StorageError) {
    let meter = router.log.begin(operation, key)
    do throws(StorageError) {
      let plan = try await entry(of: key, use).plan
      let new = try await make(plan)
      let isNoted = change(plan.address) {
        $0.change = new
        $0.meter = meter
      }
      guard isNoted else { throw StorageError(.cannotJoinTransaction, plan.subject) }
    } catch {
      meter?.end(error)
      throw error
    }
  }

  // MARK: Entries

  /// Returns the stored bytes of a key. If the transaction has read them before, returns those.
  private func stored(_ entry: Entry) async throws(StorageError) -> Data? {
    if let seen = entry.seen { return seen }
    return try await router.read(entry.key, entry.plan) { (values) throws(StorageError) in
      try await values.stored(entry.plan)
    }
  }

  /// Returns the entry of a key. If the entry is new, the key is checked and its migration runs first.
  private func entry(of key: AnyStorageKey, _ use: KeyUse = .readOrRemove) async throws(StorageError) -> Entry {
    let plan = try await router.plan(for: key, use)
    let now = state.withLock(\.self)
    if !now.isOver, let known = now.entry(at: plan.address) { return known }
    let store = router.values(for: plan).store(of: plan)
    guard !now.isOver, now.admits(plan.address.container), plan.address.container.canTransact,
      store is any TransactingStore, !MigrationTurn.isRunning(on: router), try await isMigrated(key, plan)
    else { throw StorageError(.cannotJoinTransaction, plan.subject) }
    let entry = Entry(key: key, plan: plan)
    return try state.withLock { (state) throws(StorageError) in
      // Another task of the closure may have added the key, or a key of another container, meanwhile.
      if let known = state.entry(at: plan.address) { return known }
      guard state.admits(plan.address.container) else { throw StorageError(.cannotJoinTransaction, plan.subject) }
      state.entries.append(entry)
      return entry
    }
  }

  /// Runs the migration of a key. Returns false if a source may still have the key's value.
  private func isMigrated(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) -> Bool {
    guard key.migration != nil else { return true }
    return try await router.inTurn(at: plan.address, plan.subject) { router throws(StorageError) in
      let migration = KeyMigration(key, plan, on: router)
      // The second call finds no remaining step, and marks the key as settled.
      for _ in 0..<2 { try await migration.settle() }
      if router.migrationCache.isSettled(plan.address) { return true }
      // A key without a value is never marked as settled, because a source may get a value later.
      if try await router.values(for: plan).isStored(plan) { return false }
      return try await !migration.findsSource()
    }
  }

  @discardableResult
  private func change(_ address: StorageAddress, _ body: @Sendable (inout Entry) -> Void) -> Bool {
    state.withLock { $0.change(address, body) }
  }

  // MARK: The end

  /// Ends the use of the transaction by its closure. Later calls throw an error, because their changes would not be stored.
  func end() { state.withLock { $0.isOver = true } }

  /// The error of a transaction if other callers keep changing its values.
  static let overtaken = StorageError(.busy, .init(key: nil, domain: nil))

  /// Makes all changes and returns true. Returns false and changes nothing if a value has changed since the transaction read
  /// it.
  ///
  /// The changes are logged, unless the transaction is repeated.
  ///
  /// - Parameter waits: The waits of all attempts.
  func commit(isLastAttempt: Bool, _ waits: CallWaits) async throws(StorageError) -> Bool {
    let entries = state.withLock { $0.entries }
    func log(_ error: StorageError?) { for entry in entries { entry.meter?.end(error) } }
    do throws(StorageError) {
      let isCommitted = try await commit(entries, waits)
      if isCommitted { log(nil) } else if isLastAttempt { log(Self.overtaken) }
      return isCommitted
    } catch {
      log(error)
      throw error
    }
  }

  private func commit(_ entries: [Entry], _ waits: CallWaits) async throws(StorageError) -> Bool {
    let changed = entries.filter { $0.kind != nil }
    let sealed = entries.first { $0.plan.sealing?.keySource == .masterKey }
    guard let plan = (sealed ?? entries.first)?.plan else { return true }
    var prepared: [KeyChange.Prepared] = []
    for entry in changed {
      guard let kind = entry.kind else { continue }
      prepared.append(
        try await inTurn(of: entry, waits) { (change) throws(StorageError) in try await change.prepare(kind) })
    }
    // Only the write is repeated if the keys were replaced: the closure has run, and the changes are noted.
    let isCommitted = try await router.values(for: plan).withCurrentKeys(plan) { () throws(StorageError) in
      try await waits.step { () throws(StorageError) in try await write(entries, naming: plan) }
    }
    guard isCommitted else { return false }
    for entry in changed { router.changes.publishChange(at: entry.plan.address) }
    let left = changed.filter { $0.plan.hook?.noteChange() == true }
    let purged = changed.last { $0.kind == .removal && $0.plan.isSecured }?.plan.address
    for (entry, prepared) in zip(changed, prepared) {
      try await inTurn(of: entry, waits) { (change) throws(StorageError) in
        try await change.conclude(prepared, isPurged: change.plan.address == purged)
      }
    }
    if !left.isEmpty {
      let changes = left.map { FeatureChange(key: $0.key, plan: $0.plan, bytes: nil) }
      await router.feature?.catchUp(on: router, with: changes, waits)
    }
    return true
  }

  /// Calls `body` in the turn of a changed key.
  private func inTurn<Result: Sendable>(
    of entry: Entry, _ waits: CallWaits, _ body: @Sendable (KeyChange) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    try await router.inTurn(at: entry.plan.address, entry.plan.subject, waits) { router throws(StorageError) in
      try await body(KeyChange(entry.key, entry.plan, on: router))
    }
  }

  /// Seals and writes all changes. Returns false and changes nothing if a value has changed since the transaction read it.
  ///
  /// - Parameter plan: The plan of the key that an error names.
  private func write(_ entries: [Entry], naming plan: KeyPlan) async throws(StorageError) -> Bool {
    let values = router.values(for: plan)
    guard let store = values.store(of: plan) as? any TransactingStore else {
      throw StorageError(.cannotJoinTransaction, plan.subject)
    }
    var changes: [StorageChange] = []
    for entry in entries {
      if case .write(let bytes) = entry.change {
        changes.append(.write(try await values.secured(bytes, entry.plan.measured(by: entry.meter))))
      } else {
        changes.append(entry.change)
      }
    }
    return try await values.write(plan, changesValue: false) { [changes] (_) throws(StorageProblem) in
      var isCurrent = false
      try KeyedValue.updateAll(entries.map(\.plan), in: store, values.services) { stored in
        isCurrent = zip(entries, stored).allSatisfy { entry, stored in entry.seen.map { $0 == stored } ?? true }
        return isCurrent ? changes : nil
      }
      return isCurrent
    }
  }
}
