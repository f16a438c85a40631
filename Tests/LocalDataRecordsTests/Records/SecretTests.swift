import ExampleKeys
import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import Testing

/// No value is in an error, a log, a description or a mirror, and a deleted row leaves nothing in the files.
struct SecretTests {
  private let app: RelaunchedApp
  private let secret = "s3cr3t-value"

  private enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var parts: [StorageCatalogPart] { [.records(WalletDatabase.self)] }
  }

  enum Deletion: CaseIterable {
    case byKey, byQuery, byBlindQuery, inTransaction
  }

  init() throws { app = try RelaunchedApp() }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(Catalog.self)
    return router
  }

  private func credential(_ id: String, _ text: String) -> Credential {
    Credential(
      id: id, format: .sdJWT, credential: text, iss: "issuer of \(text)", iat: .distantPast, type: "type of \(text)",
      accessToken: "token of \(text)")
  }

  /// The bytes of the database, its log and its index.
  private func bytes() throws -> Data {
    let folder = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records"
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: Data()) { bytes, name in
      bytes += try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  private func isStored(_ text: String) throws -> Bool { try bytes().range(of: Data(text.utf8)) != nil }

  #if os(Linux)
    /// A file among the databases that is no database is searched for keys before the first key is made.
    @Test func aFileOfHolesDoesNotStopTheFirstKey() async throws {
      let folder = try app.fixture.locations.folder(of: .directory(.documents)).path + "/.records"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/holes.db"
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(truncate(path, 1 << 42) == 0)
      let router = try launch()
      try await router.credentials.save(credential("urn:a", "a"))
      #expect(try await launch().credentials.count() == 1)
    }
  #endif

  /// The row, with its plain fields, and then those of rows that referred to it.
  @Test(arguments: Deletion.allCases) func aDeletedRowLeavesNoText(_ deletion: Deletion) async throws {
    let router = try launch()
    for (id, text) in [("urn:gone", "gone"), ("urn:kept", "kept")] {
      try await router.credentials.save(credential(id, text))
      let claims = [Claim(claimKey: "name", claimValue: "claim of \(text)")]
      try await router.sharingHistories.save(
        SharingHistory(
          rp: "party of \(text)", createdAt: .now, credentialID: id, claims: claims, rpName: "name of \(text)"))
    }
    let part = try await router.read(WalletDatabase.self) {
      try $0.rows("SELECT sealed FROM main.Credential WHERE id = 'urn:gone'")
    }
    guard case .data(let sealed)? = part.first?.first else { return #expect(Bool(false)) }
    #expect(try isStored("urn:gone") && isStored("party of gone") && isStored("name of gone"))
    #expect(try !isStored("claim of gone"), "the user's claims are encrypted")
    #expect(try bytes().range(of: sealed) != nil)
    switch deletion {
    case .byKey: try await router.credentials.delete(id: "urn:gone")
    case .byQuery: try await router.credentials.where { $0.id == "urn:gone" }.delete()
    case .byBlindQuery: try await router.credentials.where { $0.type == "type of gone" }.delete()
    case .inTransaction:
      _ = try await router.transaction(in: WalletDatabase.self) { try $0.credentials.delete(id: "urn:gone") }
    }
    // The history stays, and does not refer to the credential any more.
    #expect(try !isStored("urn:gone") && isStored("party of gone"))
    #expect(try await router.sharingHistories.where { $0.credentialID == nil }.delete() == 1)
    for text in ["urn:gone", "party of gone", "name of gone"] { #expect(try !isStored(text), "\(text)") }
    #expect(try bytes().range(of: sealed) == nil)
    #expect(try isStored("urn:kept") && isStored("party of kept") && isStored("name of kept"))
    #expect(try await launch().credentials.fetchAll() == [credential("urn:kept", "kept")])
  }

  /// Encrypted fields never reach the file, whether they are saved, updated or deleted.
  @Test func noEncryptedFieldIsInTheFiles() async throws {
    let router = try launch()
    let texts = ["first", "second", "third"].map { "\(secret) \($0)" }
    try await router.credentials.save(credential("urn:1", texts[0]))
    try await router.credentials.save(credential("urn:1", texts[1]))
    try await router.credentials.update(id: "urn:1") { $0.credential = texts[2] }
    _ = try await router.credentials.where { $0.iss == "issuer of \(texts[1])" }.fetchAll()
    #expect(try !isStored(secret))
    #expect(try await launch().credentials.fetch(id: "urn:1")?.credential == texts[2])
    try await router.credentials.delete(id: "urn:1")
    #expect(try !isStored(secret))
  }

  @Test func errorsAndLogsContainNoValue() async throws {
    let (router, lines) = (try launch(), LogLines())
    router.setLogger { lines.add($0) }
    try await router.credentials.save(credential(secret, secret))
    let shared = SharingHistory(rp: secret, createdAt: .now, credentialID: secret, rpName: secret)
    try await router.sharingHistories.save(shared)
    var broken = [shared, shared, shared]
    broken[0].credentialID = secret + " 2"
    broken[1].createdAt = Date(timeIntervalSinceReferenceDate: .nan)
    broken[2].claims = [Claim(claimKey: secret, claimValue: String(repeating: secret, count: 100_000))]
    var errors: [StorageError?] = []
    for record in broken { errors.append(await storageError { try await router.sharingHistories.save(record) }) }
    errors.append(await storageError { try await router.sharingHistories.insert(shared) })
    let many = (0..<40_000).map { "\(secret) \($0)" }
    errors.append(await storageError { try await router.sharingHistories.where { $0.rp.isIn(many) }.fetchAll() })
    for sql in ["SELECT '\(secret)' FROM nowhere", "DELETE FROM Credential WHERE id = '\(secret)'"] {
      errors.append(await storageError { try await router.read(WalletDatabase.self) { try $0.rows(sql) } })
    }
    _ = try await router.sharingHistories.where { $0.rpName == secret }.fetchAll()
    try execute("UPDATE SharingHistory SET id = CAST('\(secret)' AS BLOB)")
    errors.append(await storageError { try await router.sharingHistories.fetchAll() })
    try execute("UPDATE Credential SET sealed = zeroblob(80)")
    errors.append(await storageError { try await router.credentials.fetch(id: secret) })
    #expect(errors.count == 9 && !errors.contains(nil), "\(errors)")
    var text = lines.all.map(\.description).joined(separator: "\n")
    for error in errors {
      text += "\(error as Any)\(String(reflecting: error))\(error?.localizedDescription ?? "")"
      dump(error, to: &text)
    }
    for entry in lines.all { dump(entry, to: &text) }
    #expect(!text.contains("s3cr3t"))
  }

  @Test func descriptionsAndMirrorsShowNoEncryptedValue() async throws {
    let router = try launch()
    let saved = credential("urn:1", secret)
    try await router.credentials.save(saved)
    let query = router.credentials.where { [secret] in $0.iss == "issuer of \(secret)" }
    let fetched = try await query.fetchAll()
    #expect(fetched == [saved])
    var text = "\(saved)\(fetched)\(String(reflecting: saved))\(query)\(router.credentials)"
    dump(saved, to: &text)
    dump(fetched, to: &text)
    dump(query, to: &text)
    dump(router.credentials, to: &text)
    text += try await router.read(WalletDatabase.self) { [secret] wallet in
      let records = wallet.credentials.where { $0.iss == "issuer of \(secret)" }
      var text = "\(wallet)\(records)\(try records.fetchAll())"
      dump(wallet, to: &text)
      dump(records, to: &text)
      return text
    }
    #expect(!text.contains("s3cr3t"))
  }

  /// Runs SQL on the file, as another program does.
  private func execute(_ sql: String) throws {
    let folder = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records"
    let connection = try SQLiteConnection(
      path: folder + "/wallet.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.execute(sql)
  }
}
