import Foundation
@_spi(Generated) import LocalData
@testable import LocalDataMaintenance
import LocalDataRecords
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataSystem
import Testing

extension SQLiteConnection {
  /// Returns the statements of the tables and indexes.
  func statements() throws(StorageProblem) -> [String] {
    var statements: [String] = []
    try rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL") { row in
      statements.append(row.text(0) ?? "")
      return true
    }
    return statements
  }
}

/// A file whose tables somebody has changed is damaged, for a router that opens it and for one that has it open. A repair makes the
/// tables anew, and keeps their rows.
struct ForgedTableTests {
  /// A change of a definition, or statements of SQL.
  struct Forgery: Sendable, CustomTestStringConvertible {
    var object = ""
    var old = ""
    var new = ""
    var sql = ""

    static func of(_ object: String, _ old: String, _ new: String) -> Forgery {
      Forgery(object: object, old: old, new: new)
    }

    var testDescription: String { object.isEmpty ? sql : "\(object): \(new)" }

    func make(on connection: SQLiteConnection) throws(StorageProblem) {
      try connection.execute("PRAGMA writable_schema = ON")
      let change = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND instr(sql, ?) > 0"
      if !object.isEmpty { try connection.writeRow(change, [.text(old), .text(new), .text(object), .text(old)]) }
      try connection.execute(sql)
      let version = try connection.first("PRAGMA schema_version") { $0.integer(0) } ?? 0
      // Other connections read the schema again.
      try connection.execute("PRAGMA schema_version = \(version + 1)")
    }
  }

  private static let email = "\"email\" TEXT"
  private static let points = "\"points\" INTEGER DEFAULT 0"
  private static let index = "ON \"Member\" (\"email\")"

  private static let forgeries: [Forgery] = [
    .of("Member", "PRIMARY KEY", "PRIMARY KEY ON CONFLICT IGNORE"),
    .of("Member", "PRIMARY KEY", "PRIMARY KEY ON CONFLICT REPLACE"),
    .of("Member", email, "\(email) NOT NULL ON CONFLICT IGNORE"),
    .of("Member", email, "\(email) CHECK (email <> 'new')"),
    .of("Member", email, "\(email) CHECK (length(hex(zeroblob(400000000))) > 0)"),
    .of("Member", email, "\(email) COLLATE NOCASE"),
    .of("Member", email, "\(email) REFERENCES \"Visit\" (\"id\") ON DELETE CASCADE"),
    .of("Member", points, "\(points), \"more\" TEXT"),
    .of("Member", points, "\"points\" INTEGER AS (1) VIRTUAL"),
    .of("Member", points, "\"points\" INTEGER DEFAULT (length(hex(zeroblob(400000000))))"),
    .of("Member", points, "\"points\" INTEGER DEFAULT 0 CHECK (1)"),
    .of("Member", points, "\"points\" TEXT DEFAULT 0"),
    .of("Member", ") STRICT", ")"),
    .of("Member", ") STRICT", ", CHECK (1)) STRICT"),
    .of("Member", "CREATE TABLE", "CREATE  TABLE"),
    .of("Visit", "ON DELETE CASCADE", "ON DELETE SET NULL"),
    .of("Visit", "REFERENCES \"Member\"", "REFERENCES \"Bill\""),
    .of("Bill", "ON DELETE RESTRICT", "ON DELETE CASCADE"),
    .of("Member.email", "UNIQUE ", ""),
    .of("Member.email", index, "\(index) WHERE points > 0"),
    .of("Member.email", index, "ON \"Member\" (\"email\" COLLATE NOCASE)"),
    .of("Member.email", index, "ON \"Member\" (lower(\"email\"))"),
    Forgery(sql: "DROP INDEX \"Member.email\""),
    Forgery(sql: "CREATE UNIQUE INDEX more ON Member (id, points)"),
    Forgery(sql: "CREATE INDEX more ON local_data (value)"),
    Forgery(sql: "CREATE TABLE other (member TEXT REFERENCES Member (id) ON DELETE RESTRICT)"),
    Forgery(sql: "ALTER TABLE Member ADD COLUMN more TEXT"),
    Forgery(sql: "ANALYZE"),
    Forgery(
      sql: """
        UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'Bill') WHERE name = 'Visit'
        """),
  ]

