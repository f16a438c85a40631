#if os(Linux)
  import Foundation
  import LocalDataMaintenance
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  private enum Keys: StorageKeyCatalog {
    static let named = ["file", String(repeating: "n", count: 300)].map { name in
      StorageKey<String?>(
        name: name, domain: .encryptedFileSystem(directory: .documents), owner: "Tests", description: "A test's.")
    }
    static var allKeys: [AnyStorageKey] { named.map { .key($0) } }
  }

  /// An encrypted value that cannot be read now is not taken for one that does not exist: its master key is kept.
  @Suite struct UnreadableValueTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func launch() throws -> StorageRouter {
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      try router.registerCatalog(Keys.self)
      return router
    }

    @Test(arguments: Keys.named) func aLinkInThePlaceOfAValueKeepsItsKey(_ key: StorageKey<String?>) async throws {
      for key in Keys.named { try await launch().set("precious", for: key) }
      let path = fixture.path("data/documents/" + (try FileName(key.name).text))
      let moved = fixture.path("moved")
      try FileManager.default.moveItem(atPath: path, toPath: moved)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: moved)
      // Another program's link is none of these.
      try FileManager.default.createSymbolicLink(
        atPath: fixture.path("data/documents/theirs"), withDestinationPath: moved)

      let rotation = try await launch().maintenance.rotateKeys()
      #expect(rotation.failures.count == 1 && rotation.reencrypted == 1)
      #expect(rotation.failures.first?.description.contains("a link") == true)
      await #expect(throws: StorageError(.retiredKeyInUse, .init(key: nil, domain: nil))) {
        try await launch().maintenance.destroyRetiredKeys()
      }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: moved, toPath: path)
      #expect(try await launch().get(key) == "precious")
      #expect(try await launch().maintenance.rotateKeys().isComplete)

      // It is moved away again after the rotation is complete.
      try FileManager.default.moveItem(atPath: path, toPath: moved)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: moved)
      await #expect(throws: StorageError.self) { try await launch().maintenance.destroyRetiredKeys() }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: moved, toPath: path)
      #expect(try await launch().maintenance.destroyRetiredKeys() == 1)
      #expect(try await launch().get(key) == "precious")
    }

    @Test(.enabled(if: OtherUser.isAvailable, "the tests run as root and there is no setpriv to leave it"))
    func aFileWithoutPermissionKeepsItsKey() throws {
      let user = try OtherUser(in: fixture)
      #expect(try run(user, "seed") == "")
      let file = "data/documents/retained_encryptedFiles"
      try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: fixture.path("store/" + file))
      let refusal = "'retained_encryptedFiles' in encryptedFileSystem: access is refused."
      #expect(try run(user, "rotate").hasPrefix(refusal))
      #expect(try run(user, "destroyRetired").contains("router.maintenance.rotateKeys()"))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.path("store/" + file))
      #expect(try run(user, "rotate") == "")
      try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: fixture.path("store/" + file))
      #expect(try run(user, "destroyRetired").hasPrefix(refusal))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.path("store/" + file))
      #expect(try Int(run(user, "destroyRetired")) != nil)
      #expect(try run(user, "rotate") == "")
    }

    private func run(_ user: OtherUser, _ verb: String) throws -> String {
      try user.run("maintenance", verb).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
#endif
