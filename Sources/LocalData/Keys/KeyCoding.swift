import Foundation
import StorageVocabulary

/// A key's `Value` to bytes and back, whatever absence means to it.
struct KeyCoding<Value: Sendable>: Sendable {
  let serializer: SerializerKind
  let valueType: String
  /// `nil` removes.
  let encode: @Sendable (Value) throws -> Data?
  let decode: @Sendable (Data) throws -> Value
  /// The value of an absent key; `nil` where absence is an error.
  let absent: @Sendable () -> Value?

  /// A key whose absence is an error, or reads as its default.
  init(_ serializer: Serializer<Value>, absent: @escaping @Sendable () -> Value?) {
    self.serializer = serializer.kind
    valueType = String(describing: Value.self)
    encode = serializer.encode
    decode = serializer.decode
    self.absent = absent
  }

  /// A key whose absence reads `nil`.
  init<Wrapped: Sendable>(_ serializer: Serializer<Wrapped>) where Value == Wrapped? {
    self.serializer = serializer.kind
    valueType = String(describing: Wrapped.self)
    encode = { try $0.map(serializer.encode) }
    decode = serializer.decode
    absent = { .some(nil) }
  }
}
