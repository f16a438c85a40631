import CatalogEmitters
import CatalogModel
import Foundation
import StorageVocabulary
import Testing

struct Scratch {
  @Test func wallet() throws {
    func bool(_ m: String, _ n: String, _ d: Bool, _ l: Int, _ t: String) -> ResolvedKey {
      Samples.key(m, .scalar(.bool), name: n, line: l, default: .bool(d), description: t) { $0.serializer = .propertyList; $0.owner = "WalletTeam"; $0.valueType = "Bool"; $0.defaultValue = "\(d)" }
    }
    var keys = [
      Samples.key("seed", line: 12, domain: .keychain(), security: .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: .userPresence), description: "The mnemonic from which the wallet derives every signing key. Whoever reads it owns the wallet.") { $0.serializer = .data; $0.owner = "KeyManagement"; $0.sensitivity = .credential },
      Samples.key("lastBackupAt", .scalar(.date), name: "last_backup_at_key", line: 21, description: "When the user last exported a backup, which the settings screen reminds of.") { $0.serializer = .propertyList; $0.owner = "WalletTeam"; $0.valueType = "Date" },
      bool("isNotFirstLaunch", "isNotFirstLaunch", false, 26, "Whether the app was opened before, so that the introduction is shown once."),
      bool("preferSignedMetadata", "prefer_signed_metadata", false, 31, "Whether issuers are asked for signed metadata where they offer both forms."),
      bool("useDPoP", "use_dpop", true, 37, "Whether access tokens are bound to a key of this device (RFC 9449)."),
      bool("useTrustList", "use_trust_list", true, 43, "Whether issuers and verifiers that the trust list does not name are refused."),
      bool("useClientAttestation", "use_client_attestation", false, 49, "Whether the wallet proves to issuers that it is an unmodified release."),
      Samples.key("clientAttestationJWT", name: "client_attestation_jwt", line: 55, domain: .keychain(), security: .keychain(accessibility: .afterFirstUnlockThisDeviceOnly), description: "The attestation that the wallet's provider signed, fetched again when it is an hour old.") { $0.serializer = .data; $0.owner = "IssuanceService"; $0.sensitivity = .credential; $0.retention = .maxAge(seconds: 3600) },
      Samples.key("dataEncryptionKey", .scalar(.data), line: 66, domain: .keychain(), security: .keychain(accessibility: .whenUnlockedThisDeviceOnly), description: "The key under which the credential database is encrypted.") { $0.serializer = .data; $0.owner = "KeyManagement"; $0.sensitivity = .credential; $0.maxSize = 32; $0.valueType = "Data" },
    ]
    _ = keys.count
    let catalog = Samples.catalog("Wallet", keys: keys)
    for file in CatalogEmitter.emit([catalog]) {
      try Data(file.bytes).write(to: URL(fileURLWithPath: "/tmp/em/out/" + file.path))
    }
  }
}
