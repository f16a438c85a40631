#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalDataStores

  @Suite struct KeychainHelperTests {
    let fixture: StoreFixture
    static let attributes = StorageAttributes()

    init() throws { fixture = try StoreFixture() }

    private var helper: KeychainHelper { KeychainHelper(in: fixture.locations.appFolder) }
    private let address = StorageAddress.item("account")

    @Test(
      arguments: ValueStoreContract.clauses,
      [
        .keychain(service: "s", accessGroup: nil, synchronizable: false),
        .keychain(service: "日本 ' s", accessGroup: "T.group", synchronizable: true),
      ] as [StorageContainer])
    func keepsTheContract(_ clause: ValueStoreContract.Clause, _ container: StorageContainer) throws {
      try clause.check(helper, container)
    }

    @Test func groupsKeepTheContractInTheirContainer() throws {
      let group = KeychainHelper(in: try fixture.locations.keystore(group: "group.test").folder)
      for clause in ValueStoreContract.clauses.prefix(3) {
        try clause.check(group, .keychain(service: clause.description, accessGroup: nil, synchronizable: false))
      }
      #expect(try fixture.permissions()["groups/group.test/keystore.key"] == 0o600)
    }

    @Test func readingCreatesNothing() throws {
      #expect(try helper.read(address, Self.attributes) == nil)
      #expect(try !helper.exists(address, Self.attributes))
      try helper.remove(address, Self.attributes)
      #expect(try !helper.holdsSealedValues(in: []))
      try helper.makeDurable(address.container)
      try helper.purge(address.container)
      #expect(try fixture.permissions().isEmpty)
    }

    @Test func itemsAreTheirGroupServiceAndAccount() throws {
      let addresses = [
        StorageAddress.item("a", service: "s"), .item("b", service: "s"), .item("a", service: "t"),
        .item("a", service: "s", group: "g"), .item("sa", service: ""), .item("", service: "sa"),
      ]
      for (index, address) in addresses.enumerated() {
        try helper.write(Data([UInt8(index)]), to: address, Self.attributes)
      }
      for (index, address) in addresses.enumerated() {
        #expect(try helper.read(address, Self.attributes) == Data([UInt8(index)]))
      }
      #expect(try !helper.holdsSealedValues(in: []))
      try helper.write(EnvelopeHeader.magic + [1], to: addresses[3], Self.attributes)
      #expect(try helper.holdsSealedValues(in: []))
      #expect(faultOf { try helper.read(.item("a", group: ""), Self.attributes) } == .invalidName)
      #expect(faultOf { try helper.read(.file("a"), Self.attributes) } == .invalidName)
    }

    /// Neither a value nor a key, in the database, its log, or anywhere beside the key file.
    @Test func nothingLiesInPlain() throws {
      let value = Data("a value that nobody shall read".utf8)
      let helper = helper
      try helper.write(value, to: address, Self.attributes)
      try helper.write(value + [1], to: address, Self.attributes)
      let configuration = EncryptionConfiguration()
      let vault = KeysetVault(configuration: configuration) { _ in helper }
      let record = try #require(
        try vault.update(.app, .masterKey) { $0 ?? Keyset(newKey: Randomness.system.secret(32)) })
      let masterKey = try #require(record.keys.first).secret.withUnsafeBytes { Data($0) }
      let fileKey = try Data(contentsOf: fixture.folder.appendingPathComponent("data/keystore.key"))
      #expect(fileKey.count == 32)
      var seen: [String] = []
      for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path) {
        guard let bytes = FileManager.default.contents(atPath: fixture.path(name)) else { continue }
        seen.append(name)
        #expect(bytes.range(of: value) == nil, "\(name)")
        #expect(bytes.range(of: masterKey) == nil, "\(name)")
        #expect(bytes.range(of: fileKey) == nil || name == "data/keystore.key", "\(name)")
      }
      #expect(seen.contains("data/keystore.db") && seen.contains("data/keystore.db-wal"))
    }

    @Test func rowsAreBoundToTheirIdentity() throws {
      try helper.write(Data("mine".utf8), to: address, Self.attributes)
      try helper.write(Data("other".utf8), to: .item("other"), Self.attributes)
      try sql("UPDATE item SET sealed = (SELECT sealed FROM item WHERE account = 'other') WHERE account = 'account'")
      #expect(faultOf { try helper.read(address, Self.attributes) } == .authenticationFailed)
      #expect(try helper.read(.item("other"), Self.attributes) == Data("other".utf8))
      try sql("UPDATE item SET account = 'account2' WHERE account = 'other'")
      #expect(faultOf { try helper.read(.item("account2"), Self.attributes) } == .authenticationFailed)
      #expect(faultOf { try helper.update(.item("account2"), Self.attributes) { _ in .keep } } == .authenticationFailed)
    }

    @Test func damagedRowsAreFaults() throws {
      try helper.write(Data("mine".utf8), to: address, Self.attributes)
      try sql("UPDATE item SET sealed = substr(sealed, 1, 20)")
      #expect(faultOf { try helper.read(address, Self.attributes) } == .corrupted)
      try sql("UPDATE item SET sealed = 'text'")
      #expect(faultOf { try helper.read(address, Self.attributes) } == .corrupted)
      // A new value may take its place.
      try helper.write(Data("new".utf8), to: address, Self.attributes)
      #expect(try helper.read(address, Self.attributes) == Data("new".utf8))
    }

    @Test func aKeystoreWithoutItsRootKeyGetsNoOther() throws {
      try helper.write(Data("mine".utf8), to: address, Self.attributes)
      try sql("DELETE FROM root")
      #expect(faultOf { try helper.read(address, Self.attributes) } == .databaseDamaged)
      #expect(faultOf { try helper.write(Data(), to: .item("x"), Self.attributes) } == .databaseDamaged)
    }

    @Test func aSourceOfALaterVersionIsNotGuessed() throws {
      try helper.write(Data("mine".utf8), to: address, Self.attributes)
      try sql("UPDATE root SET source = 'later'")
      #expect(faultOf { try helper.read(address, Self.attributes) } == .unknownFormatVersion)
      #expect(faultOf { try helper.write(Data(), to: address, Self.attributes) } == .unknownFormatVersion)
    }

    @Test func lockingDropsTheRootKey() throws {
      let helper = helper
      try helper.write(Data("mine".utf8), to: address, Self.attributes)
      #expect(try helper.read(address, Self.attributes) == Data("mine".utf8))
      try FileManager.default.removeItem(atPath: fixture.path("data/keystore.key"))
      #expect(try helper.read(address, Self.attributes) == Data("mine".utf8))
      helper.lock()
      #expect(faultOf { try helper.read(address, Self.attributes) } == .keyMaterialMissing)
    }

    @Test func descriptionsSayNothing() throws {
      try helper.write(Data("mine".utf8), to: address, Self.attributes)
      var text = "\(helper)"
      dump(helper, to: &text)
      #expect(text == "KeychainHelper- KeychainHelper #0\n")
    }

    private func sql(_ statement: String) throws {
      let database = SQLiteDatabase.shared(
        at: try fixture.locations.keystore(), .powerLoss, schema: KeychainHelper.tables.schema)
      try database.write { (connection) throws(StorageProblem) in _ = try connection.run(statement) }
    }
  }
#endif
