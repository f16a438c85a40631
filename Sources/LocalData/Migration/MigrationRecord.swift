public import Foundation
public import StorageVocabulary

/// The migration of one key, as the history shows it.
public struct MigrationRecord: Sendable, Hashable, Codable {
  /// The name of the key as declared. For a member of a family it is the name of the family, without any parameter.
  public var key: String
  /// The domain that the value is stored in.
  public var domain: StorageDomain.Kind
  /// The sources of the value, in the order of the migration.
  public var sources: [Source]
  /// The outcome for the sources.
  public var outcome: Outcome
  /// The date of the migration, by this device's clock.
  public var date: Date
  /// The version of the app that carried it out, or `nil` if it is not known.
  public var appVersion: String?

  /// Creates a record.
  public init(
    key: String, domain: StorageDomain.Kind, sources: [Source], outcome: Outcome, date: Date, appVersion: String?
  ) {
    self.key = key
    self.domain = domain
    self.sources = sources
    self.outcome = outcome
    self.date = date
    self.appVersion = appVersion
  }

  /// A source of a migration.
  public struct Source: Sendable, Hashable, Codable {
    /// The name of the source as declared.
    public var key: String
    /// The domain that it was stored in.
    public var domain: StorageDomain.Kind

    /// Creates a source.
    public init(key: String, domain: StorageDomain.Kind) {
      self.key = key
      self.domain = domain
    }
  }

  /// How a migration ended.
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The value was moved, and the sources are gone, but for what Foundation keeps: that is not consulted any more.
    case moved
    /// The value stayed where it was, and was secured there.
    case securedInPlace
    /// The value lay where it belongs, secured as it should be.
    case unneeded
    /// The destination had another value and keeps it; the source was left where it is.
    case conflictKept
    /// The destination had another value and keeps it; the source was removed.
    case conflictRemoved
    /// The key was removed, and its sources with it.
    case removed
    /// The migration log was damaged. It was kept aside, and a new log was begun. The record has no key: its `key` is
    /// empty.
    case logSetAside
  }
}
