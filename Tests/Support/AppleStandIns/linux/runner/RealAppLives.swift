import Foundation
import LocalData
@testable import RealApps

/// Checks the values that apps have stored without the library, also in preferences and the keychain.
func realAppChecks(_ checks: Checks) async {
  for app in RealApp.all {
    await checks.check("real apps, \(app.name): each value is read, changed, and read by the app again") {
      let device = Device()
      let life = RealAppLife(app: app, earlier: EarlierApp(folder: device.folder), isNative: false) { catalog in
        try device.launch(catalog)
      }
      let (complaints, count) = try await life.run()
      try require(complaints.isEmpty, complaints.joined(separator: "\n"))
      try require(count > 0, "no things")
    }
  }
}
