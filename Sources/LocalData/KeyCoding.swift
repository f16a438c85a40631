import Foundation
import StorageVocabulary

/// A key's `Value` to bytes and back, whatever absence means to it.
struct KeyCoding<Value: Sendable>: Sendable {
  let serializer: SerializerKind
  let valueType: String
  /// How bytes of earlier schemas are read; `nil` where the key has had no other.
  var upgrades: SchemaUpgrades<Value>?
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

  /// The version of what it writes.
  var schema: UInt32 { upgrades?.schema ?? 1 }

  /// The bytes of a value; `nil` where the value means absence.
  ///
  /// What a serializer throws may quote the value, so it goes no further.
  func serialize(_ value: Value) throws(StorageFault) -> Data? {
    do { return try encode(value) } catch { throw .cannotEncode }
  }

  /// The value of what was opened, brought up to today's schema; that of an absent key where there is nothing.
  func deserialize(_ opened: OpenedValue?) throws(StorageFault) -> Value {
    guard let opened else {
      guard let value = absent() else { throw .notFound }
      return value
    }
    if opened.schema != schema {
      guard let upgrades else { throw .corrupted }
      return try upgrades.value(of: opened.bytes, schema: opened.schema)
    }
    do { return try decode(opened.bytes) } catch { throw .cannotDecode }
  }
}

/// What lay in a store: serialized bytes, and the schema that they are of.
struct OpenedValue: Sendable {
  var bytes: Data
  var schema: UInt32
}

/// A key's coding without the type of its value.
protocol AnyKeyCoding: Sendable {
  var serializer: SerializerKind { get }
  var valueType: String { get }
  var schema: UInt32 { get }

  /// The bytes of a value; `nil` where the value means absence. A value of another type cannot be encoded.
  func serializeAny(_ value: any Sendable) throws(StorageFault) -> Data?

  /// The value of what is there, brought up to today's schema.
  func deserializeAny(_ opened: OpenedValue) throws(StorageFault) -> any Sendable
}

extension AnyKeyCoding {
  /// The same value as today's schema writes it.
  func currentBytes(of opened: OpenedValue) throws(StorageFault) -> Data {
    if opened.schema == schema { return opened.bytes }
    guard let bytes = try serializeAny(try deserializeAny(opened)) else { throw .cannotEncode }
    return bytes
  }
}

extension KeyCoding: AnyKeyCoding {
  func serializeAny(_ value: any Sendable) throws(StorageFault) -> Data? {
    guard let value = value as? Value else { throw .cannotEncode }
    return try serialize(value)
  }

  func deserializeAny(_ opened: OpenedValue) throws(StorageFault) -> any Sendable { try deserialize(opened) }
}
