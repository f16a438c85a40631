/// The form in which a serializer writes dates.
public enum DateForm: String, Sendable, Hashable, Codable, CaseIterable {
  /// Seconds since 1970-01-01T00:00:00Z, as a number.
  case secondsSince1970
  /// Milliseconds since 1970-01-01T00:00:00Z, as a number.
  case millisecondsSince1970
  /// Seconds since 2001-01-01T00:00:00Z, as a number.
  case secondsSince2001
  /// A text of ISO 8601 in UTC, in whole seconds.
  case iso8601
}
