import Foundation
import LocalData
import LocalDataRecords
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

  /// The app isolates its types to the main actor by default. This one is not isolated.
  @Test func aValueOfTheAppsTypeIsKept() async throws {
    let router = StorageRouter.shared
    try await router.set(Badge(count: 3), for: .badge)
    #expect(try await router.get(.badge) == Badge(count: 3))
    try await router.remove(.badge)
  }

  /// The file of the database is in the container of the app group.
  @Test func aRecordIsKeptInTheGroup() async throws {
    let visits = StorageRouter.shared.visits
    let visit = Visit(place: "Berlin", badge: Badge(count: 1))
    try await visits.insert(visit)
    #expect(try await visits.fetch(id: visit.id) == visit)
    try await visits.delete(id: visit.id)
    #expect(try await visits.fetch(id: visit.id) == nil)
  }

  #if canImport(Darwin)
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
  #endif
}
