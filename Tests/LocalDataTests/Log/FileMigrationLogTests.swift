import Foundation
import LocalDataTesting
import RuntimeTestSupport
import TestSupport
import Testing

@testable import LocalData

/// The file of a log of migrations: its growth, its damage, and who is at it together.
@Suite struct FileMigrationLogTests {
  private let fixture: StoreFixture
  private let log: MigrationLog

  init() throws {
    fixture = try StoreFixture()
    log = MigrationLog(in: try fixture.locations.migrationLog(of: .app))
  }

  private var path: String { fixture.path("data/.migrations.log") }
  private var file: URL { URL(fileURLWithPath: path) }
  private func bytes() throws -> Data { try Data(contentsOf: file) }
  private func other() throws -> MigrationLog {
    MigrationLog(in: try fixture.locations.migrationLog(of: .app))
  }
  /// The number of records in the file.
  private func count() throws -> Int {
    try LogEncoding.readBatches(bytes().dropFirst(LogEncoding.headerSize)).lines.count
  }
  private var keys: [String] { get throws(StorageProblem) { try log.events().map(\.key) } }

  // MARK: Growth

  @Test func whatAnotherProcessAddsIsSeen() throws {
    let other = try other()
    #expect(try log.entries().isEmpty)
    try other.append([.sample("a")])
    #expect(try keys == ["a"])
    try log.append([.sample("b")])
    #expect(try other.events().map(\.key) == ["a", "b"])
    try other.append([.sample("c"), .sample("d")])
    #expect(try keys == ["a", "b", "c", "d"])
    try FileManager.default.removeItem(atPath: path)
    #expect(try keys == [])
    try log.append([.sample("e")])
    #expect(try other.events().map(\.key) == ["e"])
  }

  @Test func aBatchIsAddedAtTheEnd() throws {
    try log.append([.sample("a")])
    let before = try bytes()
    try log.append([.sample("b"), .sample("c")])
    #expect(try bytes().starts(with: before))
    #expect(try count() == 3)
  }

  /// A place that migrates again and again does not fill the disk, and its history stays.
  @Test func whatRepeatsItselfIsDropped() throws {
    try log.append([.sample("first")])
    for _ in 0..<1_000 { try log.append([.sample("again", .committed), .sample("again")]) }
    try log.append([.sample("again", .completed, .removed)])
    #expect(try count() < 300)
    #expect(try other().events().map(\.key) == ["first", "again", "again"])
    #expect(try other().events().last?.outcome == .removed)
    #expect(try fixture.permissions()["data/.migrations.log"] == 0o600)
  }

  @Test func manyMigrationsAreAllKept() throws {
    for batch in 0..<20 { try log.append((0..<100).map { .sample("\(batch * 100 + $0)") }) }
    #expect(try other().events().map(\.key) == (0..<2_000).map(String.init))
    #expect(try log.lastEntries().count == 2_000)
  }

  @Test func aFullLogRefusesMoreAndKeepsWhatItHas() throws {
    let small = MigrationLog(in: try fixture.locations.migrationLog(of: .app), largestFile: 5_000)
    // What repeats itself makes room first.
    for _ in 0..<50 { try small.append([.sample("again")]) }
    #expect(throws: StorageProblem.outOfSpace) { try small.append((0..<20).map { .sample("\($0)") }) }
    #expect(try small.events().map(\.key) == ["again"])
    #expect(try keys == ["again"])
  }

  // MARK: A writer that was killed

  @Test func aBatchThatIsNotWholeIsIgnoredAndReplaced() throws {
    try log.append([.sample("a")])
    let whole = try bytes()
    try log.append([.sample("b"), .sample("c"), .sample("d")])
    let longer = try bytes()
    for length in whole.count..<longer.count {
      try longer.prefix(length).write(to: file)
      #expect(try other().events().map(\.key) == ["a"], "\(length - whole.count) bytes of a batch")
      if length % 50 == 0 {
        let next = try other()
        try next.append([.sample("e")])
        #expect(try other().events().map(\.key) == ["a", "e"])
      }
    }
  }

  /// A loss of power may leave zeros where the bytes of the last batch would be.
  @Test func zerosInTheLastBatchAreIgnored() throws {
    try log.append([.sample("a")])
    let whole = try bytes()
    try log.append([.sample("b"), .sample("c")])
    var torn = try bytes()
    for index in whole.count..<whole.count + 100 { torn[index] = 0 }
    try torn.write(to: file)
    #expect(try other().events().map(\.key) == ["a"])
    try other().append([.sample("d")])
    #expect(try other().events().map(\.key) == ["a", "d"])
    #expect(try count() == 2)
  }

