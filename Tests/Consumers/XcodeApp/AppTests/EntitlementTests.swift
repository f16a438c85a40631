import Foundation
import LocalData
import Testing

@testable import App

/// Values that only a process with entitlements can store, in the keychain and the app group of the simulator.
@Suite(.serialized) struct EntitlementTests {
  static let keys: [(String, StorageKey<String?>)] = [
    ("token", .token), ("sharedToken", .sharedToken), ("draft", .draft), ("city", .city), ("report", .report),
  ]

  @Test(arguments: keys)
  func aValueIsKeptUntilItIsRemoved(name: String, key: StorageKey<String?>) async throws {
    let router = StorageRouter.shared
    try await router.set("first", for: key)
    #expect(try await router.get(key) == "first")
    try await router.update(key) { $0 = "second" }
    #expect(try await router.get(key) == "second")
    try await router.remove(key)
    #expect(try await router.get(key) == nil)
  }

  /// LocalData reads these files to find out whether UserDefaults shows what is stored.
  @Test(.timeLimit(.minutes(2))) func preferencesAreInTheirFiles() async throws {
    let (name, group) = ("preferencesAreInTheirFiles", "group.com.example.localdata")
    UserDefaults.standard.set("own", forKey: name)
    defer { UserDefaults.standard.removeObject(forKey: name) }
    try await StorageRouter.shared.set("Bern", for: .city)
    let container = try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group))
    let bundle = try #require(Bundle.main.bundleIdentifier)
    for (library, suite, name) in [
      (URL.libraryDirectory, bundle, name), (container.appending(path: "Library"), group, "city"),
    ] {
      let file = library.appending(path: "Preferences/\(suite).plist")
      // The system writes the file some seconds later.
      while try !names(in: file).contains(name) { try await Task.sleep(for: .milliseconds(100)) }
    }
    try await StorageRouter.shared.remove(.city)
  }

  private func names(in file: URL) throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let list = try PropertyListSerialization.propertyList(from: try Data(contentsOf: file), format: nil)
    return Set((list as? [String: Any] ?? [:]).keys)
  }
}
