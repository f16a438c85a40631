#if os(Linux)
  import Foundation
  import LocalData
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Tests of who may read the files that the library creates, and of what happens if the library itself may not read
  /// or write.
  @Suite struct PermissionTests {
    @Test(arguments: ["0", "63", "511"]) func onlyTheOwnerWhateverTheMask(_ mask: String) throws {
      let fixture = try StoreFixture()
      for store in ["files", "preferences"] {
        for words in [
          ["write", "value", "100000", "1"], ["update", "value", "9", "2"], ["write", "second", "9", "2"],
        ] {
          // Killed in the middle, so that the files beside a database are still there to be looked at.
          let end = try ChildProcess.run(
            ChildProcess.probe, ["--umask", mask, store, fixture.folder.path] + words + ["--abandon"])
          #expect(end.output == "")
        }
      }
      let found = try fixture.permissions()
      #expect(found.keys.contains("data/preferences/standard.db-wal"))
      #expect(found.keys.contains("data/documents/value"))
      for (name, mode) in found {
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: fixture.path(name), isDirectory: &isFolder))
        #expect(String(mode, radix: 8) == (isFolder.boolValue ? "700" : "600"), "\(name)")
      }
    }

    /// A file that is already there with more rights is replaced by one with ours.
    @Test func aWiderFileBecomesNarrow() throws {
      let fixture = try StoreFixture()
      let store = FileStorageHelper(fixture.locations)
      try store.write(Data([1]), to: .file("value"), StorageAttributes())
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: fixture.path("data/documents/value"))
      try store.write(Data([2]), to: .file("value"), StorageAttributes())
      #expect(try fixture.permissions()["data/documents/value"] == 0o600)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
      var store: String
      var path: String
      var mode: Int
      var verb: String
      var says = "fault: accessDenied"

      var testDescription: String { "\(verb) in \(store) where \(path) is \(String(mode, radix: 8))" }
    }

    static let refusals = [
      Refusal(store: "files", path: "data/documents", mode: 0o500, verb: "write"),
      Refusal(store: "files", path: "data/documents", mode: 0o500, verb: "update"),
      Refusal(store: "files", path: "data/documents", mode: 0o500, verb: "remove"),
      Refusal(store: "files", path: "data/documents", mode: 0o500, verb: "read", says: "4 bytes of 1"),
      Refusal(store: "files", path: "data/documents", mode: 0o000, verb: "read"),
      Refusal(store: "files", path: "data/documents/value", mode: 0o000, verb: "read"),
      Refusal(store: "files", path: "data/documents/value", mode: 0o000, verb: "update"),
      Refusal(store: "files", path: "data", mode: 0o000, verb: "read"),
      Refusal(store: "preferences", path: "data/preferences", mode: 0o500, verb: "write"),
      Refusal(store: "preferences", path: "data/preferences", mode: 0o500, verb: "read", says: "4 bytes of 1"),
      Refusal(store: "keychain", path: "data", mode: 0o500, verb: "read", says: "4 bytes of 1"),
      Refusal(store: "preferences", path: "data/preferences", mode: 0o000, verb: "read"),
      Refusal(store: "preferences", path: "data/preferences/standard.db", mode: 0o000, verb: "read"),
      Refusal(store: "preferences", path: "data/preferences/standard.db", mode: 0o000, verb: "write"),
      Refusal(store: "preferences", path: "data/preferences/standard.db", mode: 0o400, verb: "write"),
      Refusal(store: "preferences", path: "data", mode: 0o000, verb: "read"),
    ]

    @Test(
      .enabled(if: OtherUser.isAvailable, "the tests run as root and there is no setpriv to leave it"),
      arguments: refusals)
    func refused(_ refusal: Refusal) throws {
      let fixture = try StoreFixture()
      let user = try OtherUser(in: fixture)
      #expect(try user.run(refusal.store, "write", "value", "4", "1").output == "")
      let path = fixture.path("store/" + refusal.path)
      try FileManager.default.setAttributes([.posixPermissions: refusal.mode], ofItemAtPath: path)
      let end = try user.run(refusal.store, refusal.verb, "value", "5", "2")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      #expect(end.line == refusal.says)
      // Nothing was lost, and nothing else was written.
      #expect(try user.run(refusal.store, "read", "value").line == "4 bytes of 1")
    }

    /// The log of a killed process is read too, although no process may write to the folder any more.
    @Test(
      .enabled(if: OtherUser.isAvailable, "the tests run as root and there is no setpriv to leave it"),
      arguments: [false, true])
    func recordsOfAReadOnlyFolderAreRead(isKilled: Bool) throws {
      let fixture = try StoreFixture()
      let user = try OtherUser(in: fixture)
      #expect(try user.run("records", "create", isKilled ? "--abandon" : "run").output == "")
      let folder = fixture.path("store/data/documents/.records")
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
      let end = try user.run("records", "read")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      #expect(end.line == "1 folders")
    }

    /// A restored backup may have given the file to another user, here to root.
    @Test(.enabled(if: OtherUser.isAvailable && geteuid() == 0, "the tests do not run as root, or there is no setpriv"))
    func aQuarantinedFileOfAnotherUserKeepsNoValueFromBeingRemoved() throws {
      let fixture = try StoreFixture()
      let user = try OtherUser(in: fixture)
      #expect(try user.run("maintenance", "seed").output == "")
      let folder = fixture.path("store/data/.quarantine")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try OtherUser.take(folder)
      let file = folder + "/" + String(repeating: "0a", count: 16)
      try Data("abcd".utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      // It is listed with its size, and removed on request.
      #expect(try user.run("maintenance", "remove").line == "[4] 1")
      #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(.enabled(if: OtherUser.isAvailable, "the tests run as root and there is no setpriv to leave it"))
    func aRootThatCannotBeMade() throws {
      let fixture = try StoreFixture()
      let user = try OtherUser(in: fixture)
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: fixture.path("store"))
      for store in ["files", "preferences"] {
        #expect(try user.run(store, "read", "value").line == "absent")
        #expect(try user.run(store, "write", "value", "4", "1").line == "fault: accessDenied")
      }
    }
  }
#endif
