import Foundation
import LocalData
@testable import RealApps

/// Checks the values that apps have stored without the library, also in preferences and the keychain.
func realAppChecks(_ checks: Checks) async {
  for app in RealApp.all {
    await checks.check("real apps, \(app.name): each value is read, changed, and read by the app again") {
      let device = Device(groups: ["TEAM.app", "TEAM.beta.cabinet.shared"])
      device.containers = RealApp.containers
      let life = RealAppLife(app: app, earlier: EarlierApp(folder: device.folder), isNative: false) { catalog in
        try device.launch(catalog)
      }
      let (complaints, count) = try await life.run()
      try require(complaints.isEmpty, complaints.joined(separator: "\n"))
      try require(count > 0, "no things")
      for (path, isReadable) in ["Boot.marker": true, "Profile.default/TabsState.json": false] {
        let file = device.folder.appendingPathComponent("data").appendingPathComponent(path).path
        guard FileManager.default.fileExists(atPath: file) else { continue }
        try require(FakeProtection.needsFirstUnlock(file) != isReadable, "the protection of \(path)")
      }
    }
  }
}
