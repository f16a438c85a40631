import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData
@testable import LocalDataMaintenance
@testable import LocalDataSync

/// Keys whose values the rotation of keys must find, independent of their owner.
private enum Keys: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static func key(
    _ name: String, _ domain: StorageDomain, _ policy: SecurityPolicy.EncryptionPolicy = .init(),
    syncPolicy: SyncPolicy = .never
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: name, domain: domain, security: .encrypted(policy), owner: "Tests", description: "A test's.",
      syncPolicy: syncPolicy, options: StorageKeyOptions(decryptedForSync: syncPolicy != .never))
  }

  static let registered = [
    key("note", .userDefaults()), key("suite", .userDefaults(suite: "s")),
    key("file", .encryptedFileSystem(directory: .documents)), key("plainFile", .fileSystem(directory: .caches)),
    key("custom", .fileSystem(directory: .custom("a/b"))), key("item", .keychain()),
    key("aes", .userDefaults(), .aes256GCM()),
    key("synced", .userDefaults(), syncPolicy: .manual),
    key("group", .appGroupUserDefaults(identifier: "group.t")),
    key("groupFile", .appGroupFileSystem(identifier: "group.t", directory: .custom("c"))),
  ]
  static let stretched = key("stretched", .userDefaults(), .aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000)))
  /// Of a catalog that is not registered any more.
  static let forgotten = [
    key("old", .encryptedFileSystem(directory: .applicationSupport)), key("oldItem", .keychain(service: "old")),
  ]
  static let family = key("mail_alice", .userDefaults())

  static var allKeys: [AnyStorageKey] { registered.map { .key($0) } }
  static var allFamilies: [StorageKeyFamily] { [StorageKeyFamily(name: "mail_{address}", domain: .userDefaults())] }
}

/// A provider of one key.
private struct Provider: KeyMaterialProviding {
  let material: Data

  func keyMaterial(for keyName: String) async throws -> Data { material }
}

@Suite struct RotationTests {
  // MARK: In memory

  private let memory = MemoryStore()
  private let records = SyncHistoryLogs()

  init() throws { try records.change(.app, isDurable: false) { $0.ask(now: Date()) } }

  private func inMemory(_ store: FaultInjectingStore? = nil) throws -> StorageRouter {
    let router = StorageRouter(configuration: StorageConfiguration(applicationName: "Test")) { [memory, records] in
      var services = StorageServices(over: store ?? FaultInjectingStore(memory), $0)
      services.features = FeatureStorage(keeping: SyncHistoryKeeper(records))
      return services
    }
    try router.registerCatalog(Keys.self)
    return router
  }

