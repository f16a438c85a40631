#if os(Linux)
  import LocalData
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  /// Plain preferences that another process changes.
  @Suite struct PlainPreferenceProcessTests {
    @Test func aChangeOfAnotherProcessIsReadAtOnce() throws {
      let fixture = try StoreFixture()
      let router = StorageRouter.probe(on: fixture)
      let counter = StorageKey(
        name: "counter", domain: .userDefaults(), security: .none, default: 7, owner: "Tests", description: "A number.")
      #expect(try router.value(counter) == 7)
      for value in 1...5 {
        #expect(try ChildProcess.probe("router", fixture, "preferences", "set", "\(value)").code == 0)
        #expect(try router.value(counter) == value)
      }
      try router.setValue(41, for: counter)
      #expect(try ChildProcess.probe("router", fixture, "preferences", "increment", "1").code == 0)
      #expect(try router.value(counter) == 42)
    }
  }
#endif
