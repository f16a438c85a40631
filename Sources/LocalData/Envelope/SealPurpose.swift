/// What a data key is for. Part of its derivation, so that a seal made for one purpose opens for no other.
///
/// The numbers are the format's; one that was used is never used for something else.
package enum SealPurpose: UInt8, Sendable, CaseIterable {
  /// A value that a key declares.
  case value = 1
  /// The root key of a keystore, sealed under the key of its source.
  case keystoreRoot = 2
  /// An item of a keystore, sealed under its root key.
  case keystoreItem = 3
}
