import LocalData

/// The parts of the configuration and of the registered catalogs that sync uses.
struct SyncSettings: Sendable {
  /// The most bytes of a value that is sent or received.
  let limit: Int
  let platform: StoragePlatform
  /// The histories that registered keys have, the app's first.
  let keysets: [KeysetID]
  /// The registered keys by their names on the other device.
  let index: @Sendable () -> SyncIndex
  /// Returns the plan of a registered key.
  let plan: @Sendable (AnyStorageKey) throws(StorageError) -> KeyPlan
  /// Returns the history that a key's versions are in.
  let keyset: @Sendable (SyncKey) throws(StorageProblem) -> KeysetID
}
