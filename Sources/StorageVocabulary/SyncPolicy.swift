/// When a value is sent to the paired device.
public enum SyncPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Never.
  case never
  /// When the app asks.
  case manual
  /// On every set, up to the configured size.
  case automaticSmall
}
