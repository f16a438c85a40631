/// The action of a read on stored bytes that are not a value of the key's type.
///
/// A failed authentication, a newer schema or format, and bytes that cannot be read now are errors with every policy. So is a case of an
/// enum that only a later release has, unless the policy is ``useDefault`` or ``skipElements``.
public enum CorruptionPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The read throws an error. The bytes stay.
  case `throw`
  /// The read returns the key's default. The bytes stay until the next write.
  case useDefault
  /// The bytes are moved aside, and the value is absent.
  case quarantine
  /// A list or a set of enums is read without the elements that are no case of the enum. They stay until the next write. Other bytes
  /// are an error.
  case skipElements
}
