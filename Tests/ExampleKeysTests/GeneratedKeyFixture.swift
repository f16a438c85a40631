#if os(Linux)
  import ExampleKeys
  import Foundation
  import LocalData
  import TestSupport

  /// The committed output for `Catalogs/`, run: a router over a folder of the test's own, registered with both catalogs.
  struct GeneratedKeyFixture {
    private let scratch: ScratchFolder
    /// Not there until something is stored.
    let folder: URL
    let router: StorageRouter

    init() throws {
      scratch = try ScratchFolder()
      folder = scratch.url.appendingPathComponent("store")
      router = try Self.router(over: folder)
    }

    static func router(over folder: URL) throws -> StorageRouter {
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Tests", roots: StorageRoots(below: folder)))
      try router.registerCatalog(SecureStorageSampleCatalog.self)
      try router.registerCatalog(WalletCatalog.self)
      router.registerKeyMaterialProvider(Material(count: 20), for: KeyMaterialSource(id: "journal-passphrase"))
      router.registerKeyMaterialProvider(Material(count: 32), for: KeyMaterialSource(id: "secure-element"))
      return router
    }

    /// Stores a text in a file of the caches, as another program or release would.
    func store(_ text: String, name: String, security: SecurityPolicy = .recommended) async throws {
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Tests", roots: StorageRoots(below: folder)))
      let key = StorageKey<String?>(
        name: name, domain: .fileSystem(directory: .caches), security: security, serializer: .data, owner: "Tests",
        description: "A text of another program.")
      try await router.set(text, for: key)
    }

    private struct Material: KeyMaterialProviding {
      let count: Int

      func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 5, count: count) }
    }
  }
#endif
