import Foundation

/// A smaller representation of a value, which the watch gets in place of the value: of a profile with a portrait, for
/// example, only the name.
///
/// In a catalog this is `watch: {type: ProfileGlance, transform: ProfileGlance.init}`. The watch stores the representation
/// under the same stored name and domain, and never sends it back.
@_spi(Generated) public struct WatchRepresentation<Value: Sendable>: Sendable {
  let schema: UInt32
  let encode: @Sendable (Value) throws -> Data

  /// A value that is about to be transformed.
  public struct Source: Sendable {
    let value: Value

    /// Returns the transformed value. It is declared to throw for every transform, so that generated code is the same for
    /// every function. The parameter is not `@Sendable`, because Swift 5 does not see that the name of a function can be
    /// sent.
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

  /// Returns the function from serialized bytes to those that are sent. What a transform or a serializer throws may quote
  /// the value, so it is not passed on.
  func bytes<Whole>(
    of coding: KeyCoding<Whole>, _ unwrap: @escaping @Sendable (Whole) -> Value?
  ) -> WatchEncoding {
    WatchEncoding(schema: schema) { [encode] (bytes) throws(StorageFault) in
      let stored = try coding.deserialize(OpenedValue(bytes: bytes, schema: coding.schema))
      guard let value = unwrap(stored) else { throw .cannotDecode }
      do { return try encode(value) } catch { throw .cannotEncode }
    }
  }
}

/// A function from a key's serialized bytes to those of the representation that the watch gets.
///
/// It is a type because comparing an optional function that has a typed error with `nil` needs iOS 18.
struct WatchEncoding: Sendable {
  let schema: UInt32
  let encode: @Sendable (Data) throws(StorageFault) -> Data
}
