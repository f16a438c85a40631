/// When a value is sent to the paired device.
public enum SyncPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Never.
  case never
  /// When the app asks.
  case manual
  /// After each set, update and remove, unless the serialized value is larger than the configured size.
  case automaticSmall
}

/// The form in which a secured value is sent.
public enum SyncTransfer: String, Sendable, Hashable, Codable, CaseIterable {
  /// The value leaves the device decrypted. It is secured on the other device as its key there says.
  case decrypted
}
