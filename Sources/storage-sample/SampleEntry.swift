import ExampleKeys
import ExampleModels
import Foundation
import LocalData

/// A key of the sample catalogs and the value that the sample gives it.
struct SampleEntry: Sendable {
  let name: String
  let key: AnyStorageKey
  let write: @Sendable (StorageRouter) async throws -> Void
  let isStored: @Sendable (StorageRouter) async throws -> Bool

  private init<Value: Equatable>(_ name: String, _ key: StorageKey<Value>, _ value: Value) {
    self.name = name
    self.key = AnyStorageKey(key)
    write = { try await $0.set(value, for: key) }
    isStored = { try await $0.get(key) == value }
  }

  static let all = preferences + keychain + moreKeychain + files + moreFiles + wallet

  private static let preferences = [
    SampleEntry("theme", .theme, .dark),
    SampleEntry("launchCount", .launchCount, 12),
    SampleEntry("searchHistory", .searchHistory, ["coffee", "bicycle"]),
    SampleEntry("widgetCity", .widgetCity, "Lisbon"),
    SampleEntry("badgeLevel", .badgeLevel, .gold),
  ]

  private static let keychain = [
    SampleEntry("userToken", .userToken, "a-token"),
    SampleEntry("refreshToken", .refreshToken, "a-refresh-token"),
    SampleEntry("signingKey", .signingKey, Data(repeating: 1, count: 64)),
    SampleEntry("pairingSecret", .pairingSecret, Data(repeating: 2, count: 32)),
    SampleEntry("recoveryCode", .recoveryCode, "1234-5678"),
  ]

  private static let moreKeychain = [
    SampleEntry("vaultPin", .vaultPin, "2580"),
    SampleEntry("pushToken", .pushToken, "a-push-token"),
    SampleEntry("deviceIdentifier", .deviceIdentifier, UUID(uuidString: "6F1A7A9C-3B1E-4E0B-9C53-0E3F2C9A1D47")),
    SampleEntry("sharedSession", .sharedSession, "a-session"),
  ]

  private static let files = [
    SampleEntry("profile", .profile, Profile(name: "Ada", emails: ["ada@example.com"], birthYear: 1985)),
    SampleEntry("healthJournal", .healthJournal, [Note(title: "Monday", lines: ["Slept well."])]),
    SampleEntry("paymentCards", .paymentCards, ["Everyday": "tok_1"]),
    SampleEntry("addresses", .addresses, [Address(street: "Rua Augusta 1", city: "Lisbon", lines: [])]),
    SampleEntry("syncState", .syncState, SyncState(cursor: "page-7", pending: 2, progress: [.dark: 0.5])),
  ]

  private static let moreFiles = [
    SampleEntry("lastReport", .lastReport, Data("%PDF-1.7".utf8)),
    SampleEntry("exchangeRate", .exchangeRate, Decimal(string: "1.0871") ?? 1),
    SampleEntry("stickyNote", .stickyNote, Note(title: "Buy", lines: ["Milk", "Bread"])),
    SampleEntry("draft(documentID:)", .draft(documentID: document), "Dear reader,"),
  ]

  private static let wallet = [
    SampleEntry("seed", .seed, "legal winner thank year wave sausage worth useful legal winner thank yellow"),
    SampleEntry("lastBackupAt", .lastBackupAt, "2025-06-15T15:06:40Z"),
    SampleEntry("isNotFirstLaunch", .isNotFirstLaunch, true),
    SampleEntry("preferSignedMetadata", .preferSignedMetadata, true),
    SampleEntry("useDPoP", .useDPoP, false),
    SampleEntry("useTrustList", .useTrustList, false),
    SampleEntry("useClientAttestation", .useClientAttestation, true),
    SampleEntry("clientAttestationJWT", .clientAttestationJWT, "a.b.c"),
    SampleEntry("dataEncryptionKey", .dataEncryptionKey, Data(repeating: 3, count: 32)),
  ]

  private static let document = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
}
