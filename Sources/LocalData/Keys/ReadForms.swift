import LocalDataFoundation
import LocalDataVocabulary

/// Modifiers of generated keys whose values may be stored in several forms.
extension StorageKey {
  /// Returns a copy whose reads also accept a further form. Writes store the declared one.
  ///
  /// - Parameters:
  ///   - serializer: The serializer of the further form.
  ///   - transform: Makes the value. If it throws or returns `nil`, the bytes are not of the form.
  @_disfavoredOverload
  @_spi(Generated) public func reading<Old>(
    _ serializer: Serializer<Old>, by transform: @autoclosure @escaping @Sendable () -> (Old) throws -> Value?
  ) -> Self {
    with(KeyCoding(coding, reading: serializer) { try transform()($0) })
  }

  /// Returns a copy whose reads also accept a further form, and `nil` if nothing is stored.
  @_spi(Generated) public func reading<Old, Wrapped>(
    _ serializer: Serializer<Old>, by transform: @autoclosure @escaping @Sendable () -> (Old) throws -> Wrapped?
  ) -> Self where Value == Wrapped? {
    with(KeyCoding(coding, reading: serializer) { old in try transform()(old).map(Optional.some) })
  }
}

extension SerializerKind {
  /// Returns the bytes that a serializer wrote. A preference that may be an object is read as a property list, also if it is the
  /// bytes of a serializer of another kind.
  func written(_ bytes: Data) -> Data {
    guard !isPropertyList, bytes.starts(with: "bplist".utf8) else { return bytes }
    // Bytes that are no property list are those of the serializer.
    do { return try PropertyListForm.decode(bytes) } catch { return bytes }
  }
}
