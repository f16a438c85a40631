import Foundation
import LocalData

extension StorageKey where Value == Int {
  static let launches = StorageKey(
    name: "launches", domain: .userDefaults(), security: .none, default: 0, owner: "AppTeam",
    description: "How often the app was launched.")
}

let router = StorageRouter.inMemory()
let launches = try await router.update(.launches) { $0 + 1 }
print("launches: \(launches)")
