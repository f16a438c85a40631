/// The form of a parameter in a stored name.
public enum ParameterEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// `a` to `z`, `0` to `9` and `-` as they are, and every other byte as `%XX`. A UUID is in lower case.
  case escaped
  /// As Swift prints the value. A UUID is in upper case.
  case verbatim
}
