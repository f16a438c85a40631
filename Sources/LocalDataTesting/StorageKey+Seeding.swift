import LocalData

/// Keys of earlier releases, for tests that store the values of these releases.
extension StorageKey {
  /// A copy that can be written: the key without its migration, and not a legacy key any more.
  var seedable: Self { with(migration: nil).with { $0.isLegacy = false } }
}
