/// A migration that moves a value without changing its type. The value gets the security of the destination.
///
///     SimpleLegacyMigration(destinationKey: key, sourceKey: .key(StorageKey.legacyToken))
public struct SimpleLegacyMigration<Value: Sendable>: StorageMigration, DeclaredMigration {
  /// The key that the value is migrated to.
  public let destinationKey: StorageKey<Value>
  /// The key of the source.
  public let sourceKey: AnyStorageKey
  private let onConflict: ConflictPolicy

  /// Creates a migration.
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
  @concurrent public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.migrations.findsSource(of: AnyStorageKey(destinationKey), steps)
  }

  /// Moves the value.
  ///
  /// - Throws: A ``StorageError`` if the migration cannot be carried out now. The sources stay.
  @concurrent public func migrate(using router: StorageRouter, context: MigrationContext) async throws
    -> MigrationResult
  {
    try await router.migrations.run(AnyStorageKey(destinationKey), steps)
  }
}

/// A migration that moves a value and changes its type.
///
///     TransformingMigration(destinationKey: key, sourceKey: .legacyTheme) { name in Theme(legacyName: name) }
///
/// The transform must be pure: it may run again after the process was killed, it may run in several processes at once, and its
/// results are compared. If it throws an error or returns `nil`, the read throws ``StorageProblem/Code/migrationFailed`` and the
/// source does not change.
public struct TransformingMigration<Value: Sendable>: StorageMigration, DeclaredMigration {
  /// The key that the value is migrated to.
  public let destinationKey: StorageKey<Value>
  /// The key of the source.
  public let sourceKey: AnyStorageKey
  private let onConflict: ConflictPolicy
  private let convert: @Sendable (any Sendable) throws -> any Sendable

  /// Creates a migration from a source with an optional type. The transform is called only if the source has a value.
  public init<Source: Sendable>(
    destinationKey: StorageKey<Value>, sourceKey: StorageKey<Source?>, onConflict: ConflictPolicy = .keepSource,
    transform: @escaping @Sendable (Source) throws -> Value
  ) {
    self.init(destinationKey, AnyStorageKey(sourceKey), onConflict, transform)
  }

  /// Creates a migration from a source of any type.
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
  @concurrent public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.migrations.findsSource(of: AnyStorageKey(destinationKey), steps)
  }

  /// Moves the value.
  ///
  /// - Throws: A ``StorageError`` if the migration cannot be carried out now. The sources stay.
  @concurrent public func migrate(using router: StorageRouter, context: MigrationContext) async throws
    -> MigrationResult
  {
    try await router.migrations.run(AnyStorageKey(destinationKey), steps)
  }
}

/// Initializers for generated code, which passes a function by its name.
///
/// In Swift 5 mode a reference to a function is not Sendable, and the compiler warns about it. With an autoclosure the
/// compiler checks the closure around the name instead, in both modes.
extension TransformingMigration {
  /// Creates a migration whose source and transform a catalog names.
  @_spi(Generated) public init<Source: Sendable>(
    destinationKey: StorageKey<Value>, from sourceKey: StorageKey<Source?>, onConflict: ConflictPolicy = .keepSource,
    by transform: @autoclosure @escaping @Sendable () -> (Source) throws -> Value
  ) {
    self.init(destinationKey, AnyStorageKey(sourceKey), onConflict) { (source: Source) in try transform()(source) }
  }
}
