import Foundation
import LocalData
import ProbeKeys

/// A run of the probe as an app that used Foundation's own UserDefaults before: `storage-probe foundation <folder> write` writes
/// a value where Foundation's environment says, `get` reads the key that takes it, and `remove` removes that key.
struct FoundationCommand {
  private let router: StorageRouter
  private let verb: String

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 3, words[0] == "foundation" else { return nil }
    router = StorageRouter(configuration: .probe(in: words[1]))
    verb = words[2]
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      switch verb {
      case "write":
        UserDefaults.standard.set("dark", forKey: "theme")
        return UserDefaults.standard.synchronize() ? 0 : 3
      case "get": print(try await router.get(.theme) ?? "absent")
      case "remove": try await router.remove(.theme)
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }
}

/// Moves a value that the app has stored with Foundation's UserDefaults.
struct ThemeMigration: StorageMigration {
  let destinationKey = StorageKey.theme

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    UserDefaults.standard.string(forKey: "theme") != nil
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let theme = UserDefaults.standard.string(forKey: "theme") else { return MigrationResult(success: true) }
    try await router.set(theme, for: destinationKey)
    UserDefaults.standard.removeObject(forKey: "theme")
    return MigrationResult(success: UserDefaults.standard.synchronize())
  }
}

extension StorageKey where Value == String? {
  fileprivate static var theme: StorageKey {
    StorageKey(
      name: "theme", domain: .userDefaults(), security: .none, owner: "Tests", description: "A theme.",
      migration: { _ in AnyStorageMigration(ThemeMigration()) })
  }
}
