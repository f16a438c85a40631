public import LocalDataFoundation
public import LocalDataVocabulary

/// The information that a custom migration gets.
public struct MigrationContext: Sendable {
  /// The running app's version; `nil` if it is not known.
  public let appVersion: String?
  /// The platform of the process.
  public let platform: StoragePlatform
  /// The events of , in order.
  public let previousMigrations: [MigrationEvent]
  private let time: @Sendable () -> Date

  init(
    appVersion: String?, platform: StoragePlatform, previousMigrations: [MigrationEvent],
    time: @escaping @Sendable () -> Date
  ) {
    self.appVersion = appVersion
    self.platform = platform
    self.previousMigrations = previousMigrations
    self.time = time
  }

  /// The current time, by the router's clock.
  public var now: Date { time() }

  /// Creates a context for tests of a migration, at a fixed time.
  public init(
    appVersion: String? = nil, platform: StoragePlatform = .current, previousMigrations: [MigrationEvent] = [],
    now: Date
  ) {
    self.init(appVersion: appVersion, platform: platform, previousMigrations: previousMigrations, time: { now })
  }
}

/// The result of a migration.
public struct MigrationResult: Sendable, Hashable {
  /// A Boolean value that indicates whether nothing failed. It is true if there was nothing to migrate.
  public var success: Bool
  /// The events of  that were moved or secured.
  public var migrated: [MigrationEvent]
  /// The errors of the keys that could not be migrated. Each error names its key.
  public var failures: [StorageError]

  /// Creates a result. If there are failures, `success` is false.
  public init(success: Bool, migrated: [MigrationEvent] = [], failures: [StorageError] = []) {
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
