import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

/// Values as a release had them; `changed` is another release's.
private struct Values: StorageFixtureValues {
  let ofRelease: String

  var note: String { ofRelease == "changed" ? "b" : "a" }
}

extension StorageKey where Value == String {
  /// A key with a default that is the value, so that a value which is not found would read as one that is.
  fileprivate static func note(
    _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none, name: String = "note"
  ) -> Self {
    Self(
      name: name, domain: domain, security: security, default: "a", owner: "Tests", description: "A note.",
      availability: .watchOnly, options: StorageKeyOptions(retention: .maxAge(seconds: 1)))
  }
}

@Suite struct StorageFixturesTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private var folder: URL { scratch.url.appendingPathComponent("Fixtures/Notes") }

  private func fixtures(_ key: StorageKey<String>, member: String = "note") -> StorageFixtures<Values> {
    var fixtures = StorageFixtures<Values>(of: "Notes", beside: scratch.url.appendingPathComponent("T.swift").path)
    fixtures.add(member, key) { $0.note }
    return fixtures
  }

  private func file(_ release: String = "1.0") -> URL { folder.appendingPathComponent("\(release)/note.json") }

  /// Checks the only fixture. Returns the description of the error, or nil if there is none.
  private func complaint(_ fixtures: StorageFixtures<Values>) async throws -> String? {
    let recorded = try fixtures.recorded()
    try #require(recorded.count == 1)
    do {
      try await recorded[0].check()
      return nil
    } catch let error as StorageFixtureError {
      return error.description
    }
  }

  private static let configured: [(StorageDomain, SecurityPolicy)] = [
    (.userDefaults(suite: StorageDomain.configured("statistics", like: "*.statistics")), .none),
    (.appGroupFileSystem(identifier: StorageDomain.configured("group"), directory: .documents), .recommended),
  ]

  @Test(arguments: addresses + configured)
  func whatIsRecordedIsRead(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
    let fixtures = fixtures(.note(domain, security))
    #expect(try fixtures.recorded().isEmpty)
    try await fixtures.record("1.0")
    #expect(try await complaint(fixtures) == nil)
    #expect(try fixtures.recorded().map(\.description) == ["note of 1.0"])
  }

  @Test func sealedUnderPassphrasesAndOtherSources() async throws {
    for source in [KeySource.masterKey, .external(KeyMaterialSource(id: "s"))] {
      let security = SecurityPolicy.encrypted(
        .aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000), keySource: source))
      let fixtures = fixtures(.note(.fileSystem(directory: .custom("a/b")), security))
      try await fixtures.record("1.0")
      #expect(try await complaint(fixtures) == nil)
      try FileManager.default.removeItem(at: folder)
    }
  }

  @Test func recordedTwiceTheBytesAreTheSame() async throws {
    let fixtures = fixtures(.note(.fileSystem(directory: .documents), .recommended))
    try await fixtures.record("1.0")
    try await fixtures.record("1.1")
    #expect(try Data(contentsOf: file()) == Data(contentsOf: file("1.1")))
  }

  @Test func aReleaseIsRecordedOnce() async throws {
    let fixtures = fixtures(.note())
    try await fixtures.record("1.0")
    let before = try Data(contentsOf: file())
    await #expect(throws: StorageFixtureError.self) { try await fixtures.record("1.0") }
    #expect(try Data(contentsOf: file()) == before)
  }

  @Test(arguments: ["", "..", ".hidden", "a/b", "../x"])
  func aReleaseIsTheNameOfAFolder(_ release: String) async throws {
    await #expect(throws: StorageFixtureError.self) { try await fixtures(.note()).record(release) }
    #expect(!FileManager.default.fileExists(atPath: scratch.url.appendingPathComponent("Fixtures").path))
  }

  @Test func aReleaseThatCannotBeRecordedLeavesNothing() async throws {
    let key = StorageKey<String>(
      name: "note", domain: .userDefaults(), security: .none, default: "", owner: "Tests", description: "A note.",
      options: StorageKeyOptions(maxSize: 1))
    await #expect(throws: StorageFixtureError.self) { try await fixtures(key).record("1.0") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  // MARK: What has changed since

  @Test func anotherValueIsTold() async throws {
    try await fixtures(.note()).record("1.0")
    try FileManager.default.moveItem(
      at: folder.appendingPathComponent("1.0"), to: folder.appendingPathComponent("changed"))
    #expect(
      try await complaint(fixtures(.note()))?.hasPrefix("note of changed: today's code reads another value") == true)
  }

  @Test func anotherPlaceIsToldThoughTheDefaultIsTheValue() async throws {
    try await fixtures(.note()).record("1.0")
    for key in [
      StorageKey.note(name: "renamed"), .note(.userDefaults(suite: "other")), .note(.keychain(), .keychain()),
    ] {
      #expect(try await complaint(fixtures(key))?.contains("in another place") == true)
    }
  }

  @Test func anotherSecurityIsTold() async throws {
    let domain = StorageDomain.fileSystem(directory: .documents)
    try await fixtures(.note(domain, .recommended)).record("1.0")
    let complaint = try await complaint(fixtures(.note(domain)))
    let words = "note of 1.0: 'note' in fileSystem (directory documents): the stored bytes are damaged"
    #expect(complaint?.hasPrefix(words) == true)
  }

  @Test func aKeyThatIsGoneIsTold() async throws {
    try await fixtures(.note()).record("1.0")
    #expect(try await complaint(fixtures(.note(), member: "other"))?.contains("no such key or database") == true)
  }

  @Test func anEditedFileIsTold() async throws {
    let fixtures = fixtures(.note(.fileSystem(directory: .documents), .recommended))
    try await fixtures.record("1.0")
    let text = String(decoding: try Data(contentsOf: file()), as: UTF8.self)
    for (edited, complaint) in [
      (text.replacingOccurrences(of: "\"MasterKey\"", with: "\"OtherKey\""), "the key that encrypted"),
      (text.replacingOccurrences(of: "\"format\" : 1", with: "\"format\" : 2"), "no fixture"),
      (text.replacingOccurrences(of: "\"directory\"", with: "\"folder\""), "no fixture"),
      (String(text.dropLast(9)), "no fixture"), ("", "no fixture"),
    ] {
      try Data(edited.utf8).write(to: file())
      #expect(try await self.complaint(fixtures)?.contains(complaint) == true)
    }
  }
}
