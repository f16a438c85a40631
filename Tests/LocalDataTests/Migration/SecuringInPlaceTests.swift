import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// A source in the key's own place: bytes that are secured anew where they are.
@Suite struct SecuringInPlaceTests {
  private let fixture = MigrationFixture()

  private func secured(
    _ domain: StorageDomain = .userDefaults(), from old: SecurityPolicy, _ oldDomain: StorageDomain? = nil,
    to new: SecurityPolicy
  ) -> StorageKey<String?> {
    key("note", String.self, domain, new) { destination in
      AnyStorageMigration(
        SimpleLegacyMigration(
          destinationKey: destination, sourceKey: .key(key("note", String.self, oldDomain ?? domain, old))))
    }
  }

  static let policies: [(SecurityPolicy, SecurityPolicy)] = [
    (.none, .recommended), (.recommended, .none), (.encrypted(.aes256GCM()), .none),
    (.none, .encrypted(.aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000)))),
  ]

  @Test(arguments: policies)
  func aPolicyChangesWhereTheValueLies(_ old: SecurityPolicy, _ new: SecurityPolicy) async throws {
    let router = fixture.router()
    try await router.set("hello", for: key("note", String.self, .userDefaults(), old))
    let secured = secured(from: old, to: new)
    #expect(try await router.exists(secured))
    #expect(try await router.get(secured) == "hello")
    let stored = try #require(try fixture.memory.read(.preference("note"), StorageAttributes()))
    #expect(EnvelopeHeader.begins(stored) == (new != .none))
    #expect(try await fixture.router().get(secured) == "hello")
    #expect(try fixture.log.events().map(\.outcome) == [.securedInPlace])
  }

  /// An error that advises to set the value anew would cost the value.
  @Test(arguments: policies)
  func aLogThatCannotBeReadIsTheError(_ old: SecurityPolicy, _ new: SecurityPolicy) async throws {
    let secured = secured(from: old, to: new)
    try await fixture.router().set("hello", for: key("note", String.self, .userDefaults(), old))
    await #expect(throws: StorageError(.locked, .init(key: "note", domain: .userDefaults))) {
      try await fixture.router(log: fixture.log.failing(with: .locked, isReadable: false)).get(secured)
    }
    #expect(try await fixture.router().get(secured) == "hello")
    #expect(
      try await fixture.router(log: fixture.log.failing(with: .locked, isReadable: false)).get(secured) == "hello")
  }

  @Test(arguments: ["note", "old"])
  func aValueThatCannotBeStoredIsAFailedWrite(_ source: String) async throws {
    let store = FaultInjectingStore(fixture.memory)
    let plain = key(source, String.self)
    let secured = key("note", String.self, .userDefaults(), .recommended) {
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(plain)))
    }
    try await fixture.router().set("hello", for: plain)
    store.fail(with: .io(errno: EIO)) { $0.operation == .update && $0.address == .preference("note") }
    await #expect(throws: StorageError(.io(errno: EIO), .init(key: "note", domain: .userDefaults), .write)) {
      try await fixture.router(store).get(secured)
    }
    store.succeed()
    #expect(try await fixture.router(store).get(secured) == "hello")
  }

  /// After an update was undone, the value is not damaged, and setting it anew would cost it.
  @Test func theErrorOfAnEarlierReleaseSaysThatAnotherOneReadsTheValue() async throws {
    let (plain, secured) = (key("note", String.self), secured(from: .none, to: .recommended))
    try await fixture.router().set("hello", for: plain)
    #expect(try await fixture.router().get(secured) == "hello")
    let error = await #expect(throws: StorageError.self) { try await fixture.router().get(plain) }
    #expect(error?.description.contains("That release still reads them.") == true)
    #expect(try await fixture.router().get(secured) == "hello")
  }

  @Test func twoDomainsOfOneFolderAreOnePlace() async throws {
    let router = fixture.router()
    let old = key("note", String.self, .fileSystem(directory: .documents), .recommended)
    try await router.set("hello", for: old)
    let secured = secured(
      .encryptedFileSystem(directory: .documents), from: .recommended, .fileSystem(directory: .documents),
      to: .recommended)
    #expect(try await router.get(secured) == "hello")
    #expect(try await router.get(secured) == "hello")
    await #expect(throws: StorageError.self) { try await router.get(old) }
  }

  @Test func aPlaceThatTheConfigurationMakesTheSameIsTheSame() async throws {
    let router = fixture.router()
    let old = key("token", String.self, .keychain(service: "service"), .keychain())
    let new = key("token", String.self, .keychain(), .recommended) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    try await router.set("hello", for: old)
    #expect(try await router.get(new) == "hello")
    #expect(try await router.get(new) == "hello")
    try await router.set("again", for: new)
    #expect(try await fixture.router().get(new) == "again")
  }

  @Test func aSourceThatIsTheKeyItselfIsNeverRemoved() async throws {
    let router = fixture.router()
    let same = secured(from: .none, to: .none)
    try await router.set("hello", for: same)
    for _ in 0..<3 { #expect(try await fixture.router().get(same) == "hello") }
    _ = try await router.forceMigration(for: same)
    #expect(try await router.get(same) == "hello")
  }

  @Test func onceSecuredPlainBytesAreNotAcceptedAnyMore() async throws {
    let secured = secured(from: .none, to: .recommended)
    let plain = key("note", String.self)
    for isMigrated in [true, false] {
      let router = fixture.router()
      if isMigrated { try await router.set("hello", for: plain) } else { try await router.set("hello", for: secured) }
      #expect(try await router.get(secured) == "hello")
      try fixture.memory.write(Data("\"planted\"".utf8), to: .preference("note"), StorageAttributes())
      await #expect(throws: StorageError(.corrupted, .init(key: "note", domain: .userDefaults))) {
        try await fixture.router().get(secured)
      }
      // An earlier release records what it writes.
      try await fixture.router().set("rolled back", for: plain)
      for _ in 0..<2 { #expect(try await fixture.router().get(secured) == "rolled back") }
      try await router.remove(secured)
    }
  }

  /// Two earlier releases write plain values one after the other. The first of them is killed.
  @Test func aSecondPlainWriteAfterAKilledOneIsRead() async throws {
    let secured = secured(from: .none, to: .recommended)
    let plain = key("note", String.self)
    for calls in 0..<60 {
      let (fixture, gate) = (MigrationFixture(), CallGate(after: calls))
      try await fixture.router().set("one", for: plain)
      #expect(try await fixture.router().get(secured) == "one")
      do throws(StorageError) { try await fixture.router(until: gate).set("two", for: plain) } catch {
        #expect(gate.isClosed)
      }
      try await fixture.router().set("three", for: plain)
      for _ in 0..<2 { #expect(try await fixture.router().get(secured) == "three", "\(calls) calls") }
      if !gate.isClosed { return }
    }
    Issue.record("it never ends")
  }

  @Test func bytesThatNeitherPolicyOpensAreCorrupted() async throws {
    let secured = secured(from: .none, to: .recommended)
    try fixture.memory.write(Data("no JSON".utf8), to: .preference("note"), StorageAttributes())
    await #expect(throws: StorageError(.corrupted, .init(key: "note", domain: .userDefaults))) {
      try await fixture.router().get(secured)
    }
    #expect(try fixture.memory.read(.preference("note"), StorageAttributes()) == Data("no JSON".utf8))
  }

  @Test func aWriterInBetweenWins() async throws {
    let secured = secured(from: .none, to: .recommended)
    for _ in 0..<20 {
      let fixture = MigrationFixture()
      try await fixture.router().set("old", for: key("note", String.self))
      let (reader, writer) = (fixture.router(), fixture.router())
      async let read = reader.get(secured)
      async let written: Void = writer.set("new", for: secured)
      _ = try await (read, written)
      #expect(try await fixture.router().get(secured) == "new")
    }
  }

  @Test(arguments: policies)
  func bytesOfAnEarlierSchemaAreUpgradedOnTheWay(_ old: SecurityPolicy, _ new: SecurityPolicy) async throws {
    func upgraded(_ key: StorageKey<String?>) -> StorageKey<String?> {
      key.upgrading(by: SchemaUpgrades(decoding: .json) { (old: Int) in "\(old)" })
    }
    let asItWas = upgraded(key("note", String.self, .userDefaults(), old))
    let secured = upgraded(
      key("note", String.self, .userDefaults(), new) { destination in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: destination, sourceKey: .key(asItWas)))
      })
    try await fixture.router().set(7, for: key("note", Int.self, .userDefaults(), old))
    for _ in 0..<2 { #expect(try await fixture.router().get(secured) == "7") }
    #expect(try await fixture.router().update(secured) { $0 = ($0 ?? "") + "8" } == "78")
    #expect(try fixture.log.events().map(\.outcome) == [.securedInPlace])
  }
}
