import Foundation
import LocalData
import Testing
import TestSupport

/// Values that apps have stored without the library. Generated code reads and changes them, and the apps read them again.
@Suite struct RealAppsTests {
  /// Files and databases are the same on Linux. Preferences and the keychain are checked with the stand-ins for Apple's SDKs.
  @Test(arguments: RealApp.all) func filesStayAsTheyAre(_ app: RealApp) async throws {
    let folder = try ScratchFolder()
    let life = RealAppLife(app: app, earlier: EarlierApp(folder: folder.url), isNative: true) { catalog in
      let router = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: folder.url), containers: RealApp.containers))
      try router.registerCatalog(catalog)
      return router
    }
    let (complaints, _) = try await life.run()
    #expect(complaints == [])
  }
}

extension RealApp: CustomTestStringConvertible {
  var testDescription: String { name }
}
