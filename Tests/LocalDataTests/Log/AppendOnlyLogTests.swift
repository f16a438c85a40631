import Foundation
import RuntimeTestSupport
import LocalDataSystem
import TestSupport
import Testing

@testable import LocalData

/// Numbers, of which only the last of each name is needed.
private struct Numbers: LogContents, Equatable {
  static let encoding = LogEncoding(magic: "LDTEST", version: 3)

  var numbers: [UInt8: UInt8] = [:]

  init() {}
  init(_ numbers: [UInt8: UInt8]) { self.numbers = numbers }

  mutating func apply(_ line: Data) throws(StorageProblem) {
    guard line.count == 2, let name = line.first, let number = line.last else { throw .corrupted }
    numbers[name] = number
  }

  mutating func compact() { numbers[0] = nil }
  var lines: [Data] { numbers.sorted { $0.key < $1.key }.map { Data([$0.key, $0.value]) } }
  var count: Int { numbers.count }

  mutating func set(_ name: UInt8, _ number: UInt8) -> Data {
    numbers[name] = number
    return Data([name, number])
  }
}

@Suite struct AppendOnlyLogTests {
  private let fixture: StoreFixture
  private let url: URL

  init() throws {
    fixture = try StoreFixture()
    url = URL(fileURLWithPath: fixture.path("logs/log"))
  }

  private func log(
    largestFile: Int = 1 << 20, empty: @escaping @Sendable () -> Numbers = { Numbers() }
  ) -> AppendOnlyLog<Numbers> {
    let folder = FolderLocation(root: StorageRoot(fixture.folder), parts: ["logs"])
    return AppendOnlyLog(FileLocation(folder: folder, name: "log"), largestFile: largestFile, empty: empty)
  }

  private func set(_ log: AppendOnlyLog<Numbers>, _ name: UInt8, _ number: UInt8) throws(StorageProblem) {
    try log.change { (contents, lines) in lines.append(contents.set(name, number)) }
  }

  private func numbers(_ log: AppendOnlyLog<Numbers>) throws(StorageProblem) -> [UInt8: UInt8] {
    try log.read { $0.numbers }
  }

  private var bytes: Data { get throws { try Data(contentsOf: url) } }

  @Test func aChangeAppendsItsRecordsAndNothingElse() throws {
    let log = log()
    #expect(try numbers(log) == [:] && !log.exists)
    try set(log, 1, 1)
    let first = try bytes
    try set(log, 2, 2)
    let second = try bytes
    #expect(second.starts(with: first) && second.count == first.count + 12 + 4 + 2)
    #expect(try numbers(self.log()) == [1: 1, 2: 2])
    // A change without lines writes nothing.
    try log.change { _, _ in }
    #expect(try bytes == second)
  }

  @Test func eachOfTwoLogsReadsWhatTheOtherAppends() throws {
    let (one, other) = (log(), log())
    for number in UInt8(1)...50 {
      try set(one, 1, number)
      #expect(try numbers(other)[1] == number)
      try set(other, 2, number)
      #expect(try numbers(one)[2] == number)
    }
  }

  @Test func whatAnAbsentFileContainsIsInItWithTheFirstChange() throws {
    let log = log { Numbers([7: 7]) }
    #expect(try numbers(log) == [7: 7] && !log.exists)
    try set(log, 1, 1)
    #expect(try numbers(self.log()) == [1: 1, 7: 7])
  }

  @Test func manyChangesOfFewNamesDoNotGrowTheFile() throws {
    let log = log()
    for number in 0..<1_000 { try set(log, UInt8(1 + number % 5), UInt8(number % 256)) }
    #expect(try bytes.count < 300 * 20)
    #expect(try numbers(self.log()).count == 5)
  }

  @Test func whatIsNotNeededIsForgottenWithANewFile() throws {
    let log = log()
    try set(log, 0, 1)
    for number in 0..<2_000 { try set(log, 1, UInt8(number % 256)) }
    #expect(try numbers(self.log())[0] == nil)
  }

  /// A process that is killed leaves a prefix of a batch; a loss of power leaves zeros.
  @Test func aTornBatchCountsForNothingAndTheNextChangeSucceeds() throws {
    let whole = log()
    try set(whole, 1, 1)
    let first = try bytes
    try whole.change { (contents, lines) in
      for name in UInt8(2)...9 { lines.append(contents.set(name, name)) }
    }
    let batch = try bytes.dropFirst(first.count)
    for count in 0..<batch.count {
      for tail in [Data(batch.prefix(count)), Data(batch.prefix(count)) + Data(count: batch.count - count)] {
        try (first + tail).write(to: url)
        #expect(try numbers(log()) == [1: 1], "\(count) of \(batch.count) bytes")
        try set(log(), 100, 100)
        #expect(try numbers(log()) == [1: 1, 100: 100])
      }
    }
  }