  // MARK: Damage

  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout Data) -> Void
  }

  static let damages = [
    Damage(testDescription: "emptied") { $0 = Data() },
    Damage(testDescription: "a header cut short") { $0 = $0.prefix(10) },
    Damage(testDescription: "a header alone") { $0 = $0.prefix(LogEncoding.headerSize) },
    Damage(testDescription: "another kind of log") { $0[5] ^= 1 },
    Damage(testDescription: "a version before the first") { $0[7] = 0 },
    Damage(testDescription: "a byte of the first entry") { $0[LogEncoding.headerSize + 20] ^= 1 },
    Damage(testDescription: "zeros in the first entry") { $0[LogEncoding.headerSize + 20] = 0 },
    Damage(testDescription: "the length of the first batch") { $0[LogEncoding.headerSize + 3] ^= 1 },
    Damage(testDescription: "an entry that is no JSON") { $0 += LogEncoding.batch([Data("{}".utf8)]) },
  ]

  /// Checks that a damaged log is kept, and that the history records this.
  @Test(arguments: damages) func aDamagedLogIsSetAside(_ damage: Damage) throws {
    for name in ["a", "b", "c"] { try log.append([.sample(name)]) }
    var changed = try bytes()
    damage.change(&changed)
    try changed.write(to: file)
    let later = try other()
    #expect(try later.entries() == [])
    #expect(try later.events() == [])
    #expect(try bytes() == changed)
    try later.append([.sample("d")])
    #expect(try other().events().map(\.outcome) == [.logSetAside, .moved])
    #expect(try other().events().map(\.key) == ["", "d"])
    let aside = try fixture.permissions().filter { $0.key.hasPrefix("data/.migrations.log.damaged-") }
    #expect(aside.map(\.value) == [0o600])
    let name = try #require(aside.first?.key)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path(name))) == changed)
  }

  @Test func aLogOfALaterFormatIsRefusedAndLeftAlone() throws {
    try log.append([.sample("a")])
    let changed = LogEncoding(magic: "LDMIGR", version: 2).header(id: UUID())
    try changed.write(to: file)
    let later = try other()
    #expect(throws: StorageProblem.unknownFormatVersion) { try later.entries() }
    #expect(throws: StorageProblem.unknownFormatVersion) { try later.events() }
    #expect(throws: StorageProblem.unknownFormatVersion) { try later.append([.sample("d")]) }
    #expect(try bytes() == changed)
  }

  #if os(Linux)
    @Test func aFileBeyondEverySizeIsNotReadButSetAside() throws {
      try log.append([.sample("a")])
      #expect(truncate(path, off_t(MigrationLog.largestFile) + 1) == 0)
      #expect(try other().entries() == [])
      try other().append([.sample("b")])
      #expect(try other().events().map(\.key) == ["", "b"])
      #expect(try fixture.permissions().keys.contains { $0.hasPrefix("data/.migrations.log.damaged-") })
    }
  #endif

  @Test func linksAndFoldersInTheWay() throws {
    try log.append([.sample("a")])
    let target = fixture.path("elsewhere")
    try FileManager.default.moveItem(atPath: path, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(throws: StorageProblem.io(errno: ELOOP)) { try other().entries() }
    #expect(throws: StorageProblem.io(errno: ELOOP)) { try other().append([.sample("b")]) }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: StorageProblem.io(errno: EISDIR)) { try other().entries() }
    #expect(throws: StorageProblem.io(errno: EISDIR)) { try other().append([.sample("b")]) }
  }

  // MARK: Several at once

  @Test func waitingForAnotherWriterEndsInBusy() throws {
    let location = try fixture.locations.migrationLog(of: .app)
    let impatient = MigrationLog(in: location, patience: .milliseconds(30))
    try impatient.append([.sample("a")])
    let folder = try location.folder.openForWriting(lock: DurableWriter.stem)
    try FileLock(in: folder, named: DurableWriter.stem).hold(patience: .zero) { () throws(StorageProblem) in
      onThreads(1) { _ in #expect(throws: StorageProblem.busy) { try impatient.append([.sample("b")]) } }
      #expect(try keys == ["a"])
    }
  }
}
