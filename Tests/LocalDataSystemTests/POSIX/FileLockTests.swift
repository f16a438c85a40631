import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import Testing

@testable import LocalDataSystem

@Suite struct FileLockTests {
  @Test func waitingEndsInBusy() throws {
    let fixture = try StoreFixture()
    let held = try lock(fixture)
    try held.hold(patience: .zero) { () throws(StorageProblem) in
      let start = ContinuousClock.now
      onThreads(1) { _ in
        #expect(throws: StorageProblem.busy) { try self.enter(fixture, patience: .milliseconds(50)) }
      }
      #expect(ContinuousClock.now - start >= .milliseconds(50))
    }
    try enter(fixture, patience: .zero)
  }

  /// The thread would wait for itself.
  @Test func aThreadDoesNotWaitForItsOwnLock() throws {
    let fixture = try StoreFixture()
    _ = try lock(fixture).hold(patience: .zero) { () throws(StorageProblem) in
      #expect(throws: StorageProblem.reentrantCall) { try self.enter(fixture, patience: .seconds(60)) }
    }
    try enter(fixture, patience: .zero)
  }

  @Test func storesReportBusyAndLoseNothing() throws {
    let fixture = try StoreFixture()
    let attributes = StorageAttributes()
    let files = FileStorageHelper(fixture.locations, patience: .milliseconds(20))
    try files.write(Data([1]), to: .file("value"), attributes)
    let folder = try fixture.locations.folder(of: .directory(.documents)).openForWriting(lock: DurableWriter.stem)
    try FileLock(in: folder, named: DurableWriter.stem).hold(patience: .zero) { () throws(StorageProblem) in
      onThreads(1) { _ in
        #expect(throws: StorageProblem.busy) { try files.write(Data([2]), to: .file("value"), attributes) }
      }
      // Readers need no lock.
      #expect(try files.read(.file("value"), attributes) == Data([1]))
    }
    try files.write(Data([3]), to: .file("value"), attributes)
    #expect(try files.read(.file("value"), attributes) == Data([3]))
  }

  @Test func aThrownFaultGivesTheLockBack() throws {
    let fixture = try StoreFixture()
    let held = try lock(fixture)
    #expect(throws: StorageProblem.corrupted) {
      try held.hold(patience: .zero) { () throws(StorageProblem) in throw .corrupted }
    }
    try enter(fixture, patience: .zero)
  }

  @Test func threadsExcludeEachOther() throws {
    let fixture = try StoreFixture()
    let inside = Lock(0)
    let most = Lock(0)
    onThreads(8) { _ in
      for _ in 0..<20 {
        do {
          try self.lock(fixture).hold(patience: .seconds(600)) { () throws(StorageProblem) in
            let now = inside.withLock { count -> Int in
              count += 1
              return count
            }
            most.withLock { $0 = max($0, now) }
            usleep(10)
            inside.withLock { $0 -= 1 }
          }
        } catch { Issue.record(error) }
      }
    }
    #expect(most.withLock { $0 } == 1)
  }

  @Test func aLockWhoseFileWasDeletedIsNotInPlace() throws {
    let fixture = try StoreFixture()
    let held = try lock(fixture)
    #expect(try held.isInPlace)
    try FileManager.default.removeItem(atPath: fixture.path("data/.test.lock"))
    #expect(try !held.isInPlace)
  }

  private func lock(_ fixture: StoreFixture) throws(StorageProblem) -> FileLock {
    let root = StorageRoot(fixture.folder.appendingPathComponent("data"))
    return try FileLock(
      in: try FolderLocation(root: root, parts: []).openForWriting(lock: "test"), named: "test")
  }

  private func enter(_ fixture: StoreFixture, patience: Duration) throws(StorageProblem) {
    try lock(fixture).hold(patience: patience) { () throws(StorageProblem) in }
  }
}
