public import Foundation
public import StorageVocabulary

/// How a value becomes bytes and comes back.
public struct Serializer<Value: Sendable>: Sendable {
  /// Its name in audits.
  public let kind: SerializerKind
  let encode: @Sendable (Value) throws -> Data
  let decode: @Sendable (Data) throws -> Value

  init(
    kind: SerializerKind, encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) {
    self.kind = kind
    self.encode = encode
    self.decode = decode
  }
}

/// A serializer of the app's own: `{custom: NoteSerializer}` in a catalog.
public protocol CustomSerializer<Value>: Sendable {
  /// What it serializes.
  associatedtype Value: Sendable
  /// Its name in audits.
  static var name: String { get }
  /// Returns the bytes of a value.
  ///
  /// - Throws: Any error. The call of the router throws ``StorageError/cannotEncode(_:)`` then.
  static func encode(_ value: Value) throws -> Data
  /// Returns the value of bytes.
  ///
  /// - Throws: Any error. The call of the router throws ``StorageError/cannotDecode(_:)`` then.
  static func decode(_ data: Data) throws -> Value
}

extension Serializer {
  /// A serializer of the app's own.
  public static func custom<Custom: CustomSerializer>(_ type: Custom.Type) -> Self where Custom.Value == Value {
    Self(kind: .custom(type.name), encode: { try type.encode($0) }, decode: { try type.decode($0) })
  }
}

extension Serializer where Value: Codable {
  /// JSON as JSONEncoder writes it, with sorted keys.
  public static var json: Self {
    Self(
      kind: .json,
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
      },
      decode: { try JSONDecoder().decode(Value.self, from: $0) })
  }
}

extension Serializer where Value == Data {
  /// The bytes themselves.
  public static var data: Self { Self(kind: .data, encode: { $0 }, decode: { $0 }) }
}

extension Serializer where Value == String {
  /// UTF-8.
  public static var data: Self {
    Self(
      kind: .data, encode: { Data($0.utf8) },
      decode: { data in
        guard let text = String(utf8: data) else { throw SerializationFault.notUTF8 }
        return text
      })
  }
}

/// Why bytes are no value, where no serializer of Foundation's says so.
enum SerializationFault: Error {
  case notUTF8
}
