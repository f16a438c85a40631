#if os(Linux)
  import Foundation
  import LocalData
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Which files a scan takes for values, and what it reads of them.
  @Suite struct FileScanTests {
    private let fixture: StoreFixture
    private let store: FileStorageHelper
    private let attributes = StorageAttributes()

    init() throws {
      fixture = try StoreFixture()
      store = FileStorageHelper(fixture.locations)
    }

    @Test func onlyTheBeginningOfALargeFileIsRead() throws {
      try store.write(Data([1, 2, 3]), to: .file("large"), attributes)
      // A terabyte that takes no room.
      #expect(truncate(fixture.path("data/documents/large"), 1 << 40) == 0)
      #expect(try scanned(upTo: 5) == [Data([1, 2, 3, 0, 0])])
    }

    @Test func aShortenedNameIsSkippedAndWhatClaimsOneIsNot() throws {
      let name = String(repeating: "x", count: 300)
      try store.write(Data([1, 2, 3]), to: .file(name), attributes)
      #expect(try scanned(upTo: 2) == [Data([1, 2])])
      let path = try fixture.locations.path(of: .file(name))
      let content = Data("LDNAME1\n".utf8) + Data([0xFF, 0xFF, 0xFF, 0xFF]) + Data(name.utf8)
      try content.write(to: URL(fileURLWithPath: path))
      #expect(try scanned(upTo: 8) == [Data("LDNAME1\n".utf8)])
    }

    /// A restored backup, or a user, may have changed the mode: the value can be read, and may be a sealed one.
    @Test(arguments: [0o644, 0o666, 0o400, 0o755]) func aValueWithAnotherModeIsMet(_ mode: Int) throws {
      try store.write(Data([1]), to: .file("value"), attributes)
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: fixture.path("data/documents/value"))
      #expect(try scanned(upTo: 8) == [Data([1])])
    }

    @Test func whatHasANameThatNoValueHasIsNotOpened() throws {
      try store.write(Data([1]), to: .file("value"), attributes)
      for name in ["My notes.txt", "ü", "value~1", "draft%2f"] {
        try Data([9]).write(to: fixture.folder.appendingPathComponent("data/documents/" + name))
      }
      #expect(mkfifo(fixture.path("data/documents/pipe"), 0o600) == 0)
      try FileManager.default.createSymbolicLink(
        atPath: fixture.path("data/documents/link"), withDestinationPath: fixture.path("data/documents/My notes.txt"))
      #expect(try scanned(upTo: 8) == [Data([1])])
    }

    private static let needsUser: Comment = "the tests run as root and there is no setpriv to leave it"

    /// The mode is none that our writer gives: the file is not a value of ours.
    @Test(.enabled(if: OtherUser.isAvailable, needsUser), arguments: [0o000, 0o200, 0o044])
    func aFileThatItsOwnerMayNotReadIsPassedOver(_ mode: Int) throws {
      let user = try OtherUser(in: fixture)
      #expect(try user.run("files", "write", "value", "4", "1").output == "")
      #expect(try user.run("files", "write", "theirs", "4", "1").output == "")
      let path = fixture.path("store/data/documents/theirs")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(try user.run("files", "scan", "value").line == "1 values")
    }

    @Test(.enabled(if: geteuid() == 0 && OtherUser.isAvailable, "only root can give a file to another user"))
    func aFileOfAnotherUserIsPassedOver() throws {
      let user = try OtherUser(in: fixture)
      #expect(try user.run("files", "write", "value", "4", "1").output == "")
      let path = fixture.path("store/data/documents/theirs")
      #expect(FileManager.default.createFile(atPath: path, contents: Data([9]), attributes: [.posixPermissions: 0o600]))
      try FileManager.default.createDirectory(
        atPath: fixture.path("store/data/documents/Theirs"), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      #expect(try user.run("files", "scan", "value").line == "1 values")
      // Readable, it is looked at like any other.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      #expect(try user.run("files", "scan", "value").line == "2 values")
    }

    /// A folder of the user may hide sealed values.
    @Test(.enabled(if: OtherUser.isAvailable, needsUser), arguments: [0o000, 0o300, 0o600])
    func aFolderOfOursThatCannotBeReadEndsTheScan(_ mode: Int) throws {
      let user = try OtherUser(in: fixture)
      #expect(try user.run("files", "write", "value", "4", "1").output == "")
      let path = fixture.path("store/data/support/inner")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: fixture.path("store/data/documents/value"), toPath: path + "/value")
      for path in [fixture.path("store/data/support"), path, path + "/value"] { try OtherUser.take(path) }
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(try user.run("files", "scan", "value").line == "fault: accessDenied")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      #expect(try user.run("files", "scan", "value").line == "2 values")
    }

    /// Closing any descriptor of a file drops the locks that the process has on it, and so those of SQLite.
    @Test func aDatabaseKeepsItsLocks() throws {
      try store.write(Data([1]), to: .file("value"), attributes)
      let files = ["app.db": "SQLite format 3\0rest", "app.db-shm": "index", "other": "SQLite format 3\0"]
      for (name, content) in files {
        let path = fixture.path("data/documents/" + name)
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var lock = flock()
        (lock.l_type, lock.l_len) = (Int16(F_WRLCK), 1)
        try #require(fcntl(descriptor, F_SETLK, &lock) == 0)
        for _ in 0..<2 { #expect(try scanned(upTo: 20).contains(Data([1]))) }
        // The list of all locks is long, and changes while it is read.
        let locks = try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
        #expect(locks.contains("POSIX"), "\(name) has lost its lock")
      }
    }

    private func scanned(upTo limit: Int) throws -> [Data] {
      var met: [Data] = []
      let documents = try fixture.locations.folder(of: .directory(.documents))
      guard let folder = try documents.open(creating: false) else { return [] }
      try FileScan(limit: limit).run(in: folder) { (value) throws(StorageProblem) in
        if let beginning = try value.beginningIfOfLibrary() { met.append(beginning) }
        return true
      }
      return met
    }
  }
#endif
