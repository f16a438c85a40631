import Foundation

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
