public import LocalData
public import LocalDataAudit

/// The steps that a run over all keys would carry out now.
public struct MigrationPlan: Sendable, Hashable {
  /// The steps that would change something, and the sources that would stay, in the order of registration. A value that an
  /// earlier release has stored at a source after the last move is moved again.
  public var moves: [Move]

  /// One step of the plan.
  public struct Move: Sendable, Hashable {
    /// The destination key of the step.
    public var key: StorageError.Subject
    /// The sources of the step that have a value. It is empty for a custom migration.
    public var sources: [StorageError.Subject]
    /// The effect on the sources.
    public var kind: Kind
    /// The protection downgrades of the step: the ways in which the value would be protected less.
    public var downgrades: [ProtectionDowngrade]
    /// The error if the step cannot be examined or carried out now.
    public var problem: StorageError?
  }

  /// The effect of a step on its sources.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The value is moved to the key.
    case move
    /// The protection of the value is changed at its address, for example it is encrypted.
    case secureInPlace
    /// The key has a value. The source is removed.
    case removeSource
    /// The source stays, and no later read uses it, because the key has another value. `remove` of the key removes it.
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
    var line = "\(key.shortDescription): \(kind.words)"
    if !sources.isEmpty { line += " from " + sources.map(\.shortDescription).joined(separator: ", ") }
    if !downgrades.isEmpty { line += "; weaker: " + downgrades.map(\.words).joined(separator: ", ") }
    if let problem { line += "; \(problem)" }
    return line
  }
}

extension MigrationPlan.Kind {
  fileprivate var words: String {
    switch self {
    case .move: "move"
    case .secureInPlace: "change the protection in place"
    case .removeSource: "remove what is left"
    case .keepSource: "keep aside what differs"
    case .custom: "custom migration"
    case .unknown: "unknown"
    }
  }
}
