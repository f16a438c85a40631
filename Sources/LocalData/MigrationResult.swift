/// What a migration has done.
public struct MigrationResult: Sendable, Hashable {
  /// Whether nothing failed. That nothing was there to migrate is no failure.
  public var success: Bool
  /// What was moved or secured.
  public var migrated: [MigrationRecord]
  /// What failed and why; each error names its key.
  public var failures: [StorageError]

  /// A result. One with failures is no success.
  public init(success: Bool, migrated: [MigrationRecord] = [], failures: [StorageError] = []) {
    self.success = success && failures.isEmpty
    self.migrated = migrated
    self.failures = failures
  }

  /// Nothing was there to migrate.
  static let nothing = MigrationResult(success: true)

  mutating func add(_ other: MigrationResult) {
    success = success && other.success
    migrated += other.migrated
    failures += other.failures
  }
}
