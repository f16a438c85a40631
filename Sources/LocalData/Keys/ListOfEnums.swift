import LocalDataFoundation
import LocalDataVocabulary

/// A list or a set of an enum, whose elements can be read one by one.
protocol ListOfEnums {
  /// Returns the elements that are cases of the enum.
  static func known(in bytes: Data, _ serializer: SerializerKind) throws -> Self
}

extension Array: ListOfEnums where Element: RawRepresentable, Element.RawValue: Decodable {
  static func known(in bytes: Data, _ serializer: SerializerKind) throws -> Self {
    let raw: [Element.RawValue] =
      switch serializer {
      case .propertyList: try PropertyListForm.decode(bytes)
      case .jsonText: try JSONForm.decode(try PropertyListForm.json(ofText: bytes), nil)
      default: try JSONForm.decode(bytes, nil)
      }
    return raw.compactMap(Element.init(rawValue:))
  }
}

extension Set: ListOfEnums where Element: RawRepresentable, Element.RawValue: Decodable {
  static func known(in bytes: Data, _ serializer: SerializerKind) throws -> Self {
    Set(try [Element].known(in: bytes, serializer))
  }
}
