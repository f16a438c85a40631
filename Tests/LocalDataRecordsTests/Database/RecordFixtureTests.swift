import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import TestSupport
import Testing

/// The records of two releases; those of the second one are what today's code expects of the first one's rows.
private struct Values: StorageFixtureValues {
  let ofRelease: String

  var one: NoteReleases.One { .init(id: "a", text: "it's \0 \"quoted\"", color: "blue") }
  var two: NoteReleases.Two { .init(id: "a", body: one.text, color: ofRelease == "1.0" ? "blue" : "green") }
  var tag: NoteReleases.Tag { .init(id: "t", note: "a") }
  var three: NoteReleases.Three { .init(id: "a", body: "another text") }
  var other: NoteReleases.Other { .init(id: "a", size: 1) }
  var oldPass: OldPass { .init(id: "a", secret: "hidden") }
  var pass: Pass { .init(id: "a", issuer: "", secret: "hidden") }
}

/// Fixtures of databases: what one release has stored is read with the code of another one.
@Suite struct RecordFixtureTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func fixtures(_ add: (inout StorageFixtures<Values>) -> Void) -> StorageFixtures<Values> {
    var fixtures = StorageFixtures<Values>(of: "Notes", beside: scratch.url.appendingPathComponent("T.swift").path)
    add(&fixtures)
    return fixtures
  }

  private func file(_ release: String = "1.0") -> URL {
    scratch.url.appendingPathComponent("Fixtures/Notes/\(release)/Database.json")
  }

  /// Returns the description of the error of each fixture that fails.
  private func complaints(_ fixtures: StorageFixtures<Values>) async throws -> [String] {
    var found: [String] = []
    for fixture in try fixtures.recorded() {
      do { try await fixture.check() } catch let error as StorageFixtureError { found.append(error.description) }
    }
    return found
  }

  @Test func aLaterReleaseReadsTheRowsOfAnEarlierOne() async throws {
    try await fixtures { $0.add { $0.one } }.record("1.0")
    #expect(try await complaints(fixtures { $0.add { $0.one } }) == [])
    let later = fixtures {
      $0.add { $0.two }
      $0.add { $0.tag }
    }
    #expect(try await complaints(later) == [])
    try await later.record("1.1")
    #expect(try await complaints(later) == [])
    #expect(try later.recorded().map(\.description) == ["Database of 1.0", "Database of 1.1"])
  }

  /// A reviewer sees the tables and the rows.
  @Test func aFileIsTextThatIsTheSameInEachRun() async throws {
    let later = fixtures {
      $0.add { $0.two }
      $0.add { $0.tag }
    }
    try await later.record("1.0")
    try await later.record("1.1")
    let text = try String(contentsOf: file(), encoding: .utf8).replacing("\\\"", with: "'")
    #expect(text.contains("INSERT INTO 'Tag' ('id', 'note') VALUES ('t', 'a')"), "\(text)")
    #expect(text.contains("CREATE TABLE 'Note'"))
    let other = try String(contentsOf: file("1.1"), encoding: .utf8).replacing("\\\"", with: "'")
    #expect(text.replacing("'blue'", with: "'green'") == other)
  }

  /// The tables are in the order of their names, whatever they refer to.
  @Test func aRowMayComeBeforeThatToWhichItRefers() async throws {
    let fixtures = fixtures {
      $0.add { $0.two }
      $0.add { $0.tag }
    }
    try await fixtures.record("1.0")
    var lines = try String(contentsOf: file(), encoding: .utf8).split(separator: "\n")
    let parent = try #require(lines.firstIndex { $0.contains("INSERT INTO \\\"Note\\\"") })
    let child = try #require(lines.firstIndex { $0.contains("INSERT INTO \\\"Tag\\\"") })
    lines.swapAt(parent, child)
    try Data(lines.joined(separator: "\n").utf8).write(to: file())
    #expect(try await complaints(fixtures) == [])
    lines[child] = "    \"SELECT 1\","
    try Data(lines.joined(separator: "\n").utf8).write(to: file())
    #expect(try await complaints(fixtures).count == 1, "a row without that to which it refers")
  }

  @Test func whatCannotBeReadIsReported() async throws {
    try await fixtures { $0.add { $0.one } }.record("1.0")
    #expect(
      try await complaints(fixtures { $0.add { $0.three } }) == [
        "Database of 1.0: today's code reads another 'Note' than the one that was stored, or none."
      ])
    let refused = try await complaints(fixtures { $0.add { $0.other } })
    #expect(refused.count == 1)
    #expect(refused.first?.contains("Note.size (number 2, typeChanged)") == true, "\(refused)")
    // A row that is gone is no row without a value.
    let text = try String(contentsOf: file(), encoding: .utf8).replacing("INSERT INTO \\\"Note\\\"", with: "-- ")
    try Data(text.utf8).write(to: file())
    #expect(try await complaints(fixtures { $0.add { $0.one } }).count == 1)
  }

  @Test func aReleaseThatIsNotRecordedFails() async throws {
    let fixtures = fixtures {
      $0.add { $0.one }
      $0.require(NoteReleases.One.Database.self, in: ["1.0", "1.1"])
    }
    #expect(
      try await complaints(fixtures) == [
        "Database of 1.0: it is not recorded. Record it with the code of the release.",
        "Database of 1.1: it is not recorded. Record it with the code of the release.",
      ])
    try await fixtures.record("1.1")
    #expect(try await complaints(fixtures).count == 1)
    #expect(try fixtures.recorded().map(\.description) == ["Database of 1.1", "Database of 1.0"])
  }

  /// The key of the records is sealed with a master key of fixed bytes, which is part of the file.
  @Test func encryptedFieldsAreOpened() async throws {
    try await fixtures { $0.add { $0.oldPass } }.record("1.0")
    let later = fixtures { $0.add { $0.pass } }
    #expect(try await complaints(later) == [])
    let stored = try String(contentsOf: file(), encoding: .utf8)
    #expect(!stored.contains("hidden"))
    let sealed = try #require(stored.firstRange(of: /INSERT INTO \\"Pass\\".+X'/))
    let damaged = stored[..<sealed.upperBound] + "FF" + stored[sealed.upperBound...].dropFirst(2)
    try Data(damaged.utf8).write(to: file())
    #expect(try await complaints(later).count == 1)
  }
}
