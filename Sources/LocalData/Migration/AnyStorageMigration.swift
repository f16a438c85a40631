/// A migration of any kind and value, as keys carry it.
public struct AnyStorageMigration: Sendable {
  /// Tried in order: the first that finds something is the one that counts.
  let steps: [MigrationStep]

  /// The migration without its type.
  public init(_ migration: some StorageMigration) {
    steps = (migration as? any DeclaredMigration)?.steps ?? [MigrationStep(action: .custom(migration))]
  }

  /// Several migrations, tried in order: the first that finds something is the one that counts.
  public init(chain: [AnyStorageMigration]) { steps = chain.flatMap(\.steps) }
}

/// A migration that says what it does instead of doing it: its values are moved by the router itself, which keeps them
/// readable through any crash.
protocol DeclaredMigration: Sendable {
  var steps: [MigrationStep] { get }
}

/// One step of a migration.
struct MigrationStep: Sendable {
  enum Action: Sendable {
    case move(ValueMove)
    case custom(any StorageMigration)
  }

  var action: Action
  /// All of them must hold of the running app's version.
  var conditions: [AppVersionCondition] = []
}

/// Values that become the value of another key.
struct ValueMove: Sendable {
  var sources: [AnyStorageKey]
  /// What becomes of sources that differ from a destination that is there.
  var onConflict: MigrationConflict
  /// The destination's value, of the sources' in their order, `nil` for those that are absent; never all of them.
  var convert: @Sendable ([(any Sendable)?]) throws -> any Sendable
}

/// What becomes of a source where the destination holds another value. The destination stays in any case.
public enum MigrationConflict: Sendable, Hashable {
  /// The source stays where it is, and is never consulted again. Removing the key removes it.
  case keep
  /// The source is removed.
  case remove
}