  @Test func damageBeforeTheEndIsReportedAndSetAside() throws {
    let log = log()
    for name in UInt8(1)...5 { try set(log, name, name) }
    let whole = try bytes
    // The identifier in the header may be any.
    for index in whole.indices.dropLast(18) where !(8..<24).contains(index) {
      var damaged = whole
      damaged[index] ^= 0x10
      try damaged.write(to: url)
      let fault: StorageProblem = index == 6 || index == 7 ? .unknownFormatVersion : .corrupted
      #expect(throws: fault, "byte \(index)") { try numbers(self.log()) }
      #expect(throws: fault, "byte \(index)") { try set(self.log(), 9, 9) }
    }
    let damaged = try bytes
    #expect(try self.log().setAside(with: ".aside") { Numbers([8: 8]) })
    #expect(try numbers(self.log()) == [8: 8])
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path("logs/log.aside"))) == damaged)
    #expect(try !self.log().setAside(with: ".aside") { Numbers() })
    #expect(try numbers(log) == [8: 8])
  }

  /// The bytes of a last batch may not have been on the disk yet. Its frame shows where it ends.
  @Test func aDamagedLastBatchCountsForNothing() throws {
    let log = log()
    for name in UInt8(1)...2 { try set(log, name, name) }
    let whole = try bytes
    for index in whole.indices.suffix(18) {
      var damaged = whole
      damaged[index] ^= 0x10
      try damaged.write(to: url)
      guard whole.count - index > 10 else {
        #expect(try numbers(self.log()) == [1: 1], "byte \(index)")
        continue
      }
      #expect(throws: StorageProblem.corrupted, "byte \(index)") { try numbers(self.log()) }
    }
  }

  @Test func aFileWithoutARecordIsDamaged() throws {
    let log = log()
    try set(log, 1, 1)
    var header = try bytes.prefix(LogEncoding.headerSize)
    try header.write(to: url)
    #expect(throws: StorageProblem.corrupted) { try numbers(self.log()) }
    // Another damage than that of a later version.
    header[7] = 2
    try header.write(to: url)
    #expect(throws: StorageProblem.corrupted) { try numbers(self.log()) }
  }

  @Test func aLogInMemoryIsLikeOneInAFile() throws {
    let log = AppendOnlyLog<Numbers> { Numbers([7: 7]) }
    #expect(try numbers(log) == [7: 7] && known(log) == [7: 7])
    try log.change { _, _ in }
    #expect(!log.exists)
    try set(log, 1, 1)
    #expect(log.exists)
    #expect(throws: StorageProblem.outOfSpace) {
      try log.change { (contents, lines) throws(StorageProblem) in
        lines.append(contents.set(2, 2))
        throw .outOfSpace
      }
    }
    #expect(try numbers(log) == [1: 1, 7: 7] && known(log) == [1: 1, 7: 7])
    #expect(try !log.setAside(with: ".aside") { Numbers() })
    #expect(try fixture.permissions().isEmpty)
  }

  @Test func aFileThatIsTooLargeIsNotRead() throws {
    try set(log(), 1, 1)
    #expect(throws: StorageProblem.corrupted) { try numbers(log(largestFile: 20)) }
  }

  /// Returns the numbers that can be read without waiting, or `nil` if the log has to be read from the disk.
  private func known(_ log: AppendOnlyLog<Numbers>) -> [UInt8: UInt8]? {
    CallDeadline.withoutWaiting { try? numbers(log) }
  }

  @Test func whatIsKnownIsReadWithoutTheDisk() throws {
    let (log, other) = (log(), log())
    #expect(known(log) == nil, "it does not know whether there is a file")
    try set(log, 1, 1)
    #expect(known(log) == [1: 1])
    try set(other, 2, 2)
    #expect(known(log) == nil)
    #expect(try numbers(log) == [1: 1, 2: 2])
    #expect(known(log) == [1: 1, 2: 2])
    try log.change { (contents, lines) in
      lines.append(contents.set(3, 3))
      #expect(known(log) == nil, "the writer waits for the disk")
    }
  }

  /// A reader of this process can be an actor, which must not wait for another process.
  @Test func readersDoNotWaitForTheLockOfAnotherProcess() async throws {
    let folder = FolderLocation(root: StorageRoot(fixture.folder), parts: ["logs"])
    let log = AppendOnlyLog<Numbers>(
      FileLocation(folder: folder, name: "log"), largestFile: 1 << 20, patience: .seconds(120))
    try set(log, 1, 1)
    let lock = open(fixture.path("logs/.\(DurableWriter.stem).lock"), O_RDWR | O_CLOEXEC)
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    defer { close(lock) }
    let writer = Task { try await BlockingExecutor.shared.run { () throws(StorageProblem) in try set(log, 2, 2) } }
    try await Task.sleep(for: .milliseconds(300))
    let found = try await BlockingExecutor.shared.run { () throws(StorageProblem) in try numbers(log) }
    #expect(found == [1: 1])
    flock(lock, LOCK_UN)
    try await writer.value
    #expect(try numbers(log) == [1: 1, 2: 2])
  }

  @Test func threadsLoseNoChange() async throws {
    let logs = [log(), log()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in UInt8(1)...8 {
        group.addTask {
          for number in UInt8(1)...30 {
            try logs[Int(name) % 2].change { (contents, lines) in lines.append(contents.set(name, number)) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try numbers(log()) == Dictionary(uniqueKeysWithValues: (UInt8(1)...8).map { ($0, 30) }))
  }
}
