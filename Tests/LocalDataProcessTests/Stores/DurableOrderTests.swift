#if os(Linux)
  import Foundation
  import LocalData
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The order of file calls that makes a value durable.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct DurableOrderTests {
    @Test(arguments: ["write", "update"]) func replacing(_ verb: String) throws {
      let calls = try trace(isFresh: false, verb)
      try expect(calls, inOrder: verb == "write" ? Self.replacement : Self.replacement(by: ".local-data.new"))
    }

    /// If folders are new, their names are on the disk before the value is.
    @Test func creating() throws {
      let calls = try trace(isFresh: true, "write")
      try expect(
        calls,
        inOrder: [
          .init(name: "mkdirat", path: "/data"), .init(name: "fsync", path: ""),
          .init(name: "mkdirat", path: "/data/documents"), .init(name: "fsync", path: "/data"),
        ] + Self.replacement)
    }

    /// A process that was killed before the folders it created were synced: the next writer syncs their names. A folder with
    /// another mode was not created by the library.
    @Test(arguments: [0o700, 0o755]) func creatingInFoldersOfAKilledProcess(_ mode: Int) throws {
      let fixture = try StoreFixture()
      try FileManager.default.createDirectory(
        atPath: fixture.path("store/data/documents"), withIntermediateDirectories: true,
        attributes: [.posixPermissions: mode])
      for name in ["store", "store/data"] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: fixture.path(name))
      }
      let shim = try FaultShim(in: fixture)
      let calls = try trace(fixture, shim, "files", "write")
      #expect(calls.contains(.init(name: "fsync", path: "")) == (mode == 0o700), "\(calls)")
      try expect(calls, inOrder: [.init(name: "fsync", path: "/data")] + Self.replacement)
    }

    @Test func removing() throws {
      let calls = try trace(isFresh: false, "remove")
      try expect(
        calls,
        inOrder: [
          .init(name: "unlinkat", path: "/data/documents/value"), .init(name: "fsync", path: "/data/documents"),
        ])
    }

    /// A file's name is synced also by who did not write it.
    @Test func aFileOfAnother() throws {
      let calls = try trace(isFresh: false, "makeDurable")
      try expect(calls, inOrder: [.init(name: "fsync", path: "/data/documents")])
    }

    /// Writers of one folder wait for the disk at the same time. Each has its bytes on the disk before they get their name,
    /// and the folder after that.
    @Test func replacingManyAtOnce() throws {
      let calls = try burst("files")
      let renames = calls.indices.filter {
        calls[$0].name == "renameat" && calls[$0].path.hasPrefix("/data/documents/")
      }
      #expect(renames.count == 40)
      for index in renames {
        let before = calls[..<index].last { $0.path == calls[index].path }
        #expect(before?.name == "fsync", "\(String(describing: before)) before \(calls[index])")
      }
      let syncs = calls.indices.filter { calls[$0] == .init(name: "fsync", path: "/data/documents") }
      #expect(syncs.count >= renames.count)
      #expect(try #require(syncs.last) > (try #require(renames.last)))
    }

    /// Writers of a keystore that queue for it share commits, each of which is on the disk before they return.
    @Test func committingManyAtOnce() throws {
      let calls = try burst("keychain")
      try expectSynced(calls, Self.log("keychain"))
    }

    /// The calls of 40 sets of a family at once, in a process that ends as if killed.
    private func burst(_ address: String) throws -> [FaultShim.Call] {
      let fixture = try StoreFixture()
      let shim = try FaultShim(in: fixture)
      let end = try ChildProcess.run(
        ChildProcess.probe, ["router", fixture.path("store"), address, "burst", "40", "--abandon"],
        environment: shim.environment("list"))
      #expect(end.code == nil, "\(end)")
      return shim.calls(in: end.output).filter {
        ["fsync", "fdatasync", "renameat"].contains($0.name) || $0.name.contains("write")
      }
    }

    // MARK: Databases

    private static func log(_ store: String) -> String {
      store == "keychain" ? "/data/keystore.db-wal" : "/data/preferences/standard.db-wal"
    }

    /// A preference waits for no disk, until it is made durable: then the log is synced after its last frame.
    @Test(arguments: [true, false]) func aPreference(_ isFresh: Bool) throws {
      let written = try trace("preferences", isFresh: isFresh, "write")
      #expect(written.last { $0.path == Self.log("preferences") }?.name.contains("write") == true)
      let durable = try trace("preferences", isFresh: isFresh, "writeDurably")
      try expectSynced(durable, Self.log("preferences"))
      #expect(durable.contains { $0.path == Self.log("preferences") && $0.name.contains("write") })
    }

    /// An item of the keystore is on the disk when a write returns.
    @Test(arguments: [true, false]) func anItem(_ isFresh: Bool) throws {
      try expectSynced(try trace("keychain", isFresh: isFresh, "write"), Self.log("keychain"))
    }

    /// The log of another process, which was killed before it was synced, and the log's name.
    @Test(arguments: ["preferences", "keychain"]) func aLogOfAnother(_ store: String) throws {
      let calls = try trace(store, isFresh: false, "makeDurable")
      try expectSynced(calls, Self.log(store))
      let folder = URL(fileURLWithPath: Self.log(store)).deletingLastPathComponent().path
      try expectSynced(calls, folder)
    }

    /// The last that was done to a path is a sync, by either of its names.
    private func expectSynced(_ calls: [FaultShim.Call], _ path: String) throws {
      let last = try #require(calls.last { $0.path == path && $0.name != "close" }, "\(path) is not in \(calls)")
      #expect(["fsync", "fdatasync"].contains(last.name), "\(calls)")
    }

    private static let replacement = replacement(by: ".local-data.0.new")

    /// The calls of a replacement by a draft of this name.
    private static func replacement(by draft: String) -> [FaultShim.Call] {
      [
        .init(name: "write", path: "/data/documents/\(draft)"), .init(name: "fsync", path: "/data/documents/\(draft)"),
        .init(name: "renameat", path: "/data/documents/\(draft)"), .init(name: "fsync", path: "/data/documents"),
      ]
    }

    /// The probe ends as if killed: closing a database would sync it too.
    private func trace(_ store: String = "files", isFresh: Bool, _ verb: String) throws -> [FaultShim.Call] {
      let fixture = try StoreFixture()
      let shim = try FaultShim(in: fixture)
      if !isFresh {
        let first = try ChildProcess.run(
          ChildProcess.probe, [store, fixture.path("store"), "write", "value", "1", "1", "--abandon"])
        #expect(first.code == nil)
      }
      return try trace(fixture, shim, store, verb)
    }

    private func trace(
      _ fixture: StoreFixture, _ shim: FaultShim, _ store: String, _ verb: String
    ) throws -> [FaultShim.Call] {
      let words = [store, fixture.path("store"), verb, "value", "10000", "2", "--abandon"]
      let end = try ChildProcess.run(ChildProcess.probe, words, environment: shim.environment("list"))
      #expect(end.code == nil && !end.output.contains("fault: "), "\(end)")
      return shim.calls(in: end.output)
    }

    private func expect(_ calls: [FaultShim.Call], inOrder wanted: [FaultShim.Call]) throws {
      _ = try calls[...].require(inOrder: wanted)
    }
  }
#endif
