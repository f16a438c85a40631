#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import Testing

  @testable import LocalDataStores

  /// Tests that no file contains a removed value after its container is purged.
  @Suite struct PurgeTests {
    private let fixture: StoreFixture
    private let attributes = StorageAttributes()
    private let secret = Data("a secret that is found easily".utf8)

    init() throws { fixture = try StoreFixture() }

    @Test func preferences() throws {
      let store = UserDefaultsHelper(fixture.locations)
      let address = StorageAddress.preference("token")
      try store.write(secret, to: address, attributes)
      try store.write(Data(repeating: 7, count: 50_000), to: .preference("other"), attributes)
      // In the database's own pages too, not only in its log.
      try store.purge(address.container)
      #expect(try files(holding: secret) == ["data/preferences/standard.db"])
      try store.write(secret + secret, to: address, attributes)
      try store.remove(address, attributes)
      #expect(try files(holding: secret) == ["data/preferences/standard.db", "data/preferences/standard.db-wal"])
      try store.purge(address.container)
      #expect(try files(holding: secret) == [])
      #expect(try store.read(.preference("other"), attributes)?.count == 50_000)
    }

    /// Sealed items show as what is sealed: the bytes of their rows.
    @Test func keystore() throws {
      let store = KeychainHelper(in: fixture.locations.appFolder)
      let address = StorageAddress.item("token")
      try store.write(secret, to: address, attributes)
      try store.write(Data(repeating: 7, count: 50_000), to: .item("other"), attributes)
      let database = SQLiteDatabase.shared(
        at: try fixture.locations.keystore(), .powerLoss, schema: KeychainHelper.tables.schema)
      let sealed = try #require(
        try database.read { (connection) throws(StorageProblem) in
          try connection.first("SELECT sealed FROM item WHERE account = 'token'") { (row) throws(StorageProblem) in
            row.blob(0)
          }
        } ?? nil)
      try store.purge(address.container)
      #expect(try files(holding: sealed) == ["data/keystore.db"])
      try store.remove(address, attributes)
      #expect(try files(holding: sealed) == ["data/keystore.db"])
      try store.purge(address.container)
      #expect(try files(holding: sealed) == [])
      #expect(try store.read(.item("other"), attributes)?.count == 50_000)
    }

    /// A reader of another process sees what was there when it began: the log stays until it has ended.
    @Test func aReaderKeepsItFromThat() throws {
      let store = UserDefaultsHelper(fixture.locations, patience: .milliseconds(30))
      let address = StorageAddress.preference("token")
      try store.write(secret, to: address, attributes)
      let path = try fixture.locations.preferences(suite: nil).path
      let reader = try SQLiteConnection(path: path, isDurable: false, until: nil)
      try reader.run("BEGIN")
      #expect(try reader.first("SELECT 1 FROM preference") { _ in true } == true)
      try store.remove(address, attributes)
      #expect(throws: StorageProblem.busy) { try store.purge(address.container) }
      #expect(try files(holding: secret) != [])
      try reader.run("COMMIT")
      try store.purge(address.container)
      #expect(try files(holding: secret) == [])
    }

    @Test func whoMayNotWaitIsToldSo() throws {
      let store = UserDefaultsHelper(fixture.locations)
      try store.write(secret, to: .preference("token"), attributes)
      CallDeadline.withoutWaiting {
        #expect(throws: StorageProblem.busy) { try store.purge(.preferences(suite: nil)) }
        #expect(throws: StorageProblem.busy) { try store.makeDurable(.preferences(suite: nil)) }
      }
    }

    private func files(holding bytes: Data) throws -> [String] {
      try fixture.permissions().keys.sorted().filter { name in
        FileManager.default.contents(atPath: fixture.path(name))?.range(of: bytes) != nil
      }
    }
  }
#endif
