/// A migration that combines several values into one.
///
///     AggregatingMigration(destinationKey: key, sourceKeys: (.firstName, .lastName)) { first, last in
///       FullName(first: first ?? "", last: last ?? "")
///     }
///
/// The aggregate gets the value of each source as an optional, in the given order. It is called if at least one source has a
/// value. It must be pure, like a transform (see ``TransformingMigration``).
public struct AggregatingMigration<Value: Sendable>: StorageMigration, DeclaredMigration {
  /// The key that the value is migrated to.
  public let destinationKey: StorageKey<Value>
  /// The keys of the sources.
  public let sourceKeys: [AnyStorageKey]
  private let onConflict: ConflictPolicy
  private let convert: @Sendable ([(any Sendable)?]) throws -> any Sendable

  /// Creates a migration from sources with an optional type.
  public init<each Source: Sendable>(
    destinationKey: StorageKey<Value>, sourceKeys: (repeat StorageKey<(each Source)?>),
    onConflict: ConflictPolicy = .keepSource, aggregate: @escaping @Sendable (repeat (each Source)?) throws -> Value
  ) {
    var keys: [AnyStorageKey] = []
    for key in repeat each sourceKeys { keys.append(AnyStorageKey(key)) }
    self.init(destinationKey, keys, onConflict, aggregate)
  }

  /// Creates a migration from sources of any type.
  @_disfavoredOverload
  public init<each Source: Sendable>(
    destinationKey: StorageKey<Value>, sourceKeys: (repeat StorageKey<each Source>),
    onConflict: ConflictPolicy = .keepSource, aggregate: @escaping @Sendable (repeat (each Source)?) throws -> Value
  ) {
    var keys: [AnyStorageKey] = []
    for key in repeat each sourceKeys { keys.append(AnyStorageKey(key)) }
    self.init(destinationKey, keys, onConflict, aggregate)
  }

  init<each Source: Sendable>(
    _ destinationKey: StorageKey<Value>, _ sourceKeys: [AnyStorageKey], _ onConflict: ConflictPolicy,
    _ aggregate: @escaping @Sendable (repeat (each Source)?) throws -> Value
  ) {
    self.destinationKey = destinationKey
    self.sourceKeys = sourceKeys
    self.onConflict = onConflict
    convert = { values in
      var values = values[...]
      return try aggregate(repeat try next((each Source).self, &values))
    }

    @Sendable func next<Part>(_ type: Part.Type, _ values: inout ArraySlice<(any Sendable)?>) throws -> Part? {
      guard let value = values.popFirst() ?? nil else { return nil }
      guard let part = value as? Part else { throw SourceTypeMismatch() }
      return part
    }
  }

  var steps: [MigrationStep] {
    [MigrationStep(action: .move(ValueMove(sources: sourceKeys, onConflict: onConflict, convert: convert)))]
  }

  /// Returns true if any source has a value.
  ///
  /// - Throws: A ``StorageError`` if a source cannot be read now.
  @concurrent public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.migrations.findsSource(of: AnyStorageKey(destinationKey), steps)
  }

  /// Combines the values and stores the result at the destination.
  ///
  /// - Throws: A ``StorageError`` if the migration cannot be carried out now. The sources stay.
  @concurrent public func migrate(using router: StorageRouter, context: MigrationContext) async throws
    -> MigrationResult
  {
    try await router.migrations.run(AnyStorageKey(destinationKey), steps)
  }
}

/// Initializers for generated code, see the same extension of ``TransformingMigration``.
extension AggregatingMigration {
  /// Creates a migration whose sources and aggregate a catalog names.
  @_spi(Generated) public init<each Source: Sendable>(
    destinationKey: StorageKey<Value>, from sourceKeys: repeat StorageKey<(each Source)?>,
    onConflict: ConflictPolicy = .keepSource,
    by aggregate: @autoclosure @escaping @Sendable () -> (repeat (each Source)?) throws -> Value
  ) {
    @Sendable func join(_ parts: repeat (each Source)?) throws -> Value { try aggregate()(repeat each parts) }
    var keys: [AnyStorageKey] = []
    for key in repeat each sourceKeys { keys.append(AnyStorageKey(key)) }
    self.init(destinationKey, keys, onConflict, join)
  }
}
