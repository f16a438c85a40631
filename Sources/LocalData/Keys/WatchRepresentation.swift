package import LocalDataFoundation
import LocalDataStores

/// A smaller representation of a value, which is sent to the watch instead of the value. For example, the representation of a
/// profile with a portrait contains only the name.
///
/// In a catalog this is `watch: {type: ProfileGlance, transform: ProfileGlance.init}`. The watch stores the representation
/// under the same stored name and domain, and never sends it back.
@_spi(Generated) public struct WatchRepresentation<Value: Sendable>: Sendable {
  let schema: UInt32
  let encode: @Sendable (Value) throws -> Data

  /// A value to transform.
  public struct Source: Sendable {
    let value: Value

    /// Returns the transformed value. It is declared to throw for every transform, so that generated code is the same for
    /// every function. The parameter is not `@Sendable`, because in Swift 5 mode a reference to a function is not Sendable.
    ///
    /// - Throws: The error of the transform.
    public func map<Form>(_ transform: (Value) throws -> Form) throws -> Form { try transform(value) }
  }

  /// Creates a representation.
  ///
  /// - Parameters:
  ///   - serializer: The serializer of the watch's key.
  ///   - schema: The schema that the watch's key had when the representation's type was written.
  ///   - make: Makes the representation of a value.
  public init<Form: Sendable>(
    _ serializer: Serializer<Form>, schema: UInt32 = 1, _ make: @escaping @Sendable (Source) throws -> Form
  ) {
    self.schema = schema
    encode = { try serializer.encode(make(Source(value: $0))) }
  }

  /// Returns the function that converts serialized bytes to the bytes that are sent. An error of a transform or a serializer
  /// may quote the value, so it is not passed on.
  func bytes<Whole>(of coding: KeyCoding<Whole>, _ unwrap: @escaping @Sendable (Whole) -> Value?) -> WatchEncoding {
    WatchEncoding(schema: schema) { [encode] (bytes) throws(StorageProblem) in
      let stored = try coding.deserialize(OpenedValue(bytes: bytes, schema: coding.schema))
      guard let value = unwrap(stored) else { throw .cannotDecode }
      do { return try encode(value) } catch { throw .cannotEncode }
    }
  }
}

/// A function that converts a key's serialized bytes to the bytes of the representation for the watch.
///
/// It is a struct, because the comparison of an optional function with a typed error and `nil` needs iOS 18.
package struct WatchEncoding: Sendable {
  package let schema: UInt32
  package let encode: @Sendable (Data) throws(StorageProblem) -> Data
}
