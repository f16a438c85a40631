/// The serializer of a value, by name.
public enum SerializerKind: Sendable, Hashable {
  /// JSON with sorted keys.
  case json
  /// A binary property list; in plain preferences the value itself.
  case propertyList
  /// The bytes of `Data`, or of a `String` as UTF-8.
  case data
  /// A type of the app's own, by its Swift name.
  case custom(String)

  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case json, propertyList, data, custom
  }

  /// Which case this is.
  public var kind: Kind {
    switch self {
    case .json: .json
    case .propertyList: .propertyList
    case .data: .data
    case .custom: .custom
    }
  }
}
