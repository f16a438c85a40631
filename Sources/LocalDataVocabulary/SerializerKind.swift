/// The serializer of a value, by name.
public enum SerializerKind: Sendable, Hashable {
  /// JSON with sorted keys.
  case json
  /// A binary property list; in plain preferences the value itself.
  case propertyList
  /// JSON as a text; in plain preferences the text itself.
  case jsonText
  /// The bytes of `Data`, or of a `String` as UTF-8.
  case data
  /// The bytes of NSKeyedArchiver, on Apple's platforms.
  case keyedArchive
  /// A type of the app's own, by its Swift name.
  case custom(String)
}
