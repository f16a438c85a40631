import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import Testing

/// Queries in SQL, whatever releases the file has seen.
struct RowQueryTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Record: StorageRecord>(_ type: Record.Type, on app: RelaunchedApp) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(NoteReleases.Catalog<Record>.self)
    return router
  }

  /// The second release calls the text `body`, and another field `text`.
  @Test func rowsHaveTodaysNamesOnEveryFile() async throws {
    let fresh = try RelaunchedApp()
    let note = NoteReleases.Two(id: "a", body: "hello", color: "blue")
    let old = try launch(NoteReleases.One.self, on: app)
    try await old.records(NoteReleases.One.self).save(NoteReleases.One(id: "a", text: "hello", color: "blue"))
    try await launch(NoteReleases.Two.self, on: fresh).records(NoteReleases.Two.self).save(note)
    for app in [app, fresh] {
      let router = try launch(NoteReleases.Two.self, on: app)
      let rows = try await router.read(NoteReleases.Two.Database.self) { try $0.rows("SELECT body, text, * FROM Note") }
      let expected = ["hello", "none", "a", "hello", "blue", "none"].map { RecordCell.text($0) }
      #expect(rows == [expected])
    }
    // The first release still has its own names, on the connections that the second one has used.
    let rows = try await old.read(NoteReleases.One.Database.self) { try $0.rows("SELECT text FROM Note") }
    #expect(rows == [[.text("hello")]])
  }

  /// One connection is used all the time.
  @Test func noRowThatHasEndedIsFoundAsTimePasses() async throws {
    let router = try app.launch(AgedCoupons.self)
    for age in [10.0, 50] {
      try await router.records(Coupon<AgedCoupons>.self).save(app.coupon("\(age)", age: age, AgedCoupons.self))
    }
    var counts: [[[RecordCell]]] = []
    for _ in 0..<4 {
      counts.append(
        try await router.read(CouponDatabase<AgedCoupons>.self) { try $0.rows("SELECT count(*) FROM Coupon") })
      app.clock.advance(by: 40)
    }
    #expect(counts == [2, 2, 1, 0].map { [[.integer($0)]] })
  }

  @Test(arguments: RecordPlace.allCases) func parametersHaveTheStoredFormOfTheirTypes(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    let day = Date(timeIntervalSinceReferenceDate: 800_000_000.5)
    try await router.members.save(Member(id: "a' OR 1", email: "a@example.com", points: 3))
    let visit = Visit(member: "a' OR 1", at: day)
    try await router.visits.save(visit)
    let rows = try await router.read(ClubDatabase.self) { club in
      try club.rows(
        """
        SELECT
          member, at FROM Visit
        WHERE id = ? AND member = ? AND at <= ? AND note IS ? AND ?5
        """, [visit.id, visit.member, day, visit.note, true])
    }
    #expect(rows == [[.text("a' OR 1"), .real(800_000_000.5)]])
    _ = app
  }

  @Test func encryptedFieldsHaveNoColumn() async throws {
    let router = app.launch()
    try router.registerCatalog(PassCatalog.self)
    try await router.records(Pass.self).save(Pass(id: "a", issuer: "i", secret: "s"))
    let rows = try await router.read(Pass.Database.self) { try $0.rows("SELECT * FROM Pass") }
    #expect(rows == [[.text("a")]])
    for column in ["issuer", "secret", "sealed", #""issuer.blind""#] {
      await #expect(throws: StorageError.self) {
        try await router.read(Pass.Database.self) { try $0.rows("SELECT \(column) FROM Pass") }
      }
    }
  }

  /// The views have the names of the tables.
  @Test(arguments: RecordPlace.allCases) func otherCallsUseTheTables(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.transaction(in: ClubDatabase.self) { club in
      for _ in 0..<2 {
        #expect(try club.rows("SELECT count(*) FROM Member") == [[.integer(0)]])
        try club.members.insert(Member(id: "a", email: "a"))
        try club.members.save(Member(id: "a", email: "b"))
        #expect(try club.rows("SELECT email FROM Member") == [[.text("b")]])
        #expect(try club.members.fetch(id: "a")?.email == "b")
        #expect(try club.members.where { $0.email == "b" }.fetchFirst(ofEach: { $0.points }).count == 1)
        #expect(try club.members.limit(1).delete() == 1)
      }
    }
    // A transaction that is undone takes its views with it.
    for _ in 0..<2 {
      await #expect(throws: StorageError.self) {
        try await router.transaction(in: ClubDatabase.self) { club in
          try club.members.insert(Member(id: "a", email: "a"))
          #expect(try club.rows("SELECT count(*) FROM Member") == [[.integer(1)]])
          try club.visits.insert(Visit(member: "none", at: .now))
        }
      }
    }
    #expect(try await router.members.count() == 0)
    _ = app
  }

  /// The release that adds a reference drops a column, which the views of the connection name.
  @Test func aMergeFollowsAQuery() async throws {
    let old = try launch(Leaf<Loose>.self, on: app)
    try await old.records(Leaf<Loose>.self).save(Leaf(id: "a", parent: nil))
    try await old.records(Leaf<Loose>.self).save(Leaf(id: "b", parent: "a"))
    let sql = "SELECT parent FROM Leaf WHERE id = ?"
    let before = try await old.transaction(in: Loose.self) { try $0.rows(sql, ["b"]) }
    let new = try launch(Leaf<Bound>.self, on: app)
    #expect(try await new.records(Leaf<Bound>.self).count() == 2)
    let after = try await new.transaction(in: Bound.self) { try $0.rows(sql, ["b"]) }
    #expect(before == [[.text("a")]] && after == before)
    try await new.records(Leaf<Bound>.self).delete(id: "a")
    #expect(try await new.records(Leaf<Bound>.self).count() == 0)
  }

  /// The record is written once more with a form that differs from what the app has changed.
  @Test func anUpdateReturnsWhatIsFetched() async throws {
    let router = try launch(Scale.self, on: app)
    let scales = router.records(Scale.self)
    try await scales.save(Scale(id: "a", weight: .init(grams: 1)))
    let updated = try await scales.update(id: "a") { $0.weight.grams = 2.5 }
    #expect(updated == Scale(id: "a", weight: .init(grams: 2)))
    #expect(try await scales.fetch(id: "a") == updated)
    let same = try await router.transaction(in: Scale.Database.self) {
      try $0.records(Scale.self).update(id: "a") { $0.weight.grams = 3.5 }
    }
    #expect(same == Scale(id: "a", weight: .init(grams: 3)))
  }
}

