public import LocalDataFoundation
import LocalDataStores
public import LocalDataVocabulary

/// A pair of functions that convert a value to bytes and back.
public struct Serializer<Value: Sendable>: Sendable {
  /// The name that audits show.
  public let kind: SerializerKind
  /// The form of dates, or `nil` if it is the one that Foundation's coders write.
  public let dates: DateForm?
  package let encode: @Sendable (Value) throws -> Data
  package let decode: @Sendable (Data) throws -> Value

  init(
    kind: SerializerKind, dates: DateForm? = nil, encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) {
    self.kind = kind
    self.dates = dates
    self.encode = encode
    self.decode = decode
  }
}

/// A serializer that the app implements, in a catalog `{custom: NoteSerializer}`.
public protocol CustomSerializer<Value>: Sendable {
  /// The type of the values that it serializes.
  associatedtype Value: Sendable
  /// The name that audits show.
  static var name: String { get }
  /// Returns the bytes of a value.
  ///
  /// - Throws: Any error. The call of the router throws ``StorageProblem/Code/cannotEncode`` then.
  static func encode(_ value: Value) throws -> Data
  /// Returns the value of bytes.
  ///
  /// - Throws: Any error. The call of the router throws ``StorageProblem/Code/cannotDecode`` then.
  static func decode(_ data: Data) throws -> Value
}

extension Serializer {
  /// Returns a serializer that the app implements.
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
        if let bytes = PlainJSON.bytes(of: value) { return bytes }
        let bytes = try JSONForm.encode(value, nil)
        // The encoder writes a decimal number that is no number as it is. Nothing decodes it.
        if bytes.contains("NaN") { _ = try JSONDecoder().decode(Value.self, from: bytes) }
        return bytes
      },
      decode: { bytes in
        if let value = PlainJSON.value(of: bytes, Value.self) { return value }
        return try JSONForm.decode(bytes, nil)
      })
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

extension Serializer {
  /// The bytes of NSKeyedArchiver, on Apple's platforms.
  ///
  /// Apps have archived lists and maps with dates, data, addresses and identifiers. It takes `String`, `Int`, `Double`, `Bool`,
  /// `Data`, `Date`, `URL`, `UUID`, and lists and maps by text of them. For a class of the app, write a ``CustomSerializer``. On
  /// other platforms, a call throws ``StorageProblem/Code/notAvailableOnPlatform``.
  ///
  /// ```swift
  /// extension StorageKey where Value == [String: Date]? {
  ///   static let visits = StorageKey(
  ///     name: "visits", domain: .userDefaults(), security: .none, serializer: .keyedArchive, owner: "AppTeam",
  ///     description: "When each page was opened.")
  /// }
  /// ```
  public static var keyedArchive: Self {
    Self(kind: .keyedArchive) { value in
      #if canImport(Darwin)
        try KeyedArchive.bytes(of: value)
      #else
        throw StorageProblem.notAvailableOnPlatform
      #endif
    } decode: { bytes in
      #if canImport(Darwin)
        guard let value = try KeyedArchive.value(in: bytes) as? Value else { throw StorageProblem.cannotDecode }
        return value
      #else
        throw StorageProblem.notAvailableOnPlatform
      #endif
    }
  }
}

extension SerializerKind {
  /// A Boolean value that indicates whether values are property lists, which preferences store as they are.
  var isPropertyList: Bool { self == .propertyList || self == .jsonText }

  /// A Boolean value that indicates whether the platform has the serializer.
  var isAvailable: Bool {
    #if canImport(Darwin)
      true
    #else
      self != .keyedArchive
    #endif
  }
}

extension StorageProblem {
  /// Creates the fault for an error of a serializer. The error may quote the value, so it is not passed on.
  ///
  /// The standard library decodes enums and the keys of dictionaries. Its errors for a case that does not exist differ from
  /// others only in their text.
  package init(decoding error: any Error) {
    self = .cannotDecode
    guard case DecodingError.dataCorrupted(let context) = error else { return }
    let isOfEnum = ["Cannot initialize ", "Could not convert key to type "].contains(
      where: context.debugDescription.hasPrefix)
    if isOfEnum { self = .newerValue }
  }
}

/// An error of the library's own serializers.
enum SerializationFault: Error {
  case notUTF8
  /// A property list would read a text as nil.
  case textOfNil
  /// A scalar in a file that other code reads. It would be read as a list.
  case scalarInFile
}
