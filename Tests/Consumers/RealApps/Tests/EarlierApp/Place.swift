/// A place in which the earlier app stores one value, in its own form.
struct Place<Value: Sendable>: Sendable {
  /// Returns the stored value, or nil if there is none or it has another form.
  let read: @Sendable () throws -> Value?
  /// Stores a value.
  let write: @Sendable (Value) throws -> Void
  /// A Boolean value that indicates whether the place is the same on Linux: that of a file or a database.
  var isNative = false
}
