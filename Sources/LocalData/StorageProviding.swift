/// The verbs that an app depends on, so that its tests can provide another implementation.
public protocol StorageProviding: Sendable {
  /// Returns the stored value. If nothing is stored, returns the key's default, or `nil` if its type is optional.
  ///
  /// - Throws: ``StorageError/notFound(_:)`` if nothing is stored and the key has neither, and every other
  ///   ``StorageError`` that ``StorageRouter/get(_:)`` throws.
  func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value

  /// Stores a value. `nil` removes what is stored.
  ///
  /// - Throws: What ``StorageRouter/set(_:for:)`` throws.
  func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError)

  /// Changes a value with no other writer between, and returns what was written.
  ///
  /// - Parameter change: Called with the value's lock held, and again if another process wrote in between.
  /// - Throws: What ``get(_:)`` and ``set(_:for:)`` throw.
  @discardableResult
  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) -> Void
  ) async throws(StorageError) -> Value

  /// Changes a value with no other writer between, unless the change throws, and returns what was written.
  ///
  /// - Parameter change: Called with the value's lock held, and again if another process wrote in between. If it throws,
  ///   nothing is written.
  /// - Throws: What `change` throws, and what ``get(_:)`` and ``set(_:for:)`` throw.
  @discardableResult
  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value

  /// Removes what is stored, if anything is.
  ///
  /// - Throws: A ``StorageError`` if it cannot be removed now, as ``StorageRouter/remove(_:)`` does.
  func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError)

  /// Returns true if a value is stored, or if a migration would find one. Never prompts.
  ///
  /// - Throws: A ``StorageError`` if the storage cannot be examined now, as ``StorageRouter/exists(_:)`` does.
  func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool
}

extension StorageProviding {
  /// Stores a value for a key whose type is optional. `nil` removes what is stored.
  ///
  /// It does what the requirement does. With it, an editor completes `set("a", for: .` with keys of `String?` too.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil` to remove what is stored.
  ///   - key: The key to store it for.
  /// - Throws: What the requirement throws.
  public func set<Value>(_ value: Value?, for key: StorageKey<Value?>) async throws(StorageError) {
    try await setWhole(value, for: key)
  }

  /// Calls the requirement: for a type that is not known to be optional, there is no other function of that name.
  private func setWhole<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    try await set(value, for: key)
  }
}
