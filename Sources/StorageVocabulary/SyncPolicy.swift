/// When a value is sent to the paired device.
public enum SyncPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Never.
  case never
  /// When the app asks.
  case manual
  /// On every set, up to the configured size.
  case automaticSmall
}

/// How a secured value travels.
public enum SyncTransfer: String, Sendable, Hashable, Codable, CaseIterable {
  /// As serialized: what secures it here does not go along, and it is secured where it arrives as its key there says.
  case resecure
}
