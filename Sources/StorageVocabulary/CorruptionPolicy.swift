/// The action of a read on stored bytes that are not a value of the key's type.
///
/// A failed authentication, a newer schema, format or case of an enum, and bytes that cannot be read now are errors with every policy.
public enum CorruptionPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The read throws an error. The bytes stay.
  case `throw`
  /// The read returns the key's default. The bytes stay until the next write.
  case useDefault
  /// The bytes are moved aside, and the value is absent.
  case quarantine
}
