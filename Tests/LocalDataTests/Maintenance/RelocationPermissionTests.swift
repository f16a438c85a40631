#if os(Linux)
  import Foundation
  import ProbeKeys
  import TestSupport
  import Testing

  @testable import LocalData

  /// Files that the process may not read are moved by their names, or not at all.
  @Suite(.enabled(if: OtherUser.isAvailable, "the tests run as root and there is no setpriv to leave it"))
  struct RelocationPermissionTests {
    private static let values = [
      "data/documents/retained_files", "data/documents/retained_encryptedFiles",
      "groups/group.probe/documents/retained_groupFiles",
    ]

    private let fixture: StoreFixture
    private let user: OtherUser

    init() throws {
      fixture = try StoreFixture()
      user = try OtherUser(in: fixture)
      #expect(try user.run("maintenance", "seed").output == "")
    }

    private func path(_ name: String) -> String { fixture.path("store/" + name) }

    private func setMode(_ mode: Int, _ path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Adds a file of the user that nobody may read.
    private func addUnreadable(_ path: String) throws {
      try Data("text".utf8).write(to: URL(fileURLWithPath: path))
      try OtherUser.take(path)
      try setMode(0o000, path)
    }

    private func expectValues(_ subDirectory: String?) async throws {
      let router = StorageRouter.probe(in: path(""))
      try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: subDirectory))
      for address in [ProbeAddress.files, .encryptedFiles, .groupFiles] {
        #expect(try await router.get(address.retained) == "abc", "\(address)")
      }
    }

    @Test func registeredFilesAreMovedAndOthersStay() async throws {
      let foreign = path("data/documents/index.db")
      try addUnreadable(foreign)
      for name in Self.values { try setMode(0o000, path(name)) }
      #expect(try user.run("maintenance", "relocate").line == "3")
      #expect(FileManager.default.fileExists(atPath: foreign))
      for name in Self.values {
        let moved = name.replacing("documents/", with: "documents/moved/")
        #expect(!FileManager.default.fileExists(atPath: path(name)))
        try setMode(0o600, path(moved))
      }
      try await expectValues("moved")
    }

    /// The file contains its stored name, so that nothing says whether it is a value of the app.
    @Test func aFileWithACutNameStopsTheMove() async throws {
      let name = try FileName(String(repeating: "long", count: 100))
      #expect(name.isShortened)
      let foreign = path("data/documents/" + name.text)
      try addUnreadable(foreign)
      let end = try user.run("maintenance", "relocate")
      #expect(end.code == 3)
      #expect(end.line.contains("access is refused"), "\(end)")
      try await expectValues(nil)
      try setMode(0o600, foreign)
      #expect(try user.run("maintenance", "relocate").line == "3")
      #expect(FileManager.default.fileExists(atPath: foreign))
      try await expectValues("moved")
    }
  }
#endif
