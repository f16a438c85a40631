import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
import LocalDataRecords
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import Testing

/// Rows of a later release, whose update was undone: with cases of enums, and forms of Swift types, that this one does not have.
struct NewerValueTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Release: JobRelease>(_ release: Release.Type) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(JobCatalog<Release>.self)
    return router
  }

  /// The rows that the earlier release cannot read, by the field.
  private static let newer: [Job<LaterJobs>] = [
    .init(id: "state", state: .cancelled), .init(id: "level", level: .high),
    .init(id: "list", list: [.planned, .cancelled]), .init(id: "part", part: .cancelled),
    .init(id: "profile", profile: .init(states: [.cancelled: 1])), .init(id: "secret", secret: .cancelled),
  ]

  private func error(_ problem: StorageProblem) -> StorageError {
    StorageError(problem, .init(key: "Job", domain: .fileSystem))
  }

  @Test func aNewCaseIsNoDamageAndStays() async throws {
    let later = try launch(LaterJobs.self).records(Job<LaterJobs>.self)
    try await later.save(Job(id: "old"))
    for job in Self.newer { try await later.save(job) }
    let router = try launch(FirstJobs.self)
    let jobs = router.records(Job<FirstJobs>.self)
    for job in Self.newer {
      #expect(await storageError { try await jobs.fetch(id: job.id) } == error(.newerValue), "\(job.id)")
      #expect(await storageError { try await jobs.update(id: job.id) { $0.list = [] } } == error(.newerValue))
    }
    #expect(await storageError { try await jobs.fetchAll() } == error(.newerValue))
    #expect(await router.maintenance.damagedRecords().values == [])
    #expect(await router.maintenance.databases().first?.records.first?.damaged == 0)
    #expect(
      Set(try await launch(LaterJobs.self).records(Job<LaterJobs>.self).fetchAll())
        == Set(Self.newer + [.init(id: "old")]))
    let text = error(.newerValue).description
    #expect(text.contains("newer version") && !text.contains("remove") && !text.contains("anew"))
  }

  @Test func listsLeaveOutNewCases() async throws {
    let later = try launch(LaterJobs.self).records(Job<LaterJobs>.self)
    for job in Self.newer + [.init(id: "old")] { try await later.save(job) }
    try await expectSkipped(Self.newer.map(\.id))
    #expect(try await later.count() == Self.newer.count + 1)
  }

  /// The later form of a Swift type lacks a field.
  @Test func aSwiftTypeThatDoesNotDecodeIsLeftOutToo() async throws {
    let later = try launch(LaterJobs.self).records(Job<LaterJobs>.self)
    try await later.save(Job(id: "new", profile: .init(name: nil)))
    try await later.save(Job(id: "old"))
    let router = try launch(FirstJobs.self)
    let jobs = router.records(Job<FirstJobs>.self)
    #expect(await storageError { try await jobs.fetchAll() } == error(.cannotDecode))
    #expect(await storageError { try await jobs.fetch(id: "new") } == error(.cannotDecode))
    #expect(await router.maintenance.damagedRecords().values.map(\.problem) == [error(.cannotDecode)])
    try await expectSkipped(["new"])
  }

  /// Expects each kind of list to leave rows out, and `old` to be read.
  private func expectSkipped(_ ids: [String]) async throws {
    let (router, lines) = (try launch(SkippingJobs.self), LogLines())
    router.setLogger { lines.add($0) }
    let jobs = router.records(Job<SkippingJobs>.self)
    let old = [Job<SkippingJobs>(id: "old")]
    #expect(try await jobs.fetchAll() == old)
    #expect(lines.all.first { $0.operation == .skip }?.rows == ids.count)
    #expect(try await jobs.fetch(ids: ids + ["old"]) == old)
    for query in [jobs.all, jobs.order { $0.id.ascending }] {
      var pages: [[Job<SkippingJobs>]] = []
      for try await page in query.pages(of: 2) { pages.append(page) }
      #expect(pages == [old])
      #expect(try await query.first() == old.first)
    }
    #expect(try await jobs.all.fetchFirst(ofEach: { $0.id }) == old)
    var values = jobs.values().makeAsyncIterator()
    #expect(try await values.next() == old)
    let read = try await router.read(Job<SkippingJobs>.Database.self) {
      try $0.records(Job<SkippingJobs>.self).fetchAll()
    }
    #expect(read == old)
    for id in ids { await #expect(throws: StorageError.self) { try await jobs.fetch(id: id) } }
  }
}
