import ExampleKeys
import LocalData
import LocalDataMaintenance
import Testing

/// Tests of the committed catalogs: their descriptors, and the options that they are meant to show.
struct GeneratedAuditTests {
  @Test func theDescriptorsDecodeAndAgreeWithTheKeys() throws {
    for (keys, descriptors) in [
      (SecureStorageSampleCatalog.allKeys, SecureStorageSampleCatalog.descriptors),
      (WalletCatalog.allKeys, WalletCatalog.descriptors),
    ] {
      let byName = Dictionary(grouping: descriptors, by: \.name)
      for key in keys {
        let descriptor = try #require(byName[key.name]?.first { $0.domain == key.domain })
        #expect(descriptor.security == key.security)
        #expect(descriptor.availability == key.availability)
        #expect(descriptor.syncPolicy == key.syncPolicy)
        #expect(descriptor.maxSize == key.descriptor.maxSize)
        #expect(descriptor.retention == key.descriptor.retention)
        #expect(descriptor.serializer == key.descriptor.serializer || descriptor.serializer.kind == .custom)
        #expect(!descriptor.owner.isEmpty && !descriptor.description.isEmpty)
      }
    }
  }

  @Test func everyKeyHasADescriptor() {
    let keys = SecureStorageSampleCatalog.allKeys
    let descriptors = SecureStorageSampleCatalog.descriptors
    #expect(descriptors.filter { $0.parameters.isEmpty }.map(\.name) == keys.map(\.name))
    #expect(descriptors.filter { $0.parameters.isEmpty }.map(\.domain) == keys.map(\.domain))
    #expect(descriptors.filter { $0.parameters.isEmpty }.map(\.security) == keys.map(\.security))
    #expect(SecureStorageSampleCatalog.allFamilies.map(\.name) == ["draft_{documentID}"])
    #expect(SecureStorageSampleCatalog.reservedNames.map(\.name) == ["session_v0"])
    #expect(WalletCatalog.descriptors.filter { $0.parameters.isEmpty }.map(\.name) == WalletCatalog.allKeys.map(\.name))
  }

  @Test func theSampleShowsEveryOption() {
    let descriptors = SecureStorageSampleCatalog.descriptors
    #expect(Set(descriptors.map(\.domain.kind)) == Set(StorageDomain.Kind.allCases))
    #expect(Set(descriptors.map(\.security.kind)) == Set(SecurityPolicy.Kind.allCases))
    // The fixtures of the sample are written on Linux too, where nothing writes a keyed archive.
    #expect(Set(descriptors.map(\.serializer.kind)) == Set(SerializerKind.Kind.allCases).subtracting([.keyedArchive]))
    #expect(Set(descriptors.map(\.sensitivity)) == Set(Sensitivity.allCases))
    var accessibilities: Set<KeychainAccessibility> = []
    var accessControls: Set<KeychainAccessControl> = []
    for case .keychain(let accessibility, let accessControl) in descriptors.map(\.security) {
      accessibilities.insert(accessibility)
      if let accessControl { accessControls.insert(accessControl) }
    }
    #expect(accessibilities == Set(KeychainAccessibility.allCases))
    #expect(accessControls == Set(KeychainAccessControl.allCases))
  }

  /// The wallet's stored names are on its users' devices, and its conditions are what their secrets rest on.
  @Test(arguments: [
    (
      "seed", "seed", "String", "keychain",
      SecurityPolicy.keychain(
        accessibility: .whenUnlockedThisDeviceOnly, accessControl: .userPresence)
    ),
    ("encryptedSeed", "seed", "String", "userDefaults", .none),
    ("valuesKey", "com.owned-project.secretkey", "Data", "keychain", .keychain()),
    ("lastBackupAt", "last_backup_at_key", "String", "userDefaults", .none),
    ("isNotFirstLaunch", "isNotFirstLaunch", "Bool", "userDefaults", .none),
    ("preferSignedMetadata", "prefer_signed_metadata", "Bool", "userDefaults", .none),
    ("useDPoP", "use_dpop", "Bool", "userDefaults", .none),
    ("useTrustList", "use_trust_list", "Bool", "userDefaults", .none),
    ("useClientAttestation", "use_client_attestation", "Bool", "userDefaults", .none),
    (
      "clientAttestationJWT", "client_attestation_jwt", "String", "keychain",
      .keychain(accessibility: .afterFirstUnlockThisDeviceOnly)
    ),
    (
      "dataEncryptionKey", "dataEncryptionKey", "Data", "keychain",
      .keychain(accessibility: .whenUnlockedThisDeviceOnly)
    ),
  ])
  func theWalletKeepsItsNamesAndConditions(
    _ member: String, _ name: String, _ type: String, _ domain: String, _ security: SecurityPolicy
  ) throws {
    let descriptor = try #require(WalletCatalog.descriptors.first { $0.member == member })
    #expect(descriptor.name == name)
    #expect(descriptor.valueType == type)
    #expect(descriptor.domain.kind.rawValue == domain)
    #expect(descriptor.security == security)
    #expect((descriptor.sensitivity == .credential) == (domain == "keychain" || descriptor.isLegacy))
    #expect(descriptor.retention == (member == "clientAttestationJWT" ? .maxAge(seconds: 3_600) : nil))
    #expect(descriptor.maxSize == (member == "dataEncryptionKey" ? 32 : 1 << 20))
    #expect(WalletCatalog.descriptors.filter { $0.member != "bindingKey" && $0.member != "pairwise" }.count == 11)
  }
}
