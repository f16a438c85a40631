import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import LocalDataSQLite
import Testing

/// Rows that do not contain a record, and lists that leave them out.
struct DamagedRowTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  /// Stores coupons with a release that throws, damages some, and returns that release and the one that leaves them out.
  private func launch(
    _ ids: String, damaging damaged: String
  ) async throws -> (old: Records<Coupon<FirstCoupons>>, new: StorageRouter) {
    let old = try app.launch(FirstCoupons.self).records(Coupon<FirstCoupons>.self)
    for id in ids { try await old.save(app.coupon("\(id)", endsIn: id.isUppercase ? 1 : 2, FirstCoupons.self)) }
    let file = try app.couponFile()
    for id in damaged { try file.run("UPDATE Coupon SET sold = NULL WHERE id = ?", [.text("\(id)")]) }
    return (old, try app.launch(SkippingCoupons.self))
  }

  @Test func listsLeaveOutDamagedRows() async throws {
    let (old, router) = try await launch("abcd", damaging: "bd")
    let corrupted = StorageError(.corrupted, .init(key: "Coupon", domain: .fileSystem))
    #expect(await storageError { try await old.fetchAll() } == corrupted)
    let coupons = router.records(Coupon<SkippingCoupons>.self)
    #expect(try await coupons.fetchAll().map(\.id) == ["a", "c"])
    #expect(await storageError { try await coupons.fetch(id: "b") } == corrupted)
    #expect(await storageError { try await coupons.update(id: "b") { $0.ends = nil } } == corrupted)
    #expect(try await coupons.fetch(ids: ["d", "c", "b"]).map(\.id) == ["c"])
    #expect(try await coupons.where { $0.id == "b" }.first() == nil)
    var values = coupons.values().makeAsyncIterator()
    #expect(try await values.next()?.map(\.id) == ["a", "c"])
    let read = try await router.read(CouponDatabase<SkippingCoupons>.self) {
      try $0.records(Coupon<SkippingCoupons>.self).fetchAll().count
    }
    #expect(read == 2)
    #expect(try await coupons.count() == 4, "the number of rows, which are not read for it")
    try await coupons.save(app.coupon("b", SkippingCoupons.self))
    #expect(try await coupons.where { $0.id != "d" }.fetchAll().count == 3)
    #expect(try await coupons.where { $0.id == "d" }.delete() == 1)
    #expect(try await old.fetchAll().count == 3)
  }

  @Test func aLimitCountsOnlyRecords() async throws {
    let (_, router) = try await launch("abcd", damaging: "abd")
    let coupons = router.records(Coupon<SkippingCoupons>.self)
    let ordered = coupons.order { $0.id.ascending }
    #expect(try await ordered.first()?.id == "c")
    #expect(try await ordered.limit(1).fetchAll().map(\.id) == ["c"])
    #expect(try await ordered.limit(0).fetchAll() == [])
    #expect(try await ordered.limit(9).fetchAll().map(\.id) == ["c"])
  }

  @Test(arguments: ["", "a", "i", "abc", "ghi", "bdfh", "abcdefgh", "abcdefghi"])
  func eachUndamagedRowIsOnOnePage(damaged: String) async throws {
    let (_, router) = try await launch("abcdefghi", damaging: damaged)
    let coupons = router.records(Coupon<SkippingCoupons>.self)
    let expected = "abcdefghi".filter { !damaged.contains($0) }.map { "\($0)" }
    for query in [coupons.all, coupons.order { $0.id.ascending }] {
      for size in [1, 2, 4, 9] {
        var pages: [[String]] = []
        for try await page in query.pages(of: size) { pages.append(page.map(\.id)) }
        #expect(pages.flatMap(\.self) == expected)
        #expect(pages.dropLast().allSatisfy { $0.count == size })
        #expect(!pages.contains([]))
      }
      var limited: [String] = []
      for try await page in query.limit(3).pages(of: 2) { limited += page.map(\.id) }
      #expect(limited == Array(expected.prefix(3)))
    }
  }

  @Test func theFirstOfEachValueIsTheFirstThatIsNotDamaged() async throws {
    let (_, router) = try await launch("aAbBcC", damaging: "aAb")
    let ordered = router.records(Coupon<SkippingCoupons>.self).order { $0.id.ascending }
    #expect(try await ordered.fetchFirst(ofEach: { $0.ends }).map(\.id) == ["B", "c"])
    #expect(try await ordered.limit(1).fetchFirst(ofEach: { $0.ends }).map(\.id) == ["B"])
    #expect(try await ordered.limit(0).fetchFirst(ofEach: { $0.ends }) == [])
  }

  @Test func theLogHasTheNumberOfRowsAndNoValue() async throws {
    let (_, router) = try await launch("abc", damaging: "ac")
    let lines = LogLines()
    router.setLogger { lines.add($0) }
    let coupons = router.records(Coupon<SkippingCoupons>.self)
    _ = try await coupons.fetchAll()
    _ = try await coupons.where { $0.id == "a" }.first()
    _ = try await router.transaction(in: CouponDatabase<SkippingCoupons>.self) {
      try $0.records(Coupon<SkippingCoupons>.self).fetchAll().count
    }
    let skipped = lines.all.filter { $0.operation == .skip }
    #expect(skipped.map(\.rows) == [2, 1, 2])
    #expect(skipped.map(\.key) == Array(repeating: .init(key: "Coupon", domain: .fileSystem), count: 3))
    #expect(skipped.map(\.description).first == "skip 'Coupon' in fileSystem: 2 rows, 0.0 ms")
    #expect(lines.all.map(\.operation) == [.skip, .query, .skip, .query, .skip, .transaction])
  }

  // MARK: Encrypted fields

  /// A row whose sealed part was changed is damaged. A row whose key is missing is not.
  @Test func aMissingKeyIsNoDamage() async throws {
    let router = app.launch()
    try router.registerCatalog(TokenCatalog.self)
    let tokens = router.records(Token.self)
    for id in ["a", "b"] { try await tokens.save(Token(id: id, secret: "open sesame")) }
    let folder = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path
    let file = try SQLiteConnection(
      path: folder + "/.records/tokens.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
    let subject = StorageError.Subject(key: "Token", domain: .fileSystem)
    try file.execute("UPDATE Token SET sealed = (SELECT sealed FROM Token WHERE id = 'b') WHERE id = 'a'")
    #expect(try await tokens.fetchAll().map(\.id) == ["b"])
    #expect(await storageError { try await tokens.fetch(id: "a") } == StorageError(.authenticationFailed, subject))
    var part = try #require(try file.first("SELECT sealed FROM Token WHERE id = 'a'", []) { $0.blob(0) })
    part[part.startIndex + 5] = 9  // the number of its key
    try file.run("UPDATE Token SET sealed = ? WHERE id = 'a'", [.blob(part)])
    #expect(await storageError { try await tokens.fetchAll() } == StorageError(.keyMaterialMissing, subject))
    try file.execute("DELETE FROM Token WHERE id = 'a'; DELETE FROM local_data_keys")
    let later = app.launch()
    try later.registerCatalog(TokenCatalog.self)
    #expect(
      await storageError { try await later.records(Token.self).fetchAll() }
        == StorageError(.keyMaterialMissing, subject))
  }
}

/// A record with an encrypted field, whose damaged rows are left out of lists.
nonisolated struct Token: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "tokens", .fileSystem(directory: .applicationSupport), records: { [Token.self] })
  }

  struct Columns: Sendable {}

  var id: String
  var secret: String

  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Token", key: 1, [.init(1, "id", .text), .init(0, "sealed", .sealed)], sealed: [.init(2, "String")],
    skipsDamaged: true)
}

nonisolated extension Token {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    var secret = ""
    try row.sealed(1, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 18 { secret = try reader.text() } else { try reader.skip(field) }
      }
    }
    self.init(id: id, secret: secret)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in writer.text(secret, 2) }
  }
}

private enum TokenCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Token.Database.self)] }
}