  private let app: RelaunchedApp
  private let members = [Member(id: "a", email: "a@b.de"), Member(id: "b", email: "b@b.de")]

  init() throws { app = try RelaunchedApp() }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(ClubCatalog.self)
    return router
  }

  private func connection() throws -> SQLiteConnection {
    let folder = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path
    return try SQLiteConnection(
      path: folder + "/.records/club.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
  }

  private func fill() async throws -> StorageRouter {
    let router = try launch()
    for member in members { try await router.members.save(member) }
    return router
  }

  @Test(arguments: forgeries) func aForgedTableIsDamage(_ forgery: Forgery) async throws {
    let open = try await fill()
    try forgery.make(on: connection())
    let damaged = StorageError(.databaseDamaged, .init(key: "Member", domain: .fileSystem))
    for router in [open, try launch()] {
      #expect(await storageError { try await router.members.fetchAll() } == damaged)
      #expect(await storageError { try await router.members.save(Member(id: "new", email: "new")) } == damaged)
      #expect(await storageError { try await router.members.delete(id: "a") } == damaged)
    }
  }

  @Test(arguments: forgeries.filter { !$0.sql.contains("rootpage") })
  func aRepairMakesTheTablesAnew(_ forgery: Forgery) async throws {
    _ = try await fill()
    try forgery.make(on: connection())
    let router = try launch()
    let domain = StorageDomain.fileSystem(directory: .applicationSupport)
    #expect(try await router.maintenance.setAsideDamaged(domain).files.count == 1)
    #expect(try await router.members.fetchAll().map(\.email) == members.map(\.email))
    try await router.members.save(Member(id: "new", email: "new"))
    #expect(try await launch().members.count() == 3)
    #expect(try await launch().maintenance.setAsideDamaged(domain) == .init())
  }

  /// The shape is compared with the tables, and defines them. It cannot contain what a table must not.
  @Test(arguments: ["(abs(1))", "random()", "'a' || 'b'", "CURRENT_TIME", "'a", "0 CHECK"])
  func aForgedShapeDefinesNoExpression(_ value: String) async throws {
    _ = try await fill()
    let connection = try connection()
    try connection.writeRow(
      "UPDATE local_data SET value = replace(value, ?, ?) WHERE name = 'shape'",
      [.text("\"INTEGER\",\"0\""), .text("\"INTEGER\",\"\(value)\"")])
    let router = try launch()
    let damaged = StorageError(.databaseDamaged, .init(key: "Member", domain: .fileSystem))
    #expect(await storageError { try await router.members.fetchAll() } == damaged)
    let result = try await router.maintenance.setAsideDamaged(.fileSystem(directory: .applicationSupport))
    #expect(result.records.map(\.kept) == [0, 2, 0])
    #expect(try await router.members.fetchAll() == members)
  }

  /// A database in memory has the tables that its statements create.
  @Test func aWriteThatStoresNothingFails() async throws {
    let email = Self.email
    _ = try await fill()
    let connection = try connection()
    var content = try connection.statements().filter { !$0.hasPrefix("CREATE UNIQUE INDEX") }.map {
      $0.replacingOccurrences(of: email, with: "\(email) UNIQUE ON CONFLICT IGNORE")
    }
    let shape = try connection.first("SELECT value FROM local_data WHERE name = 'shape'") { $0.text(0) ?? "" }
    content.append("INSERT INTO local_data VALUES ('shape', '\(try #require(shape))')")
    let storage = TestStorage()
    let router = storage.launch()
    try router.registerCatalog(ClubCatalog.self)
    _ = try RecordStore.of(ClubDatabase.self, on: router, content: content)
    try await router.members.save(members[0])
    let damaged = StorageError(.databaseDamaged, .init(key: "Member", domain: .fileSystem))
    let other = Member(id: "c", email: members[0].email)
    #expect(await storageError { try await router.members.save(other) } == damaged)
    let inserted = await storageError {
      try await router.transaction(in: ClubDatabase.self) { try $0.members.insert(other) }
    }
    #expect(inserted == damaged)
    #expect(try await router.members.fetchAll() == [members[0]])
  }
}