  private func record(_ keyset: KeysetID = .app) throws -> Keyset {
    let name = "MasterKey"
    let entry = memory.entries.first { entry in
      guard case .keychain("LocalData", let group, _) = entry.address.container.domain, entry.address.name == name
      else {
        return false
      }
      return group == (keyset == .app ? nil : "group.t")
    }
    return try Keyset(bytes: #require(entry?.bytes))
  }

  private func seals() throws -> [KeyID] {
    try memory.entries.filter { EnvelopeHeader.begins($0.bytes) }
      .compactMap { try EnvelopeHeader.parse($0.bytes).seal?.keyID }
  }

  /// Every call of a rotation fails in turn, as if the process was killed before it: the next call continues.
  @Test func aRotationThatIsKilledAtAnyCallIsContinued() async throws {
    var number = 0
    var isDone = false
    while !isDone {
      number += 1
      for entry in memory.entries { try memory.remove(entry.address, StorageAttributes()) }
      for key in Keys.registered { try await inMemory().set("value of \(key.name)", for: key) }
      let store = FaultInjectingStore(memory)
      store.fail(with: .io(errno: 5)) { [number] in $0.number >= number }
      let failing = try inMemory(store)
      do throws(StorageError) { isDone = try await failing.maintenance.rotateKeys().isComplete } catch {
        guard error.code == .io else { throw error }
      }
      // Every value is readable, and a call that continues uses the key that was begun.
      for key in Keys.registered { #expect(try await inMemory().get(key) == "value of \(key.name)", "call \(number)") }
      let begun = try record()
      if !isDone {
        #expect(try await inMemory().maintenance.rotateKeys().isComplete)
        let expected = begun.keys.count == 1 || begun.isRotating ? 2 : 3
        #expect(try record().keys.count == expected, "call \(number)")
      }
      #expect(try !record().isRotating)
      let current = [try record().primary, try record(.group(identifier: "group.t")).primary]
      #expect(try seals().allSatisfy { current.contains($0) }, "call \(number)")
      for key in Keys.registered { #expect(try await inMemory().get(key) == "value of \(key.name)", "call \(number)") }
    }
    #expect(number > 30)
    Sweep.report("failures of a rotation", "from each of \(number - 1) calls on")
  }

  @Test func aSyncedValueKeepsItsVersion() async throws {
    let key = Keys.registered[7]
    let router = try inMemory()
    try await router.set("value", for: key)
    func knowledge() async throws -> SyncHistory.Knowledge {
      let plan = try await router.plan(for: AnyStorageKey(key))
      let look = plan.attributes.look(at: try memory.read(plan.address, plan.attributes), plan.address)
      return try records.read(.app) { $0 }.knowledge(of: AnyStorageKey(key).syncKey, look)
    }
    let before = try await knowledge()
    guard case .version = before else {
      Issue.record("The set recorded no version.")
      return
    }
    #expect(try await router.maintenance.rotateKeys().isComplete)
    #expect(try await knowledge() == before)
  }

  @Test func aRetiredKeyIsKeptAsLongAsItIsNeeded() async throws {
    let router = try inMemory()
    let address = try await router.plan(for: AnyStorageKey(Keys.registered[0])).address
    try await router.set("value", for: Keys.registered[0])
    #expect(try await router.maintenance.destroyRetiredKeys() == 0)
    let old = try #require(try memory.read(address, StorageAttributes()))
    try await router.maintenance.rotateKeys()
    // A backup restores the old bytes.
    let new = try #require(try memory.read(address, StorageAttributes()))
    try memory.write(old, to: address, StorageAttributes())
    let needed = StorageError(.retiredKeyInUse, .init(key: "note", domain: .userDefaults))
    await #expect(throws: needed) { try await router.maintenance.destroyRetiredKeys() }
    #expect(try record().keys.count == 2)
    #expect(try await inMemory().get(Keys.registered[0]) == "value")
    // A container that cannot be read may contain a user of the key.
    try memory.write(new, to: address, StorageAttributes())
    let store = FaultInjectingStore(memory)
    store.fail(with: .locked) { $0.operation == .names }
    let locked = StorageError(.locked, .init(key: nil, domain: nil))
    await #expect(throws: locked) { try await inMemory(store).maintenance.destroyRetiredKeys() }
    #expect(try record().keys.count == 2)
    #expect(try await router.maintenance.destroyRetiredKeys() == 1)
    #expect(try record().keys.count == 1)
    try memory.write(old, to: address, StorageAttributes())
    await #expect(throws: StorageError(.authenticationFailed, .init(key: "note", domain: .userDefaults))) {
      try await inMemory().get(Keys.registered[0])
    }
  }

  /// Another process begins a rotation when this one has looked at the values: their key becomes a retired one.
  @Test func aRotationThatBeginsMeanwhileDestroysNothing() async throws {
    let (router, note) = (try inMemory(), Keys.registered[0])
    try await router.set("value", for: note)
    #expect(try await router.maintenance.rotateKeys().isComplete)
    let helper = try inMemory().values(for: nil).services.encryption
    let destroyed = try await router.maintenance.destroyRetiredKeys { _ in
      #expect(throws: Never.self) { try helper.beginRotation(of: .app) }
    }
    #expect(try await inMemory().get(note) == "value")
    #expect(destroyed == 0)
    #expect(try record().keys.count == 3)
  }

  @Test func anUnfinishedRotationDestroysNothing() async throws {
    try await inMemory().set("value", for: Keys.registered[0])
    let helper = try inMemory().values(for: nil).services.encryption
    _ = try helper.beginRotation(of: .app)
    await #expect(throws: StorageError(.retiredKeyInUse, .init(key: nil, domain: nil))) {
      try await inMemory().maintenance.destroyRetiredKeys()
    }
    #expect(try record().keys.count == 2)
  }

  @Test func aProvidersKeyIsReplacedOnPurposeOnly() async throws {
    let source = KeyMaterialSource(id: "remote.key")
    let note = Keys.key("external", .userDefaults(), .external(source: source))
    func router(_ byte: UInt8) -> StorageRouter {
      let router = StorageRouter(configuration: .init()) { [memory] in StorageServices(over: memory, $0) }
      router.registerKeyMaterialProvider(Provider(material: Data(repeating: byte, count: 32)), for: source)
      return router
    }
    try await router(1).set("a", for: note)
    await #expect(throws: StorageError(.authenticationFailed, .init(key: "external", domain: .userDefaults))) {
      try await router(2).set("b", for: note)
    }
    #expect(try await router(1).get(note) == "a")
    try await router(2).remove(note)
    try await router(2).maintenance.forgetKeyMaterial(of: source)
    try await router(2).set("b", for: note)
    #expect(try await router(2).get(note) == "b")
  }
}

