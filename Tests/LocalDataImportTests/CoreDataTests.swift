import Foundation
import LocalData
import LocalDataImport
import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import Testing

/// Stores of Core Data.
struct CoreDataTests {
  private let stores: OldStores

  init() throws { stores = try OldStores() }

  @Test func entitiesBecomeRecords() async throws {
    try await stores.writeWallet()
    let router = try stores.launch()
    #expect(
      try await router.credentials.order { $0.id.ascending }.fetchAll() == [
        Credential(
          id: "urn:1", format: "jwt", exp: Date(timeIntervalSinceReferenceDate: 700_000_000),
          photo: Data([0xCA, 0xFE])),
        Credential(id: "urn:2", format: "ldp"),
        Credential(id: "urn:3", format: "sd", exp: Date(timeIntervalSinceReferenceDate: 1.5)),
      ])
    let histories = try await router.histories.order { $0.rp.descending }.fetchAll()
    #expect(histories.map(\.credentialID) == ["urn:1", "urn:2"])
    #expect(histories.map { $0.claims.map(\.claimKey) } == [["born", "name"], []])
    #expect(histories.first?.claims.last == Claim(claimKey: "name", claimValue: "Ada", purpose: "age"))
    #expect(histories.map { $0.labels.map(\.claimKey) } == [["home", "work"], ["work"]])
  }

  @Test func keysOfRowsAreAlwaysTheSame() async throws {
    try await stores.writeWallet()
    let first = try await stores.launch().histories.fetchAll().map(\.id.uuidString).sorted()
    // UUIDs of version 8.
    #expect(first.allSatisfy { $0.dropFirst(14).first == "8" })
    let other = try OldStores()
    try await other.writeWallet()
    #expect(try await other.launch().histories.fetchAll().map(\.id.uuidString).sorted() == first)
  }

  @Test func rowsWithoutTheirParentAreLeftOut() async throws {
    try await stores.writeWallet(
      OldStores.walletRows + "INSERT INTO ZHISTORYENTITY VALUES (11, 4, 1, 99, 'rp'), (12, 4, 1, NULL, 'rp');")
    let router = try stores.launch()
    #expect(try await router.histories.count() == 2)
    let report = try #require(try await router.imports.reports().first { $0.record == "History" })
    #expect(
      report.leftOutRows == [11, 12].map { LeftOutRow(row: $0, field: "credentialID", reason: .missingReference) })
  }

  @Test func aRelationshipOfAnEntityToItselfIsRead() async throws {
    try stores.writeFolders(
      "INSERT INTO ZFOLDERENTITY VALUES (1, 1, 1, 3, 'a', NULL, NULL), (2, 1, 1, 1, 'b', NULL, NULL), "
        + "(3, 1, 1, NULL, 'c', NULL, NULL);")
    let folders = try await stores.launch().folders.order { $0.id.ascending }.fetchAll()
    #expect(folders.map(\.parentID) == ["c", "a", nil])
  }

  @Test func referencesToMissingRecordsLeaveTheOthers() async throws {
    try stores.writeFolders(
      "INSERT INTO ZFOLDERENTITY VALUES (1, 1, 1, NULL, 'a', NULL, NULL), (2, 1, 1, 1, 'b', 'x', 'y'), "
        + "(3, 1, 1, 1, 'c', 'x', 'b');")
    let folders = try await stores.launch().folders.order { $0.id.ascending }.fetchAll()
    #expect(folders.map(\.parentID) == [nil, "a", "a"])
    #expect(folders.map(\.previousID) == [nil, nil, nil])
    #expect(folders.map(\.nextID) == [nil, nil, "b"])
  }

  @Test func rowsThatAllMissTheirParentBlockNothing() async throws {
    try await stores.writeWallet(OldStores.walletRows + "UPDATE ZHISTORYENTITY SET ZCREDENTIAL = 99;")
    let router = try stores.launch()
    #expect(try await router.credentials.count() == 3)
    #expect(try await router.histories.count() == 0)
    #expect(try await router.imports.reports().map(\.leftOut) == [0, 2])
    #expect(try await router.imports.removeSources() == [])
  }

  @Test func largeValuesAreReadFromTheirFiles() async throws {
    let id = "7E9A3B52-1C1F-4E51-9B6C-0123456789AB"
    try await stores.writeWallet(
      OldStores.walletRows
        + "UPDATE ZCREDENTIALDATAENTITY SET ZPHOTO = CAST(x'02' || '\(id)' || x'00' AS BLOB) WHERE Z_PK = 2;")
    let folder = stores.data(".DataModel_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("large".utf8).write(to: folder.appendingPathComponent(id))
    let router = try stores.launch()
    #expect(try await router.credentials.fetch(id: "urn:2")?.photo == Data("large".utf8))
    #expect(try await router.imports.removeSources() == ["oldWallet"])
    #expect(!FileManager.default.fileExists(atPath: stores.wallet.path))
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent(id).path))
    #expect(try await stores.launch().credentials.count() == 3)
  }

  @Test func aMissingFileLeavesTheRowOut() async throws {
    let id = "7E9A3B52-1C1F-4E51-9B6C-0123456789AB"
    try await stores.writeWallet(
      OldStores.walletRows
        + "UPDATE ZCREDENTIALDATAENTITY SET ZPHOTO = CAST(x'02' || '\(id)' || x'00' AS BLOB) WHERE Z_PK = 3;")
    let report = try #require(try await stores.launch().imports.reports().first { $0.record == "Credential" })
    #expect(report.leftOutRows == [LeftOutRow(row: 3, field: "photo", reason: .missingFile)])
  }

  @Test func aWrongKeyChangesNothing() async throws {
    try await stores.writeWallet()
    try stores.storeKey("k2")
    let router = try stores.launch()
    let error = await #expect(throws: StorageError.self) { try await router.credentials.count() }
    #expect(error?.code == .migrationFailed)
    #expect(error?.subject.key == "Credential")
    let problem = try #require(error?.underlyingError as? ImportProblem)
    #expect(problem == .noRow(LeftOutRow(row: 1, field: "format", reason: .transformFailed)))
    #expect(!"\(String(describing: error)) \(problem)".contains("k1:"))
    try stores.storeKey("k1")
    #expect(try await stores.launch().credentials.count() == 3)
  }

  @Test func aMissingKeyChangesNothing() async throws {
    try stores.write(OldStores.walletTables + OldStores.walletRows, to: stores.wallet)
    let error = await #expect(throws: StorageError.self) { try await stores.launch().credentials.count() }
    #expect(error?.code == .migrationFailed)
    #expect(error?.subject.key == "oldWallet")
    #expect(error?.underlyingError is OldWallet.MissingKey)
  }

  @Test func aLockedKeyEndsTheImport() async throws {
    try await stores.writeWallet()
    let router = stores.app.launch { services in
      let preferences = FaultInjectingStore(services.preferences)
      preferences.fail(with: .locked) { $0.operation == .read }
      services.preferences = preferences
    }
    try router.registerCatalog(ImportsCatalog.self)
    let error = await #expect(throws: StorageError.self) { try await router.credentials.count() }
    #expect(error?.code == .locked)
    #expect(try await stores.launch().credentials.count() == 3)
  }

  @Test(arguments: [
    ("DROP TABLE Z_PRIMARYKEY", ImportProblem.missingTable("Z_PRIMARYKEY")),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'CredentialDataEntity'", .missingTable("CredentialDataEntity")),
    ("ALTER TABLE ZCREDENTIALDATAENTITY RENAME COLUMN ZFORMAT TO ZFORM", .missingColumn("ZFORMAT")),
    ("ALTER TABLE ZCLAIMENTITY ADD COLUMN Z9CLAIMS INTEGER", .ambiguousRelationship("claims")),
    ("ALTER TABLE ZCLAIMENTITY RENAME COLUMN Z4CLAIMS TO ZOTHER", .missingColumn("claims")),
    ("DROP TABLE Z_4LABELS", .missingColumn("labels")),
  ])
  func anUnknownLayoutIsAnError(change: String, problem: ImportProblem) async throws {
    try await stores.writeWallet(OldStores.walletRows + change)
    let error = await #expect(throws: StorageError.self) { try await stores.launch().credentials.count() }
    #expect(error?.code == .migrationFailed)
    #expect(error?.underlyingError as? ImportProblem == problem)
  }
}
