import ExampleKeys
import Foundation
import LocalData

/// The committed output for `Catalogs/`, run: a router over a folder of the test's own, registered with both catalogs.
struct GeneratedKeyFixture: ~Copyable {
  let folder: URL
  let router: StorageRouter

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("local-data-\(UUID().uuidString)")
    router = try Self.router(over: folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static func router(over folder: URL) throws -> StorageRouter {
    let router = StorageRouter(
      configuration: StorageConfiguration(applicationName: "Tests", roots: StorageRoots(below: folder)))
    try router.registerCatalog(SecureStorageSampleCatalog.self)
    try router.registerCatalog(WalletCatalog.self)
    router.registerKeyMaterialProvider(Material(count: 20), for: KeyMaterialSource(id: "journal-passphrase"))
    router.registerKeyMaterialProvider(Material(count: 32), for: KeyMaterialSource(id: "secure-element"))
    return router
  }

  private struct Material: KeyMaterialProviding {
    let count: Int

    func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 5, count: count) }
  }
}
