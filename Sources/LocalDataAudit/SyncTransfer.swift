/// The form in which a secured value is sent.
public enum SyncTransfer: String, Sendable, Hashable, Codable, CaseIterable {
  /// The value leaves the device decrypted. It is secured on the other device as its key there says.
  case decrypted
}
