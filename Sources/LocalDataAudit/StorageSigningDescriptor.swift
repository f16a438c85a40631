public import LocalDataVocabulary

/// The description of a key pair in an audit, besides what it has in common with keys.
public struct StorageSigningDescriptor: Sendable, Hashable, Codable {
  /// The place of a new private key.
  public var secureEnclave: SecureEnclaveUse
  /// The application tag of a `SecKey` that earlier releases of the app have created.
  public var applicationTag: String?
  /// A Boolean value that indicates whether a backup by the app may contain the private key.
  public var isExportable: Bool
  /// A Boolean value that indicates whether a sign-out leaves the pair.
  public var isKeptAtSignOut: Bool

  /// A description; what is left out is what a catalog gives a pair that says nothing.
  public init(
    secureEnclave: SecureEnclaveUse = .preferred, applicationTag: String? = nil, isExportable: Bool = false,
    isKeptAtSignOut: Bool = false
  ) {
    self.secureEnclave = secureEnclave
    self.applicationTag = applicationTag
    self.isExportable = isExportable
    self.isKeptAtSignOut = isKeptAtSignOut
  }
}

/// The fate of a value at a sign-out.
package enum SignOutPolicy: String, Sendable, CaseIterable, Codable {
  case keep
}

/// Written without what a catalog leaves out.
extension StorageSigningDescriptor {
  private enum CodingKeys: String, CodingKey {
    case secureEnclave, applicationTag, exportable, signOut
  }

  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      secureEnclave: try fields.decodeIfPresent(SecureEnclaveUse.self, forKey: .secureEnclave) ?? .preferred,
      applicationTag: try fields.decodeIfPresent(String.self, forKey: .applicationTag),
      isExportable: try fields.decodeIfPresent(Bool.self, forKey: .exportable) ?? false,
      isKeptAtSignOut: try fields.decodeIfPresent(SignOutPolicy.self, forKey: .signOut) == .keep)
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(secureEnclave, forKey: .secureEnclave)
    try fields.encodeIfPresent(applicationTag, forKey: .applicationTag)
    if isExportable { try fields.encode(isExportable, forKey: .exportable) }
    if isKeptAtSignOut { try fields.encode(SignOutPolicy.keep, forKey: .signOut) }
  }
}

extension SecureEnclaveUse: Codable {}

extension StorageKeyDescriptor {
  /// A Boolean value that indicates whether a sign-out leaves the value, or the pair.
  package var staysAtSignOut: Bool { isKeptAtSignOut || signing?.isKeptAtSignOut == true }
}

extension StorageSigningDescriptor {
  /// The place of the private key, in words.
  package var enclaveText: String {
    switch secureEnclave {
    case .preferred: "in the Secure Enclave if there is one, otherwise in the keychain (Linux: software)"
    case .required: "in the Secure Enclave"
    case .never: "in the keychain (Linux: software)"
    }
  }
}
