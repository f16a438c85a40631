package import LocalDataFoundation
package import LocalDataStores

/// The keys and the time with which one value is stored.
package struct ValueSealer: Sendable {
  let plan: KeyPlan
  /// The sealer of the value; `nil` if it is stored plain.
  let sealer: Sealer?
  let time: Date

  /// Returns serialized bytes as they are stored.
  package func secured(_ bytes: Data) throws(StorageProblem) -> Data {
    let secured = try plan.secured(bytes, sealer, at: time)
    plan.meter?.note(secured.count)
    return secured
  }
}

/// The value of a key in its store, as calls change it.
///
/// A value that is sealed with a master key is stored only if its key may seal now. The feature of the key records each change.
package struct KeyedValue: UpdatableValue, Sendable {
  let plan: KeyPlan
  /// The attributes that the value is written with.
  package var attributes: StorageAttributes
  private let values: ValueAccess

  package init(_ plan: KeyPlan, _ values: ValueAccess) {
    self.plan = plan
    self.values = values
    attributes = plan.attributes
  }

  /// The store of the value. It checks and records no change.
  package var store: any ValueStore { values.store(of: plan) }

  /// The function by which the feature of the key notes a change in a file; `nil` if it notes none now.
  var note: ChangeNote? { plan.hook?.note(plan, values.services) }

  /// Stores a value, and replaces an earlier one.
  ///
  /// - Throws: ``StorageProblem/busy`` if the value is sealed with a key that may not seal any more, and the errors of the store.
  package func write(_ bytes: Data) throws(StorageProblem) { try make(.write(bytes)) }

  /// Removes the value, if there is one.
  package func remove() throws(StorageProblem) { try make(.remove) }

  /// Removes the copies of a value that was removed: those that were moved aside and, if asked, all in the value's container.
  package func removeCopies(isPurged: Bool) throws(StorageProblem) {
    try values.services.quarantine.remove(from: plan.address)
    if isPurged { try store.purge(plan.address.container) }
  }

  /// Reads the value, calls `change`, and writes the result. No other writer can change the value in between.
  ///
  /// - Throws: The errors of `change` and ``write(_:)``. Then no value was changed.
  package func update(_ change: (Data?) throws(StorageProblem) -> StorageChange) throws(StorageProblem) {
    let note = note
    if note != nil { try CallDeadline.requireWaiting() }
    try update(note, change)
  }

  private func update(
    _ note: ChangeNote?, _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try checkingKeys { (check) throws(StorageProblem) in
      try store.update(plan.address, attributes) { (stored) throws(StorageProblem) in
        var change = try change(stored)
        if let note { change = note(change, .read(stored)) }
        if case .write(let bytes) = change { try check(bytes) }
        return change
      }
    }
  }

  /// Makes a change of each of several values of a container, or none. No other writer can change a value in between.
  ///
  /// - Parameter change: Returns the changes for the stored bytes, or `nil` if nothing is to be changed.
  /// - Throws: The errors of ``write(_:)``. Then no value was changed.
  static func updateAll(
    _ plans: [KeyPlan], in store: any TransactingStore, _ services: StorageServices,
    _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
  ) throws(StorageProblem) {
    guard let container = plans.first?.address.container else { return }
    let items = plans.map { StorageItem(address: $0.address, attributes: $0.attributes) }
    let keyset = plans.first { $0.sealing?.keySource == .masterKey }?.keyset
    try services.checkingKeys(of: keyset, in: container) { (check) throws(StorageProblem) in
      try store.updateAll(items, in: container) { (stored) throws(StorageProblem) in
        guard let changes = try change(stored) else { return nil }
        var recorded = changes
        for (index, plan) in plans.enumerated() {
          if let record = plan.hook?.note(plan, services) {
            try CallDeadline.requireWaiting()
            recorded[index] = record(changes[index], .read(stored[index]))
          }
        }
        for case .write(let bytes) in recorded { try check(bytes) }
        return recorded
      }
    }
  }

  /// Records and makes a change with the store's own lock held, so that the records have the order of the writes.
  private func make(_ change: StorageChange) throws(StorageProblem) {
    guard let note else { return try makeUnnoted(change) }
    // The record is a file. A change that cannot be recorded now would be lost for the feature.
    try CallDeadline.requireWaiting()
    try self.change { note(change, $0) }
  }

  private func makeUnnoted(_ change: StorageChange) throws(StorageProblem) {
    switch change {
    case .keep: break
    case .remove: try store.remove(plan.address, attributes)
    case .write(let bytes):
      try checkingKeys { (check) throws(StorageProblem) in
        try check(bytes)
        try store.write(bytes, to: plan.address, attributes)
      }
    }
  }

  /// Makes the change that `decide` returns for the stored value. Records nothing.
  ///
  /// - Parameter decide: Called with the store's lock held, and again if another process has written meanwhile. If a read would
  ///   prompt, or fails, it is called without the value and without the lock: a damaged value can be overwritten.
  package func change(_ decide: (SeenValue) throws(StorageProblem) -> StorageChange) throws(StorageProblem) {
    if attributes.accessControl == nil {
      var isRead = false
      do throws(StorageProblem) {
        return try update(nil) { (stored) throws(StorageProblem) in
          isRead = true
          return try decide(.read(stored))
        }
      } catch {
        if isRead { throw error }
      }
    }
    try makeUnnoted(decide(.unread(isStored: try store.exists(plan.address, plan.attributes))))
  }

  private func checkingKeys(
    _ body: (EncryptionHelper.SealCheck) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    // A copy of the services would take longer than the check of most values.
    guard plan.sealing?.keySource == .masterKey else { return try body { _ in } }
    try values.services.checkingKeys(of: plan.keyset, in: plan.address.container, body)
  }
}
