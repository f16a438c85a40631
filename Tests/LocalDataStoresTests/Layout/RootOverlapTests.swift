import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Folders that contain the same files are refused before anything is read or written.
@Suite struct RootOverlapTests {
  struct Folders: Sendable, CustomTestStringConvertible {
    var data = "data"
    var caches = "caches"
    var groups = "groups"
    var documents: String?
    var testDescription: String { "\(data), \(caches), \(groups), \(documents ?? "no documents")" }

    func roots(below folder: URL) -> StorageRoots {
      StorageRoots(
        data: folder.appendingPathComponent(data), caches: folder.appendingPathComponent(caches),
        groups: folder.appendingPathComponent(groups),
        documents: documents.map { folder.appendingPathComponent($0) })
    }
  }

  static let overlapping = [
    Folders(caches: "data"), Folders(caches: "data/"), Folders(caches: "data/../data"), Folders(groups: "data"),
    Folders(groups: "caches"), Folders(documents: "data"), Folders(documents: "caches"), Folders(data: "caches/data"),
    Folders(data: "groups/data"), Folders(caches: "groups/caches"), Folders(groups: "caches/groups"),
    Folders(caches: "data/support"), Folders(caches: "data/preferences"), Folders(caches: "data/documents/x"),
    Folders(caches: "data/.sync"), Folders(groups: "data/keystore.db"), Folders(documents: "data/support/documents"),
    Folders(caches: "documents/caches", documents: "documents"), Folders(caches: "link"),
    Folders(caches: "link/support"),
  ]

  static let apart = [
    Folders(), Folders(documents: "documents"), Folders(groups: "data/groups"), Folders(caches: "data/cache"),
    Folders(documents: "data/documents"), Folders(caches: "database"),
    Folders(caches: "caches/data", groups: "caches/g"), Folders(caches: "datasupport"), Folders(groups: "data.sync"),
    Folders(caches: "groups2"), Folders(groups: "caches2"),
  ]

  /// A folder with a link to the data.
  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture()
    try FileManager.default.createDirectory(atPath: fixture.path("data"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("link"), withDestinationPath: fixture.path("data"))
    return fixture
  }

  private func key(_ domain: StorageDomain, _ security: SecurityPolicy = .none) -> StorageKey<String?> {
    StorageKey<String?>(
      name: "keystore.db", domain: domain, security: security, owner: "Tests", description: "A hostile name.")
  }

  @Test(arguments: overlapping) func areRefusedWithoutATrace(_ folders: Folders) async throws {
    let fixture = try fixture()
    let configuration = StorageConfiguration(applicationName: "Test", roots: folders.roots(below: fixture.folder))
    let router = StorageRouter(configuration: configuration)
    for key in [
      key(.userDefaults()), key(.keychain(), .keychain()), key(.fileSystem(directory: .caches)),
      key(.appGroupFileSystem(identifier: "group.t", directory: .documents)), key(.userDefaults(), .recommended),
    ] {
      let error = StorageError(.overlappingRoots, .init(key: "keystore.db", domain: key.domain.kind))
      await #expect(throws: error) { try await router.set("a", for: key) }
      await #expect(throws: error) { try await router.get(key) }
      await #expect(throws: error) { try await router.remove(key) }
    }
    let other = StorageRouter(configuration: .init(applicationName: "Test"))
    #expect(throws: StorageError(.overlappingRoots, .init(key: nil, domain: nil))) {
      try other.updateStorageConfiguration(configuration)
    }
    #expect(try fixture.permissions().keys.sorted() == ["data", "link"])
  }

  @Test(arguments: apart) func foldersOfTheirOwnAreUsed(_ folders: Folders) async throws {
    let fixture = try fixture()
    let router = StorageRouter(
      configuration: StorageConfiguration(applicationName: "Test", roots: folders.roots(below: fixture.folder)))
    let keys = [key(.fileSystem(directory: .caches)), key(.fileSystem(directory: .documents))]
    for key in keys { try await router.set("a", for: key) }
    for key in keys { #expect(try await router.get(key) == "a") }
  }

  /// With one folder for both, a cached value of this name would overwrite the keystore.
  @Test func aCachedValueIsNotTheKeystore() async throws {
    let fixture = try StoreFixture()
    let router = StorageRouter(
      configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    let token = StorageKey<String?>(
      name: "token", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A token.")
    try await router.set("secret", for: token)
    try await router.set("cached", for: key(.fileSystem(directory: .caches)))
    #expect(try await router.get(token) == "secret")
  }
}
