public import StorageVocabulary

/// The steps that a run over all keys would carry out now.
public struct MigrationPlan: Sendable, Hashable {
  /// The steps that would do something, and the sources that would stay, in the order of their registration.
  public var moves: [Move]

  /// The effect that one step would have.
  public struct Move: Sendable, Hashable {
    /// The key that the step belongs to.
    public var key: StorageError.Subject
    /// The sources of the step that have a value. It is empty for a custom migration.
    public var sources: [StorageError.Subject]
    /// The effect on the sources.
    public var kind: Kind
    /// In which respects the value would be protected less than it is.
    public var downgrades: [ProtectionDowngrade]
    /// The error if the step cannot be examined or carried out now.
    public var problem: StorageError?
  }

  /// An effect of a step on its sources.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The value is moved to the key.
    case move
    /// The value is encrypted anew, or its protection is changed, at its address.
    case secureInPlace
    /// The key has a value. The source is removed.
    case removeSource
    /// The key has another value. The source stays and is never consulted again.
    case keepSource
    /// A custom migration runs.
    case custom
    /// The step cannot be examined now.
    case unknown
  }
}

extension MigrationPlan.Move: CustomStringConvertible {
  /// One line, without a value: `'token' in keychain: move from 'old_token' in userDefaults`.
  public var description: String {
    var line = "\(key): \(kind.words)"
    if !sources.isEmpty { line += " from " + sources.map(\.description).joined(separator: ", ") }
    if !downgrades.isEmpty { line += "; weaker: " + downgrades.map(\.words).joined(separator: ", ") }
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

extension [ProtectionDowngrade] {
  /// The downgrades of a value that goes from one key to another.
  init(from source: AnyStorageKey, to key: AnyStorageKey) {
    let downgrades = Protection(key).downgrades(from: Protection(source))
    self = ProtectionDowngrade.allCases.filter(downgrades.contains)
  }
}

extension Protection {
  fileprivate init(_ key: AnyStorageKey) { self.init(key.domain, key.security, isBackedUp: key.traits.isBackedUp) }
}
