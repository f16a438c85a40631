import ExampleKeys
import Foundation
import LocalData
@_spi(Generated) @testable import LocalDataBackup
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataStores
import LocalDataSystem
import TestSupport

/// The wallet of the sample on one device.
struct WalletApp {
  static let passphrase = "correct horse battery"

  let device: RelaunchedApp
  let router: StorageRouter

  init() throws {
    device = try RelaunchedApp()
    router = device.launch()
    try router.registerCatalog(WalletCatalog.self)
  }

  /// The catalog of the sample.
  var catalog: WalletCatalog.Type { WalletCatalog.self }

  /// Returns the router of the next launch.
  func relaunched() throws -> StorageRouter {
    let router = device.launch()
    try router.registerCatalog(WalletCatalog.self)
    return router
  }

  /// Stores some records and values.
  func fill(credentials: Int = 3, histories: Int = 4) async throws {
    for number in 0..<credentials { try await router.credentials.save(Self.credential(number)) }
    for number in 0..<histories {
      try await router.sharingHistories.save(Self.history(number, of: number % max(credentials, 1)))
    }
    try await router.idTokenHistories.save(
      IDTokenHistory(id: Self.id(900), rp: "https://rp.example", createdAt: Date()))
    try await router.set(false, for: .useDPoP)
  }

  static func id(_ number: Int) -> UUID {
    UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", number))") ?? UUID()
  }

  static func credential(_ number: Int) -> Credential {
    Credential(
      id: "urn:\(number)", format: .sdJWT, credential: "secret-\(number)\n\"\\\u{1}é", cNonce: number == 1 ? "" : nil,
      cNonceExpiresIn: number == 2 ? 300 : nil, iss: "https://issuer.example/\(number)",
      iat: Date(timeIntervalSince1970: 1_760_000_000), exp: nil, type: "ID")
  }

  static func history(_ number: Int, of credential: Int) -> SharingHistory {
    SharingHistory(
      id: id(number), rp: "https://verifier.example", createdAt: Date(timeIntervalSinceNow: -Double(number) - 0.123),
      credentialID: "urn:\(credential)",
      claims: [
        Claim(claimKey: "name", claimValue: "Ada \(number)"), Claim(claimKey: "age", claimValue: "", purpose: "x"),
      ],
      logoURL: URL(string: "https://verifier.example/logo"))
  }

  /// Everything that the backup has.
  func content() async throws -> Content {
    Content(
      credentials: Set(try await router.credentials.fetchAll()),
      histories: Set(try await router.sharingHistories.fetchAll()),
      tokens: Set(try await router.idTokenHistories.fetchAll()), useDPoP: try await router.get(.useDPoP))
  }

  struct Content: Hashable {
    var credentials: Set<Credential>
    var histories: Set<SharingHistory>
    var tokens: Set<IDTokenHistory>
    var useDPoP: Bool
  }

  /// The backup as a plain document.
  static let plain: StorageBackup = {
    let full = StorageBackup.full
    return StorageBackup(
      full.name, catalog: full.catalog, isEncrypted: false, schema: full.schema, records: full.records, keys: full.keys)
  }()
}
