#if os(Linux)
  import Foundation
  import ProbeKeys
  import StorageVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Logs that the first version of the library has written, frozen as bytes. They count for the steps that they cover.
  @Suite struct FirstFormatLogTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private static let header = #"{"format":1,"id":"6D619DF7-D501-4C10-94B8-73A0262876CF"}"#

    /// `preferences>keychain`, in both of its phases.
    private static func moved(_ phase: String) -> String {
      #"{"entry":{"launch":"71AE38B4-AD8A-482D-8E7F-2B1C20FAC55D","moved":["e71a01ae2e5afeda6a81ade7847536d8"],"#
        + #""phase":"\#(phase)","place":"839970acda56fcea56d16bd004995ddf","record":{"appVersion":"2.0","#
        + #""date":1795306591004,"domain":"keychain","key":"value0","outcome":"moved","#
        + #""sources":[{"domain":"userDefaults","key":"part0_0"}]}}}"#
    }

    /// `preferences+files>keychain`, before its sources were removed.
    private static let joined =
      #"{"entry":{"launch":"CE4EFAAA-025A-48D4-A797-DF6E6872337E","moved":["e71a01ae2e5afeda6a81ade7847536d8","#
      + #""05f14387e0dfb74740b26996ed5bd77d"],"phase":"committed","place":"839970acda56fcea56d16bd004995ddf","#
      + #""record":{"appVersion":"2.0","date":1795306591368,"domain":"keychain","key":"value0","outcome":"moved","#
      + #""sources":[{"domain":"userDefaults","key":"part0_0"},{"domain":"fileSystem","key":"part1_0"}]}}}"#

    /// `=sealedPreferences`.
    private static let secured =
      #"{"entry":{"launch":"4AC0C050-0380-4E47-95E8-49234FFEB938","moved":[],"phase":"completed","#
      + #""place":"5ce8c1b46934b88b6e933d6cdda351d2","record":{"appVersion":"2.0","date":1795306591176,"#
      + #""domain":"userDefaults","key":"value0","outcome":"securedInPlace","#
      + #""sources":[{"domain":"userDefaults","key":"value0"}]}}}"#

    private func write(_ lines: [String]) throws {
      let folder = fixture.folder.appendingPathComponent("data")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(([Self.header] + lines).map { $0 + "\n" }.joined().utf8)
        .write(to: folder.appendingPathComponent(".migrations.log"))
    }

    private func log() throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: fixture.path("data/.migrations.log"))), as: UTF8.self)
    }

    private func router() -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Probe", applicationVersion: "3.0", roots: StorageRoots(below: fixture.folder)))
    }

    @Test func aCompletedMoveIsNotRepeated() async throws {
      let move = try #require(ProbeMove("preferences>keychain"))
      try write([Self.moved("committed"), Self.moved("completed")])
      let before = try log()
      #expect(try await router().get(move.key()) == nil)
      #expect(try await router().exists(move.key()) == false)
      #expect(try log() == before)
      #expect(try await router().migrations.history().map(\.outcome) == [.moved])
      // An earlier release records what it writes.
      try await router().set("an older release again", for: move.sourceKeys()[0])
      #expect(try await router().get(move.key()) == "an older release again")
    }

    @Test func aStepThatIsNotInItIsConsulted() async throws {
      let other = try #require(ProbeMove("files>keychain"))
      try write([Self.moved("committed"), Self.moved("completed")])
      try await router().set(other.parts()[0], for: other.sourceKeys()[0])
      #expect(try await router().get(other.key()) == other.value())
    }

    @Test(arguments: [true, false]) func aCommittedMoveIsFinishedIfItsSourceIsTheSame(_ isSame: Bool) async throws {
      let move = try #require(ProbeMove("preferences>keychain"))
      try await router().set(move.value(), for: move.plainKey())
      try await router().set(isSame ? move.value() : "changed", for: move.sourceKeys()[0])
      try write([Self.moved("committed")])
      #expect(try await router().get(move.key()) == move.value())
      #expect(try await router().get(move.sourceKeys()[0]) == (isSame ? nil : "changed"))
      // The whole history is in the file that replaces it.
      #expect(try log().hasPrefix(#"{"format":2,"#))
      #expect(try await router().migrations.history().first?.outcome == .moved)
    }

    @Test func partsThatItHadBegunToRemoveAreRemoved() async throws {
      let move = try #require(ProbeMove("preferences+files>keychain"))
      try await router().set(move.value(), for: move.plainKey())
      try await router().set(move.parts()[1], for: move.sourceKeys()[1])
      try write([Self.joined])
      #expect(try await router().get(move.key()) == move.value())
      #expect(try await router().exists(move.sourceKeys()[1]) == false)
    }

    @Test func plainBytesAreNotAcceptedAfterAnEncryptionInPlace() async throws {
      let move = try #require(ProbeMove("=sealedPreferences"))
      try write([Self.secured])
      try await router().set("planted", for: move.sourceKeys()[0])
      await #expect(throws: StorageError.corrupted(.init(key: "value0", domain: .userDefaults))) {
        try await router().get(move.key())
      }
    }

    /// The next release needs the form that the first version has written.
    @Test func encryptedBytesAreAcceptedByTheNextRelease() async throws {
      let move = try #require(ProbeMove("=sealedPreferences"))
      try await router().set("hello", for: move.plainKey())
      try write([Self.secured])
      let next = key("value0", String.self, .userDefaults(), .none) { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(move.plainKey())))
      }
      #expect(try await router().get(next) == "hello")
      #expect(try await router().get(next) == "hello")
    }
  }
#endif
