import StorageStores

/// The point at which a feature takes part in the changes of a key's value.
package protocol ChangeHook: Sendable {
  /// Returns the store that a call on the key uses: `base` if the feature is not needed now.
  func store(over base: any ValueStore, _ plan: KeyPlan, _ services: StorageServices) -> any ValueStore
  /// Returns the part of the feature in a migration of the key.
  func inMigration(_ write: MigrationWrite) -> any ChangeHook
}
