import LocalDataFoundation
@testable import LocalDataStores
#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  /// Another source for the key that encrypts a keystore's root key.
  @Suite struct RootKeyChangeTests {
    struct Change: Sendable, CustomTestStringConvertible {
      var old: RootKeySource
      var new: RootKeySource

      var testDescription: String { "\(old.recordedName) to \(new.recordedName)" }
    }

    static let changes = RootKeyFixture.sources.flatMap { old in
      RootKeyFixture.sources.filter { $0 != old }.map { Change(old: old, new: $0) }
    }

    let storage: RootKeyFixture
    private let address = StorageAddress.item("account")
    private static let attributes = StorageAttributes()
    private static let value = Data("value".utf8)
    private static let passphrase = RootKeySource.passphrase(RootKeyFixture.source)

    init() throws { storage = try RootKeyFixture() }

    private func read(_ keystore: KeychainHelper) throws -> Data? { try keystore.read(address, Self.attributes) }

    private func wrapped() throws -> Data? {
      try storage.database.read { (connection) throws(StorageProblem) in
        try connection.first("SELECT wrapped FROM root") { $0.blob(0) }
      } ?? nil
    }

    @Test(arguments: changes) func theNewSourceOpensTheKeystoreAndTheOldOneDoesNot(_ change: Change) throws {
      try storage.keystore(change.old).write(Self.value, to: address, Self.attributes)
      let running = storage.keystore(change.old)
      #expect(try read(running) == Self.value)
      let old = try #require(try wrapped())
      let changing = storage.keystore(change.new)
      #expect(try changing.changeRootKey(from: storage.protection(change.old)))
      #expect(try read(changing) == Self.value)
      #expect(try read(storage.keystore(change.new)) == Self.value)
      let conflict = StorageProblem.rootKeySourceConflict(recorded: change.new.recordedName)
      #expect(faultOf { try read(storage.keystore(change.old)) } == conflict)
      // A process that has the root key in memory does not use it under the old configuration.
      #expect(faultOf { try read(running) } == conflict)
      #expect(faultOf { try running.write(Data(), to: address, Self.attributes) } == conflict)
      #expect(storage.hasKeyFile == (change.new == .keyFile))
      for name in try storage.fixture.permissions().keys where name.hasPrefix("data/keystore.db") {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: storage.fixture.path(name)))
        #expect(bytes.range(of: old) == nil, "\(name) has the old seal")
      }
      // Once more, it changes nothing.
      let new = try wrapped()
      #expect(try !storage.keystore(change.new).changeRootKey(from: storage.protection(change.old)))
      #expect(try wrapped() == new)
      #expect(try storage.keystore(change.old).changeRootKey(from: storage.protection(change.new)))
      #expect(try read(storage.keystore(change.old)) == Self.value)
      #expect(storage.hasKeyFile == (change.old == .keyFile))
    }

    @Test func aPassphraseIsChangedToAnother() throws {
      try storage.keystore(Self.passphrase).write(Self.value, to: address, Self.attributes)
      let other = RootKeySource.passphrase(KeyMaterialSource(id: "new"))
      storage.setPassphrase("new passphrase", of: "new")
      let changing = storage.keystore(other)
      #expect(faultOf { try read(changing) } == .wrongRootKey)
      #expect(try changing.changeRootKey(from: storage.protection(Self.passphrase)))
      #expect(try read(storage.keystore(other)) == Self.value)
      #expect(faultOf { try read(storage.keystore(Self.passphrase)) } == .wrongRootKey)
      #expect(try !storage.keystore(other).changeRootKey(from: storage.protection(Self.passphrase)))
      #expect(try read(storage.keystore(other)) == Self.value)
    }

    @Test func aSourceThatDoesNotOpenTheKeystoreChangesNothing() throws {
      try storage.keystore(Self.passphrase).write(Self.value, to: address, Self.attributes)
      let before = try wrapped()
      func fault(from old: RootKeySource, to new: RootKeySource = .keyFile) -> StorageProblem? {
        faultOf { try storage.keystore(new).changeRootKey(from: storage.protection(old)) }
      }
      let conflict = StorageProblem.rootKeySourceConflict(recorded: "passphrase")
      #expect(fault(from: .systemdCredential(name: "keystore")) == conflict)
      #expect(fault(from: .keyFile, to: storage.serviceSource) == conflict)
      storage.setPassphrase("sword")
      #expect(fault(from: Self.passphrase) == .wrongRootKey)
      #expect(fault(from: Self.passphrase, to: Self.passphrase) == .wrongRootKey)
      #expect(fault(from: .keyFile, to: Self.passphrase) == .wrongRootKey)
      storage.setPassphrase(nil)
      #expect(fault(from: Self.passphrase) == .keyMaterialProviderFailed(RootKeyFixture.source))
      storage.setPassphrase("swordfish")
      storage.service.fail(RootKeyServiceError.locked)
      #expect(fault(from: Self.passphrase, to: storage.serviceSource) == .locked)
      #expect(fault(from: Self.passphrase, to: .systemdCredential(name: "absent")) == .keyMaterialMissing)
      #expect(try wrapped() == before)
      #expect(!storage.hasKeyFile)
      #expect(try read(storage.keystore(Self.passphrase)) == Self.value)
    }

    @Test func aLostKeyIsNotTakenForAnotherSource() throws {
      try storage.keystore(.keyFile).write(Self.value, to: address, Self.attributes)
      try FileManager.default.removeItem(atPath: storage.fixture.path("data/keystore.key"))
      for new in RootKeyFixture.sources {
        let fault = faultOf { try storage.keystore(new).changeRootKey(from: storage.protection(.keyFile)) }
        #expect(fault == .keyMaterialMissing, "\(new.recordedName)")
        #expect(!storage.hasKeyFile)
      }
    }

    /// The bytes of a release without sources are opened as they are.
    @Test func aKeystoreOfAnEarlierReleaseIsOpened() throws {
      try FileManager.default.createDirectory(
        atPath: storage.fixture.path("data"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let keyFile = URL(fileURLWithPath: storage.fixture.path("data/keystore.key"))
      try Data(hex: "b5e3a3140e6b578fa80911ca06bf90bc3b31bb5a492605a938a37321af0f0a00").write(to: keyFile)
      let root = try Data(
        hex: """
          894c44450102010300000001000001a20314e607000000000000000000000000000000000000000000000000000000000000000000000000
          0000000000000000b67559b880e4020bb159c4385eed1c5ddb3a88c5367f991420cf45a3390516cf39b001c428189947a5ad030348938638
          922935604a08b9b29b8d728c32729cdb701fef701a1a9caf884c98dee48ae80202df030ff904f7953691cde27a939dfc563f1310dc6464bc
          ce36028d
          """)
      let item = try Data(
        hex: """
          894c44450102010400000001000001a20314e608000000000000000000000000000000000000000000000000000000000000000000000000
          00000000000000003db41a5e6195943b4a4b2d7a47c1be70846786a199a73adb098a154d23e3c23286b1edb1b3d1bfbe8cb6c6cf800151ec
          67d092e6ac2ceb1bc93242edff0e49472d913d5084d00ca2fd81aae96e330b4dbd71345ff264
          """)
      try storage.database.write { (connection) throws(StorageProblem) in
        try connection.run("INSERT INTO root VALUES (1, 'keyFile', ?)", [.blob(root)])
        try connection.run("INSERT INTO item VALUES ('', 'probe', 'n', ?)", [.blob(item)])
      }
      let (address, value) = (StorageAddress.item("n", service: "probe"), Data(repeating: 7, count: 10))
      #expect(try storage.keystore(.keyFile).read(address, Self.attributes) == value)
      #expect(try wrapped() == root)
      #expect(try storage.keystore(Self.passphrase).changeRootKey(from: storage.protection(.keyFile)))
      #expect(try storage.keystore(Self.passphrase).read(address, Self.attributes) == value)
      #expect(!storage.hasKeyFile)
    }

    @Test func withoutAKeystoreNothingIsChangedOrAsked() throws {
      #expect(try !storage.keystore(Self.passphrase).changeRootKey(from: storage.protection(.keyFile)))
      #expect(storage.asked == 0)
      #expect(try storage.fixture.permissions().keys.filter { $0.hasPrefix("data") }.isEmpty)
    }

    /// While the new passphrase is asked for, another process changes the source.
    @Test func twoThatChangeTogetherAgree() throws {
      try storage.keystore(.keyFile).write(Self.value, to: address, Self.attributes)
      let isFirst = Lock(true)
      storage.whenAsked { [storage] in
        let isNested = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return !isFirst
        }
        if isNested { return }
        let other = storage.keystore(Self.passphrase)
        #expect((try? other.changeRootKey(from: storage.protection(.keyFile))) == true)
      }
      #expect(try !storage.keystore(Self.passphrase).changeRootKey(from: storage.protection(.keyFile)))
      #expect(try read(storage.keystore(Self.passphrase)) == Self.value)
      #expect(!storage.hasKeyFile)
    }
  }

  /// A change of the source whose process is killed, or whose calls fail, at each call in turn.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RootKeyChangeSweepTests {
    private let address = StorageAddress(
      container: .keychain(service: "Probe", accessGroup: nil, synchronizable: false), name: "value")

    @Test(arguments: [true, false]) func oneOfTheTwoSourcesOpensTheKeystore(isToKeyFile: Bool) async throws {
      let storage = try RootKeyFixture(isInMemory: true)
      let credential = RootKeySource.systemdCredential(name: "keystore")
      let (old, new) = isToKeyFile ? (credential, RootKeySource.keyFile) : (.keyFile, credential)
      let words = isToKeyFile ? ["keystore", "keyFile"] : ["keyFile", "keystore"]
      func keystore(_ source: RootKeySource, _ store: String) -> KeychainHelper {
        let folder = FolderLocation(root: StorageRoot(URL(fileURLWithPath: store + "/data")), parts: [])
        return KeychainHelper(in: folder, protection: storage.protection(source, folder: folder))
      }
      let value = Data("\"value\"".utf8)
      let sweep = try FaultSweep(
        ["rootKey", "change"] + words, in: storage.fixture, FaultShim(in: storage.fixture)
      ) {
        try keystore(old, storage.fixture.path("store")).write(value, to: address, StorageAttributes())
      }
      #expect(sweep.calls.count >= 10)
      var (changed, unchanged) = (0, 0)
      let count = try await sweep.run(FaultSweep.Action.basic) { moment in
        func opened(_ source: RootKeySource) -> Data? {
          do throws(StorageProblem) {
            return try keystore(source, moment.folder).read(address, StorageAttributes())
          } catch {
            #expect(error == .rootKeySourceConflict(recorded: (source == old ? new : old).recordedName), "\(moment)")
            return nil
          }
        }
        let (isOld, isNew) = (opened(old) == value, opened(new) == value)
        #expect(isOld != isNew, "\(moment): \(isOld), \(isNew)")
        if moment.end.code == 0 { #expect(isNew, "\(moment): it succeeded, and the source is the old one") }
        if !moment.action.isKill { #expect(moment.end.code != nil, "\(moment): it crashed") }
        if isNew { changed += 1 } else { unchanged += 1 }
        // Another call does the rest.
        let again = keystore(new, moment.folder)
        let folder = FolderLocation(root: StorageRoot(URL(fileURLWithPath: moment.folder + "/data")), parts: [])
        #expect(try again.changeRootKey(from: storage.protection(old, folder: folder)) == isOld, "\(moment)")
        #expect(opened(new) == value, "\(moment)")
        #expect(opened(old) == nil, "\(moment)")
        let names = try FileManager.default.contentsOfDirectory(atPath: moment.folder + "/data")
        #expect(names.contains("keystore.key") == isToKeyFile, "\(moment): \(names)")
        #expect(!names.contains { $0.contains(".new") }, "\(moment): \(names)")
      }
      let atLeast = Sweep.count(quick: 1, full: 6)
      #expect(changed >= atLeast && unchanged >= atLeast)
      Sweep.report("faults of a change of the root key's source", "\(changed) of \(count) after the commit")
    }
  }
#endif
