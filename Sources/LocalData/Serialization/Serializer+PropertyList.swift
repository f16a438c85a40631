import Foundation
import StorageVocabulary

extension Serializer where Value: Codable {
  /// A binary property list; a scalar, which cannot stand at its top, is wrapped in a list of one.
  public static var propertyList: Self {
    Self(kind: .propertyList, encode: PropertyListForm.encode, decode: PropertyListForm.decode)
  }
}

/// The property list of a value, and the wrapping of scalars.
private enum PropertyListForm {
  static func encode<Value: Codable>(_ value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let list = try encoder.encode([value])
    // Only the encoder knows whether a type writes itself as a scalar: what it put into the list tells.
    guard !isAlwaysWrapped(Value.self), case .container? = try topElement(of: list) else { return list }
    return try encoder.encode(value)
  }

  static func decode<Value: Codable>(_ data: Data) throws -> Value {
    let decoder = PropertyListDecoder()
    // What is no value as it stands may be a wrapped scalar; what is neither throws below.
    if !isAlwaysWrapped(Value.self), let value = try? decoder.decode(Value.self, from: data) { return value }
    let list = try decoder.decode([Value].self, from: data)
    guard list.count == 1 else { throw SerializationFault.notOneValue }
    return list[0]
  }

  /// A value of any shape reads a wrapped scalar as a list, so that it is wrapped whatever its shape.
  private static func isAlwaysWrapped(_ type: Any.Type) -> Bool { type == AnyCodable.self }

  private enum Element { case scalar, container }

  private static func topElement(of list: Data) throws -> Element? {
    let elements = try PropertyListSerialization.propertyList(from: list, format: nil) as? [Any]
    return elements?.first.map { $0 is [Any] || $0 is [String: Any] ? .container : .scalar }
  }
}
