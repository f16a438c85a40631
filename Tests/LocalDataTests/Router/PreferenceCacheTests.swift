#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Values of plain preferences that `router.value` does not read again.
  @Suite struct PreferenceCacheTests {
    /// A value that counts how often it is decoded.
    private struct Counted: Codable, Sendable, Equatable {
      static let decoded = Lock(0)
      var number: Int

      init(_ number: Int) { self.number = number }

      init(from decoder: any Decoder) throws {
        Self.decoded.withLock { $0 += 1 }
        number = try decoder.singleValueContainer().decode(Int.self)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
      }
    }

    private func counted(maxSize: Int? = nil) -> StorageKey<Counted?> {
      StorageKey(
        name: "counted", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number.",
        options: StorageKeyOptions(maxSize: maxSize))
    }

    private func number(_ domain: StorageDomain = .userDefaults(), default value: Int = 7) -> StorageKey<Int> {
      StorageKey(
        name: "number", domain: domain, security: .none, default: value, owner: "Tests", description: "A number.")
    }

    @Test func aValueIsDecodedOnceUntilAnythingIsWritten() throws {
      let router = StorageRouter.probe(on: try StoreFixture())
      try router.setValue(Counted(1), for: counted())
      let before = Counted.decoded.withLock { $0 }
      for _ in 1...100 { #expect(try router.value(counted()) == Counted(1)) }
      #expect(Counted.decoded.withLock { $0 } == before + 1)
      try router.setValue(Counted(2), for: counted())
      #expect(try router.value(counted()) == Counted(2))
      try router.setValue(nil, for: counted())
      #expect(try router.value(counted()) == nil)
    }

    /// Another key of the name is another declaration: nothing of the first one may be returned for it.
    @Test func keysOfOneNameAreToldApart() throws {
      let router = StorageRouter.probe(on: try StoreFixture())
      try router.setValue(1, for: number())
      try router.setValue(2, for: number(.userDefaults(suite: "other")))
      for _ in 1...2 {
        #expect(try router.value(number()) == 1)
        #expect(try router.value(number(.userDefaults(suite: "other"))) == 2)
        #expect(try router.value(number(default: 9)) == 1)
        let text = StorageKey<String?>(
          name: "number", domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.")
        #expect(throws: StorageError(.cannotDecode, .init(key: "number", domain: .userDefaults))) {
          _ = try router.value(text)
        }
      }
      #expect(try router.value(counted()) == nil)
      try router.setValue(Counted(1_000), for: counted())
      #expect(try router.value(counted()) == Counted(1_000))
      #expect(throws: StorageError(.valueTooLarge(limit: 3), .init(key: "counted", domain: .userDefaults))) {
        _ = try router.value(counted(maxSize: 3))
      }
    }

    @Test func aDefaultIsThatOfTheKey() throws {
      let router = StorageRouter.probe(on: try StoreFixture())
      try router.setValue(Counted(1), for: counted())
      #expect(try router.value(number(default: 1)) == 1)
      #expect(try router.value(number(default: 2)) == 2)
    }

    private enum OtherCatalog: StorageKeyCatalog {
      static var allKeys: [AnyStorageKey] {
        [
          .key(
            StorageKey<Int?>(
              name: "other", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number."))
        ]
      }
    }

    /// A value that was read before a catalog was registered must not be returned for a key that the catalog does not have.
    @Test func aRegistrationCounts() throws {
      let router = StorageRouter.probe(on: try StoreFixture())
      try router.setValue(1, for: number())
      for _ in 1...2 { #expect(try router.value(number()) == 1) }
      try router.registerCatalog(OtherCatalog.self)
      #expect(throws: StorageError(.unregistered, .init(key: "number", domain: .userDefaults))) {
        _ = try router.value(number())
      }
    }

    @Test func aDatabaseThatIsTakenAwayIsNoticed() async throws {
      let fixture = try StoreFixture()
      let router = StorageRouter.probe(on: fixture)
      try router.setValue(1, for: number())
      for _ in 1...2 { #expect(try router.value(number()) == 1) }
      try FileManager.default.removeItem(atPath: fixture.path("data/preferences"))
      while try router.value(number()) == 1 { await Task.yield() }
      #expect(try router.value(number()) == 7)
      try router.setValue(3, for: number())
      #expect(try router.value(number()) == 3)
    }

    /// The process that makes the database anew must not return a value of the old one.
    @Test func aDatabaseThatIsMadeAnewCountsAtOnce() throws {
      let fixture = try StoreFixture()
      let router = StorageRouter.probe(on: fixture)
      for _ in 1...20 {
        try router.setValue(1, for: number())
        for _ in 1...2 { #expect(try router.value(number()) == 1) }
        try FileManager.default.removeItem(atPath: fixture.path("data/preferences"))
        try router.setValue(Counted(2), for: counted())
        #expect(try router.value(number()) == 7)
      }
    }

    /// A reader that sees the first value of a pair never sees the second one older.
    @Test func threadsSeeEachOthersWrites() async throws {
      let router = StorageRouter.probe(on: try StoreFixture())
      try router.setValue(0, for: number())
      try await withThrowingTaskGroup(of: Void.self) { group in
        let last = Lock(0)
        group.addTask {
          for value in 1...2_000 {
            try router.setValue(value, for: number())
            last.withLock { $0 = value }
          }
        }
        for _ in 1...2 {
          group.addTask {
            var written = 0
            while written < 2_000 {
              written = last.withLock { $0 }
              let value = try router.value(number())
              #expect(value >= written)
              await Task.yield()
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
#endif
