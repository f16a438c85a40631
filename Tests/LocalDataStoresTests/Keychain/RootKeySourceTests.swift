import LocalDataFoundation
@testable import LocalDataStores
@testable import LocalDataSystem
#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  /// The key that encrypts a keystore's root key: from a file, a passphrase, systemd or a service.
  @Suite struct RootKeySourceTests {
    let storage: RootKeyFixture
    private let address = StorageAddress.item("account")
    private static let attributes = StorageAttributes()
    private static let value = Data("value".utf8)

    init() throws { storage = try RootKeyFixture() }

    private func write(_ keystore: KeychainHelper, _ bytes: Data = value) throws {
      try keystore.write(bytes, to: address, Self.attributes)
    }

    private func read(_ keystore: KeychainHelper) throws -> Data? { try keystore.read(address, Self.attributes) }

    @Test(arguments: RootKeyFixture.sources) func everySourceOpensWhatItHasSealed(_ source: RootKeySource) throws {
      #expect(try read(storage.keystore(source)) == nil)
      #expect(try !storage.keystore(source).exists(address, Self.attributes))
      #expect(try storage.fixture.permissions().keys.filter { $0.hasPrefix("data") }.isEmpty, "a read creates nothing")
      try write(storage.keystore(source))
      #expect(try read(storage.keystore(source)) == Self.value)
      #expect(storage.hasKeyFile == (source == .keyFile))
      #expect(storage.service.keys.count == (source == storage.serviceSource ? 1 : 0))
      for other in RootKeyFixture.sources where other != source {
        let conflict = StorageProblem.rootKeySourceConflict(recorded: source.recordedName)
        #expect(faultOf { try read(storage.keystore(other)) } == conflict)
        #expect(faultOf { try write(storage.keystore(other)) } == conflict)
        #expect(try storage.keystore(other).exists(address, Self.attributes))
      }
      #expect(storage.hasKeyFile == (source == .keyFile))
      #expect(try read(storage.keystore(source)) == Self.value)
    }

    @Test(arguments: RootKeyFixture.sources) func theSourceIsAskedOnceUntilLocked(_ source: RootKeySource) throws {
      let keystore = storage.keystore(source)
      try write(keystore)
      let afterCreation = storage.asked
      #expect(try read(keystore) == Self.value)
      try write(keystore)
      #expect(storage.asked == afterCreation)
      keystore.lock()
      #expect(try read(keystore) == Self.value)
      #expect(try read(keystore) == Self.value)
      #expect(storage.asked == afterCreation + (storage.isCounted(source) ? 1 : 0))
      // Many threads at once ask once, too.
      keystore.lock()
      storage.whenAsked { usleep(50_000) }
      DispatchQueue.concurrentPerform(iterations: 16) { _ in
        #expect(faultOf { try read(keystore) } == nil)
      }
      #expect(storage.asked == afterCreation + (storage.isCounted(source) ? 2 : 0))
    }

    @Test func lockForgetsTheRootKey() throws {
      let keystore = storage.keystore(.passphrase(RootKeyFixture.source))
      try write(keystore)
      storage.setPassphrase("sword")
      #expect(try read(keystore) == Self.value)
      keystore.lock()
      #expect(faultOf { try read(keystore) } == .wrongRootKey)
    }

    @Test func aCallThatALockOvertakesLeavesNoKeyBehind() throws {
      let keystore = storage.keystore(.passphrase(RootKeyFixture.source))
      try write(keystore)
      keystore.lock()
      storage.whenAsked { keystore.lock() }
      let asked = storage.asked
      for count in 1...2 {
        #expect(try read(keystore) == Self.value)
        #expect(storage.asked == asked + count)
      }
    }

    // MARK: A key that is not there

    @Test func aWrongPassphraseOpensNothingAndIsNotKept() throws {
      let keystore = storage.keystore(.passphrase(RootKeyFixture.source))
      try write(keystore)
      keystore.lock()
      for (passphrase, fault) in [
        ("sword", StorageProblem.wrongRootKey), ("", .keyMaterialTooShort(RootKeyFixture.source)),
        (nil, .keyMaterialProviderFailed(RootKeyFixture.source)),
      ] {
        storage.setPassphrase(passphrase)
        #expect(faultOf { try read(keystore) } == fault)
        #expect(faultOf { try write(keystore, Data()) } == fault)
        #expect(faultOf { try keystore.read(.item("absent"), Self.attributes) } == fault)
        #expect(faultOf { try keystore.holdsSealedValues(in: []) } == fault)
      }
      storage.setPassphrase("swordfish")
      #expect(try read(keystore) == Self.value)
    }

    /// Someone who changes the stored iterations can make the next call slow, but by no more rounds than are configured.
    @Test func moreIterationsThanConfiguredAreRefusedBeforeAnyWork() throws {
      let costly = RootKeySource.passphrase(RootKeyFixture.source, iterations: 700_000)
      try write(storage.keystore(costly))
      let calls = storage.stretching.calls
      let conflict = StorageProblem.rootKeySourceConflict(recorded: "passphrase")
      #expect(faultOf { try read(storage.keystore(.passphrase(RootKeyFixture.source))) } == conflict)
      #expect(storage.stretching.calls == calls)
      #expect(try read(storage.keystore(.passphrase(RootKeyFixture.source, iterations: 800_000))) == Self.value)
      // On purpose, the source changes to fewer.
      let fewer = storage.keystore(.passphrase(RootKeyFixture.source))
      #expect(try fewer.changeRootKey(from: storage.protection(costly)))
      #expect(try read(storage.keystore(.passphrase(RootKeyFixture.source))) == Self.value)
      for iterations in [599_999, 10_000_001, 0, -1] {
        let other = try RootKeyFixture()
        let keystore = other.keystore(.passphrase(RootKeyFixture.source, iterations: iterations))
        #expect(faultOf { try write(keystore) } == .configurationConflict)
      }
    }

    @Test func aCredentialThatIsNotThereOpensNothing() throws {
      let source = RootKeySource.systemdCredential(name: "keystore")
      let path = storage.fixture.path("credentials/keystore")
      try write(storage.keystore(source))
      for (bytes, fault) in [
        (nil, StorageProblem.keyMaterialMissing), (31, .keyMaterialDamaged), (0, .keyMaterialDamaged),
        (65_537, .keyMaterialDamaged), (32, .wrongRootKey),
      ] {
        try FileManager.default.removeItem(atPath: path)
        if let bytes { try Data(repeating: 9, count: bytes).write(to: URL(fileURLWithPath: path)) }
        #expect(faultOf { try read(storage.keystore(source)) } == fault, "\(bytes ?? -1) bytes")
        #expect(faultOf { try write(storage.keystore(source)) } == fault, "\(bytes ?? -1) bytes")
        if bytes == nil { try Data().write(to: URL(fileURLWithPath: path)) }
      }
      // A link to the right bytes is not followed either.
      try storage.credential.write(to: URL(fileURLWithPath: path + ".elsewhere"))
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".elsewhere")
      #expect(faultOf { try read(storage.keystore(source)) } == .io(errno: ELOOP))
      for name in ["", "..", "a/b", ".hidden"] {
        let fault = faultOf { try read(storage.keystore(.systemdCredential(name: name))) }
        #expect(fault == .invalidName, "\(name)")
      }
      for folder in [nil, "relative", "/no-such-folder"] {
        let keystore = storage.keystore(source, credentials: folder)
        #expect(faultOf { try read(keystore) } == .keyMaterialMissing)
        #expect(faultOf { try write(keystore) } == .keyMaterialMissing)
      }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + ".elsewhere", toPath: path)
      #expect(try read(storage.keystore(source)) == Self.value)
    }

    @Test func aServiceThatCannotAnswerLosesNothing() throws {
      let keystore = storage.keystore(storage.serviceSource)
      let failed = StorageProblem.keyMaterialProviderFailed(KeyMaterialSource(id: "memory"))
      // Before the first key, and beside a keystore.
      for isStored in [false, true] {
        if isStored { try write(storage.keystore(storage.serviceSource)) }
        for (failure, fault) in [
          (RootKeyServiceError.locked as any Error, StorageProblem.locked), (RootKeyServiceError.unavailable, failed),
          (ExternalKey.Failure(), failed),
        ] {
          storage.service.fail(failure)
          #expect(faultOf { try write(keystore) } == fault)
          #expect(faultOf { try read(keystore) } == (isStored ? fault : nil))
        }
        storage.service.fail(nil)
      }
      #expect(storage.service.keys.count == 1)
      let keys = storage.service.keys
      storage.service.keys = [:]
      #expect(faultOf { try read(keystore) } == .keyMaterialMissing)
      #expect(faultOf { try write(keystore) } == .keyMaterialMissing)
      #expect(storage.service.keys.isEmpty)
      storage.service.keys = keys.mapValues { $0.dropLast() }
      #expect(faultOf { try read(keystore) } == .keyMaterialDamaged)
      storage.service.keys = keys.mapValues { _ in Data(repeating: 0, count: 32) }
      #expect(faultOf { try read(keystore) } == .wrongRootKey)
      storage.service.keys = keys
      #expect(try read(keystore) == Self.value)
    }

    /// A service that forgets what it was given must not get the only key of a keystore.
    @Test func aServiceThatKeepsNothingGetsNoKeystore() throws {
      storage.service.isForgetful = true
      let keystore = storage.keystore(storage.serviceSource)
      let failed = StorageProblem.keyMaterialProviderFailed(KeyMaterialSource(id: "memory"))
      #expect(faultOf { try write(keystore) } == failed)
      storage.service.isForgetful = false
      #expect(try read(keystore) == nil)
      try write(keystore)
      #expect(try read(storage.keystore(storage.serviceSource)) == Self.value)
    }

    @Test func keysOfAServiceAreNeverReplaced() throws {
      let other = try RootKeyFixture(service: storage.service)
      let group = storage.keystore(storage.serviceSource, group: "group.t")
      for keystore in [storage.keystore(storage.serviceSource), other.keystore(other.serviceSource), group] {
        try write(keystore)
      }
      #expect(Set(storage.service.keys.keys.map(\.id)).count == 3)
      #expect(Set(storage.service.keys.keys.map(\.group)) == [nil, "group.t"])
      #expect(storage.service.keys.keys.allSatisfy { $0.applicationName == "Test" && $0.id.count == 32 })
      #expect(try read(storage.keystore(storage.serviceSource)) == Self.value)
      #expect(try read(other.keystore(other.serviceSource)) == Self.value)
    }

    @Test func aSourceOfALaterVersionIsRefused() throws {
      try write(storage.keystore(.keyFile))
      for name in ["later", "service.", "service.a b", "service." + String(repeating: "a", count: 65)] {
        try storage.database.write { (connection) throws(StorageProblem) in
          _ = try connection.run("UPDATE root SET source = ?", [.text(name)])
        }
        for source in RootKeyFixture.sources {
          #expect(faultOf { try read(storage.keystore(source)) } == .unknownFormatVersion, "\(name)")
          #expect(faultOf { try write(storage.keystore(source)) } == .unknownFormatVersion, "\(name)")
        }
      }
    }

    // MARK: Locks

    /// A provider may take a minute. Others write meanwhile.
    @Test(arguments: [true, false]) func noLockIsHeldWhileTheSourceIsAsked(isStored: Bool) throws {
      let source = RootKeySource.passphrase(RootKeyFixture.source)
      if isStored { try write(storage.keystore(source)) }
      let isFree = Lock<[Bool]>([])
      storage.whenAsked { [storage] in
        let taken: Bool? = try? FileLock(
          in: storage.folder.openForWriting(lock: "keystore.db"), named: "keystore.db"
        ).hold(patience: .zero) { () throws(StorageProblem) in true }
        isFree.withLock { $0.append(taken == true) }
      }
      if isStored { _ = try read(storage.keystore(source)) }
      try write(storage.keystore(source))
      #expect(isFree.withLock { $0 } == (isStored ? [true, true] : [true]))
    }

    /// A process that seals holds the keyset's lock, and needs the root key if the keys were changed.
    @Test func noLockOfAKeysetIsHeldWhileTheSourceIsAsked() throws {
      let keystore = storage.keystore(.passphrase(RootKeyFixture.source))
      let vault = KeysetVault(configuration: .init()) { _ in keystore }
      let files = KeysetFiles(storage.fixture.locations)
      let helper = EncryptionHelper(configuration: .init(), vault: vault, files: files) { _ in false }
      let record = Keyset(newKey: secret(1))
      #expect(try vault.update(.app, .masterKey) { _ in record }?.primary == record.primary)
      keystore.lock()
      let isFree = Lock<[Bool]>([])
      storage.whenAsked {
        let taken: Bool? = try? files.lock(.app).hold(.exclusive, patience: .zero) { () throws(StorageProblem) in true }
        isFree.withLock { $0.append(taken == true) }
      }
      let keys = try helper.checkingKeys(of: .app) { _ throws(StorageProblem) in try helper.currentKeys(of: .app) }
      #expect(keys == record.sealingIDs)
      #expect(isFree.withLock { $0 } == [true])
    }

    @Test func twoThatBeginTogetherAgreeOnOneRootKey() throws {
      let source = RootKeySource.passphrase(RootKeyFixture.source)
      let (first, second) = (storage.keystore(source), storage.keystore(source))
      let isFirst = Lock(true)
      storage.whenAsked {
        let isNested = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return !isFirst
        }
        if isNested { return }
        // Another process is first, after this one has looked.
        #expect(faultOf { try second.write(Data("second".utf8), to: .item("other"), StorageAttributes()) } == nil)
      }
      try write(first)
      #expect(try read(second) == Self.value)
      #expect(try first.read(.item("other"), Self.attributes) == Data("second".utf8))
      #expect(try read(storage.keystore(source)) == Self.value)
    }

    /// Waiting for a provider is no waiting for others: the deadline of the call begins again.
    @Test func theTimeOfAProviderIsNoWaiting() throws {
      let source = RootKeySource.passphrase(RootKeyFixture.source)
      try write(storage.keystore(source))
      storage.whenAsked { usleep(120_000) }
      let deadline = CallDeadline(patience: .milliseconds(100))
      let before = deadline.instant
      try CallDeadline.bound(deadline) { () throws(StorageProblem) in
        _ = try storage.keystore(source).read(address, Self.attributes)
        try storage.keystore(source).write(Data(), to: address, Self.attributes)
      }
      #expect(deadline.instant > before)
    }
  }

  /// A folder with a keystore, and all possible sources of its root key.
  final class RootKeyFixture: Sendable {
    static let source = KeyMaterialSource(id: "passphrase")
    /// The service's name is all that two sources are compared by.
    static let sources: [RootKeySource] = [
      .keyFile, .passphrase(source), .systemdCredential(name: "keystore"), .service(MemoryService()),
    ]

    /// A service in memory.
    final class MemoryService: RootKeyService {
      private struct State {
        var keys: [RootKeyID: Data] = [:]
        var failure: (any Error)?
        var isForgetful = false
        var asked = 0
      }

      private let state = Lock(State())
      let name = "memory"

      var keys: [RootKeyID: Data] {
        get { state.withLock { $0.keys } }
        set { state.withLock { $0.keys = newValue } }
      }
      var isForgetful: Bool {
        get { state.withLock { $0.isForgetful } }
        set { state.withLock { $0.isForgetful = newValue } }
      }
      var asked: Int { state.withLock { $0.asked } }

      func fail(_ failure: (any Error)?) { state.withLock { $0.failure = failure } }

      func key(_ id: RootKeyID) throws -> Data? {
        let (key, failure) = state.withLock { state in
          state.asked += 1
          return (state.keys[id], state.failure)
        }
        if let failure { throw failure }
        return key
      }

      func store(_ key: Data, _ id: RootKeyID) throws {
        let failure = state.withLock { state in
          if state.failure == nil, !state.isForgetful { state.keys[id] = key }
          return state.failure
        }
        if let failure { throw failure }
      }
    }

    let fixture: StoreFixture
    let service: MemoryService
    let stretching = CountedStretching()
    let credential = Data((0..<48).map { UInt8($0) })
    private let passphrases = Lock<[String: String]>(["passphrase": "swordfish"])
    private let prompts = Lock(0)
    private let onPrompt = Lock<(@Sendable () -> Void)?>(nil)

    init(service: MemoryService = MemoryService(), isInMemory: Bool = false) throws {
      fixture = try StoreFixture(isInMemory: isInMemory)
      self.service = service
      try FileManager.default.createDirectory(atPath: fixture.path("credentials"), withIntermediateDirectories: true)
      try credential.write(to: URL(fileURLWithPath: fixture.path("credentials/keystore")))
    }

    var serviceSource: RootKeySource { .service(service) }
    var folder: FolderLocation { fixture.locations.appFolder }
    var hasKeyFile: Bool { FileManager.default.fileExists(atPath: fixture.path("data/keystore.key")) }
    var database: SQLiteDatabase { KeychainHelper(in: folder).database }
    /// The number of times that the provider of the passphrase or the service was asked.
    var asked: Int { prompts.withLock { $0 } + service.asked }

    func isCounted(_ source: RootKeySource) -> Bool {
      source == .passphrase(Self.source) || source == serviceSource
    }

    func setPassphrase(_ text: String?, of source: String = "passphrase") {
      passphrases.withLock { $0[source] = text }
    }

    /// Runs `body` whenever the provider of the passphrase is asked.
    func whenAsked(_ body: @escaping @Sendable () -> Void) { onPrompt.withLock { $0 = body } }

    func protection(
      _ source: RootKeySource, credentials: String? = "", group: String? = nil, folder: FolderLocation? = nil
    ) -> RootKeyProtection {
      RootKeyProtection(
        source == serviceSource ? serviceSource : source, in: folder ?? self.folder(of: group), applicationName: "Test",
        group: group,
        material: { [passphrases, prompts, onPrompt] (source) throws(StorageProblem) in
          prompts.withLock { $0 += 1 }
          onPrompt.withLock { $0 }?()
          guard let passphrase = passphrases.withLock({ $0[source.id] }) else {
            throw .keyMaterialProviderFailed(source)
          }
          return SecretBytes(Data(passphrase.utf8))
        }, stretch: stretching.value.stretch,
        credentials: credentials == "" ? fixture.path("credentials") : credentials)
    }

    /// A keystore as another process has it, with nothing in memory.
    func keystore(_ source: RootKeySource, credentials: String? = "", group: String? = nil) -> KeychainHelper {
      KeychainHelper(in: folder(of: group), protection: protection(source, credentials: credentials, group: group))
    }

    private func folder(of group: String?) -> FolderLocation {
      guard let group else { return folder }
      return FolderLocation(root: folder.root, parts: folder.parts + ["groups", group])
    }
  }

  extension KeychainHelper {
    /// Encrypts the root key with the configured source instead of an earlier one.
    func changeRootKey(from old: RootKeyProtection) throws(StorageProblem) -> Bool { try root.change(from: old) }
  }
#endif
