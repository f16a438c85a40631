import ExampleKeys
import Foundation
import LocalData
@_spi(Generated) @testable import LocalDataBackup
import LocalDataRecords
import RuntimeTestSupport
import TestSupport
import Testing

/// Documents with everything about the user.
@Suite struct PersonalDataTests {
  private func document(_ file: BackupFile) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file.url)) as? [String: Any])
  }

  /// The app of both catalogs.
  private func launch() throws -> WalletApp {
    let app = try WalletApp()
    try app.router.registerCatalog(SecureStorageSampleCatalog.self)
    return app
  }

  @Test func itHasRowsAndValuesWithoutSecrets() async throws {
    let app = try launch()
    try await app.fill()
    try await app.router.set("secret words", for: .seed)
    try await app.router.set(["first search"], for: .searchHistory)
    let file = try await app.router.backups.export(.aboutMe)
    #expect(file.counts == ["SharingHistory": 4, "IdTokenSharingHistory": 1])
    #expect(file.keys == 1)
    let document = try document(file)
    #expect(document["localdata"] as? String == "personalData" && document["backup"] as? String == "aboutMe")
    let records = try #require(document["records"] as? [String: [[String: Any]]])
    #expect(records["SharingHistory"]?.count == 4)
    let claims = try #require(records["SharingHistory"]?.first?["claims"] as? [[String: Any]])
    #expect(claims.contains { $0["claimValue"] as? String == "Ada 0" })
    #expect((document["keys"] as? [String: [String]])?.values.first == ["first search"])
    #expect((document["leftOut"] as? [String])?.contains("seed") == true)
    #expect((document["leftOut"] as? [String])?.contains("Credential") == true)
    let text = String(decoding: try Data(contentsOf: file.url), as: UTF8.self)
    #expect(!text.contains("secret words") && !text.contains("secret-1"))
    let mode = try FileManager.default.attributesOfItem(atPath: file.url.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  /// The rows of a record with a secret field, and those of a second database.
  @Test func secretFieldsAreLeftOut() async throws {
    let app = try launch()
    try await app.fill(credentials: 2, histories: 3)
    let schema = StorageBackup.full.schema.replacing(
      #"[11,"credentialID","String?"],[10,"claims","[Claim]"],"#, with: "")
    #expect(schema != StorageBackup.full.schema)
    let partial = StorageBackup(
      "partial", catalog: "Wallet", isEncrypted: false, schema: schema, records: { [SharingHistory.self] },
      titles: ["SharingHistory": "Shared \"data\""], leftOut: ["SharingHistory.claims"])
    let document = try document(try await app.router.backups.export(partial))
    let rows = try #require((document["records"] as? [String: [[String: Any]]])?["SharingHistory"])
    #expect(rows.count == 3)
    for row in rows {
      #expect(row["claims"] == nil && row["credentialID"] == nil && row["?"] == nil && row["rp"] != nil)
    }
    #expect(document["titles"] as? [String: String] == ["SharingHistory": "Shared \"data\""])
  }

  @Test func nothingStoredIsAnEmptyDocument() async throws {
    let app = try launch()
    let file = try await app.router.backups.export(.aboutMe)
    let document = try document(file)
    #expect((document["keys"] as? [String: Any])?.isEmpty == true)
    #expect((document["records"] as? [String: [Any]])?.values.allSatisfy(\.isEmpty) == true)
  }

  @Test func itCannotBeRestored() async throws {
    let app = try launch()
    let file = try await app.router.backups.export(.aboutMe)
    let copy = app.device.fixture.folder.appendingPathComponent("copy.json")
    try FileManager.default.copyItem(at: file.url, to: copy)
    for backup in [StorageBackup.aboutMe, WalletApp.plain] {
      let error = await #expect(throws: BackupError.self) { try await app.router.backups.stage(backup, from: copy) }
      #expect(error?.problem == .notABackup)
    }
    await #expect(throws: BackupError.self) {
      try await app.router.backups.export(.aboutMe, passphrase: WalletApp.passphrase)
    }
  }

  @Test func twoValuesOfOneNameAreApart() async throws {
    let app = try launch()
    try await app.router.set(false, for: .useDPoP)
    try await app.router.set(true, for: .useTrustList)
    let file = try await app.router.backups.export(
      StorageBackup(
        "two", catalog: "Wallet", isEncrypted: false,
        keys: { [.key(.useDPoP), .key(.useTrustList).named("keys.useTrustList")] },
        titles: [:]))
    #expect(try document(file)["keys"] as? [String: Bool] == ["use_dpop": false, "keys.useTrustList": true])
    #expect(try document(file)["damaged"] as? Int == 0)
  }

  /// Also of the catalog that does not declare it.
  @Test func aSignOutRemovesIt() async throws {
    let app = try launch()
    for isOfOther in [false, true] {
      let file = try await app.router.backups.export(.aboutMe)
      if isOfOther {
        try await app.router.removeAll(in: SecureStorageSampleCatalog.self)
      } else {
        try await app.router.removeAll(in: WalletCatalog.self)
      }
      #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }
  }

  /// If a value cannot be read, the export throws an error and leaves no file.
  @Test func whatCannotBeReadIsAnError() async throws {
    let app = try launch()
    try await app.fill()
    let file = try await app.router.backups.export(.aboutMe)
    let folder = file.url.deletingLastPathComponent().path
    let other = StorageKey<String?>(
      name: "searchHistory", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "o",
      description: "d")
    try await app.device.launch().set("no list", for: other)
    await #expect(throws: BackupError.self) { try await app.router.backups.export(.aboutMe) }
    try await app.device.launch().remove(other)
    _ = try await app.router.backups.export(.aboutMe)
    for name in StoreFixture.keystoreFiles {
      try? FileManager.default.removeItem(atPath: app.device.fixture.path("data/\(name)"))
    }
    let router = try app.relaunched()
    try router.registerCatalog(SecureStorageSampleCatalog.self)
    await #expect(throws: BackupError.self) { try await router.backups.export(.aboutMe) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(".") } == [])
  }
}
