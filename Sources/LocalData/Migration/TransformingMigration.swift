/// A value that becomes one of another type.
///
///     TransformingMigration(destinationKey: key, sourceKey: .legacyTheme) { name in Theme(legacyName: name) }
///
/// The transform is pure: it may run again after a process was killed, in several processes at once, and its result is
/// compared. What it throws makes the read throw ``StorageError/migrationFailed(_:)``, and leaves the source as it is; so
/// does a `nil`, which no key can store.
public struct TransformingMigration<Value: Sendable>: StorageMigration, DeclaredMigration {
  /// The key that is read.
  public let destinationKey: StorageKey<Value>
  /// The key of the source.
  public let sourceKey: AnyStorageKey
  private let onConflict: ConflictPolicy
  private let convert: @Sendable (any Sendable) throws -> any Sendable

  /// A migration from a source that reads `nil` where it is absent: the transform is called with what is there.
  public init<Source: Sendable>(
    destinationKey: StorageKey<Value>, sourceKey: StorageKey<Source?>, onConflict: ConflictPolicy = .keepSource,
    transform: @escaping @Sendable (Source) throws -> Value
  ) {
    self.init(destinationKey, AnyStorageKey(sourceKey), onConflict, transform)
  }

  /// A migration by its keys.
  @_disfavoredOverload
  public init<Source: Sendable>(
    destinationKey: StorageKey<Value>, sourceKey: StorageKey<Source>, onConflict: ConflictPolicy = .keepSource,
    transform: @escaping @Sendable (Source) throws -> Value
  ) {
    self.init(destinationKey, AnyStorageKey(sourceKey), onConflict, transform)
  }

  init<Source: Sendable>(
    _ destinationKey: StorageKey<Value>, _ sourceKey: AnyStorageKey, _ onConflict: ConflictPolicy,
    _ transform: @escaping @Sendable (Source) throws -> Value
  ) {
    self.destinationKey = destinationKey
    self.sourceKey = sourceKey
    self.onConflict = onConflict
    convert = { source in
      guard let source = source as? Source else { throw SourceTypeMismatch() }
      return try transform(source)
    }
  }

  var steps: [MigrationStep] {
    [
      MigrationStep(
        action: .move(
          ValueMove(sources: [sourceKey], onConflict: onConflict) { [convert] values in
            guard let value = values.first ?? nil else { throw SourceTypeMismatch() }
            return try convert(value)
          }))
    ]
  }

  /// Returns true if the source has a value.
  ///
  /// - Throws: A ``StorageError`` if a source cannot be looked at now.
  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.findsSource(of: AnyStorageKey(destinationKey), steps)
  }

  /// Moves the value.
  ///
  /// - Throws: A ``StorageError`` if the migration cannot be carried out now. The sources stay then.
  public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await router.runMigration(of: AnyStorageKey(destinationKey), steps)
  }
}
