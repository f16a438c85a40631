public import Foundation
public import StorageVocabulary

/// What is known of one key's migration, as the history shows it.
public struct MigrationRecord: Sendable, Hashable, Codable {
  /// The name of the key as declared: a family's, never one with a parameter.
  public var key: String
  /// Where its value lies.
  public var domain: StorageDomain.Kind
  /// Where its value came from, in the order of the migration.
  public var sources: [Source]
  /// What became of its sources.
  public var outcome: Outcome
  /// When, by this device's clock.
  public var date: Date
  /// The version of the app that did it, where it is known.
  public var appVersion: String?

  /// A record of its parts.
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
    /// Where it lay.
    public var domain: StorageDomain.Kind

    /// A source by its name and domain.
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

extension MigrationRecord: CustomStringConvertible {
  /// One line, without a value: `2026-11-21T06:33:50Z 'token' in keychain: moved from 'old_token' in userDefaults`.
  public var description: String {
    if outcome == .logSetAside { return "\(date.formatted(.iso8601)) \(outcome.words)" }
    var line = "\(date.formatted(.iso8601)) \(StorageError.Subject(key: key, domain: domain)): \(outcome.words)"
    let sources = sources.map { "\(StorageError.Subject(key: $0.key, domain: $0.domain))" }
    if !sources.isEmpty { line += " from " + sources.joined(separator: ", ") }
    if let appVersion { line += ", by version \(appVersion.escapedForDisplay)" }
    return line
  }
}

extension MigrationRecord.Outcome {
  fileprivate var words: String {
    switch self {
    case .moved: "moved"
    case .securedInPlace: "secured in place"
    case .unneeded: "needed no migration"
    case .conflictKept: "kept, what differs kept aside"
    case .conflictRemoved: "kept, what differed removed"
    case .removed: "removed with what was left"
    case .logSetAside: "the migration log was damaged and set aside"
    }
  }
}
