@testable import LocalDataStores
#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalDataMaintenance

  /// Databases that somebody else has changed, so that statements have no effect or never end.
  @Suite struct PlantedSchemaTests {
    private let fixture: StoreFixture
    private static let attributes = StorageAttributes()
    private static let value = Data("value".utf8)

    init() throws { fixture = try StoreFixture() }

    enum Store: CaseIterable, Sendable {
      case preferences, keychain

      var address: StorageAddress { self == .preferences ? .preference("a") : .item("a") }
      var other: StorageAddress { self == .preferences ? .preference("b") : .item("b") }
      var table: String { self == .preferences ? "preference" : "item" }
      var column: String { self == .preferences ? "bytes" : "sealed" }
    }

    enum Attack: CaseIterable, Sendable {
      case ignoredUpdates, ignoredInserts, ignoredRemovals, index, table, view, ignoringTable, endlessView

      /// A Boolean value that indicates whether the values are still in the table after the attack.
      var keepsValues: Bool { self != .ignoringTable && self != .endlessView }

      func statements(_ store: Store) -> [String] {
        let table = store.table
        let endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
        return switch self {
        case .ignoredUpdates: ["CREATE TRIGGER t BEFORE UPDATE ON \(table) BEGIN SELECT RAISE(IGNORE); END"]
        case .ignoredInserts: ["CREATE TRIGGER t BEFORE INSERT ON \(table) BEGIN SELECT RAISE(IGNORE); END"]
        case .ignoredRemovals: ["CREATE TRIGGER t BEFORE DELETE ON \(table) BEGIN SELECT RAISE(IGNORE); END"]
        case .index: ["CREATE INDEX i ON \(table) (length(\(store.column)))"]
        case .table: ["CREATE TABLE other (x)"]
        case .view: ["CREATE VIEW other AS \(endless) SELECT n FROM r"]
        case .ignoringTable:
          store == .preferences
            ? [
              "DROP TABLE preference",
              """
              CREATE TABLE preference (name TEXT NOT NULL PRIMARY KEY ON CONFLICT IGNORE, written_at INTEGER NOT NULL,
                bytes BLOB NOT NULL)
              """,
            ]
            : [
              "DROP TABLE item",
              """
              CREATE TABLE item (access_group TEXT, service TEXT, account TEXT, sealed BLOB NOT NULL,
                PRIMARY KEY (access_group, service, account) ON CONFLICT IGNORE)
              """,
            ]
        case .endlessView:
          store == .preferences
            ? [
              "DROP TABLE preference",
              """
              CREATE VIEW preference AS \(endless) SELECT 'x' || n AS name, 1 AS written_at, x'00' AS bytes FROM r
                WHERE n < 0
              """,
            ]
            : [
              "DROP TABLE item",
              """
              CREATE VIEW item AS \(endless) SELECT '' AS access_group, 'service' AS service, 'x' || n AS account,
                x'00' AS sealed FROM r WHERE n < 0
              """,
            ]
        }
      }
    }

    private func made(_ store: Store) -> any ValueStore {
      switch store {
      case .preferences: UserDefaultsHelper(fixture.locations)
      case .keychain: KeychainHelper(in: fixture.locations.appFolder)
      }
    }

    private func plant(_ statements: [String], in store: Store) throws {
      let location =
        try store == .preferences ? fixture.locations.preferences(suite: nil) : fixture.locations.keystore()
      let connection = try SQLiteConnection(
        path: location.path, isDurable: true, until: ContinuousClock.now + .seconds(10), kind: .draft)
      for statement in statements { try connection.execute(statement) }
    }

    private func expectDamage(_ store: any ValueStore, _ address: StorageAddress) {
      let attributes = Self.attributes
      #expect(faultOf { try store.read(address, attributes) } == .databaseDamaged)
      #expect(faultOf { try store.exists(address, attributes) } == .databaseDamaged)
      #expect(faultOf { try store.write(Data([2]), to: address, attributes) } == .databaseDamaged)
      #expect(faultOf { try store.remove(address, attributes) } == .databaseDamaged)
      #expect(faultOf { try store.update(address, attributes) { _ in .write(Data([3])) } } == .databaseDamaged)
      #expect(faultOf { try store.names(in: address.container) { _ in true } } == .databaseDamaged)
    }

    @Test(arguments: Store.allCases, Attack.allCases)
    func anotherSchemaIsDamageThatCanBeRepaired(_ store: Store, _ attack: Attack) throws {
      try made(store).write(Self.value, to: store.address, Self.attributes)
      try plant(attack.statements(store), in: store)
      expectDamage(made(store), store.address)

      let files = LibraryFiles(locations: fixture.locations)
      let damage = try files.setAsideDamaged(store.address.container) { _ in }
      #expect(damage.files.count == 1)
      let repaired = made(store)
      #expect(try repaired.read(store.address, Self.attributes) == (attack.keepsValues ? Self.value : nil))
      try repaired.write(Data([4]), to: store.address, Self.attributes)
      #expect(try repaired.read(store.address, Self.attributes) == Data([4]))
      try repaired.remove(store.address, Self.attributes)
      #expect(try !repaired.exists(store.address, Self.attributes))
      #expect(try files.setAsideDamaged(store.address.container) { _ in }.files.isEmpty)
    }

    /// The schema is examined once for each connection, and again if another connection has changed it.
    @Test(arguments: Store.allCases, Attack.allCases)
    func aSchemaThatChangesLaterIsDamageToo(_ store: Store, _ attack: Attack) throws {
      let open = made(store)
      try open.write(Self.value, to: store.address, Self.attributes)
      #expect(try open.read(store.address, Self.attributes) == Self.value)
      #expect(try open.read(store.other, Self.attributes) == nil)
      try plant(attack.statements(store), in: store)
      expectDamage(open, store.address)
      expectDamage(open, store.other)
    }

    /// `length()` of a text ends at its first zero byte.
    @Test(arguments: [1, 4 << 20]) func aTextInThePlaceOfBytesIsNotRead(_ count: Int) throws {
      for store in Store.allCases {
        try made(store).write(Self.value, to: store.address, Self.attributes)
        try plant(["UPDATE \(store.table) SET \(store.column) = CAST(zeroblob(\(count)) AS TEXT)"], in: store)
      }
      let (preferences, keychain) = (made(.preferences), made(.keychain))
      #expect(faultOf { try preferences.read(.preference("a"), Self.attributes) } == .databaseDamaged)
      #expect(faultOf { try keychain.read(.item("a"), Self.attributes) } == .corrupted)
      // A connection whose statement has failed is closed. The next read opens one.
      #expect(try keychain.read(.item("b"), Self.attributes) == nil)
      let promptly = faultOf { try CallDeadline.withoutWaiting { try keychain.read(.item("a"), Self.attributes) } }
      #expect(promptly == .corrupted)
      // Both can be removed or replaced.
      try keychain.setAsideDamaged(.item("a"))
      #expect(try keychain.read(.item("a"), Self.attributes) == nil)
      try keychain.write(Self.value, to: .item("a"), Self.attributes)
      try preferences.write(Self.value, to: .preference("a"), Self.attributes)
      #expect(try preferences.read(.preference("a"), Self.attributes) == Self.value)
      #expect(try made(.keychain).read(.item("a"), Self.attributes) == Self.value)
    }

    @Test(.findsHangs) func aStepEndsWithTheDeadlineOfTheCall() throws {
      try made(.preferences).write(Self.value, to: .preference("a"), Self.attributes)
      let connection = try SQLiteConnection(
        path: try fixture.locations.preferences(suite: nil).path, isDurable: false, until: nil)
      let endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
      #expect(
        faultOf {
          try CallDeadline.bound(patience: .milliseconds(100)) { () throws(StorageProblem) in
            try connection.first(endless) { $0.integer(0) }
          }
        } == .busy)
    }

    @Test func moreRowsThanADatabaseHasRoomForAreDamage() throws {
      try made(.preferences).write(Self.value, to: .preference("a"), Self.attributes)
      let connection = try SQLiteConnection(
        path: try fixture.locations.preferences(suite: nil).path, isDurable: false, until: nil)
      let endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
      #expect(faultOf { try connection.rows(endless) { _ in true } } == .databaseDamaged)
    }
  }
#endif
