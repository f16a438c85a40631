#if os(Linux)
  import Foundation
  @_spi(Generated) import LocalData
  @_spi(Generated) import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Sequences of records that another process changes. If a change is not seen, the test ends at the time limit.
  @Suite(.findsHangs) struct ObservedRecordTests {
    private func run(_ fixture: StoreFixture, _ release: String, _ words: String...) throws -> ChildProcess.End {
      try ChildProcess.run(ChildProcess.probe, ["cards", fixture.folder.path, release] + words)
    }

    @Test func aChangeOfAnotherProcessIsSeen() async throws {
      let fixture = try StoreFixture()
      let cards = try StorageRouter.probe(on: fixture).cards(ProbeWallet.One.self)
      var values = cards.values().makeAsyncIterator()
      // Nothing exists yet, and watching creates nothing.
      #expect(try await values.next() == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).isEmpty)
      for ids in [["a"], ["a", "b"]] {
        #expect(try run(fixture, "one", "save", ids.last ?? "").code == 0)
        #expect(try await values.next()?.map(\.id).sorted() == ids)
      }
    }

    /// The event of a commit arrives before the commit can be seen. The last value must not be missed.
    @Test func theLastOfManyChangesIsSeen() async throws {
      let fixture = try StoreFixture()
      let cards = try StorageRouter.probe(on: fixture).cards(ProbeWallet.One.self)
      let ids = (1...60).map(String.init)
      let child = try ChildProcess(ChildProcess.probe, ["cards", fixture.folder.path, "one", "save"] + ids)
      var last = 0
      for try await found in cards.values() {
        #expect(found.isEmpty || found.count > last)
        last = found.count
        if last == ids.count { break }
      }
      #expect(child.wait().code == 0)
    }

    /// The second release observes a database that the first one still has at its own address.
    @Test func aDatabaseIsObservedFromItsMoveOn() async throws {
      let fixture = try StoreFixture()
      #expect(try run(fixture, "one", "save", "a").code == 0)
      let cards = try StorageRouter.probe(on: fixture).cards(ProbeWallet.Two.self)
      var values = cards.values().makeAsyncIterator()
      #expect(try await values.next()?.map(\.id) == ["a"])
      #expect(try run(fixture, "one", "save", "b").code == 3)
      #expect(try run(fixture, "two", "save", "c").code == 0)
      #expect(try await values.next()?.map(\.id).sorted() == ["a", "c"])
    }
  }
#endif
