#if os(Linux)
  import Foundation
  import LocalDataMaintenance
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @_spi(Generated) @testable import LocalData

  /// Values of keys with a case of an enum that only a later release has, after the update of the app was undone.
  struct NewerCaseTests {
    private enum First: String, Codable, CodingKeyRepresentable { case planned }
    private enum Later: String, Codable, CodingKeyRepresentable { case planned, cancelled }
    private enum FirstNumber: Int, Codable { case one = 1 }
    private enum LaterNumber: Int, Codable { case one = 1, two }
    private struct Job<State: Codable & Sendable>: Codable, Sendable { var states: [State] }

    private let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private func key<Value: Codable & Sendable>(
      _ address: CorruptionAddress, _ policy: CorruptionPolicy, _ serializer: Serializer<Value>, _ value: Value
    ) -> StorageKey<Value> {
      StorageKey<Value>(
        name: "value", domain: address.domain, security: address.security, serializer: serializer, default: value,
        owner: "Tests", description: "A value.", options: StorageKeyOptions(onCorruption: policy))
    }

    /// Expects that the earlier release reads an error, and leaves the value of the later one as it is.
    private func check<Old: Codable & Sendable, New: Codable & Sendable>(
      _ known: Old, _ newer: New, _ old: Serializer<Old>, _ new: Serializer<New>
    ) async throws {
      for address in CorruptionAddress.all {
        let later = key(address, .throw, new, newer)
        try await app.launch().set(newer, for: later)
        let (stored, error) = (try app.stored(later), StorageError(.newerValue, address.subject))
        for policy in CorruptionPolicy.allCases {
          let (router, key) = (app.launch(), key(address, policy, old, known))
          guard AnyStorageKey(key).hasUsableCorruptionPolicy, policy != .useDefault else { continue }
          await #expect(throws: error, "\(address.name) \(policy)") { try await router.get(key) }
          await #expect(throws: error, "\(address.name) \(policy)") { try await router.update(key) { _ in } }
          if key.isPlainPreference { #expect(throws: error) { try router.value(key) } }
          #expect(try app.stored(key) == stored)
          #expect(try app.quarantined == [])
        }
        try await app.launch().remove(later)
      }
    }

    /// A read returns the default, and the next write replaces the value.
    @Test func withUseDefaultItStaysUntilTheNextWrite() async throws {
      for address in CorruptionAddress.unsecured {
        let later = key(address, .throw, .propertyList, Later.cancelled)
        let first = key(address, .useDefault, .propertyList, First.planned)
        try await app.launch().set(.cancelled, for: later)
        #expect(try await app.launch().get(first) == .planned)
        if first.isPlainPreference { #expect(try app.launch().value(first) == .planned) }
        #expect(try await app.launch().get(later) == .cancelled)
        try await app.launch().set(.planned, for: first)
        #expect(try await app.launch().get(later) == .planned)
        try await app.launch().remove(later)
      }
    }

    private func checkElements<Old: Codable & Equatable & Sendable, New: Codable & Sendable>(
      _ known: Old, _ newer: New, _ old: Serializer<Old>, _ new: Serializer<New>
    ) async throws {
      for address in CorruptionAddress.unsecured {
        let later = key(address, .throw, new, newer)
        let first = key(address, .skipElements, old, known)
        try await app.launch().set(newer, for: later)
        let stored = try app.stored(later)
        #expect(try await app.launch().get(first) == known)
        if first.isPlainPreference { #expect(try app.launch().value(first) == known) }
        #expect(try app.stored(later) == stored)
        #expect(try await app.launch().update(first) { _ in } == known)
        #expect(try app.stored(later) != stored)
        #expect(try await app.launch().get(first) == known)
        try await app.launch().remove(later)
      }
    }

    @Test func elementsOfALaterReleaseStayUntilTheNextWrite() async throws {
      let (old, new) = ([First.planned, .planned], [Later.planned, .cancelled, .planned])
      try await checkElements(old, new, .json, .json)
      try await checkElements(old, new, .propertyList, .propertyList)
      try await checkElements(Set(old), Set(new), .json, .json)
      try await checkElements([First](), [Later.cancelled], .propertyList, .propertyList)
      try await checkElements([FirstNumber.one], [LaterNumber.two, .one], .json, .json)
    }

    /// Only elements are left out: other bytes are an error.
    @Test func bytesOfAnotherShapeAreAnError() async throws {
      let address = try #require(CorruptionAddress.unsecured.last)
      let list = key(address, .skipElements, .json, [First.planned])
      let error = StorageError(.cannotDecode, address.subject)
      for json in [#"["planned",1]"#, #""planned""#, "[", "{}"] {
        try app.write(Data(json.utf8), of: list)
        await #expect(throws: error, "\(json)") { try await app.launch().get(list) }
      }
    }

    @Test func onlyListsOfEnumsHaveElements() throws {
      for address in CorruptionAddress.all {
        let isPlain = !address.security.isEncrypted
        #expect(AnyStorageKey(key(address, .skipElements, .json, [First.planned])).hasUsableCorruptionPolicy == isPlain)
        #expect(!AnyStorageKey(key(address, .skipElements, .json, [1])).hasUsableCorruptionPolicy)
        #expect(!AnyStorageKey(key(address, .skipElements, .json, First.planned)).hasUsableCorruptionPolicy)
      }
    }

    @Test func anEnumOfTextsStays() async throws {
      try await check(First.planned, Later.cancelled, .json, .json)
      try await check(First.planned, Later.cancelled, .propertyList, .propertyList)
    }

    @Test func anEnumOfNumbersStays() async throws {
      try await check(FirstNumber.one, LaterNumber.two, .json, .json)
      try await check(FirstNumber.one, LaterNumber.two, .propertyList, .propertyList)
    }

    @Test func anEnumWithinAStructStays() async throws {
      try await check(Job<First>(states: []), Job<Later>(states: [.planned, .cancelled]), .json, .json)
      try await check([First.planned: 1], [Later.cancelled: 1], .json, .json)
      try await check([First.planned: 1], [Later.cancelled: 1], .propertyList, .propertyList)
    }

    /// Bytes of an earlier schema have their own enum.
    @Test func anEarlierSchemaStays() async throws {
      let address = try #require(CorruptionAddress.unsecured.last)
      let later = key(address, .throw, .json, Later.cancelled)
      try await app.launch().set(.cancelled, for: later)
      let upgraded = key(address, .quarantine, .json, 7)
        .upgrading(by: SchemaUpgrades(decoding: Serializer<First>.json) { _ in 1 })
      await #expect(throws: StorageError(.newerValue, address.subject)) { try await app.launch().get(upgraded) }
      #expect(try await app.launch().get(later) == .cancelled)
    }

    /// The move to another key waits until the app is updated.
    @Test func aMigrationLeavesItAtItsSource() async throws {
      let address = try #require(CorruptionAddress.unsecured.last)
      let later = key(address, .throw, .json, Later.cancelled)
      try await app.launch().set(.cancelled, for: later)
      let source = key(address, .throw, .json, First.planned)
      let moved = StorageKey<First?>(
        name: "new", domain: address.domain, security: address.security, owner: "Tests", description: "A value.",
        migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) })
      var subject = address.subject
      subject.sourceOf = "new"
      await #expect(throws: StorageError(.newerValue, subject)) { try await app.launch().get(moved) }
      #expect(try await app.launch().get(later) == .cancelled)
    }
  }
#endif
