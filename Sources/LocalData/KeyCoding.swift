package import SmallFoundation
import StorageStores

/// Converts a key's `Value` to bytes and back, and provides the value of an absent key. It is a class, because keys are copied
/// often.
final class KeyCoding<Value: Sendable>: Sendable {
  let serializer: SerializerKind
  private let type: Any.Type
  /// The upgrades of bytes of earlier schemas; `nil` if the key has had no other schema.
  let upgrades: SchemaUpgrades<Value>?
  private let encode: Encode
  private let decode: @Sendable (Data) throws -> Value
  /// Returns the value of an absent key; `nil` if absence is an error.
  let absent: (@Sendable () -> Value)?
  /// A Boolean value that indicates whether an absent value reads as a default.
  let hasDefault: Bool

  /// The function that encodes a value, for both kinds of keys. One function type for both would cost an allocation for each
  /// key.
  private enum Encode: Sendable {
    /// A value has bytes.
    case value(@Sendable (Value) throws -> Data)
    /// An optional has bytes, or is to be removed.
    case optional(@Sendable (Value) throws -> Data?)
  }

  /// Creates the coding of a key with a default. Without a default, absence is an error.
  init(_ serializer: Serializer<Value>, default: (@Sendable () -> Value)?) {
    self.serializer = serializer.kind
    type = Value.self
    encode = .value(serializer.encode)
    decode = serializer.decode
    absent = `default`
    hasDefault = `default` != nil
    upgrades = nil
  }

  /// Creates the coding of a key that reads `nil` if nothing is stored.
  init<Wrapped: Sendable>(_ serializer: Serializer<Wrapped>) where Value == Wrapped? {
    self.serializer = serializer.kind
    type = Wrapped.self
    encode = .optional { try $0.map(serializer.encode) }
    decode = serializer.decode
    absent = { nil }
    hasDefault = false
    upgrades = nil
  }

  /// Creates a copy of a coding that upgrades the bytes of earlier schemas.
  init(_ coding: KeyCoding, upgrading upgrades: SchemaUpgrades<Value>) {
    (serializer, type, hasDefault) = (coding.serializer, coding.type, coding.hasDefault)
    (encode, decode, absent) = (coding.encode, coding.decode, coding.absent)
    self.upgrades = upgrades
  }

  /// The name of the value's type. It is computed, because most calls do not need it.
  var valueType: String { String(describing: type) }

  var typeID: ObjectIdentifier? { ObjectIdentifier(type) }

  var cases: String { (type as? any CaseIterable.Type).map { "\($0.allCases)" } ?? "" }

  /// The value of an absent key; `nil` if absence is an error.
  var absentValue: Value? { absent?() }

  /// The schema that values are written with.
  var schema: UInt32 { upgrades?.schema ?? 1 }

  /// Returns the bytes of a value, or `nil` if the value means absence.
  ///
  /// The error of a serializer may quote the value, so it is not passed on.
  func serialize(_ value: Value) throws(StorageProblem) -> Data? {
    do {
      return switch encode {
      case .value(let encode): try encode(value)
      case .optional(let encode): try encode(value)
      }
    } catch {
      throw .cannotEncode
    }
  }

  /// Returns true if a value means absence: it is `nil`, and the key reads `nil` if nothing is stored.
  func meansAbsence(_ value: Value) -> Bool {
    guard case .optional = encode, let value = value as? any OptionalValue else { return false }
    return value.isNil
  }

  /// Returns the value of opened bytes, upgraded to the key's schema. Without bytes it returns the value of an absent key.
  func deserialize(_ opened: OpenedValue?) throws(StorageProblem) -> Value {
    guard let opened else {
      guard let value = absent?() else { throw .notFound }
      return value
    }
    if opened.schema != schema {
      guard let upgrades else { throw .corrupted }
      return try upgrades.value(of: opened.bytes, schema: opened.schema)
    }
    do { return try decode(opened.bytes) } catch { throw StorageProblem(decoding: error) }
  }
}

protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  var isNil: Bool { if case .none = self { true } else { false } }
}

/// Serialized bytes from a store, with their schema.
package struct OpenedValue: Sendable {
  package var bytes: Data
  package var schema: UInt32

  package init(bytes: Data, schema: UInt32) { (self.bytes, self.schema) = (bytes, schema) }
}

/// A key's coding without the type of its value.
package protocol AnyKeyCoding: AnyObject, Sendable {
  var serializer: SerializerKind { get }
  var valueType: String { get }
  /// The identity of the value's type; `nil` if the type is known by name alone.
  var typeID: ObjectIdentifier? { get }
  /// The cases of an enum; empty for another type.
  var cases: String { get }
  var schema: UInt32 { get }
  var hasDefault: Bool { get }

  /// Returns the bytes of a value, or `nil` if the value means absence. A value of another type cannot be encoded.
  func serializeAny(_ value: any Sendable) throws(StorageProblem) -> Data?

  /// Returns the value of opened bytes, upgraded to the key's schema.
  func deserializeAny(_ opened: OpenedValue) throws(StorageProblem) -> any Sendable
}

extension AnyKeyCoding {
  /// Returns the bytes of the same value in the key's schema.
  package func currentBytes(of opened: OpenedValue) throws(StorageProblem) -> Data {
    if opened.schema == schema { return opened.bytes }
    guard let bytes = try serializeAny(try deserializeAny(opened)) else { throw .cannotEncode }
    return bytes
  }
}

extension KeyCoding: AnyKeyCoding {
  func serializeAny(_ value: any Sendable) throws(StorageProblem) -> Data? {
    guard let value = value as? Value else { throw .cannotEncode }
    return try serialize(value)
  }

  func deserializeAny(_ opened: OpenedValue) throws(StorageProblem) -> any Sendable { try deserialize(opened) }
}

/// The coding of a value whose type is not known.
final class UnknownCoding: AnyKeyCoding {
  let serializer: SerializerKind
  let valueType: String

  init(serializer: SerializerKind, valueType: String) {
    self.serializer = serializer
    self.valueType = valueType
  }

  var typeID: ObjectIdentifier? { nil }
  var cases: String { "" }
  var schema: UInt32 { 1 }
  var hasDefault: Bool { false }

  func serializeAny(_ value: any Sendable) throws(StorageProblem) -> Data? { throw .cannotEncode }

  func deserializeAny(_ opened: OpenedValue) throws(StorageProblem) -> any Sendable { throw .cannotDecode }
}
