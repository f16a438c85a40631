/// When a value is sent to the paired device.
public enum SyncPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Never.
  case never
  /// When the app asks.
  case manual
  /// After each set, update and remove, unless the serialized value is larger than the configured size.
  case automaticSmall
}
