import Foundation
import RuntimeTestSupport
import Testing

@testable import LocalDataStores

/// Tests of the checks that Apple's adapter makes before it trusts UserDefaults. The adapter itself runs in the check
/// of Apple's branches.
@Suite struct SuiteLoadCheckTests {
  private let fixture: StoreFixture
  private let suite = "suite"

  init() throws { fixture = try StoreFixture() }

  /// The expected result of a call.
  enum Outcome: Hashable, Sendable {
    case loaded, undecided, locked
  }

  struct State: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var memory: Set<String>
    var disk: Set<String>?
    var reading: Outcome
    var readingAnother: Outcome
    var writing: Outcome
    var scanning: Outcome
  }

  private static let sentinel = SuiteLoadCheck.sentinel

  static let states = [
    State(
      testDescription: "no file", memory: [], disk: nil,
      reading: .loaded, readingAnother: .loaded, writing: .loaded, scanning: .loaded),
    State(
      testDescription: "an empty file", memory: [], disk: [],
      reading: .loaded, readingAnother: .loaded, writing: .loaded, scanning: .loaded),
    State(
      testDescription: "the sentinel is shown", memory: [sentinel], disk: [sentinel, "value"],
      reading: .loaded, readingAnother: .loaded, writing: .loaded, scanning: .loaded),
    State(
      testDescription: "all is shown", memory: ["value", "new"], disk: ["value"],
      reading: .loaded, readingAnother: .loaded, writing: .loaded, scanning: .loaded),
    State(
      testDescription: "nothing is shown, with a sentinel", memory: [], disk: [sentinel],
      reading: .locked, readingAnother: .locked, writing: .locked, scanning: .locked),
    State(
      testDescription: "only the app's new value is shown, with a sentinel", memory: ["value"],
      disk: [sentinel, "value"], reading: .locked, readingAnother: .locked, writing: .locked, scanning: .locked),
    State(
      testDescription: "nothing is shown, without a sentinel", memory: [], disk: ["value", "other"],
      reading: .locked, readingAnother: .undecided, writing: .locked, scanning: .undecided),
    State(
      testDescription: "another value is shown", memory: ["other"], disk: ["value", "other"],
      reading: .locked, readingAnother: .undecided, writing: .undecided, scanning: .undecided),
    State(
      testDescription: "the value is shown, another is not", memory: ["value"], disk: ["value", "other"],
      reading: .undecided, readingAnother: .undecided, writing: .undecided, scanning: .undecided),
  ]

  private func loaded(
    _ memory: Set<String>, _ locations: StorageLocations
  ) -> SuiteLoadCheck {
    SuiteLoadCheck(
      propertyList: locations.propertyList(suite: suite), firstUnlock: FirstUnlock(probe: locations.unlockProbe),
      values: PropertyListObject.values, shows: { name, _ in memory.contains(name) })
  }

  private func putOnDisk(_ names: Set<String>, _ fixture: StoreFixture) throws {
    let values = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
    let bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    try FileManager.default.createDirectory(atPath: fixture.path("config"), withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: fixture.path("config/suite.plist")))
  }

  private func outcome(_ state: State, _ use: SuiteLoadCheck.Use) throws -> Outcome {
    let fixture = try StoreFixture()
    if let disk = state.disk { try putOnDisk(disk, fixture) }
    do throws(StorageProblem) {
      let finding = try loaded(state.memory, fixture.locations).require(for: use)
      if !finding.isLoaded { #expect(Set(finding.unseen.keys) == (state.disk ?? []).subtracting(state.memory)) }
      // What is loaded stays so, whatever is shown then.
      if finding.isLoaded { #expect(try loaded([], fixture.locations).require(for: .write).isLoaded) }
      return finding.isLoaded ? .loaded : .undecided
    } catch {
      #expect(error == .locked)
      return .locked
    }
  }

  @Test(arguments: states) func decides(_ state: State) throws {
    #expect(try outcome(state, .one(name: "value")) == state.reading)
    #expect(try outcome(state, .one(name: "another")) == state.readingAnother)
    #expect(try outcome(state, .write) == state.writing)
    #expect(try outcome(state, .all) == state.scanning)
  }

  @Test func theDiskIsNotReadByWhoMustNotWait() throws {
    try CallDeadline.withoutWaiting { () throws in
      #expect(throws: StorageProblem.busy) { try loaded([], fixture.locations).require(for: .write) }
      #expect(try fixture.permissions().isEmpty)
      #expect(try loaded([SuiteLoadCheck.sentinel], fixture.locations).require(for: .write).isLoaded)
    }
    #expect(try fixture.permissions().isEmpty)
  }

  /// After this thread saw nothing, another one writes the first value and the sentinel, the system writes both to the
  /// disk, and the value is removed again.
  @Test func aSuiteThatIsWrittenMeanwhileIsLoaded() throws {
    try putOnDisk([SuiteLoadCheck.sentinel, "value"], fixture)
    var looks = 0
    let suite = SuiteLoadCheck(
      propertyList: fixture.locations.propertyList(suite: suite),
      firstUnlock: FirstUnlock(probe: fixture.locations.unlockProbe), values: PropertyListObject.values
    ) { name, _ in
      looks += 1
      return looks > 1 && name == SuiteLoadCheck.sentinel
    }
    #expect(try suite.require(for: .one(name: "value")).isLoaded)
  }

  @Test(arguments: ["", "no property list", "<plist version=\"1.0\"><array/></plist>"])
  func aDamagedFileBlocksNothing(_ content: String) throws {
    try putOnDisk([], fixture)
    try Data(content.utf8).write(to: URL(fileURLWithPath: fixture.path("config/suite.plist")))
    #expect(try loaded([], fixture.locations).require(for: .one(name: "value")).isLoaded)
  }

  @Test func otherFaultsOfTheDiskAreThrown() throws {
    try FileManager.default.createDirectory(
      atPath: fixture.path("config/suite.plist"), withIntermediateDirectories: true)
    #expect(throws: StorageProblem.io(errno: EISDIR)) { try loaded([], fixture.locations).require(for: .write) }
  }

  @Test func theFirstUnlockIsRemembered() throws {
    let unlock = FirstUnlock(probe: fixture.locations.unlockProbe)
    try FileManager.default.createDirectory(atPath: unlock.probe.path, withIntermediateDirectories: true)
    #expect(throws: StorageProblem.io(errno: EISDIR)) { try unlock.require() }
    try FileManager.default.removeItem(atPath: unlock.probe.path)
    try unlock.require()
    #expect(try unlock.probe.exists())
    try FileManager.default.removeItem(atPath: fixture.path("data"))
    try FileManager.default.createDirectory(atPath: unlock.probe.path, withIntermediateDirectories: true)
    try FirstUnlock(probe: unlock.probe).require()
  }
}
