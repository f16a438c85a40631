import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) @testable import LocalDataRecords
import LocalDataTesting
import LocalDataShapes
import RuntimeTestSupport
import LocalDataSystem
import Testing

/// Rows that are kept for some time, and releases that keep them for another time.
struct RetentionTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  /// Stores coupons of the first release, each with a stub, with their ages in seconds as keys.
  @discardableResult
  private func save(ages: [TimeInterval]) async throws -> StorageRouter {
    let router = try app.launch(FirstCoupons.self)
    for age in ages {
      try await router.records(Coupon<FirstCoupons>.self).save(app.coupon("\(Int(age))", age: age, FirstCoupons.self))
      try await router.records(Stub<FirstCoupons>.self).save(Stub(id: "of \(Int(age))", coupon: "\(Int(age))"))
    }
    return router
  }

  private func stored(_ table: String = "Coupon") throws -> [String] {
    try app.couponTexts("SELECT id FROM \(table) ORDER BY rowid")
  }

  // MARK: Launches

  @Test func aReadOfANewLaunchCreatesNoFile() async throws {
    let coupons = try app.launch(LaunchCoupons.self).records(Coupon<LaunchCoupons>.self)
    let file = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records/coupons.db"
    #expect(try await coupons.fetchAll() == [])
    #expect(!FileManager.default.fileExists(atPath: file))
    try await coupons.insert(app.coupon("1", LaunchCoupons.self))
    #expect(try await coupons.fetchAll().map(\.id) == ["1"])
    #expect(try await app.launch(LaunchCoupons.self).records(Coupon<LaunchCoupons>.self).fetchAll() == [])
  }

  // MARK: Ages

  @Test func noCallReturnsAnEndedRow() async throws {
    let old = try await save(ages: [99, 100, 101, -50])
    let router = try app.launch(AgedCoupons.self)
    let coupons = router.records(Coupon<AgedCoupons>.self)
    let lasting = ["-50", "99"]
    #expect(try await coupons.fetch(id: "100") == nil)
    #expect(try await coupons.fetch(id: "99") != nil)
    #expect(try await coupons.fetch(ids: ["99", "100", "-50"]).map(\.id) == ["99", "-50"])
    #expect(try await coupons.fetchAll().map(\.id).sorted() == lasting)
    #expect(try await coupons.count() == 2)
    let ended = coupons.where { $0.id == "100" || $0.id == "101" }
    #expect(try await ended.fetchAll() == [])
    #expect(try await !ended.exists())
    #expect(try await ended.first() == nil)
    #expect(try await coupons.order { $0.sold.ascending }.first()?.id == "99")
    #expect(try await coupons.all.fetchFirst(ofEach: { $0.ends }).map(\.id) == ["-50"], "all have the same date")
    var pages: [[String]] = []
    for try await page in coupons.pages(of: 1) { pages.append(page.map(\.id)) }
    for try await page in coupons.order(by: { $0.sold.ascending }).pages(of: 1) { pages.append(page.map(\.id)) }
    #expect(pages == [["-50"], ["99"], ["99"], ["-50"]])
    var values = coupons.values().makeAsyncIterator()
    #expect(try await values.next()?.count == 2)
    let read = try await router.read(CouponDatabase<AgedCoupons>.self) { transaction in
      let all = transaction.records(Coupon<AgedCoupons>.self)
      let rows = try transaction.rows("SELECT count(*) FROM Coupon")
      return (try all.fetchAll().count, try all.fetch(id: "101"), try all.count(), rows)
    }
    #expect(read.0 == 2 && read.1 == nil && read.2 == 2)
    #expect(read.3 == [[.integer(2)]])
    #expect(try await old.records(Coupon<FirstCoupons>.self).count() == 4, "a read deletes nothing")
    app.clock.advance(by: 1)
    #expect(try await coupons.fetchAll().map(\.id) == ["-50"])
  }

  @Test func aWriteDeletesEndedRowsAndWhatRefersToThem() async throws {
    let old = try await save(ages: [99, 100, 101, -50])
    let coupons = try app.launch(AgedCoupons.self).records(Coupon<AgedCoupons>.self)
    #expect(try await !coupons.delete(id: "100"))
    #expect(try stored() == ["99", "-50"])
    #expect(try stored("Stub") == ["of 99", "of -50"])
    // The older release writes as before, and the next write ends what it has written.
    try await old.records(Coupon<FirstCoupons>.self).save(app.coupon("200", age: 200, FirstCoupons.self))
    #expect(try await coupons.fetch(id: "200") == nil)
    try await coupons.insert(app.coupon("200", age: 1, AgedCoupons.self))
    #expect(try await coupons.fetchAll().map(\.id).sorted() == ["-50", "200", "99"])
  }

  @Test func anEndedRowIsNeitherUpdatedNorReferredTo() async throws {
    try await save(ages: [100, 101])
    let router = try app.launch(AgedCoupons.self)
    let stubs = router.records(Stub<AgedCoupons>.self)
    let error = await storageError { try await stubs.save(Stub(id: "new", coupon: "100")) }
    #expect(error == StorageError(.missingReference, .init(key: "Stub", domain: .fileSystem)))
    #expect(try stored() == ["100", "101"], "the failed call changes nothing")
    #expect(try await router.records(Coupon<AgedCoupons>.self).update(id: "101") { $0.ends = nil } == nil)
    #expect(try stored() == [])
  }

  /// A clock that was wrong makes no row older.
  @Test func aClockThatIsSetBackKeepsRows() async throws {
    let coupons = try app.launch(AgedCoupons.self).records(Coupon<AgedCoupons>.self)
    try await coupons.save(app.coupon("a", AgedCoupons.self))
    app.clock.advance(by: -1_000_000)
    try await coupons.save(app.coupon("b", AgedCoupons.self))
    #expect(try await coupons.count() == 2)
  }

  /// Only a table that the release does not declare can refer to a row so.
  @Test func aRowThatAnotherReleaseKeepsIsHiddenAndBlocksNoWrite() async throws {
    enum Billed: CouponRelease {
      static let coupon = FirstCoupons.coupon
      static let stub = RecordDeclaration(
        "Bill", key: 1, [.init(1, "id", .text), .init(2, "coupon", .text, references: "Coupon")])
      static let database = CouponTables.database { [coupon, stub] }
    }
    let old = try app.launch(Billed.self)
    try await old.records(Coupon<Billed>.self).save(app.coupon("a", age: 100, Billed.self))
    try await old.records(Stub<Billed>.self).save(Stub(id: "bill", coupon: "a"))
    let coupons = try app.launch(AgedCoupons.self).records(Coupon<AgedCoupons>.self)
    try await coupons.save(app.coupon("b", AgedCoupons.self))
    #expect(try await coupons.fetchAll().map(\.id) == ["b"])
    #expect(try await old.records(Coupon<Billed>.self).count() == 2)
  }

  // MARK: Counts

  @Test func aTransactionThatStoresRowsDeletesAllButTheNewest() async throws {
    let old = try await save(ages: [5, 4, 3, 2])
    let router = try app.launch(CountedCoupons.self)
    let coupons = router.records(Coupon<CountedCoupons>.self)
    #expect(try await coupons.count() == 4, "the first write deletes")
    try await coupons.insert(app.coupon("new", age: 3, CountedCoupons.self))
    #expect(try stored() == ["3", "2", "new"])
    try await router.transaction(in: CouponDatabase<CountedCoupons>.self) { [app] transaction in
      let coupons = transaction.records(Coupon<CountedCoupons>.self)
      for id in ["a", "b", "c", "d"] { try coupons.insert(app.coupon(id, CountedCoupons.self)) }
      #expect(try coupons.count() == 7)
    }
    #expect(try stored() == ["b", "c", "d"])
    #expect(try stored("Stub") == [])
    try await coupons.save(app.coupon("old", age: 50, CountedCoupons.self))
    #expect(try await coupons.fetch(id: "old") == nil, "it is not among the newest")
    try await old.records(Coupon<FirstCoupons>.self).save(app.coupon("e", FirstCoupons.self))
    #expect(try stored() == ["b", "c", "d", "e"])
    try await coupons.delete(id: "b")
    #expect(try stored() == ["c", "d", "e"])
  }

  /// The index lists the coupons by their ends: in the order in which they were inserted, or in the opposite one.
  @Test(arguments: [1.0, -1]) func ofEqualDatesTheLastInsertedStays(direction: TimeInterval) async throws {
    let router = try app.launch(SortedCoupons.self)
    try await router.transaction(in: CouponDatabase<SortedCoupons>.self) { [app] transaction in
      let coupons = transaction.records(Coupon<SortedCoupons>.self)
      for (rest, id) in ["e", "d", "c", "b", "a"].enumerated() {
        try coupons.insert(app.coupon(id, endsIn: 100 + direction * TimeInterval(rest), SortedCoupons.self))
      }
    }
    #expect(try stored() == ["c", "b", "a"])
  }

  @Test func endedRowsAreFoundByTheIndex() async throws {
    _ = try await save(ages: [1])
    let coupons = try app.launch(CountedCoupons.self).records(Coupon<CountedCoupons>.self)
    #expect(try await coupons.count() == 1)
    let record = RecordShape([CountedCoupons.coupon]).records["Coupon"]
    let retention = RecordRetention(.dated(by: 2, maxAge: 1, maxCount: 1), "Coupon", try #require(record))
    func plan(_ sql: String?) throws -> [String] {
      try app.couponTexts("EXPLAIN QUERY PLAN " + (sql ?? "").replacing("?", with: "1"), column: 3)
    }
    #expect(try plan(retention.lasting?.search) == ["SEARCH main.Coupon USING COVERING INDEX Coupon.sold (sold<?)"])
    #expect(try plan(retention.newest?.search) == ["SCAN main.Coupon USING COVERING INDEX Coupon.sold"])
  }

  // MARK: Sweeps

  @Test func aSweepDeletesRowsThatNoCallHasDeleted() async throws {
    let folder = app.fixture.folder
    let empty = try await app.launch(AgedCoupons.self).maintenance.sweep()
    #expect(empty.ended == [] && empty.failures == [])
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { "\($0)" } ?? []
    #expect(!files.contains { $0.hasSuffix("coupons.db") }, "a sweep creates no database")
    let old = try await save(ages: [1, 100, 101])
    let router = try app.launch(AgedCoupons.self)
    let sweep = await router.maintenance.sweep()
    #expect(sweep.ended == [.init(key: "Coupon", domain: .fileSystem)])
    #expect(sweep.failures == [])
    #expect(try stored() == ["1"])
    #expect(await router.maintenance.sweep().ended == [])
    try await save(ages: [2, 3, 4])
    #expect(await old.maintenance.sweep().ended == [])
    let counted = await (try app.launch(CountedCoupons.self)).maintenance.sweep()
    #expect(counted.ended == [.init(key: "Coupon", domain: .fileSystem)])
    #expect(try stored() == ["1", "2", "3"])
  }

  // MARK: Launches

  @Test func theFirstCallOfALaunchDeletesTheRowsOfEarlierLaunches() async throws {
    try await save(ages: [1])
    let first = try app.launch(LaunchCoupons.self).records(Coupon<LaunchCoupons>.self)
    #expect(try await first.fetch(id: "1") == nil)
    #expect(try stored() == [] && stored("Stub") == [])
    try await first.save(app.coupon("a", LaunchCoupons.self))
    #expect(try await first.fetchAll().map(\.id) == ["a"])
    let widget = try app.launch(LaunchCoupons.self, isExtension: true).records(Coupon<LaunchCoupons>.self)
    #expect(try await widget.fetchAll().map(\.id) == ["a"], "the launch of an extension is no launch of the app")
    try await widget.save(app.coupon("b", LaunchCoupons.self))
    #expect(try await first.count() == 2)
    let second = try app.launch(LaunchCoupons.self).records(Coupon<LaunchCoupons>.self)
    #expect(try await second.count() == 0)
  }

  @Test func routersOfOneLaunchKeepTheRowsOfEachOther() async throws {
    let launch = ProcessLaunch()
    let coupons = try (0..<2).map { _ in
      let router = app.launch { $0.launch = launch }
      try router.registerCatalog(CouponCatalog<LaunchCoupons>.self)
      return router.records(Coupon<LaunchCoupons>.self)
    }
    try await coupons[0].save(app.coupon("a", LaunchCoupons.self))
    #expect(try await coupons[1].fetchAll().map(\.id) == ["a"])
  }
}
