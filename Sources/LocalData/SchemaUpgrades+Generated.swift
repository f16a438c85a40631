/// What generated code calls, with a function by its name.
///
/// In Swift 5 mode a function that is named, and not called, counts as not Sendable, and the compiler warns of it. The
/// closure around the name is checked instead, in both modes: the name is looked up whenever the function is called.
extension SchemaUpgrades {
  /// The upgrade from schema 1 to 2.
  @_spi(Generated) public init<Old>(
    decoding serializer: Serializer<Old>, by transform: @autoclosure @escaping @Sendable () -> (Old) throws -> Value
  ) {
    self.init(decoding: serializer) { try transform()($0) }
  }

  /// The upgrade from the schema so far to the one after it.
  @_spi(Generated) public func then<New: Sendable>(
    decoding serializer: Serializer<Value>, by transform: @autoclosure @escaping @Sendable () -> (Value) throws -> New
  ) -> SchemaUpgrades<New> {
    then(decoding: serializer) { try transform()($0) }
  }
}
