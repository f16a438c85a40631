package import LocalDataFoundation
package import LocalDataStores

/// The part of a feature in one call on a key.
///
/// A feature is told of a change at three times. ``note(_:_:)`` comes before the write, with the store's lock held, so that a crash
/// after the write loses no change. ``noteChange()`` comes after the write, without waiting, if the call does not tell the feature the
/// value: only then does a look at the store find the change. ``ChangeFeature/catchUp(on:with:_:)`` comes after the key's turn,
/// because it takes the turns of other keys.
package protocol ChangeHook: Sendable {
  /// Returns the function that records each change of the call, or `nil` if the feature is not needed now.
  func note(_ plan: KeyPlan, _ services: StorageServices) -> ChangeNote?
  /// Returns the part of the feature in a migration of the key.
  func inMigration(_ write: MigrationWrite) -> any ChangeHook
  /// Leaves the change that the call has made, if it has made one, to the next time that the feature catches up.
  ///
  /// - Returns: True if there is a change to act on.
  @discardableResult func noteChange() -> Bool
  /// Records that a stored value is about to be replaced by the same value in another form. The store's own lock is held.
  func replaces(
    _ stored: Data, by bytes: Data, at address: StorageAddress, _ attributes: StorageAttributes,
    _ services: StorageServices
  ) throws(StorageProblem)
}

/// Records a change before it is made, and returns it as it is stored. The store's own lock is held if the value was read.
package typealias ChangeNote = @Sendable (_ change: StorageChange, _ seen: SeenValue) -> StorageChange

/// The knowledge of a call about the stored value that it changes.
package enum SeenValue: Sendable {
  /// The stored bytes; `nil` if there are none.
  case read(Data?)
  /// The value was not read, because the read would prompt or fails.
  case unread(isStored: Bool)
}

/// A write of a migration to its own key. It is not a change by the user.
package enum MigrationWrite: Sendable {
  /// The value is one of an earlier release. It was made of the values of these sources, of which `nil` has no value. Those
  /// of a custom migration are unknown.
  case earlierValue(from: [MigratedSource?])
  /// The value stays the same, and is stored in another form.
  case sameValue
}

/// A source of a migrated value.
package struct MigratedSource: Sendable {
  package let key: AnyStorageKey
  package let plan: KeyPlan
  /// The bytes that are stored at the source; `nil` if none are.
  package let stored: Data?

  package init(key: AnyStorageKey, plan: KeyPlan, stored: Data?) {
    self.key = key
    self.plan = plan
    self.stored = stored
  }
}
