import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import LocalDataSQLite

/// A release of an app with coupons: what it declares of the same table.
protocol CouponRelease: Sendable {
  static var coupon: RecordDeclaration { get }
  static var stub: RecordDeclaration { get }
  static var database: RecordDatabaseDeclaration { get }
}

/// A coupon as one release declares it.
nonisolated struct Coupon<Release: CouponRelease>: ExpiringRecord {
  typealias Database = CouponDatabase<Release>

  var id: String
  var sold: Date
  var ends: Date?

  struct Columns: Sendable {
    let id = RecordColumn<Coupon, String>(0)
    let sold = RecordColumn<Coupon, Date>(1)
    let ends = RecordColumn<Coupon, Date?>(2)
  }

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.coupon }
  static var expiry: RecordExpiry<Coupon> { RecordExpiry(columns.ends) { $0.ends } }
}

nonisolated extension Coupon {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    (id, sold, ends) = (try row.text(0), try row.date(1), row.isNull(2) ? nil : try row.date(2))
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try row.date(sold)
    try row.date(ends)
  }
}

/// A part of a coupon. It is deleted with the coupon.
nonisolated struct Stub<Release: CouponRelease>: StorageRecord {
  typealias Database = CouponDatabase<Release>
  struct Columns: Sendable {}

  var id: String
  var coupon: String

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.stub }
}

nonisolated extension Stub {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, coupon) = (try row.text(0), try row.text(1)) }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(coupon)
  }
}

nonisolated enum CouponDatabase<Release: CouponRelease>: RecordDatabase {
  static var declaration: RecordDatabaseDeclaration { Release.database }
}

nonisolated enum CouponCatalog<Release: CouponRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(CouponDatabase<Release>.self)] }
}

nonisolated enum CouponTables {
  static let columns: [RecordDeclaration.Column] = [
    .init(1, "id", .text), .init(2, "sold", .real), .init(3, "ends", .real, isOptional: true),
  ]

  static let stub = RecordDeclaration(
    "Stub", key: 1, [.init(1, "id", .text), .init(2, "coupon", .text, references: "Coupon", onDelete: .cascade)])

  static func coupon(_ retention: RecordDeclaration.Retention) -> RecordDeclaration {
    RecordDeclaration("Coupon", key: 1, columns, indexes: [[2], [3]], retention: retention)
  }

  static func database(_ records: @escaping @Sendable () -> [RecordDeclaration]) -> RecordDatabaseDeclaration {
    RecordDatabaseDeclaration("coupons", .fileSystem(directory: .applicationSupport), records: records)
  }
}

/// The first release.
nonisolated enum FirstCoupons: CouponRelease {
  static let coupon = RecordDeclaration("Coupon", key: 1, CouponTables.columns)
  static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
  static let database = CouponTables.database { [coupon, stub] }
}

/// Coupons have an index of the date on which they end.
nonisolated enum EndingCoupons: CouponRelease {
  static let coupon = RecordDeclaration("Coupon", key: 1, CouponTables.columns, indexes: [[3]])
  static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
  static let database = CouponTables.database { [coupon, stub] }
}

/// Coupons are kept for 100 seconds.
nonisolated enum AgedCoupons: CouponRelease {
  static let coupon = CouponTables.coupon(.dated(by: 2, maxAge: 100))
  static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
  static let database = CouponTables.database { [coupon, stub] }
}

/// The newest three coupons are kept.
nonisolated enum CountedCoupons: CouponRelease {
  static let coupon = CouponTables.coupon(.dated(by: 2, maxCount: 3))
  static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
  static let database = CouponTables.database { [coupon, stub] }
}

/// The newest three coupons are kept, and an index that lists them in another order serves the search.
nonisolated enum SortedCoupons: CouponRelease {
  static let coupon = RecordDeclaration(
    "Coupon", key: 1, CouponTables.columns, indexes: [[3, 2]], retention: .dated(by: 2, maxCount: 3))
  static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
  static let database = CouponTables.database { [coupon, stub] }
}

/// Coupons are kept until the app is launched again.
nonisolated enum LaunchCoupons: CouponRelease {
  static let coupon = CouponTables.coupon(.untilRelaunch)
  static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
  static let database = CouponTables.database { [coupon, stub] }
}

/// Lists leave out damaged coupons.
nonisolated enum SkippingCoupons: CouponRelease {
  static let coupon = RecordDeclaration("Coupon", key: 1, CouponTables.columns, skipsDamaged: true)
  static let stub = RecordDeclaration("Stub", key: 1, CouponTables.stub.columns)
  static let database = CouponTables.database { [coupon, stub] }
}

extension RelaunchedApp {
  /// Launches a release with coupons.
  func launch<Release: CouponRelease>(_ release: Release.Type, isExtension: Bool = false) throws -> StorageRouter {
    let router = launch(isExtension: isExtension, isLater: false)
    try router.registerCatalog(CouponCatalog<Release>.self)
    return router
  }

  /// Returns a coupon that was sold some seconds ago.
  func coupon<Release: CouponRelease>(
    _ id: String, age: TimeInterval = 0, endsIn rest: TimeInterval? = nil, _ release: Release.Type
  ) -> Coupon<Release> {
    Coupon(id: id, sold: clock.now - age, ends: rest.map { clock.now + $0 })
  }

  /// A connection to the file of the coupons, whatever a release declares.
  func couponFile() throws -> SQLiteConnection {
    let folder = try fixture.locations.folder(of: .directory(.applicationSupport))
    return try SQLiteConnection(
      path: folder.path + "/.records/coupons.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
  }

  /// Returns the texts in a column of the rows of a statement.
  func couponTexts(_ sql: String, column: Int32 = 0) throws -> [String] {
    var texts: [String] = []
    try couponFile().rows(sql) { (row) throws(StorageProblem) in
      texts.append(row.text(column) ?? "")
      return true
    }
    return texts
  }
}