/// A release of the record ``Leaf``.
private protocol LeafRelease: RecordDatabase {
  static var leaf: RecordDeclaration { get }
}

private enum Loose: LeafRelease {
  static let leaf = RecordDeclaration(
    "Leaf", key: 1, [.init(1, "id", .text), .init(2, "parent", .text, isOptional: true)])
  static let declaration = NoteReleases.database { [leaf] }
}

private enum Bound: LeafRelease {
  static let leaf = RecordDeclaration(
    "Leaf", key: 1,
    [.init(1, "id", .text), .init(2, "parent", .text, isOptional: true, references: "Leaf", onDelete: .cascade)])
  static let declaration = NoteReleases.database { [leaf] }
}

private struct Leaf<Database: LeafRelease>: StorageRecord {
  struct Columns: Sendable {}
  static var declaration: RecordDeclaration { Database.leaf }
  static var columns: Columns { Columns() }

  var id: String
  var parent: String?
}

extension Leaf {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.text(0)
    parent = row.isNull(1) ? nil : try row.text(1)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(parent)
  }
}

/// A record with a Swift type that is stored in whole grams.
private struct Scale: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = NoteReleases.database { [Scale.declaration] }
  }
  struct Columns: Sendable {}
  struct Weight: Codable, Hashable, Sendable {
    var grams: Double
    init(grams: Double) { self.grams = grams }
    init(from decoder: any Decoder) throws { grams = Double(try Int(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try Int(grams).encode(to: encoder) }
  }
  static let declaration = RecordDeclaration("Scale", key: 1, [.init(1, "id", .text), .init(2, "weight", .text)])
  static var columns: Columns { Columns() }

  var id: String
  var weight: Weight
}

extension Scale {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.text(0)
    weight = try row.json(1)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try row.json(weight)
  }
}
