#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataMaintenance
  import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataSQLite
  import TestSupport
  import Testing

  /// Rotations of record keys whose process is killed, or whose file calls fail: every row is found, and the next rotation ends.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RecordRotationSweepTests {
    private typealias Home = ProbeWallet.One
    private static let ids = (0..<4).map { "card \($0)" }

    @Test func everyRowIsFoundWhereverARotationEnds() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["cards", "one", "rotate"], in: fixture, FaultShim(in: fixture)) {
        for id in Self.ids {
          let words = ["cards", fixture.path("store"), "one", "save", id]
          let end = try ChildProcess.run(ChildProcess.probe, words)
          #expect(end.code == 0, "\(end)")
        }
      }
      var states: Set<[Int64]> = []
      let count = try await sweep.runEverywhere { moment in
        #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
        let path = moment.folder + "/data/documents/.records/cards.db"
        let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10), kind: .draft)
        var numbers: [Int64] = []
        try file.rows("SELECT number FROM local_data_keys ORDER BY number") { row in
          numbers.append(row.integer(0))
          return true
        }
        states.insert(numbers)
        try await expectCards(in: moment.folder, Self.ids, "\(moment)")
        try await StorageRouter.probe(in: moment.folder).cards(Home.self).save(ProbeCard("later"))
        let next = StorageRouter.probe(in: moment.folder)
        _ = try next.cards(Home.self)
        #expect(try await next.maintenance.rotateKeys().failures == [], "\(moment)")
        #expect(try file.first("SELECT count(*) FROM local_data_keys") { $0.integer(0) } == 1, "\(moment)")
        let parts = "SELECT count(DISTINCT substr(sealed, 3, 4)) FROM Card"
        #expect(try file.first(parts) { $0.integer(0) } == 1, "\(moment)")
        #expect(try await next.maintenance.destroyRetiredKeys() > 0, "\(moment)")
        try await expectCards(in: moment.folder, Self.ids + ["later"], "\(moment)")
      }
      #expect(count >= Sweep.count(quick: 5, full: 30))
      if Sweep.isFull { #expect(states == [[1], [1, 2], [2]], "the processes ended at every step") }
      Sweep.report("rotations of record keys", "\(count) faults, keys \(states)")
    }

    private func expectCards(in folder: String, _ ids: [String], _ moment: String) async throws {
      let cards = try StorageRouter.probe(in: folder).cards(Home.self)
      let found = try await cards.where { $0.issuer == "city library" }.fetchAll()
      #expect(found.map(\.id).sorted() == ids, "\(moment)")
      #expect(found.allSatisfy { $0.secret == "open sesame" }, "\(moment)")
    }
  }
#endif
