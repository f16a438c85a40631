import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataSystem
import Testing

/// Copies of whole databases.
struct CopyTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch(_ app: RelaunchedApp? = nil) throws -> StorageRouter {
    let router = (app ?? self.app).launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    return router
  }

  private func url(_ name: String = "copy.db") -> URL { app.fixture.folder.appendingPathComponent(name) }

  private func save(_ number: Int, on router: StorageRouter) async throws {
    try await router.transaction(in: ProbeFolder.Database.self) { probe in
      try probe.folders.save(ProbeFolder(id: "\(number)", text: String(repeating: "t", count: 3_000)))
      try probe.pages.save(ProbePage(id: number, folder: "\(number)", secret: "open sesame"))
    }
  }

  private func text(_ sql: String, in url: URL) throws -> String? {
    let copy = try SQLiteConnection(path: url.path, isDurable: false, until: .now, kind: .foreign)
    return try copy.first(sql) { $0.text(0) } ?? nil
  }

  /// Each commit adds a folder and its page. A writer adds them while the copies are made.
  @Test func copyHasTheStateOfOneCommit() async throws {
    let router = try launch()
    for number in 0..<20 { try await save(number, on: router) }
    let writer = Task {
      var number = 20
      while !Task.isCancelled {
        try await save(number, on: router)
        number += 1
      }
    }
    for copy in 0..<8 {
      let before = try await router.folders.count()
      try await router.copy(of: ProbeFolder.Database.self, to: url("\(copy).db"))
      let after = try await router.folders.count()
      let folders = try #require(try text("SELECT count(*) FROM Folder", in: url("\(copy).db")))
      #expect(try (before...after).contains(#require(Int(folders))))
      #expect(try text("SELECT count(*) FROM Page", in: url("\(copy).db")) == folders)
      #expect(try text("PRAGMA integrity_check", in: url("\(copy).db")) == "ok")
    }
    writer.cancel()
    try await writer.value
  }

  /// Without its log, a file lacks what was stored last.
  @Test func copyIsUsedByAnotherInstallation() async throws {
    let router = try launch()
    try await save(1, on: router)
    let path = "data/documents/.records/probe.db"
    let file = try #require(FileManager.default.contents(atPath: app.fixture.path(path)))
    // The log is copied into the file some seconds after the last write. A busy machine may take longer to get here.
    withKnownIssue(isIntermittent: true) {
      #expect(file.range(of: Data(repeating: UInt8(ascii: "t"), count: 1_000)) == nil)
    }
    let other = try RelaunchedApp()
    try await launch(other).folders.save(ProbeFolder(id: "gone", text: ""))
    for suffix in ["", "-wal", "-shm"] {
      let name = other.fixture.path(path + suffix)
      if FileManager.default.fileExists(atPath: name) { try FileManager.default.removeItem(atPath: name) }
    }
    try await router.copy(of: ProbeFolder.Database.self, to: URL(fileURLWithPath: other.fixture.path(path)))
    #expect(try await launch(other).folders.fetchAll().map(\.text) == router.folders.fetchAll().map(\.text))
    // The keys of encrypted fields stay where they are.
    await #expect(throws: StorageError.self) { try await launch(other).pages.fetchAll() }
  }

  @Test func nothingIsReplacedOrFollowed() async throws {
    let router = try launch()
    #expect(await storageError { try await router.copy(of: ProbeFolder.Database.self, to: url()) }?.code == .notFound)
    try await save(1, on: router)
    try Data("mine".utf8).write(to: url("mine"))
    try FileManager.default.createSymbolicLink(at: url("link"), withDestinationURL: url("elsewhere"))
    for (name, code) in [
      ("mine", StorageProblem.Code.alreadyStored), ("link", .alreadyStored), ("none/copy.db", .io),
      ("..", .invalidName),
    ] {
      #expect(await storageError { try await router.copy(of: ProbeFolder.Database.self, to: url(name)) }?.code == code)
    }
    #expect(try Data(contentsOf: url("mine")) == Data("mine".utf8))
    #expect(!FileManager.default.fileExists(atPath: url("elsewhere").path))
    try await router.copy(of: ProbeFolder.Database.self, to: url())
    let found = try app.fixture.permissions().filter { $0.key.contains("copy.db") || $0.key.hasSuffix(".new") }
    #expect(found == ["copy.db": 0o600])
  }

  @Test func databaseInMemoryIsCopied() async throws {
    let router = StorageRouter.inMemory()
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    try await save(1, on: router)
    try await router.copy(of: ProbeFolder.Database.self, to: url())
    #expect(try text("SELECT count(*) FROM Folder", in: url()) == "1")
  }
}
