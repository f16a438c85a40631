public import Foundation
public import StorageVocabulary

/// What a migration may want to know of where it runs.
public struct MigrationContext: Sendable {
  /// The running app's version; `nil` where nobody said.
  public let appVersion: String?
  /// What the process counts as.
  public let platform: StoragePlatform
  /// What was migrated before, in order.
  public let previousMigrations: [MigrationRecord]
  private let time: @Sendable () -> Date

  init(
    appVersion: String?, platform: StoragePlatform, previousMigrations: [MigrationRecord],
    time: @escaping @Sendable () -> Date
  ) {
    self.appVersion = appVersion
    self.platform = platform
    self.previousMigrations = previousMigrations
    self.time = time
  }

  /// The time, by the router's clock.
  public var now: Date { time() }

  /// A context for tests of a migration, at a fixed time.
  public init(
    appVersion: String? = nil, platform: StoragePlatform = .current, previousMigrations: [MigrationRecord] = [],
    now: Date
  ) {
    self.init(appVersion: appVersion, platform: platform, previousMigrations: previousMigrations, time: { now })
  }
}

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
