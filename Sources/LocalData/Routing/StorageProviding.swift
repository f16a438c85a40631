/// What an app depends on, so that its tests can put something else in the router's place.
public protocol StorageProviding: Sendable {
  /// The value of a key; what its type says of absence where nothing is stored.
  func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value

  /// Stores a value; `nil` removes.
  func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError)

  /// Reads, changes and writes a value with no other writer between, and returns what was written.
  ///
  /// - Parameter change: Called off the main actor, with the value's lock held: it must be quick, and must not call the
  ///   router. On Apple it is called again where another process came between, so its result should be all it does.
  @discardableResult
  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (Value) -> Value
  ) async throws(StorageError) -> Value

  /// Removes what is stored, if anything is.
  func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError)

  /// Whether anything is stored. Never prompts.
  func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool
}
