import LocalDataFoundation
import LocalDataStores

/// Plain preferences, which need no `await`.
extension StorageRouter {
  /// Returns the value of a plain preference synchronously. It is the value that ``get(_:)`` would return.
  ///
  /// ```swift
  /// let theme = try router.value(.theme)
  /// ```
  ///
  /// A plain preference is stored in UserDefaults, its own or that of an app group, with `security: none` and without
  /// `retention`. The call returns the latest value, also if another process has written it.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The value. If nothing is stored, the key's default, or `nil` if its type is optional.
  /// - Throws: ``StorageProblem/Code/needsWaiting`` if the key is not a plain preference, or if its value may still be at the
  ///   address of an earlier release. Every other ``StorageError`` that ``get(_:)`` throws.
  public nonisolated func value<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    try PlainPreference.read(key, of: self) { value, _ in value }
  }

  /// Returns the value of a plain preference synchronously, or stores a new one if nothing is stored.
  ///
  /// ```swift
  /// let identifier = try router.value(.installationID, orSet: UUID())
  /// ```
  ///
  /// All threads that call this at the same time get the same value, and so do other processes that use the library. For
  /// preferences on Apple's platforms, this is guaranteed only for the calls of one process.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - make: Creates the value. It is called only if nothing is stored, and its result may be discarded.
  /// - Returns: The stored value.
  /// - Throws: Every error that `make`, ``value(_:)`` and ``setValue(_:for:)`` throw.
  public nonisolated func value<Value>(
    _ key: StorageKey<Value?>, orSet make: @autoclosure () throws -> Value
  ) throws -> Value {
    if let value = try value(key) { return value }
    let made = try make()
    // Another call may have stored a value, and a third one may have removed it.
    for _ in 0..<ValueAccess.attemptsToMoveAside {
      if try PlainPreference.set(made, for: key, on: self, ifAbsent: true) { return made }
      if let value = try value(key) { return value }
    }
    throw StorageError(.busy, AnyStorageKey(key).subject)
  }

  /// Stores the value of a plain preference synchronously. `nil` removes the stored value.
  ///
  /// ```swift
  /// try router.setValue(.dark, for: .theme)
  /// print(try router.value(.theme))   // dark
  /// ```
  ///
  /// If the key is synced, the value is sent after the call has returned.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key to store it for.
  /// - Throws: ``StorageProblem/Code/needsWaiting`` in the same cases as ``value(_:)``, and if the key has a migration whose
  ///   log must record the change: a value is removed, or an earlier release moved the key's value to another address or
  ///   another form. Use `set` and `remove` then, which record the change. ``StorageProblem/Code/busy`` if other processes write
  ///   for longer than the configured timeout. ``StorageProblem/Code/reentrantCall`` in the closure of an `update` of the same
  ///   suite, except on Apple's platforms. Every other ``StorageError`` that ``set(_:for:)`` throws.
  public nonisolated func setValue<Value>(_ value: Value, for key: StorageKey<Value>) throws(StorageError) {
    try PlainPreference.set(value, for: key, on: self)
  }
}
