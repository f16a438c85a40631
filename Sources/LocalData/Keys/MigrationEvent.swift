public import LocalDataFoundation
public import LocalDataVocabulary

/// The event of one key's migration, as the history shows it.
public struct MigrationEvent: Sendable, Hashable, Codable {
  /// The declared name of the key. For a member of a family it contains the names of the parameters, never their values.
  public var key: String
  /// The kind of domain that the value is stored in.
  public var domain: StorageDomain.Kind
  /// The sources of the value, in the order of the migration.
  public var sources: [Source]
  /// The end of the migration.
  public var outcome: Outcome
  /// The time, by this device's clock.
  public var date: Date
  /// The version of the app that migrated the key, if it is known.
  public var appVersion: String?

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - key: The declared name of the key, for example `"user_token"`.
  ///   - domain: The kind of domain that the value is stored in.
  ///   - sources: The sources of the value, in the order of the migration.
  ///   - outcome: The end of the migration.
  ///   - date: The time of the migration, by this device's clock.
  ///   - appVersion: The version of the app that migrated the key; `nil` if it is not known.
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
    /// The declared name of the source.
    public var key: String
    /// The kind of domain that the source was stored in.
    public var domain: StorageDomain.Kind

    /// Creates a source.
    public init(key: String, domain: StorageDomain.Kind) {
      self.key = key
      self.domain = domain
    }
  }

  /// The end of a migration.
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The value was moved and the sources were removed.
    case moved
    /// The protection of the value was changed at its address: it was secured, secured in another way, or decrypted.
    case securedInPlace
    /// The value was already stored at the key's address with the key's security.
    case unneeded
    /// The destination had another value and keeps it. The source stays at its address.
    case conflictKept
    /// The destination had another value and keeps it. The source was removed.
    case conflictRemoved
    /// The key was removed, and its sources were removed too.
    case removed
    /// The migration log was damaged. It was set aside, and a new log was begun. The event belongs to no key: its `key` is
    /// empty.
    case logSetAside
  }
}

extension MigrationEvent: CustomStringConvertible {
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

extension MigrationEvent.Outcome {
  fileprivate var words: String {
    switch self {
    case .moved: "moved"
    case .securedInPlace: "protection changed in place"
    case .unneeded: "no migration was needed"
    case .conflictKept: "kept, a different value stays at the source"
    case .conflictRemoved: "kept, a different value was removed from the source"
    case .removed: "removed together with its sources"
    case .logSetAside: "the migration log was damaged and set aside"
    }
  }
}
