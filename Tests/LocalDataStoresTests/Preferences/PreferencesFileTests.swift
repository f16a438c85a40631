#if os(iOS) || os(watchOS)
  import Foundation
  import LocalDataSystem
  import LocalDataVocabulary
  import Testing

  @testable import LocalDataStores

  /// Tests on devices and simulators of where the system keeps preferences. If the file were elsewhere, a suite that is not
  /// loaded before the first unlock would be taken for an empty one.
  @Suite struct PreferencesFileTests {
    @Test(.timeLimit(.minutes(1))) func suiteIsInItsPropertyList() async throws {
      let suite = "LocalDataTests-\(UUID().uuidString)"
      defer { UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite) }
      let locations = StorageLocations(
        StorageConfiguration(applicationName: "LocalDataTests"), FileStorageConfiguration())
      let store = UserDefaultsHelper(locations)
      let address = StorageAddress(container: .preferences(suite: suite), name: "value")
      try store.write(Data([1]), to: address, StorageAttributes())
      try store.makeDurable(address.container)
      let list = locations.propertyList(suite: suite)
      // The system writes the file a moment later.
      while try !list.exists() { try await Task.sleep(for: .milliseconds(100)) }
      let bytes = try #require(try list.read(upTo: 1 << 20))
      let values = try #require(PropertyListObject.values(in: bytes))
      #expect(values["value"] as? Data == Data([1]))
      #expect(values[SuiteLoadCheck.sentinel] as? Bool == true)
    }
  }
#endif
