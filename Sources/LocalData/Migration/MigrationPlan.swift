/// What a sweep would do now.
public struct MigrationPlan: Sendable, Hashable {
  /// The keys whose sources hold something, in the order of their registration.
  public var moves: [Move]

  /// What would happen to one key.
  public struct Move: Sendable, Hashable {
    /// The key that gets the value.
    public var key: StorageError.Subject
    /// Where its value would come from; empty where a migration of the app's own knows.
    public var sources: [StorageError.Subject]
    /// What would become of it.
    public var kind: Kind
    /// In what the value would be less protected than it is.
    public var weakenings: [Weakening]
    /// Why it cannot be told or done now.
    public var problem: StorageError?
  }

  /// What would become of a source.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Its value goes to the key.
    case move
    /// Its bytes are secured anew where they are.
    case secureInPlace
    /// The key has a value already; the source is removed.
    case removeSource
    /// The key has another value already; the source stays and is never consulted again.
    case keepSource
    /// A migration of the app's own finds something to do.
    case custom
    /// What is there cannot be told now.
    case unknown
  }

  /// Less protection than before.
  public enum Weakening: String, Sendable, Hashable, CaseIterable {
    /// It was encrypted, or in the keychain, and will lie there as it is.
    case storedPlain
    /// It asked for the user's presence.
    case accessControlDropped
    /// It could be read only while the device was unlocked, and will be readable more often.
    case accessibleMoreOften
    /// It never left the device.
    case leavesDevice
    /// Backups did not hold it.
    case backedUp
    /// It was the app's alone, and other apps of a group will see it.
    case sharedWithGroup
  }
}

extension MigrationPlan.Move: CustomStringConvertible {
  /// One line, without a value: `'token' in keychain: move from 'old_token' in userDefaults`.
  public var description: String {
    var line = "\(key): \(kind.words)"
    if !sources.isEmpty { line += " from " + sources.map(\.description).joined(separator: ", ") }
    if !weakenings.isEmpty { line += "; weaker: " + weakenings.map(\.words).joined(separator: ", ") }
    if let problem { line += "; \(problem)" }
    return line
  }
}

extension MigrationPlan.Kind {
  fileprivate var words: String {
    switch self {
    case .move: "move"
    case .secureInPlace: "secure in place"
    case .removeSource: "remove what is left"
    case .keepSource: "keep aside what differs"
    case .custom: "custom migration"
    case .unknown: "unknown"
    }
  }
}
