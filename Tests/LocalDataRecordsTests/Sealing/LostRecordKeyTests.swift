import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) @testable import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataVocabulary
import Testing

/// A device that got the database and not the keys: after the app has given the encrypted fields up, every call works again.
struct LostRecordKeyTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(Shop.Catalog.self)
    return router
  }

  private var path: String {
    get throws { try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records/keyless.db" }
  }

  private func fill() async throws {
    let router = try launch()
    for id in 1...3 {
      try await router.records(Shop.Item.self).save(Shop.Item(id: id, email: "\(id)@example.com", name: "n\(id)"))
      try await router.records(Shop.Card.self).save(Shop.Card(id: id, pin: "1234"))
      try await router.records(Shop.Order.self).save(Shop.Order(id: id, card: id, item: id))
    }
    // A row without a value in its encrypted field has a sealed part too.
    try await router.records(Shop.Item.self).save(Shop.Item(id: 4, email: nil, name: "n4"))
  }

  private func loseKeys() throws {
    for name in StoreFixture.keystoreFiles + [".master-key-created.location"] {
      let path = app.fixture.path("data/" + name)
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
  }

  private func expectUsable(_ router: StorageRouter) async throws {
    let items = router.records(Shop.Item.self)
    try await items.save(Shop.Item(id: 9, email: "new", name: "new"))
    try await router.records(Shop.Card.self).save(Shop.Card(id: 9, pin: "9"))
    let later = try launch()
    #expect(try await later.records(Shop.Item.self).where { $0.email == "new" }.fetchAll().map(\.id) == [9])
    #expect(try await later.records(Shop.Card.self).fetch(id: 9)?.pin == "9")
    // The number of the new key occurs in no other key or sealed part.
    let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60))
    #expect(try file.first("SELECT count(*) FROM local_data_keys") { $0.integer(0) } == 1)
    let parts =
      "SELECT count(*) FROM (SELECT sealed FROM Item UNION ALL SELECT sealed FROM Card) WHERE sealed IS NOT NULL"
    // Each row has a part, an empty one if its fields are lost.
    #expect(try file.first(parts) { $0.integer(0) } == 6)
    #expect(try await later.records(Shop.Item.self).fetchAll().map(\.email) == [nil, nil, nil, nil, "new"])
    #expect(await later.maintenance.damagedRecords().values == [])
  }

  private typealias Repaired = StorageCatalogPart.RepairedHistory

  @Test func onlyRowsThatNeedNoLostFieldStay() async throws {
    try await fill()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try loseKeys()
    let router = try launch()
    let missing = StorageError(.keyMaterialMissing, .init(key: "Item", domain: .fileSystem))
    #expect(await storageError { try await router.records(Shop.Item.self).fetchAll() } == missing)

    let lost = try await router.maintenance.abandonEncryptedData()
    #expect(lost.keys == [.init(key: "keyless", domain: .fileSystem)])
    let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60))
    #expect(try file.first("SELECT count(sealed) FROM Item") { $0.integer(0) } == 4, "each row has an empty part")
    let records = Dictionary(uniqueKeysWithValues: lost.records.map { ($0.record.key ?? "", $0) })
    // The encrypted fields of an item are optional, and the code of a card is not.
    #expect(records["Item"]?.kept == 4 && records["Item"]?.removed == 0 && records["Item"]?.lostFields == [2: 4])
    #expect(records["Card"]?.kept == 0 && records["Card"]?.removed == 3 && records["Card"]?.isWhole == false)
    // An order needs its card.
    #expect(records["Order"]?.kept == 0 && records["Order"]?.removed == 3)
    #expect(try await router.records(Shop.Item.self).fetchAll().map(\.name) == ["n1", "n2", "n3", "n4"])

    // A copy of the file was kept first.
    let copies = try await router.maintenance.setAsideFiles().filter { $0.url.path.contains("keyless.db.damaged-") }
    #expect(copies.contains { lost.folders.map(\.path).contains($0.url.deletingLastPathComponent().path) })
    let kept = try copies.map { try Data(contentsOf: $0.url) }
    #expect(kept.contains { $0.count == before.count })
    try await expectUsable(router)
    #expect(try await launch().maintenance.abandonEncryptedData().records == [])
  }

  /// Also if the row of the record key is lost, and the master key is not.
  @Test func aRecordKeyThatIsLostAloneIsGivenUp() async throws {
    try await fill()
    let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try file.execute("DELETE FROM local_data_keys")
    let router = try launch()
    #expect(try await router.maintenance.abandonEncryptedData().records.map(\.kept).sorted() == [0, 0, 4])
    try await expectUsable(router)
  }

  /// A damaged database is repaired only if the app asks for it: it may restore a backup instead.
  @Test func aDamagedDatabaseIsNotAbandoned() async throws {
    try await fill()
    try loseKeys()
    let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try file.execute("DELETE FROM local_data; DELETE FROM local_data_keys")
    let router = try launch()
    let damaged = StorageError(.databaseDamaged, .init(key: "keyless", domain: .fileSystem))
    #expect(await storageError { try await router.maintenance.abandonEncryptedData() } == damaged)
    let result = try await router.maintenance.setAsideDamaged(Shop.Database.declaration.domain)
    #expect(result.records.map(\.kept).sorted() == [0, 0, 4])
    #expect(result.affected.count == 3)
    try await router.maintenance.abandonEncryptedData()
    try await expectUsable(router)
  }

  /// The keystore cannot be read now.
  @Test func aLockedKeyIsNotLost() async throws {
    try await fill()
    let key = app.fixture.path("data/keystore.key")
    try FileManager.default.moveItem(atPath: key, toPath: app.fixture.path("kept"))
    let router = try launch()
    await #expect(throws: StorageError.self) { try await router.maintenance.abandonEncryptedData() }
    try FileManager.default.moveItem(atPath: app.fixture.path("kept"), toPath: key)
    #expect(try await launch().records(Shop.Card.self).fetchAll().map(\.pin) == ["1234", "1234", "1234"])
  }

  @Test func damagedRowsAreRemoved() async throws {
    try await fill()
    let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try file.execute("UPDATE Card SET sealed = (SELECT sealed FROM Card WHERE id = 1) WHERE id > 1")
    try file.execute("UPDATE Item SET name = NULL WHERE id = 4")
    let router = try launch()
    let damaged = await router.maintenance.damagedRecords().values
    #expect(damaged.map(\.row) == [4, 2, 3])
    // It is whole again before it is removed.
    try await router.records(Shop.Card.self).save(Shop.Card(id: 3, pin: "3"))
    #expect(try await router.maintenance.removeDamagedRecords(damaged) == 2)
    #expect(try await router.records(Shop.Card.self).fetchAll().map(\.id) == [1, 3])
    #expect(try await router.records(Shop.Item.self).fetchAll().map(\.id) == [1, 2, 3])
    #expect(
      try await router.records(Shop.Order.self).fetchAll().map(\.id) == [1, 3], "an order is deleted with its card")
    #expect(await router.maintenance.damagedRecords().values == [])
    #expect(try await router.maintenance.removeDamagedRecords(damaged) == 0)
  }
}

