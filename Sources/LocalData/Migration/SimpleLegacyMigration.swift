/// A value of the same type, moved and secured anew.
///
///     SimpleLegacyMigration(destinationKey: key, sourceKey: .key(StorageKey.legacyToken))
public struct SimpleLegacyMigration<Value: Sendable>: StorageMigration, DeclaredMigration {
  /// The key that is read.
  public let destinationKey: StorageKey<Value>
  /// The key of the source.
  public let sourceKey: AnyStorageKey
  private let onConflict: ConflictPolicy

  /// A migration by its keys.
  public init(destinationKey: StorageKey<Value>, sourceKey: AnyStorageKey, onConflict: ConflictPolicy = .keepSource) {
    self.destinationKey = destinationKey
    self.sourceKey = sourceKey
    self.onConflict = onConflict
  }

  var steps: [MigrationStep] {
    [
      MigrationStep(
        action: .move(
          ValueMove(sources: [sourceKey], onConflict: onConflict, keepsValue: true) { values in
            guard let value = values.first ?? nil else { throw SourceTypeMismatch() }
            return value
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

/// A source whose value is not of the type that the migration was written for.
struct SourceTypeMismatch: Error {}
