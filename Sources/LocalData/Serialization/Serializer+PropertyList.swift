import Foundation

extension Serializer where Value: Codable {
  /// A binary property list; a scalar, which cannot stand at its top, in a list of one.
  public static var propertyList: Self {
    Self(
      kind: .propertyList,
      encode: { value in
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode([value])
      },
      decode: { data in
        guard let value = try PropertyListDecoder().decode([Value].self, from: data).first else {
          throw SerializationFault.notUTF8
        }
        return value
      })
  }
}
