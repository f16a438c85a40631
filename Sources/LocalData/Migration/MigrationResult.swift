/// The result of a migration, or of many.
public struct MigrationResult: Sendable, Hashable {
  /// A Boolean value that indicates whether nothing failed. Having nothing to migrate is no failure.
  public var success: Bool
  /// The values that were moved or secured.
  public var migrated: [MigrationRecord]
  /// The errors of what failed. Each error names its key.
  public var failures: [StorageError]

  /// Creates a result. A result with failures is no success.
  public init(success: Bool, migrated: [MigrationRecord] = [], failures: [StorageError] = []) {
    self.success = success && failures.isEmpty
    self.migrated = migrated
    self.failures = failures
  }

  /// The result if there was nothing to migrate.
  static let nothing = MigrationResult(success: true)

  mutating func add(_ other: MigrationResult) {
    success = success && other.success
    migrated += other.migrated
    failures += other.failures
  }
}
