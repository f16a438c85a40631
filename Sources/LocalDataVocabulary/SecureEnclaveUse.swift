/// The place of a new private key.
public enum SecureEnclaveUse: String, Sendable, Hashable, CaseIterable {
  /// A new pair is in the Secure Enclave if the device has one.
  case preferred
  /// A pair is only created in the Secure Enclave.
  case required
  /// A pair is never created in the Secure Enclave.
  case never
}
