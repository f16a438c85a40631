import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import LocalDataSystem
import Testing

/// Rows that each refer to the one before. SQLite itself deletes no chain of more than 1,000 rows.
struct DeepChainTests {
  private typealias Kept = Node<KeptChain>
  private typealias Pin<Release: ChainRelease> = Link<PinLink, Release>

  private static let depth = 1_500
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Release: ChainRelease>(_ release: Release.Type) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(ChainCatalog<Release>.self)
    return router
  }

  /// Stores a chain of nodes, some of them with a reply in between, and returns the router of the release.
  private func fill(_ depth: Int = depth, replies: Bool = false) async throws -> StorageRouter {
    let (router, now) = (try launch(KeptChain.self), app.clock.now)
    try await router.transaction(in: ChainDatabase<KeptChain>.self) { chains in
      for id in 1...depth {
        let isReply = replies && id.isMultiple(of: 2)
        try chains.records(Kept.self).insert(
          Kept(id: id, parent: isReply || id == 1 ? nil : id - 1, reply: isReply ? id : nil, at: now))
        if replies { try chains.records(Link<ReplyLink, KeptChain>.self).insert(.init(id: id + 1, node: id)) }
      }
    }
    return router
  }

  @Test func theFirstIsDeletedWithAllOthers() async throws {
    let router = try await fill()
    let nodes = router.records(Kept.self)
    try await nodes.save(Kept(id: 9_999))
    #expect(try await nodes.delete(id: 1))
    #expect(try await nodes.fetchAll().map(\.id) == [9_999])
    #expect(try await !nodes.delete(id: 1))
  }

  @Test(arguments: [3, 1_500]) func allAreDeletedAndCounted(_ depth: Int) async throws {
    let nodes = try await fill(depth).records(Kept.self)
    #expect(try await nodes.all.delete() == depth)
    #expect(try await nodes.count() == 0)
  }

  @Test func aQueryDeletesWhatFollowsItsRows() async throws {
    let nodes = try await fill().records(Kept.self)
    #expect(try await nodes.where { $0.id > 100 }.order { $0.id.ascending }.limit(2).delete() == 2)
    #expect(try await nodes.count() == 100)
    #expect(try await nodes.where { $0.id == 50 }.delete() == 1)
    #expect(try await nodes.count() == 49)
  }

  /// The rows of two tables refer to each other.
  @Test func aChainOfTwoTablesIsDeleted() async throws {
    let router = try await fill(replies: true)
    try await router.records(Kept.self).delete(id: 1)
    #expect(try await router.records(Kept.self).count() == 0)
    #expect(try await router.records(Link<ReplyLink, KeptChain>.self).count() == 0)
  }

  @Test func aRingIsDeleted() async throws {
    let nodes = try await fill().records(Kept.self)
    try await nodes.save(Kept(id: 1, parent: Self.depth))
    try await nodes.delete(id: 700)
    #expect(try await nodes.count() == 0)
  }

  @Test(arguments: [3, 1_500]) func aRowThatMayNotLoseItsNodeKeepsAll(_ depth: Int) async throws {
    let router = try await fill(depth)
    let nodes = router.records(Kept.self)
    try await router.records(Pin<KeptChain>.self).save(.init(id: 1, node: depth - 1))
    let error = StorageError(.stillReferenced, .init(key: "Node", domain: .fileSystem))
    #expect(await storageError { try await nodes.delete(id: 1) } == error)
    #expect(await storageError { try await nodes.all.delete() } == error)
    // The app goes on in its transaction.
    try await router.transaction(in: ChainDatabase<KeptChain>.self) { chains in
      #expect(throws: error) { try chains.records(Kept.self).delete(id: 1) }
      try chains.records(Kept.self).insert(Kept(id: 9_999))
    }
    #expect(try await nodes.count() == depth + 1)
    #expect(try await nodes.fetch(id: depth)?.parent == depth - 1)
    try await router.records(Pin<KeptChain>.self).delete(id: 1)
    try await nodes.delete(id: 1)
    #expect(try await nodes.fetchAll().map(\.id) == [9_999])
  }

  @Test(arguments: [3, 1_500]) func aRowThatOutlivesItsNodeStays(_ depth: Int) async throws {
    let router = try await fill(depth)
    try await router.records(Link<MarkLink, KeptChain>.self).save(.init(id: 1, node: depth - 1))
    try await router.records(Kept.self).delete(id: 1)
    #expect(try await router.records(Kept.self).count() == 0)
    #expect(try await router.records(Link<MarkLink, KeptChain>.self).fetchAll() == [.init(id: 1, node: nil)])
  }

  @Test func removeAllRemovesAChain() async throws {
    let router = try await fill()
    try await router.removeAll(in: ChainDatabase<KeptChain>.self)
    #expect(try await router.records(Kept.self).count() == 0)
  }

  // MARK: Retention

  private func saveEndsChain<Release: ChainRelease>(_ release: Release.Type, keeping kept: [Int]) async throws {
    _ = try await fill()
    app.clock.advance(by: 100)
    let nodes = try launch(release).records(Node<Release>.self)
    try await nodes.save(Node(id: 9_999, at: app.clock.now))
    #expect(try await nodes.fetchAll().map(\.id) == kept)
    #expect(try await launch(KeptChain.self).records(Kept.self).count() == kept.count)
  }

  @Test func aChainEndsWithItsRetention() async throws {
    try await saveEndsChain(AgedChain.self, keeping: [9_999])
    try await saveEndsChain(CountedChain.self, keeping: [9_999])
    try await saveEndsChain(LaunchChain.self, keeping: [9_999])
  }

  @Test func aSweepEndsAChain() async throws {
    _ = try await fill()
    app.clock.advance(by: 100)
    let sweep = await (try launch(AgedChain.self)).maintenance.sweep()
    #expect(sweep.ended == [.init(key: "Node", domain: .fileSystem)] && sweep.failures == [])
    #expect(try await launch(KeptChain.self).records(Kept.self).count() == 0)
  }

  /// Only an earlier release declares what refers to the ended rows.
  @Test func aRetentionThatCannotDeleteIsNotedAndTriedAgain() async throws {
    let old = try await fill(5)
    try await old.records(Pin<KeptChain>.self).save(.init(id: 1, node: 4))
    app.clock.advance(by: 100)
    let (router, lines) = (try launch(AgedChain.self), LogLines())
    router.setLogger { lines.add($0) }
    let nodes = router.records(Node<AgedChain>.self)
    try await nodes.save(Node(id: 9_999, at: app.clock.now))
    #expect(try await nodes.fetchAll().map(\.id) == [9_999])
    let error = StorageError(.stillReferenced, .init(key: "Node", domain: .fileSystem))
    #expect(lines.all.filter { $0.operation == .expire }.map(\.error) == [error])
    #expect(await router.maintenance.sweep().failures == [error])
    #expect(try await old.records(Kept.self).count() == 6)
    try await old.records(Pin<KeptChain>.self).delete(id: 1)
    try await nodes.save(Node(id: 9_998, at: app.clock.now))
    #expect(try await old.records(Kept.self).count() == 2)
  }
}
