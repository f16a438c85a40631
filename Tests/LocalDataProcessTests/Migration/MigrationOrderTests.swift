#if os(Linux)
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The order of the file calls of a migration: the log has the source before its value is stored. Then the destination is on the disk, and the log's line that says so, before
  /// anything of the source is removed.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct MigrationOrderTests {
    struct Pair: Sendable, CustomTestStringConvertible {
      var move: String
      /// The calls that put the value on the disk at its destination.
      var isDurable: [FaultShim.Call]
      /// The first call that removes a part of the source.
      var removal: FaultShim.Call

      var testDescription: String { move }
    }

    private static let file: [FaultShim.Call] = [
      .init(name: "write", path: "/data/documents/.local-data.new"),
      .init(name: "sync", path: "/data/documents/.local-data.new"),
      .init(name: "renameat", path: "/data/documents/.local-data.new"),
      .init(name: "sync", path: "/data/documents"),
    ]

    private static func commit(_ log: String) -> [FaultShim.Call] {
      [.init(name: "pwrite64", path: log), .init(name: "sync", path: log)]
    }

    private static let preferences = commit("/data/preferences/standard.db-wal")
    private static let keystore = commit("/data/keystore.db-wal")
    private static let preferencesRemoval = FaultShim.Call(name: "pwrite64", path: "/data/preferences/standard.db-wal")
    private static let fileRemoval = FaultShim.Call(name: "unlinkat", path: "/data/documents/part0_1")
    private static let keystoreRemoval = FaultShim.Call(name: "pwrite64", path: "/data/keystore.db-wal")

    static let pairs = [
      Pair(move: "preferences>files", isDurable: file, removal: preferencesRemoval),
      Pair(move: "files>preferences", isDurable: preferences, removal: fileRemoval),
      Pair(move: "preferences>keychain", isDurable: keystore, removal: preferencesRemoval),
      Pair(move: "keychain>preferences", isDurable: preferences, removal: keystoreRemoval),
      Pair(move: "files>keychain", isDurable: keystore, removal: fileRemoval),
      Pair(move: "keychain>files", isDurable: file, removal: keystoreRemoval),
    ]

    /// The log is made with its first line under another name, and only grows from then on.
    private static func line(isFirst: Bool) -> [FaultShim.Call] {
      guard isFirst else {
        return [
          .init(name: "write", path: "/data/.migrations.log"), .init(name: "sync", path: "/data/.migrations.log"),
        ]
      }
      return [
        .init(name: "write", path: "/data/.local-data.new"), .init(name: "sync", path: "/data/.local-data.new"),
        .init(name: "renameat", path: "/data/.local-data.new"), .init(name: "sync", path: "/data"),
      ]
    }

    @Test(arguments: pairs, [true, false])
    func theSourceIsRemovedWhenTheDestinationIsDurable(_ pair: Pair, _ isFirst: Bool) throws {
      let fixture = try StoreFixture()
      let calls = try trace(pair.move, isFirst: isFirst, in: fixture)
      // The first migration also creates an item of the keystore.
      let isAfterLine = isFirst && pair.removal == Self.keystoreRemoval
      let line = isAfterLine ? try #require(calls.lastIndex(of: Self.line(isFirst: true)[0])) : 0
      let removal = try #require(calls[line...].firstIndex(of: pair.removal), "nothing is removed in \(calls)")
      let before = calls[..<removal]
      // The last bytes that the destination gets.
      let written = try #require(before.lastIndex { $0 == pair.isDurable[0] }, "nothing is written in \(calls)")
      // The log has the source before the value is stored, and that the value is on the disk after that.
      _ = try before[..<written].require(inOrder: Self.line(isFirst: isFirst))
      let rest = try before[written...].require(inOrder: pair.isDurable)
      _ = try rest.require(inOrder: Self.line(isFirst: false))
      // Its file's name, at some time.
      let folder = pair.isDurable[0].path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      _ = try before.require(inOrder: [.init(name: "sync", path: folder)])
      // The log's line that records the removal is on the disk too.
      _ = try calls[removal...].require(inOrder: Self.line(isFirst: false))
    }

    /// The calls of the first migration there, or of a later one. It ends as if killed: closing a database would sync it.
    private func trace(_ move: String, isFirst: Bool, in fixture: StoreFixture) throws -> [FaultShim.Call] {
      let (shim, folder) = (try FaultShim(in: fixture), fixture.path("store"))
      // The first of two values was moved before, or is not there.
      let before = isFirst ? [["set", "1", "1"]] : [["set", "2"], ["migrate", "1"]]
      for words in before {
        let end = try ChildProcess.run(ChildProcess.probe, ["move", folder, move] + words + ["--abandon"])
        #expect(end.code == nil)
      }
      let end = try ChildProcess.run(
        ChildProcess.probe, ["move", folder, move, "migrate", "1", "1", "--abandon"],
        environment: shim.environment("list"))
      #expect(end.code == nil && end.line.hasSuffix("the value"), "\(end)")
      return shim.calls(in: end.output)
    }
  }
#endif
