/// The verbs of a router. An app that depends on this protocol can use another implementation in its tests.
public protocol StorageProviding: Sendable {
  /// Returns the stored value. If nothing is stored, returns the key's default, or `nil` if its type is optional.
  ///
  /// - Throws: ``StorageProblem/Code/notFound`` if nothing is stored and the key has neither a default nor an optional type, and
  ///   every other ``StorageError`` that ``StorageRouter/get(_:)`` throws.
  func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value

  /// Stores a value. `nil` removes what is stored.
  ///
  /// - Throws: What ``StorageRouter/set(_:for:)`` throws.
  func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError)

  /// Reads, changes and writes a value. No other call writes the value in between. Returns the written value.
  ///
  /// - Parameter change: Called with the value's lock held, and again if another process wrote in between.
  /// - Throws: What ``get(_:)`` and ``set(_:for:)`` throw.
  @discardableResult
  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) -> Void
  ) async throws(StorageError) -> Value

  /// Reads, changes and writes a value, unless the change throws. No other call writes the value in between. Returns the
  /// written value.
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
  /// - Throws: A ``StorageError`` if the value cannot be removed now, as in ``StorageRouter/remove(_:)``.
  func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError)

  /// Returns true if a value is stored, or if a migration would find one. Never asks the user.
  ///
  /// - Throws: A ``StorageError`` if the storage cannot be examined now, as in ``StorageRouter/exists(_:)``.
  func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool
}

extension StorageProviding {
  /// Stores a value for a key whose type is optional. `nil` removes what is stored.
  ///
  /// This overload calls the requirement. Because of it, an editor completes `set("a", for: .` with keys of `String?` too.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil` to remove what is stored.
  ///   - key: The key to store it for.
  /// - Throws: Every error that the requirement throws.
  public func set<Value>(_ value: Value?, for key: StorageKey<Value?>) async throws(StorageError) {
    try await setWhole(value, for: key)
  }

  /// Calls the requirement. For a type that is not known to be optional, the overload above is not a candidate.
  private func setWhole<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    try await set(value, for: key)
  }
}
