import Foundation
import StorageStores

extension Serializer where Value: Codable {
  /// A binary property list.
  ///
  /// The top level of a property list is a list or a dictionary. So a scalar is stored in a list of one element: `5` as `[5]`.
  /// A list of exactly one element is stored in another list, so that it differs from a scalar: `[5]` as `[[5]]`. Everything
  /// else is stored as it is.
  ///
  /// Foundation's coders write `nil` in a list as the text `$null`, and read that text as `nil`. A value that contains the
  /// text cannot be encoded, unless its type is `String`, `[String]` or `[String: String]`.
  public static var propertyList: Self {
    Self(kind: .propertyList, encode: PropertyListForm.encode, decode: PropertyListForm.decode)
  }
}

private enum PropertyListForm {
  static func encode<Value: Codable>(_ value: Value) throws -> Data {
    let bytes = try bytes(of: value)
    if bytes.range(of: Data("$null".utf8)) != nil, !TextOfNil.isKept(in: Value.self), try TextOfNil.isIn(value) {
      throw SerializationFault.textOfNil
    }
    return bytes
  }

  private static func bytes<Value: Codable>(of value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let wrapped = try encoder.encode([value])
    // Only the encoder knows which shape a type has: it shows in the list.
    if try mustBeWrapped(in: wrapped) { return wrapped }
    return try encoder.encode(value)
  }

  static func decode<Value: Codable>(_ data: Data) throws -> Value {
    do { return try PropertyListDecoder().decode(StoredValueForm<Value>.self, from: data).value } catch {
      guard TextOfNil.isKept(in: Value.self), let value = try texts(in: data, Value.self) else { throw error }
      return value
    }
  }

  /// Returns a text or a collection of texts without the decoder, which may read one of them as nil.
  private static func texts<Value>(in data: Data, _ type: Value.Type) throws -> Value? {
    let object = try PropertyListSerialization.propertyList(from: data, format: nil)
    if let list = object as? [Any], list.count == 1 { return list[0] as? Value }
    return object as? Value
  }

  private static func mustBeWrapped(in list: Data) throws -> Bool {
    guard let list = try PropertyListSerialization.propertyList(from: list, format: nil) as? [Any] else { return true }
    return list.first.map(PropertyListShape.isWrapped) ?? true
  }
}

/// The text that Foundation's property list coders read as nil.
private enum TextOfNil {
  /// Returns true if the text can be read in values of a type without the decoder.
  static func isKept(in type: Any.Type) -> Bool {
    type == String.self || type == [String].self || type == [String: String].self
  }

  /// Returns true if a value contains the text itself, and not only nil. The JSON of the value shows the difference.
  static func isIn(_ value: some Encodable) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "", negativeInfinity: "", nan: "")
    return try encoder.encode(value).range(of: Data("\"$null\"".utf8)) != nil
  }
}

/// A value that is decoded from a list of one element, or from a property list that is the value itself.
private struct StoredValueForm<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    // A decoder answers a question about a shape with an error, which is no failure here.
    if var list = try? decoder.unkeyedContainer(), list.count == 1 {
      value = try list.decode(Value.self)
    } else {
      value = try decoder.singleValueContainer().decode(Value.self)
    }
  }
}
