public import LocalDataFoundation

/// A value of any shape that JSON or a property list can have, for payloads whose type is not known before they are read.
///
///     let settings: AnyCodable = ["volume": 3, "tags": ["a", "b"], "muted": false]
///
/// Dates and data are values of property lists. JSON has neither, so the serializers of JSON refuse them with
/// ``StorageProblem/Code/cannotEncode``, instead of writing a number or a text that would not be read as the same value.
public enum AnyCodable: Sendable, Hashable {
  /// JSON's `null`.
  case null
  /// A truth value.
  case bool(Bool)
  /// A whole number that fits 64 bits.
  case integer(Int64)
  /// A whole number beyond `Int64.max`.
  case unsigned(UInt64)
  /// Any other number.
  case double(Double)
  /// Text.
  case string(String)
  /// A list.
  case array([AnyCodable])
  /// A map by text.
  case object([String: AnyCodable])
  /// A date in a property list.
  case date(Date)
  /// Bytes in a property list.
  case data(Data)
}

extension AnyCodable: Codable {
  /// The encoder's information that it writes JSON, which has neither dates nor data.
  static let isJSON = CodingUserInfoKey(rawValue: "LocalData.isJSON")

  /// Decodes a value of any type.
  ///
  /// The initializer tries one type after the other. Only a failure of the last one is thrown.
  ///
  /// - Throws: `DecodingError` if the value has none of the types.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([AnyCodable].self) {
      self = .array(value)
    } else if let value = try? container.decode([String: AnyCodable].self) {
      self = .object(value)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else {
      self = .data(try container.decode(Data.self))
    }
  }

  /// Encodes the value as the type that it has.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value, for example a number or a date that JSON does not have.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    case .date(let value):
      try refuseJSON(encoder)
      try container.encode(value)
    case .data(let value):
      try refuseJSON(encoder)
      try container.encode(value)
    }
  }

  private func refuseJSON(_ encoder: any Encoder) throws {
    guard let isJSON = Self.isJSON, encoder.userInfo[isJSON] != nil else { return }
    throw EncodingError.invalidValue(
      "", .init(codingPath: encoder.codingPath, debugDescription: "JSON has neither dates nor data."))
  }
}

extension AnyCodable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `nil`.
  public init(nilLiteral: ()) { self = .null }
  /// `true` and `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A list.
  public init(arrayLiteral elements: AnyCodable...) { self = .array(elements) }

  /// A map by text. If a key occurs twice, the last value is used.
  public init(dictionaryLiteral elements: (String, AnyCodable)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