/// Records with encrypted fields that are optional, and that are not.
private enum Shop {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "keyless", .fileSystem(directory: .applicationSupport), records: { [Item.self, Card.self, Order.self] })
  }

  enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var parts: [StorageCatalogPart] { [.records(Database.self)] }
  }

  nonisolated struct Item: StorageRecord {
    typealias Database = Shop.Database
    struct Columns: Sendable { let email = BlindColumn<Item, String?>(1, 2) }
    static let declaration = RecordDeclaration(
      "Item", key: 1,
      [
        .init(1, "id", .integer), .init(2, "email.blind", .blindIndex), .init(3, "name", .text),
        .init(0, "sealed", .sealed),
      ],
      sealed: [.init(2, "String")], indexes: [[2]])
    static var columns: Columns { Columns() }
    var id: Int
    var email: String?
    var name: String
  }

  nonisolated struct Card: StorageRecord {
    typealias Database = Shop.Database
    struct Columns: Sendable {}
    static let declaration = RecordDeclaration(
      "Card", key: 1, [.init(1, "id", .integer), .init(0, "sealed", .sealed)],
      sealed: [.init(2, "String", isRequired: true)])
    static var columns: Columns { Columns() }
    var id: Int
    var pin: String
  }

  nonisolated struct Order: StorageRecord {
    typealias Database = Shop.Database
    struct Columns: Sendable {}
    static let declaration = RecordDeclaration(
      "Order", key: 1,
      [
        .init(1, "id", .integer), .init(2, "card", .integer, references: "Card", onDelete: .cascade),
        .init(3, "item", .integer, isOptional: true, references: "Item", onDelete: .setNull),
      ])
    static var columns: Columns { Columns() }
    var id: Int
    var card: Int
    var item: Int?
  }
}

nonisolated extension Shop.Item {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id: Int = try row.integer(0)
    var email: String?
    let name = try row.text(2)
    try row.sealed(3, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 18 { email = try reader.text() } else { try reader.skip(field) }
      }
    }
    self.init(id: id, email: email, name: name)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.blind(email, 2, Self.declaration)
    row.text(name)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in
      if let email { writer.text(email, 2) }
    }
  }
}

nonisolated extension Shop.Card {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id: Int = try row.integer(0)
    var pin: String?
    try row.sealed(1, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 18 { pin = try reader.text() } else { try reader.skip(field) }
      }
    }
    guard let pin else { throw .corrupted }
    self.init(id: id, pin: pin)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in writer.text(pin, 2) }
  }
}

nonisolated extension Shop.Order {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    card = try row.integer(1)
    item = row.isNull(2) ? nil : try row.integer(2)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.integer(card)
    row.integer(item)
  }
}
