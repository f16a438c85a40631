import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import LocalDataSQLite
import Testing

/// The removal of all rows of a database, as an app does it when its user signs out.
struct RemovedDatabaseTests {
  private typealias First = ProbeRecordCatalog<ProbeFolder>
  private typealias Second = ProbeRecordCatalog<ProbeLabelledFolder>

  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Catalog: StorageKeyCatalog>(_ catalog: Catalog.Type) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(catalog)
    return router
  }

  private func fill(_ router: StorageRouter) async throws {
    try await router.folders.save(ProbeFolder(id: "a", text: String(repeating: "plain text ", count: 2_000)))
    try await router.pages.save(ProbePage(id: 1, folder: "a", secret: "open sesame"))
  }

  /// The files that contain a text.
  private func files(containing text: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path).filter { name in
      let bytes = FileManager.default.contents(atPath: app.fixture.path(name))
      return bytes?.range(of: Data(text.utf8)) != nil
    }
  }

  @Test(arguments: RecordPlace.allCases) func theRowsAreGoneAndNewOnesCanBeSaved(_ place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.members.save(Member(id: "a", email: "a"))
    try await router.visits.save(Visit(member: "a", at: .now))
    try await router.removeAll(in: ClubCatalog.self)
    #expect(try await router.members.count() == 0)
    #expect(try await router.visits.count() == 0)
    try await router.members.save(Member(id: "a", email: "b"))
    #expect(try await router.members.fetchAll().map(\.email) == ["b"])
    _ = app
  }

  @Test func nothingIsLeftInTheFiles() async throws {
    let router = try launch(First.self)
    try await fill(router)
    #expect(try !files(containing: "plain text").isEmpty)
    try await router.removeAll(in: ProbeFolder.Database.self)
    #expect(try files(containing: "plain text") == [])
    #expect(try await launch(First.self).folders.fetchAll() == [])
  }

  /// Another process reads, so that the log cannot be emptied before the call ends.
  @Test func anInterruptedRemovalIsCompletedByTheNextCall() async throws {
    try await fill(try launch(First.self))
    let file = try #require(
      try files(containing: "plain text").first { $0.hasSuffix(".db") || $0.hasSuffix(".db-wal") })
    let path = app.fixture.path(file.replacing("-wal", with: ""))
    let reader = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try reader.execute("BEGIN; SELECT count(*) FROM local_data")
    let router = StorageRouter(
      configuration: StorageConfiguration(
        applicationName: "Test", roots: StorageRoots(below: app.fixture.folder), timeout: .milliseconds(300)))
    try router.registerCatalog(First.self)
    #expect(await storageError { try await router.removeAll(in: ProbeFolder.Database.self) }?.code == .busy)
    #expect(try !files(containing: "plain text").isEmpty)
    try reader.execute("COMMIT")
    #expect(try await launch(First.self).folders.count() == 0)
    #expect(try files(containing: "plain text") == [])
  }

  /// The first release does not declare the labels and the index of the second one.
  @Test func theRowsOfAnotherReleaseAreGoneToo() async throws {
    try await fill(try launch(First.self))
    let second = try launch(Second.self)
    #expect(try await second.records(ProbeLabelledFolder.self).count() == 1)
    let first = try launch(First.self)
    try await first.removeAll(in: First.self)
    #expect(try await second.records(ProbeLabelledFolder.self).where { $0.label == "none" }.count() == 0)
    #expect(try await second.records(ProbeLabel.self).count() == 0)
    try await fill(first)
    #expect(try await second.records(ProbeLabelledFolder.self).fetchAll().map(\.label) == ["none"])
    #expect(try await launch(First.self).pages.fetchAll().map(\.secret) == ["open sesame"])
  }

  @Test func noKeyIsNeeded() async throws {
    try await fill(try launch(First.self))
    for name in StoreFixture.keystoreFiles {
      let path = app.fixture.path("data/" + name)
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    let router = try launch(First.self)
    let missing = StorageError(.keyMaterialMissing, .init(key: "Page", domain: .fileSystem))
    #expect(await storageError { try await router.pages.fetchAll() } == missing)
    try await router.removeAll(in: First.self)
    #expect(try await router.pages.fetchAll() == [])
    // A new master key is created only after that.
    try await router.maintenance.abandonEncryptedData()
    try await fill(router)
    #expect(try await router.pages.fetchAll().map(\.secret) == ["open sesame"])
    #expect(try await launch(First.self).pages.fetchAll().map(\.secret) == ["open sesame"])
  }

  /// The first call of the second release would move the database.
  @Test func theRowsAtAnEarlierAddressAreGone() async throws {
    try await app.launch().cards(ProbeWallet.One.self).save(ProbeCard("a"))
    let router = app.launch()
    let cards = try router.cards(ProbeWallet.Two.self)
    try await router.removeAll(in: ProbeWallet.Two.self)
    #expect(try await cards.fetchAll() == [])
    try await cards.save(ProbeCard("b"))
    #expect(try await app.launch().cards(ProbeWallet.Two.self).fetchAll().map(\.id) == ["b"])
    let refusal = StorageError(.unknownFormatVersion, .init(key: "Card", domain: .fileSystem))
    let old = try app.launch().cards(ProbeWallet.One.self)
    #expect(await storageError { try await old.fetchAll() } == refusal)
    // The release that is rolled back cannot remove what it cannot read.
    let rolledBack = app.launch()
    try rolledBack.registerCatalog(ProbeWallet.Catalog<ProbeWallet.One>.self)
    #expect(
      await storageError { try await rolledBack.removeAll(in: ProbeWallet.One.self) }
        == StorageError(.unknownFormatVersion, .init(key: "cards", domain: .fileSystem)))
  }

  /// Both files have rows, and every other call fails.
  @Test func twoFilesAreBothRemoved() async throws {
    try await app.launch().cards(ProbeWallet.Forgetful.self).save(ProbeCard("b"))
    try await app.launch().cards(ProbeWallet.One.self).save(ProbeCard("a"))
    let router = app.launch()
    let cards = try router.cards(ProbeWallet.Two.self)
    await #expect(throws: StorageError.self) { try await cards.fetchAll() }
    try await router.removeAll(in: ProbeWallet.Two.self)
    #expect(try await cards.fetchAll() == [])
    try await cards.save(ProbeCard("c"))
    #expect(try await app.launch().cards(ProbeWallet.Two.self).fetchAll().map(\.id) == ["c"])
  }

  @Test func aDatabaseThatDoesNotExistIsNotCreated() async throws {
    let router = try launch(First.self)
    try await router.removeAll(in: First.self)
    #expect(!FileManager.default.fileExists(atPath: app.fixture.path("data/documents/.records")))
  }

  @Test(.timeLimit(.minutes(15))) func observersSeeTheRemoval() async throws {
    let router = try launch(First.self)
    try await fill(router)
    var values = router.pages.values().makeAsyncIterator()
    #expect(try await values.next()?.count == 1)
    try await router.removeAll(in: First.self)
    #expect(try await values.next() == [])
  }
}
