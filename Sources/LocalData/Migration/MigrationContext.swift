public import Foundation
public import StorageVocabulary

/// The circumstances of a migration.
public struct MigrationContext: Sendable {
  /// The version of the running app, or `nil` if it is not known.
  public let appVersion: String?
  /// The platform that the process runs on.
  public let platform: StoragePlatform
  /// The earlier migrations, in order.
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
