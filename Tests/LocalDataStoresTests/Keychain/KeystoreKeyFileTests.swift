#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalDataStores

  /// The file beside the keystore: never made anew, never guessed.
  @Suite struct KeystoreKeyFileTests {
    let fixture: StoreFixture
    static let attributes = StorageAttributes()
    private let address = StorageAddress.item("account")

    init() throws {
      fixture = try StoreFixture()
      try helper.write(Data("value".utf8), to: address, Self.attributes)
    }

    /// A helper that has no key in memory.
    private var helper: KeychainHelper { KeychainHelper(in: fixture.locations.appFolder) }
    private var keyFile: URL { fixture.folder.appendingPathComponent("data/keystore.key") }

    enum Damage: String, CaseIterable, Sendable {
      case missing, empty, short, long, wrong, oneBit, folder

      var fault: StorageProblem {
        switch self {
        case .missing: .keyMaterialMissing
        case .empty, .short, .long, .folder: .keyMaterialDamaged
        case .wrong, .oneBit: .wrongRootKey
        }
      }

      func apply(to file: URL) throws {
        let key = try Data(contentsOf: file)
        switch self {
        case .missing: try FileManager.default.removeItem(at: file)
        case .empty: try Data().write(to: file)
        case .short: try key.prefix(31).write(to: file)
        case .long: try (key + [0]).write(to: file)
        case .wrong: try Data(repeating: 9, count: 32).write(to: file)
        case .oneBit: try (key.prefix(31) + [key[31] ^ 1]).write(to: file)
        case .folder:
          try FileManager.default.removeItem(at: file)
          try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        }
      }
    }

    @Test(arguments: Damage.allCases) func damageIsAFaultAndNothingChanges(_ damage: Damage) throws {
      let key = try Data(contentsOf: keyFile)
      try damage.apply(to: keyFile)
      let damaged = FileManager.default.contents(atPath: keyFile.path)
      #expect(faultOf { try helper.read(address, Self.attributes) } == damage.fault)
      #expect(faultOf { try helper.read(.item("absent"), Self.attributes) } == damage.fault)
      #expect(faultOf { try helper.write(Data([1]), to: address, Self.attributes) } == damage.fault)
      #expect(faultOf { try helper.update(address, Self.attributes) { _ in .write(Data()) } } == damage.fault)
      #expect(faultOf { try helper.holdsSealedValues(in: []) } == damage.fault)
      #expect(try helper.exists(address, Self.attributes))
      #expect(FileManager.default.contents(atPath: keyFile.path) == damaged)
      // With its key back, everything is.
      try? FileManager.default.removeItem(at: keyFile)
      try key.write(to: keyFile)
      #expect(try helper.read(address, Self.attributes) == Data("value".utf8))
    }

    /// The encryption above it neither takes the fault for absence nor makes a master key.
    @Test(arguments: Damage.allCases) func noMasterKeyIsMadeBesideADamagedKeystore(_ damage: Damage) async throws {
      try damage.apply(to: keyFile)
      let vault = KeysetVault(configuration: .init()) { [fixture] _ in
        KeychainHelper(in: fixture.locations.appFolder)
      }
      let helper = EncryptionHelper(configuration: .init(), vault: vault) { _ in false }
      let fault = await faultOf { try await helper.sealer(for: .init(), keyset: .app, keyName: "n") }
      #expect(fault == damage.fault)
    }

    /// The modes of the folder and the file, and whether another user could read or replace the key.
    @Test(arguments: [
      (0o700, 0o600, false), (0o700, 0o644, false), (0o755, 0o600, false), (0o1777, 0o600, false),
      (0o755, 0o644, true), (0o750, 0o640, true), (0o777, 0o600, true), (0o777, 0o644, true), (0o1777, 0o604, true),
    ])
    func aKeyThatOthersCanReadOrReplaceIsNotUsed(_ folder: Int, _ file: Int, _ isExposed: Bool) throws {
      let attributes = Self.attributes
      chmod(fixture.path("data"), mode_t(folder))
      chmod(keyFile.path, mode_t(file))
      if isExposed {
        #expect(faultOf { try helper.read(address, attributes) } == .keyMaterialExposed)
        #expect(faultOf { try helper.write(Data([1]), to: address, attributes) } == .keyMaterialExposed)
      } else {
        #expect(try helper.read(address, attributes) == Data("value".utf8))
      }
      chmod(fixture.path("data"), 0o700)
      chmod(keyFile.path, 0o600)
      #expect(try helper.read(address, attributes) == Data("value".utf8))
    }

    /// The next launch would refuse the key, with the values that it protects.
    @Test(arguments: [(0o777, true), (0o1777, false), (0o755, false)])
    func noKeyIsMadeWhereOthersCanReplaceIt(_ mode: Int, _ isRefused: Bool) throws {
      let other = try StoreFixture()
      try FileManager.default.createDirectory(atPath: other.path("data"), withIntermediateDirectories: true)
      chmod(other.path("data"), mode_t(mode))
      let helper = KeychainHelper(in: other.locations.appFolder)
      if isRefused {
        #expect(faultOf { try helper.write(Data([1]), to: address, Self.attributes) } == .keyMaterialExposed)
        let left = try FileManager.default.contentsOfDirectory(atPath: other.path("data"))
        #expect(left.allSatisfy { !$0.contains("keystore.key") })
        chmod(other.path("data"), 0o700)
      }
      try helper.write(Data([1]), to: address, Self.attributes)
      #expect(try KeychainHelper(in: other.locations.appFolder).read(address, Self.attributes) == Data([1]))
    }

    @Test func linksAreNotFollowed() throws {
      let elsewhere = fixture.folder.appendingPathComponent("elsewhere")
      try FileManager.default.moveItem(at: keyFile, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: keyFile, withDestinationURL: elsewhere)
      #expect(faultOf { try helper.read(address, Self.attributes) } == .io(errno: ELOOP))
    }

    @Test func aKeyFileOfAKilledProcessServesTheNewKeystore() throws {
      let other = try StoreFixture()
      try FileManager.default.createDirectory(
        atPath: other.path("data"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let key = Data(repeating: 3, count: 32)
      try key.write(to: other.folder.appendingPathComponent("data/keystore.key"))
      try KeychainHelper(in: other.locations.appFolder).write(Data([1]), to: address, Self.attributes)
      #expect(FileManager.default.contents(atPath: other.path("data/keystore.key")) == key)
    }

    @Test func filesAreTheUsersAlone() throws {
      for (name, mode) in try fixture.permissions() {
        let isFolder = name == "data"
        #expect(mode == (isFolder ? 0o700 : 0o600), "\(name)")
      }
      #expect(try fixture.permissions().keys.contains("data/keystore.key"))
      let left = try fixture.permissions().keys.filter { $0.hasSuffix(".new") }
      #expect(left.isEmpty)
    }

    @Test func keysAreRandom() throws {
      let other = try StoreFixture()
      try KeychainHelper(in: other.locations.appFolder).write(Data([1]), to: address, Self.attributes)
      let keys = try [keyFile, other.folder.appendingPathComponent("data/keystore.key")].map {
        try Data(contentsOf: $0)
      }
      #expect(keys[0] != keys[1])
      #expect(keys.allSatisfy { Set($0).count > 8 })
    }
  }
#endif
