import Foundation
import StorageVocabulary

/// A key's `Value` to bytes and back, whatever absence means to it.
struct KeyCoding<Value: Sendable>: Sendable {
  let serializer: SerializerKind
  let valueType: String
  /// `nil` removes.
  private let encode: @Sendable (Value) throws -> Data?
  private let decode: @Sendable (Data) throws -> Value
  private let absent: @Sendable () -> Value?

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

  /// The bytes of a value; `nil` where the value means absence.
  ///
  /// What a serializer throws may quote the value, so it goes no further.
  func serialize(_ value: Value) throws(StorageFault) -> Data? {
    do { return try encode(value) } catch { throw .cannotEncode }
  }

  /// The value of bytes; that of an absent key where there are none.
  func deserialize(_ bytes: Data?) throws(StorageFault) -> Value {
    guard let bytes else {
      guard let value = absent() else { throw .notFound }
      return value
    }
    do { return try decode(bytes) } catch { throw .cannotDecode }
  }
}

/// A key's coding without the type of its value.
protocol AnyKeyCoding: Sendable {
  var serializer: SerializerKind { get }
  var valueType: String { get }

  /// The bytes of a value; `nil` where the value means absence. A value of another type cannot be encoded.
  func serializeAny(_ value: any Sendable) throws(StorageFault) -> Data?

  /// The value of bytes that are there.
  func deserializeAny(_ bytes: Data) throws(StorageFault) -> any Sendable
}

extension KeyCoding: AnyKeyCoding {
  func serializeAny(_ value: any Sendable) throws(StorageFault) -> Data? {
    guard let value = value as? Value else { throw .cannotEncode }
    return try serialize(value)
  }

  func deserializeAny(_ bytes: Data) throws(StorageFault) -> any Sendable { try deserialize(bytes) }
}
