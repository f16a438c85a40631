#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import TestSupport
  import Testing

  @testable import LocalDataMaintenance

  /// The order of file calls that makes what maintenance and first writes change durable. Every sync of the library that no
  /// other test of an order sees is one of these.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct MaintenanceOrderTests {
    let fixture: StoreFixture
    let shim: FaultShim

    init() throws {
      fixture = try StoreFixture()
      shim = try FaultShim(in: fixture)
    }

    @Test func aNewDatabaseHasItsNameOnTheDisk() throws {
      try run(
        "router", "preferences", "set", "1",
        inOrder: [("renameat", "/data/preferences/.standard.db.new"), ("sync", "/data/preferences")])
    }

    @Test func aRecordIsOnTheDiskBeforeTheFirstFile() throws {
      try run(
        "router", "files", "set", "1",
        inOrder: [
          ("write", "/data/.local-data.new"), ("sync", "/data/.local-data.new"), ("linkat", "/data/.local-data.new"),
          ("sync", "/data"), ("renameat", "/data/documents/.local-data.0.new"),
        ])
    }

    @Test(arguments: ["/data/documents/.local-data.new", "/data/preferences/.standard.db.new"])
    func theRemovalOfADraftByASweepIsOnTheDisk(_ name: String) throws {
      try write("a part of a value", to: name)
      let folder = URL(fileURLWithPath: name).deletingLastPathComponent().path
      try run("maintenance", "sweep", inOrder: [("unlinkat", name), ("sync", folder)])
    }

    @Test func theRemovalOfADraftByARemoveIsOnTheDisk() throws {
      try write("a part of a value", to: "/data/documents/.local-data.new")
      try run(
        "router", "files", "remove",
        inOrder: [("unlinkat", "/data/documents/.local-data.new"), ("sync", "/data/documents")])
    }

    @Test func aDamagedDatabaseIsAsideOnTheDiskBeforeItsLogIsRemoved() throws {
      // SQLite itself empties the log of a database that it can open.
      try write("", to: "/data/preferences/standard.db")
      try write("a log", to: "/data/preferences/standard.db-wal")
      try run(
        "maintenance", "setAside",
        inOrder: [
          ("linkat", "/data/preferences/standard.db-wal"), ("renameat", "/data/preferences/standard.db"),
          ("sync", "/data/preferences"), ("unlinkat", "/data/preferences/standard.db-wal"),
          ("sync", "/data/preferences"),
        ])
    }

    @Test func aDamagedRecordIsAsideOnTheDisk() throws {
      try write("no record", to: "/data/.files.location")
      try run("maintenance", "setAside", inOrder: [("renameat", "/data/.files.location"), ("sync", "/data")])
    }

    /// The process that has made the log may have been killed before its name was on the disk.
    @Test func theNameOfALogOfAnotherProcessIsOnTheDisk() throws {
      try run("migrations", "append", "a", "1")
      try run(
        "migrations", "append", "a", "1",
        inOrder: [("write", "/data/.migrations.log"), ("sync", "/data/.migrations.log"), ("sync", "/data")])
    }

    private func write(_ text: String, to name: String) throws {
      let url = URL(fileURLWithPath: fixture.path("store") + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(text.utf8).write(to: url)
    }

    private func run(_ words: String..., inOrder wanted: [(name: String, path: String)] = []) throws {
      let end = try ChildProcess.run(
        ChildProcess.probe, [words[0], fixture.path("store")] + words.dropFirst(), environment: shim.environment("list")
      )
      #expect(end.code == 0, "\(end)")
      let calls = shim.calls(in: end.output)
      _ = try calls[...].require(inOrder: wanted.map { .init(name: $0.name, path: $0.path) })
    }
  }
#endif
