import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) @testable import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import LocalDataSystem
import TestSupport
import Testing

/// Random histories of a release without retention and one with it, which use one file.
struct RetentionHistoryTests {
  /// Coupons are kept for 100 seconds, and at most five of them.
  private enum Kept: CouponRelease {
    static let coupon = CouponTables.coupon(.dated(by: 2, maxAge: 100, maxCount: 5))
    static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
    static let database = CouponTables.database { [coupon, stub] }
  }

  /// The rows that the file should contain, in the order of their insertion.
  private struct Model {
    var rows: [(id: String, sold: Date)] = []

    mutating func save(_ id: String, _ sold: Date) {
      if let index = rows.firstIndex(where: { $0.id == id }) {
        rows[index].sold = sold
      } else {
        rows.append((id, sold))
      }
    }

    func lasting(at now: Date) -> [(id: String, sold: Date)] { rows.filter { $0.sold > now - 100 } }

    mutating func deleteSurplus() {
      let order = rows.enumerated().sorted { ($0.element.sold, $0.offset) > ($1.element.sold, $1.offset) }
      let newest = Set(order.prefix(5).map(\.element.id))
      rows.removeAll { !newest.contains($0.id) }
    }
  }

  @Test func eachReleaseFindsWhatItShould() async throws {
    var (random, calls) = (SeededRandom(seed: Sweep.seed), 0)
    for _ in 0..<Sweep.count(quick: 6, full: 60) {
      let app = try RelaunchedApp()
      let old = try app.launch(FirstCoupons.self).records(Coupon<FirstCoupons>.self)
      let router = try app.launch(Kept.self)
      let new = router.records(Coupon<Kept>.self)
      var model = Model()
      for _ in 0..<30 {
        let (id, age) = ("\(Int.random(in: 0..<9, using: &random))", TimeInterval.random(in: -20..<120, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          try await old.save(app.coupon(id, age: age, FirstCoupons.self))
          model.save(id, app.clock.now - age)
        case 2, 3:
          try await new.save(app.coupon(id, age: age, Kept.self))
          model.rows = model.lasting(at: app.clock.now)
          model.save(id, app.clock.now - age)
          model.deleteSurplus()
        case 4:
          model.rows = model.lasting(at: app.clock.now)
          #expect(try await new.delete(id: id) == model.rows.contains { $0.id == id })
          model.rows.removeAll { $0.id == id }
        case 5:
          let sweep = await router.maintenance.sweep()
          let before = model.rows.count
          model.rows = model.lasting(at: app.clock.now)
          model.deleteSurplus()
          #expect(sweep.ended.count == (model.rows.count < before ? 1 : 0) && sweep.failures == [])
        default: app.clock.advance(by: .random(in: -10..<30, using: &random))
        }
        let lasting = Set(model.lasting(at: app.clock.now).map(\.id))
        #expect(Set(try await new.fetchAll().map(\.id)) == lasting)
        #expect(try await new.count() == lasting.count)
        #expect(try await (new.fetch(id: id) != nil) == lasting.contains(id))
        #expect(Set(try await old.fetchAll().map(\.id)) == Set(model.rows.map(\.id)))
        calls += 1
      }
    }
    Sweep.report("histories of retention", "\(calls) calls")
  }
}
