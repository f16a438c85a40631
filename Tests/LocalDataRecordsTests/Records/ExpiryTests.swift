import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import Testing

/// Records with a date from which on they are not valid any more.
struct ExpiryTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  /// Coupons that ended a second ago, end now, in 10 and 11 seconds, and never.
  private func save<Release: CouponRelease>(_ release: Release.Type) async throws -> Records<Coupon<Release>> {
    let coupons = try app.launch(release).records(Coupon<Release>.self)
    let dates: [(String, TimeInterval?)] = [("past", -1), ("now", 0), ("ten", 10), ("eleven", 11), ("never", nil)]
    for (id, rest) in dates {
      try await coupons.save(app.coupon(id, endsIn: rest, release))
    }
    return coupons
  }

  private func ids<Release: CouponRelease>(_ query: RecordQuery<Coupon<Release>>) async throws -> Set<String> {
    Set(try await query.fetchAll().map(\.id))
  }

  @Test func couponsThatEndSoonAreFoundByTheClockOfTheRouter() async throws {
    let coupons = try await save(EndingCoupons.self)
    #expect(try await ids(coupons.expiring(within: 10)) == ["ten"])
    #expect(try await ids(coupons.expired) == ["past", "now"])
    #expect(try await ids(coupons.expiring(within: 11).where { $0.id > "f" }.order { $0.ends.ascending }) == ["ten"])
    app.clock.advance(by: 10)
    #expect(try await ids(coupons.expiring(within: 10)) == ["eleven"])
    #expect(try await ids(coupons.expired) == ["past", "now", "ten"])
    #expect(try await coupons.count() == 5, "nothing is deleted")
  }

  @Test(arguments: [(-1, true), (0, true), (0.001, false), (nil, false)] as [(TimeInterval?, Bool)])
  func aCouponEndsAtItsDate(rest: TimeInterval?, isExpired: Bool) {
    let coupon = app.coupon("a", endsIn: rest, EndingCoupons.self)
    #expect(coupon.isExpired(at: app.clock.now) == isExpired)
  }

  /// The next release declares `expires`, and the previous one still uses the file.
  @Test func aReleaseThatAddsItFindsEarlierCoupons() async throws {
    let old = try await save(FirstCoupons.self)
    let coupons = try app.launch(EndingCoupons.self).records(Coupon<EndingCoupons>.self)
    #expect(try await ids(coupons.expiring(within: 10)) == ["ten"])
    try await old.save(app.coupon("more", endsIn: 5, FirstCoupons.self))
    #expect(try await ids(coupons.expiring(within: 10)) == ["ten", "more"])
    let plan = try app.couponTexts("EXPLAIN QUERY PLAN SELECT id FROM Coupon WHERE ends > 0 AND ends <= 10", column: 3)
    #expect(plan == ["SEARCH Coupon USING INDEX Coupon.ends (ends>? AND ends<?)"])
  }
}
