import LocalDataFoundation

@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataSigning

/// Pairs as the generator emits them.
extension StorageSigningKey {
  private static let accessible = SecurityPolicy.keychain(accessibility: .whenUnlockedThisDeviceOnly)
  private static let guarded = SecurityPolicy.keychain(
    accessibility: .whenUnlockedThisDeviceOnly, accessControl: .biometryAny)

  static var binding: Self { Self("binding", .keychain(), accessible, applicationTag: "bindingKey") }
  static var device: Self { Self("device", .keychain(), accessible, isKeptAtSignOut: true) }
  static var confirmed: Self { Self("confirmed", .keychain(), accessible, accessControl: .biometryAny) }
  static var enclave: Self { Self("enclave", .keychain(), accessible, secureEnclave: .required) }
  static func pairwise(rp: String) -> Self { Self(.pairwise, "pairwise_\(rp)", accessControl: .biometryAny) }
}

extension StorageKeyFamily {
  static var pairwise: Self {
    Self(
      name: "pairwise_{rp}", domain: .keychain(), security: .keychain(accessibility: .whenUnlockedThisDeviceOnly))
  }

  static var confirmedParts: Self { .privateParts(of: "confirmed", .keychain(), guarded) }
  static var pairwiseParts: Self { .privateParts(of: "pairwise_{rp}", .keychain(), guarded) }

  private static let guarded = SecurityPolicy.keychain(
    accessibility: .whenUnlockedThisDeviceOnly, accessControl: .biometryAny)
}

enum SigningCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [.signingKey(.binding), .signingKey(.device), .signingKey(.confirmed), .signingKey(.enclave)]
  }

  static var allFamilies: [StorageKeyFamily] { [.confirmedParts, .pairwise, .pairwiseParts] }

  static var parts: [StorageCatalogPart] { [.signingKeys([.binding])] }
}