#if os(Linux)
  /// The same in folders, where values are found that no registered key owns.
  @Suite struct RotationInFoldersTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func router(isRegistered: Bool = true) throws -> StorageRouter {
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      // One of the keys is synced. Without the catalog, nothing else names the feature.
      if isRegistered { try router.registerCatalog(Keys.self) } else { router.sync.setTransport(nil) }
      return router
    }

    private var all: [StorageKey<String?>] { Keys.registered + Keys.forgotten + [Keys.stretched, Keys.family] }

    private func header(of key: StorageKey<String?>) async throws -> EnvelopeHeader {
      let router = try router(isRegistered: false)
      let plan = try await router.plan(for: AnyStorageKey(key))
      return try EnvelopeHeader.parse(#require(try await router.values(for: plan).stored(plan)))
    }

    @Test func everyValueGetsTheNewKey() async throws {
      for key in all { try await router(isRegistered: false).set("value of \(key.name)", for: key) }
      var before: [String: EnvelopeHeader] = [:]
      for key in all { before[key.name] = try await header(of: key) }
      let (router, steps) = (try router(), RecordedProgress())
      let rotation = try await router.maintenance.rotateKeys(progress: steps.note)
      #expect(rotation == .init(reencrypted: all.count))
      #expect(steps.count == all.count)
      for key in all {
        let header = try await header(of: key)
        #expect(header.seal?.keyID != before[key.name]?.seal?.keyID, "\(key.name)")
        #expect(header.seal?.algorithm == before[key.name]?.seal?.algorithm, "\(key.name)")
        #expect(header.seal?.stretch?.iterations == before[key.name]?.seal?.stretch?.iterations, "\(key.name)")
        #expect(header.metadata == before[key.name]?.metadata, "\(key.name)")
      }
      // One retired key of the app and one of the group.
      let progress = RecordedProgress()
      #expect(try await router.maintenance.destroyRetiredKeys(progress: progress.note) == 2)
      #expect(progress.count == all.count)
      for key in all {
        #expect(try await self.router(isRegistered: false).get(key) == "value of \(key.name)")
      }
      // A second rotation begins with a new key again.
      #expect(try await router.maintenance.rotateKeys().reencrypted == all.count)
    }

    /// Another process sets values while this one rotates: none is lost, and none is sealed with a retired key.
    @Test func valuesThatAreSetDuringARotationAreKept() async throws {
      let keys = [Keys.registered[0], Keys.registered[2], Keys.registered[5], Keys.registered[8]]
      for key in keys { try await router().set("0", for: key) }
      let (rotating, setting) = (try router(), try router())
      let rotations = Task { () async throws -> Void in
        for _ in 0..<4 { #expect(try await rotating.maintenance.rotateKeys().isComplete) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in keys {
          group.addTask {
            for _ in 0..<12 { try await setting.update(key) { $0 = String((Int($0 ?? "") ?? 0) + 1) } }
          }
        }
        try await group.waitForAll()
      }
      try await rotations.value
      #expect(try await rotating.maintenance.destroyRetiredKeys() == 8)
      for key in keys { #expect(try await router().get(key) == "12") }
    }

    @Test func aRotationWithoutAMasterKeyMakesNone() async throws {
      #expect(try await router().maintenance.rotateKeys() == .init())
      #expect(try await router().maintenance.destroyRetiredKeys() == 0)
      #expect(try fixture.permissions().isEmpty)
    }

    // MARK: Values whose key is lost

    private func loseKeystore(_ folder: String = "data") throws {
      for name in StoreFixture.keystoreFiles {
        try? FileManager.default.removeItem(atPath: fixture.path(folder + "/" + name))
      }
    }

    @Test func lostValuesAreMovedAsideAndTheirKeysUsableAgain() async throws {
      let items: Set = ["item", "oldItem"]
      for key in all { try await router(isRegistered: false).set("a", for: key) }
      let plain = StorageKey<String?>(
        name: "plain", domain: .userDefaults(), security: .none, owner: "Tests", description: "A test's.")
      try await router(isRegistered: false).set("plain", for: plain)
      try loseKeystore()
      let note = Keys.registered[0]
      await #expect(throws: StorageError(.keyMaterialMissing, .init(key: "note", domain: .userDefaults))) {
        try await router().set("b", for: note)
      }
      // One was moved by a process that was killed after that.
      let values = try #require(try router().maintenance.sealedValues().first)
      let address = try await router().plan(for: AnyStorageKey(note)).address
      let sealed = try #require(try await values.addresses().first { $0.address == address })
      #expect(try await values.moveAside(sealed, try #require(values.encryption.files)))

      let progress = RecordedProgress()
      let lost = try await router().maintenance.abandonEncryptedData(progress: progress.note)
      #expect(progress.count == lost.keys.count + lost.unregistered)
      // The items went with the keystore, and the key of the group is there.
      let expected = Set(all.map(\.name)).subtracting(items).subtracting(["note", "group", "groupFile"])
      let names = Set(lost.keys.compactMap(\.key))
      #expect(names == expected.subtracting(["old", "stretched", "mail_alice"]).union(["mail_{address}"]))
      #expect(lost.unregistered == 2)
      #expect(lost.folders.map(\.path) == [fixture.path("data/.abandoned")])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: fixture.path("data/.abandoned")).filter {
          !$0.hasPrefix(".")
        }.count == expected.count + 1)
      for (name, mode) in try fixture.permissions() where name.contains(".abandoned/") { #expect(mode == 0o600) }
      #expect(try await router().maintenance.abandonEncryptedData() == .init())

      for key in all where !["group", "groupFile"].contains(key.name) {
        #expect(try await router(isRegistered: false).get(key) == nil)
        try await router(isRegistered: false).set("b", for: key)
        #expect(try await router(isRegistered: false).get(key) == "b")
      }
      #expect(try await router().get(Keys.registered[8]) == "a")
      #expect(try await router(isRegistered: false).get(plain) == "plain")
    }

    @Test func valuesWhoseKeyIsThereAreNotAbandoned() async throws {
      for key in Keys.registered { try await router().set("a", for: key) }
      try await router().maintenance.rotateKeys()
      #expect(try await router().maintenance.abandonEncryptedData() == .init())
      for key in Keys.registered { #expect(try await router().get(key) == "a") }
    }

    /// A keystore whose key file is missing may get it back: nothing is given up beside it.
    @Test func nothingIsAbandonedBesideAKeystoreThatCannotBeOpened() async throws {
      let note = Keys.registered[0]
      try await router().set("a", for: note)
      let keyFile = fixture.path("data/keystore.key")
      try FileManager.default.moveItem(atPath: keyFile, toPath: keyFile + ".away")
      await #expect(throws: StorageError(.keyMaterialMissing, .init(key: nil, domain: nil))) {
        try await router().maintenance.abandonEncryptedData()
      }
      try FileManager.default.moveItem(atPath: keyFile + ".away", toPath: keyFile)
      #expect(try await router().get(note) == "a")
    }

    @Test func aDamagedRecordIsMovedAside() async throws {
      let note = Keys.registered[0]
      try await router().set("a", for: note)
      let keychain = KeychainHelper(in: fixture.locations.appFolder)
      let record = StorageAddress.item("MasterKey", service: "LocalData")
      try keychain.write(Data([1, 2, 3]), to: record, StorageAttributes())
      await #expect(throws: StorageError(.keyMaterialDamaged, .init(key: "note", domain: .userDefaults))) {
        try await router().get(note)
      }
      let lost = try await router().maintenance.abandonEncryptedData()
      #expect(lost.keys.map(\.key) == ["note"])
      try await router().set("b", for: note)
      #expect(try await router().get(note) == "b")
    }
  }
#endif
