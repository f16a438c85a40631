import Foundation
import StorageVocabulary

extension Serializer where Value: Codable {
  /// A binary property list.
  ///
  /// A property list has a list or a dictionary at its top. So a scalar is stored in a list of one: `5` as `[5]`. A list
  /// of exactly one element is stored in another one, so that the two differ: `[5]` as `[[5]]`. Everything else is
  /// stored as it is.
  public static var propertyList: Self {
    Self(kind: .propertyList, encode: PropertyListForm.encode, decode: PropertyListForm.decode)
  }
}

private enum PropertyListForm {
  static func encode<Value: Codable>(_ value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let wrapped = try encoder.encode([value])
    // Only the encoder knows which shape a type has: it shows in the list.
    if try isAlwaysWrapped(Value.self) || mustBeWrapped(in: wrapped) { return wrapped }
    return try encoder.encode(value)
  }

  static func decode<Value: Codable>(_ data: Data) throws -> Value {
    try PropertyListDecoder().decode(StoredValueForm<Value>.self, from: data).value
  }

  private static func mustBeWrapped(in list: Data) throws -> Bool {
    guard let list = try PropertyListSerialization.propertyList(from: list, format: nil) as? [Any] else { return true }
    return list.first.map(PropertyListShape.isWrapped) ?? true
  }
}

/// Returns true if a type is wrapped whatever its shape: earlier releases read no bare `AnyCodable`.
private func isAlwaysWrapped(_ type: Any.Type) -> Bool { type == AnyCodable.self }

/// A value that is decoded from a list of one, or from a property list that is the value itself.
///
/// Earlier releases stored a list of one element as it is. A list of one whose element is a dictionary, or a list of
/// none or several, is therefore such a list: nothing of that shape is wrapped today, except `AnyCodable`. In other
/// lists of one the element is tried first. One case stays ambiguous: a type that decodes both `[5]` and `5`, for
/// example `[AnyCodable]`, whose value an earlier release stored as `[[5]]`, is read as `[5]`.
private struct StoredValueForm<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    guard let element = Self.elementOfOne(decoder) else {
      value = try Self.bare(decoder)
      return
    }
    let isWrapped = element == .wrapped || isAlwaysWrapped(Value.self)
    // What cannot be decoded in one form may be a value in the other. If it is neither, the second error is thrown.
    do { value = try isWrapped ? Self.wrapped(decoder) : Self.bare(decoder) } catch {
      value = try isWrapped ? Self.bare(decoder) : Self.wrapped(decoder)
    }
  }

  private static func bare(_ decoder: any Decoder) throws -> Value {
    try decoder.singleValueContainer().decode(Value.self)
  }

  private static func wrapped(_ decoder: any Decoder) throws -> Value {
    var list = try decoder.unkeyedContainer()
    return try list.decode(Value.self)
  }

  private enum Element {
    /// A scalar or a list of one.
    case wrapped
    case other
  }

  private enum NoKey: CodingKey {}

  /// The shape of the element of a list of one; nil for everything else.
  private static func elementOfOne(_ decoder: any Decoder) -> Element? {
    // A decoder answers a question about a shape with an error, which is no failure here.
    guard var list = try? decoder.unkeyedContainer(), list.count == 1 else { return nil }
    if let inner = try? list.nestedUnkeyedContainer() { return inner.count == 1 ? .wrapped : .other }
    guard var list = try? decoder.unkeyedContainer() else { return nil }
    return (try? list.nestedContainer(keyedBy: NoKey.self)) == nil ? .wrapped : .other
  }
}

/// The shapes of property list objects that decide how a value is stored.
enum PropertyListShape {
  /// Returns true if an object is stored in a list of one: a scalar, or a list of exactly one element.
  static func isWrapped(_ object: Any) -> Bool {
    if let list = object as? [Any] { return list.count == 1 }
    return !(object is [String: Any])
  }
}
