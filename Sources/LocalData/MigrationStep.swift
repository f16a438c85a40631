/// A migration of any kind and value, as keys contain it.
public struct AnyStorageMigration: Sendable {
  /// The steps in the order in which they are tried.
  let steps: [MigrationStep]

  /// Erases the type of a migration.
  public init(_ migration: some StorageMigration) {
    steps = (migration as? any DeclaredMigration)?.steps ?? [MigrationStep(action: .custom(migration))]
  }

  /// Creates a migration that tries several migrations in order. The first one that finds a value provides it.
  public init(chain: [AnyStorageMigration]) { steps = chain.flatMap(\.steps) }
}

/// A migration that declares what it does instead of doing it. The library moves its values itself, so that they stay
/// readable if the process is killed at any time.
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
  /// Conditions on the version of the running app. All of them must hold.
  var conditions: [AppVersionCondition] = []
}

/// Values that become the value of another key.
struct ValueMove: Sendable {
  var sources: [AnyStorageKey]
  var onConflict: ConflictPolicy
  /// A Boolean value that indicates whether the value of the one source is the destination's value.
  var keepsValue = false
  /// Returns the destination's value for the values of the sources, in their order. An absent source has the value nil.
  /// At least one source is present.
  var convert: @Sendable ([(any Sendable)?]) throws -> any Sendable
}

/// Decides what happens to a source if the destination has another value. The destination keeps its value in either case.
public enum ConflictPolicy: Sendable, Hashable {
  /// The source stays where it is and is never consulted again. Removing the key removes it.
  case keepSource
  /// The source is removed.
  case removeSource
}
