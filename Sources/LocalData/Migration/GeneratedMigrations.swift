/// Initializers for generated code, which takes functions by their names.
///
/// In Swift 5 mode a function that is named, and not called, counts as not Sendable, and the compiler warns of it. The
/// closure around the name is checked instead, in both modes: the name is looked up whenever the function is called.
extension TransformingMigration {
  /// A migration whose source and transform a catalog names.
  @_spi(Generated) public init<Source: Sendable>(
    destinationKey: StorageKey<Value>, from sourceKey: StorageKey<Source?>, onConflict: ConflictPolicy = .keepSource,
    by transform: @autoclosure @escaping @Sendable () -> (Source) throws -> Value
  ) {
    self.init(destinationKey, AnyStorageKey(sourceKey), onConflict) { (source: Source) in try transform()(source) }
  }
}

extension AggregatingMigration {
  /// A migration whose sources and aggregate a catalog names.
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

extension AnyStorageMigration {
  /// A migration of the app's own that a catalog names, of the type that its key reads.
  @_spi(Generated) public init<Value>(_ migration: some StorageMigration<Value>, for key: StorageKey<Value>) {
    self.init(migration)
  }
}
