#if os(Linux)
  import Foundation
  import LocalData
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The log of migrations in several processes.
  @Suite struct MigrationLogProcessTests {
    private let fixture: StoreFixture
    private let log: MigrationLog

    init() throws {
      fixture = try StoreFixture()
      log = MigrationLog(in: try fixture.locations.migrationLog(of: .app))
    }

    @Test func eightProcessesLoseNothing() throws {
      let children = try (0..<8).map { number in
        try ChildProcess(ChildProcess.probe, ["migrations", fixture.folder.path, "append", "\(number)", "3", "50"])
      }
      for child in children { #expect(child.wait() == ChildProcess.End(code: 0, output: "")) }
      let records = try log.events()
      try #require(records.count == 1_200)
      // A batch is in one piece.
      for start in stride(from: 0, to: records.count, by: 3) {
        #expect(Set(records[start..<start + 3].map(\.key)).count == 1)
      }
    }

    @Test(.enabled(if: OtherUser.isAvailable, "the tests run as root and there is no setpriv to leave it"))
    func whoMayNotReadIsToldSo() throws {
      let user = try OtherUser(in: fixture)
      #expect(try user.run("migrations", "append", "a", "1").output == "")
      let path = fixture.path("store/data/.migrations.log")
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      #expect(try user.run("migrations", "read").line == "fault: accessDenied")
      #expect(try user.run("migrations", "append", "b", "1").line == "fault: accessDenied")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      #expect(try user.run("migrations", "read").line == "1 1")
    }
  }
#endif
