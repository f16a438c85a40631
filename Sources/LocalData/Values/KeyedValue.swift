package import LocalDataFoundation
package import LocalDataStores

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

  private var note: ChangeNote? { plan.hook?.note(plan, values.services) }

  /// Stores a value, and replaces an earlier one.
  ///
  /// - Throws: ``StorageProblem/busy`` if the value is sealed with a key that may not seal any more, and the errors of the store.
  package func write(_ bytes: Data) throws(StorageProblem) {
    if let note { return try make(.write(bytes), note) }
    try writeUnnoted(bytes)
  }

  private func writeUnnoted(_ bytes: Data) throws(StorageProblem) {
    try checkingKeys { (check) throws(StorageProblem) in
      try check(bytes)
      try store.write(bytes, to: plan.address, attributes)
    }
  }

  /// Removes the value, if there is one.
  package func remove() throws(StorageProblem) {
    if let note { return try make(.remove, note) }
    try store.remove(plan.address, attributes)
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

  /// Records and makes a change with the store's own lock held, so that the records have the order of the writes.
  private func make(_ change: StorageChange, _ note: @escaping ChangeNote) throws(StorageProblem) {
    // The record is a file. A change that cannot be recorded now would be lost for the feature.
    try CallDeadline.requireWaiting()
    if attributes.accessControl == nil {
      var isRead = false
      do throws(StorageProblem) {
        return try update(note) { _ in
          isRead = true
          return change
        }
      } catch {
        if isRead { throw error }
      }
    }
    // A read would prompt, or fails. A damaged value can be overwritten.
    switch note(change, .unread(isStored: try store.exists(plan.address, attributes))) {
    case .keep: break
    case .write(let bytes): try writeUnnoted(bytes)
    case .remove: try store.remove(plan.address, attributes)
    }
  }

  private func checkingKeys(
    _ body: (EncryptionHelper.SealCheck) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    // A copy of the services would take longer than the check of most values.
    guard plan.sealing?.keySource == .masterKey else { return try body { _ in } }
    try values.services.checkingKeys(of: plan.keyset, in: plan.address.container, body)
  }
}
