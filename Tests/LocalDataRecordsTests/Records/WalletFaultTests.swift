import ExampleKeys
import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import Testing

/// Mistakes that wallets with storage code of their own have made, tried on the sample's wallet.
struct WalletFaultTests {
  private let app: RelaunchedApp
  private let day = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var parts: [StorageCatalogPart] { [.records(WalletDatabase.self)] }
  }

  init() throws { app = try RelaunchedApp() }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(Catalog.self)
    return router
  }

  private func credential(_ id: String) -> Credential {
    Credential(
      id: id, format: .jwtVC, credential: "credential of \(id)", cNonce: "nonce", cNonceExpiresIn: 60, iss: "issuer",
      iat: day, exp: day + 86_400, type: "type", accessToken: "token", credentialIssuerMetadata: "metadata")
  }

  private func history(of credential: String, _ number: Int = 0) -> SharingHistory {
    SharingHistory(
      rp: "rp", accountIndex: 7, createdAt: day + Double(number), credentialID: credential,
      claims: [Claim(claimKey: "a", claimValue: "1", purpose: "p"), Claim(claimKey: "b", claimValue: "2")],
      logoURL: URL(string: "https://example.com/logo"), rpName: "name",
      privacyPolicyURL: URL(string: "https://example.com/policy"))
  }

  /// Runs SQL on the file, as another program does.
  private func execute(_ sql: String) throws {
    let folder = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records"
    let connection = try SQLiteConnection(
      path: folder + "/wallet.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.execute(sql)
  }

  /// Each field has another value than the fields of the same type, so that none can be read from the wrong column.
  @Test func eachFieldIsReadFromItsColumn() async throws {
    let (saved, shared) = (credential("urn:1"), history(of: "urn:1"))
    let signIn = IDTokenHistory(rp: "rp", accountIndex: 3, createdAt: day + 5)
    let router = try launch()
    try await router.credentials.save(saved)
    try await router.sharingHistories.save(shared)
    try await router.idTokenHistories.save(signIn)
    let later = try launch()
    #expect(try await later.credentials.fetchAll() == [saved])
    #expect(try await later.sharingHistories.fetchAll() == [shared])
    #expect(try await later.idTokenHistories.fetchAll() == [signIn])
    // A query compares the column that it names.
    #expect(try await later.credentials.where { $0.iat == day }.count() == 1)
    #expect(try await later.credentials.where { $0.exp == day }.count() == 0)
  }

  #if os(Linux)
    /// The key of the keystore cannot be read for a time: no new one takes its place, and nothing is absent.
    @Test(arguments: ["missing", "empty", "another"]) func aKeyThatCannotBeReadIsNotReplaced(_ problem: String)
      async throws
    {
      try await launch().credentials.save(credential("urn:1"))
      let path = app.fixture.locations.appFolder.path + "/keystore.key"
      let key = try Data(contentsOf: URL(fileURLWithPath: path))
      try FileManager.default.removeItem(atPath: path)
      if problem != "missing" {
        let bytes = problem == "empty" ? Data() : Data(key.map { $0 ^ 0xff })
        #expect(
          FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
      }
      let router = try launch()
      #expect(await storageError { try await router.credentials.fetch(id: "urn:1") } != nil)
      #expect(await storageError { try await router.credentials.where { $0.iss == "issuer" }.fetchAll() } != nil)
      #expect(await storageError { try await router.credentials.save(credential("urn:2")) } != nil)
      #expect(FileManager.default.fileExists(atPath: path) == (problem != "missing"))
      #expect(FileManager.default.createFile(atPath: path, contents: key, attributes: [.posixPermissions: 0o600]))
      #expect(try await launch().credentials.fetchAll() == [credential("urn:1")])
    }
  #endif

  @Test func anEncryptedPartOpensInItsOwnRowOnly() async throws {
    let router = try launch()
    for id in ["urn:1", "urn:2", "urn:3"] { try await router.credentials.save(credential(id)) }
    try execute(
      """
      UPDATE Credential SET sealed = (SELECT sealed FROM Credential WHERE id = 'urn:2') WHERE id = 'urn:1'
      """)
    let later = try launch()
    let error = StorageError(.authenticationFailed, .init(key: "Credential", domain: .fileSystem))
    #expect(await storageError { try await later.credentials.fetch(id: "urn:1") } == error)
    #expect(await storageError { try await later.credentials.fetchAll() } == error)
    #expect(try await later.credentials.fetch(ids: ["urn:2", "urn:3"]) == [credential("urn:2"), credential("urn:3")])
  }

  /// A save that has not stored the record throws, and is logged as failed. The stored record is the old one.
  @Test func aSaveThatFailsIsNotSilent() async throws {
    let (router, lines) = (try launch(), LogLines())
    router.setLogger { lines.add($0) }
    try await router.credentials.save(credential("urn:1"))
    let shared = history(of: "urn:1")
    try await router.sharingHistories.save(shared)
    var broken = [shared, shared, shared]
    broken[0].credentialID = "urn:none"
    broken[1].createdAt = Date(timeIntervalSinceReferenceDate: .nan)
    broken[2].rpName = String(repeating: "x", count: 2 << 20)
    let subject = StorageError.Subject(key: "SharingHistory", domain: .fileSystem)
    let errors: [StorageError] = [
      StorageError(.missingReference, subject), StorageError(.cannotEncode, subject),
      StorageError(.valueTooLarge(limit: 1 << 20), subject),
    ]
    for (record, error) in zip(broken, errors) {
      #expect(await storageError { try await router.sharingHistories.save(record) } == error)
      #expect(lines.all.last?.error == error)
    }
    #expect(try await launch().sharingHistories.fetchAll() == [shared])
  }

  /// Claims are a part of their row: no other table has any, and those of an earlier save are gone.
  @Test func noClaimOutlivesItsHistory() async throws {
    let router = try launch()
    try await router.credentials.save(credential("urn:1"))
    var shared = history(of: "urn:1")
    try await router.sharingHistories.save(shared)
    shared.claims = [Claim(claimKey: "c", claimValue: "3")]
    try await router.sharingHistories.save(shared)
    let later = try launch()
    #expect(try await later.sharingHistories.fetchAll().map(\.claims) == [shared.claims])
    try await later.sharingHistories.delete(id: shared.id)
    let tables = try await later.read(WalletDatabase.self) { wallet in
      try wallet.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'local_data%' ORDER BY name")
    }
    #expect(tables == ["Credential", "IdTokenSharingHistory", "SharingHistory"].map { [.text($0)] })
    #expect(try await later.sharingHistories.count() == 0)
  }

  @Test func aCredentialThatIsSavedAgainKeepsItsHistory() async throws {
    let router = try launch()
    try await router.credentials.save(credential("urn:1"))
    let histories = (0..<3).map { history(of: "urn:1", $0) }
    for history in histories { try await router.sharingHistories.save(history) }
    try await router.credentials.save(credential("urn:1"))
    try await router.transaction(in: WalletDatabase.self) { [credential] in
      try $0.credentials.save(credential("urn:1"))
    }
    try await router.credentials.update(id: "urn:1") { $0.accessToken = nil }
    let later = try launch()
    #expect(try await later.sharingHistories.order { $0.createdAt.ascending }.fetchAll() == histories)
  }

  /// An older release, which does not know the children, saves their parent again.
  @Test func aParentThatAnOlderReleaseSavesKeepsItsChildren() async throws {
    func launch<Record: StorageRecord>(_ type: Record.Type) throws -> StorageRouter {
      let router = app.launch()
      try router.registerCatalog(NoteReleases.Catalog<Record>.self)
      return router
    }
    let new = try launch(NoteReleases.Two.self)
    try await new.records(NoteReleases.Two.self).save(NoteReleases.Two(id: "a", body: "hello"))
    try await new.records(NoteReleases.Tag.self).save(NoteReleases.Tag(id: "t", note: "a"))
    try await launch(NoteReleases.One.self).records(NoteReleases.One.self).save(
      NoteReleases.One(id: "a", text: "again"))
    let tags = try launch(NoteReleases.Two.self).records(NoteReleases.Tag.self)
    #expect(try await tags.fetchAll() == [NoteReleases.Tag(id: "t", note: "a")])
  }
}
