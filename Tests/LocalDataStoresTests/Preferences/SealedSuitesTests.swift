import Foundation
import LocalDataTesting
import RuntimeTestSupport
import Testing

@testable import LocalDataStores

@Suite struct SealedSuitesTests {
  private let fixture: StoreFixture
  private var file: String { fixture.path("data/.local-data.suites") }

  init() throws { fixture = try StoreFixture() }

  private var suites: SealedSuites { SealedSuites(recordedIn: fixture.locations.sealedSuites) }

  @Test func namesAreRecordedOnceAndSorted() throws {
    let suites = suites
    #expect(try suites.recorded() == [])
    #expect(try fixture.permissions().isEmpty)
    for name in ["b", "a", "b", "\u{e9}", "e\u{301}"] {
      try suites.record(name)
      #expect(suites.remembers(name))
    }
    let recorded = try self.suites.recorded()
    #expect(recorded.map { Array($0.utf8) } == ["a", "b", "e\u{301}", "\u{e9}"].map { Array($0.utf8) })
    #expect(!self.suites.remembers("a"))
    try self.suites.record("a")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#","format":1,"suites":["a","b","#))
    #expect(try fixture.permissions()["data/.local-data.suites"] == 0o600)
  }

  @Test func manyWritersLoseNone() throws {
    onThreads(4) { thread in
      for round in 0..<10 {
        do { try suites.record("\(thread).\(round)") } catch { Issue.record(error) }
      }
    }
    #expect(try suites.recorded().count == 40)
  }

  static let damages = [
    ("", StorageProblem.locationsDamaged), ("[]", .locationsDamaged), (#"{"format":1,"suites":[]}"#, .locationsDamaged),
    (#"{"format":2,"suites":[]}"#, .unknownFormatVersion),
  ]

  @Test(arguments: damages)
  func damageIsNeitherReadAsEmptyNorReplaced(_ content: String, _ fault: StorageProblem) throws {
    try suites.record("a")
    try Data(content.utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: fault) { try suites.recorded() }
    let unsure = suites
    #expect(throws: fault) { try unsure.record("b") }
    #expect(!unsure.remembers("b"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
  }
}
