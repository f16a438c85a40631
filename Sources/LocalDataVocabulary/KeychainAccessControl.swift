/// The confirmation that the keychain asks of the user before it gives out an item, and before it replaces one. It asks for
/// neither the first write nor the removal. The names are those of Keychain Services (`SecAccessControlCreateFlags`).
public enum KeychainAccessControl: String, Sendable, Hashable, Codable, CaseIterable {
  /// Biometry or the passcode.
  case userPresence
  /// Any enrolled biometry.
  case biometryAny
  /// The biometry that was enrolled when the item was written.
  case biometryCurrentSet
  /// The device's passcode.
  case devicePasscode
  /// Any enrolled biometry, or the passcode.
  case biometryAnyOrDevicePasscode
  /// The biometry that was enrolled when the item was written, or the passcode.
  case biometryCurrentSetOrDevicePasscode
}
