/// The values of a key that can be set. Others that are stored do not decode.
struct ValidValues<Value: Sendable>: Sendable {
  /// The values in words, for errors.
  let rule: String
  let contains: @Sendable (Value) -> Bool
}

/// Modifiers of generated keys whose type has values that cannot be set.
extension StorageKey {
  /// Returns a copy for some values of the type.
  ///
  /// - Parameters:
  ///   - rule: The values in words, for errors.
  ///   - contains: Returns true for a value that can be set.
  @_disfavoredOverload
  @_spi(Generated) public func valid(_ rule: String, _ contains: @escaping @Sendable (Value) -> Bool) -> Self {
    with(KeyCoding(coding, valid: ValidValues(rule: rule, contains: contains)))
  }

  /// Returns a copy for some values of the type, and for `nil`.
  @_spi(Generated) public func valid<Wrapped>(
    _ rule: String, _ contains: @escaping @Sendable (Wrapped) -> Bool
  ) -> Self where Value == Wrapped? {
    with(KeyCoding(coding, valid: ValidValues(rule: rule) { $0.map(contains) ?? true }))
  }
}
