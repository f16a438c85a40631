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
  private let clock: any StorageClock

  init(
    appVersion: String?, platform: StoragePlatform, previousMigrations: [MigrationRecord], clock: any StorageClock
  ) {
    self.appVersion = appVersion
    self.platform = platform
    self.previousMigrations = previousMigrations
    self.clock = clock
  }

  /// The time, by the router's clock.
  public var now: Date { clock.now }

  /// A context for tests of a migration, at a fixed time.
  public init(
    appVersion: String? = nil, platform: StoragePlatform = .current, previousMigrations: [MigrationRecord] = [],
    now: Date
  ) {
    self.init(
      appVersion: appVersion, platform: platform, previousMigrations: previousMigrations, clock: FixedClock(now: now))
  }

  private struct FixedClock: StorageClock {
    let now: Date
  }
}
