#if os(Linux)
  import Foundation
  import LocalData
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The router in several processes over one folder.
  @Suite struct RouterProcessTests {
    static let addresses = [
      "preferences", "sealedPreferences", "keychain", "files", "encryptedFiles", "groupPreferences", "groupFiles",
    ]

    @Test(arguments: addresses)
    func aValueWrittenByOneProcessIsReadByAnother(_ address: String) throws {
      let fixture = try StoreFixture()
      #expect(try ChildProcess.probe("router", fixture, address, "get").line == "0")
      #expect(try ChildProcess.probe("router", fixture, address, "set", "41").code == 0)
      #expect(try ChildProcess.probe("router", fixture, address, "increment", "1").code == 0)
      #expect(try ChildProcess.probe("router", fixture, address, "get").line == "42")
      #expect(try ChildProcess.probe("router", fixture, address, "remove").code == 0)
      #expect(try ChildProcess.probe("router", fixture, address, "get").line == "0")
    }

    @Test(arguments: ["preferences", "keychain", "files", "encryptedFiles"])
    func eightProcessesThatUpdateOneKeyLoseNoUpdate(_ address: String) throws {
      let (fixture, count) = (try StoreFixture(), Sweep.count(quick: 40, full: 1_000))
      try runEight(fixture, address, "increment", "\(count)")
      #expect(try ChildProcess.probe("router", fixture, address, "get").line == "\(8 * count)")
    }

    @Test(arguments: addresses)
    func eightProcessesThatOpenAStoreForTheFirstTimeTogetherSucceed(_ address: String) throws {
      // The race is short, so the test runs it several times. It must create one master key, and no process may fail.
      for _ in 0..<Sweep.count(quick: 1, full: 5) {
        let fixture = try StoreFixture()
        try runEight(fixture, address, "increment", "1")
        #expect(try ChildProcess.probe("router", fixture, address, "get").line == "8")
      }
    }

    @Test func everyFileIsForItsOwnerAloneWhateverTheMask() throws {
      let fixture = try StoreFixture()
      for address in Self.addresses {
        let end = try ChildProcess.run(
          "/bin/sh",
          ["-c", "umask 000; exec \"$0\" router \"$1\" \"$2\" set 1", ChildProcess.probe, fixture.folder.path, address])
        #expect(end.code == 0, "\(end.output)")
      }
      let permissions = try fixture.permissions()
      #expect(permissions.count > 20)
      for (name, mode) in permissions {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: fixture.path(name), isDirectory: &isFolder)
        #expect(mode == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
      }
    }

    private func runEight(_ fixture: StoreFixture, _ address: String, _ words: String...) throws {
      let children = try (0..<8).map { _ in
        try ChildProcess(ChildProcess.probe, ["router", fixture.folder.path, address] + words)
      }
      for child in children {
        let end = child.wait()
        #expect(end == ChildProcess.End(code: 0, output: ""))
      }
    }
  }
#endif
