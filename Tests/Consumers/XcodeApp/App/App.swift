import LocalData
import SwiftUI

/// The host of the tests. Its keys are those of the catalog in `Catalogs`, which the plugin generates.
@main struct HostApp: App {
  init() {
    do { try StorageRouter.shared.registerCatalog(AppCatalog.self) } catch { fatalError("\(error)") }
  }

  var body: some Scene {
    WindowGroup { Text("LocalData") }
  }
}
