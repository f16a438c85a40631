/// The effect of deleting a record on the records that refer to it.
public enum DeletionPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The record cannot be deleted.
  case restrict
  /// They are deleted too.
  case cascade
  /// Their field becomes nil.
  case setNull
}
