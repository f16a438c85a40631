import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData
@testable import LocalDataSync

/// The keys that a phone and its watch share in these tests.
enum SyncedKeys {
  static let plain = number("plain", .userDefaults(), .none, .automaticSmall)
  static let sealed = number(
    "sealed", .userDefaults(suite: "sealed"), .recommended, .automaticSmall, decrypted: true)
  static let file = number("file", .fileSystem(directory: .custom("a/b")), .none, .manual)
  static let secret = number("secret", .keychain(service: "s"), .keychain(), .manual, decrypted: true)
  static let group = number("group", .appGroupUserDefaults(identifier: "group.tests"), .none, .automaticSmall)

  static let all = [plain, sealed, file, secret, group]

  static func number(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ policy: SyncPolicy,
    availability: PlatformAvailability = .all, decrypted: Bool = false, maxSize: Int? = nil
  ) -> StorageKey<Int?> {
    StorageKey<Int?>(
      name: name, domain: domain, security: security, owner: "Tests", description: "A number of two devices.",
      availability: availability, syncPolicy: policy,
      options: StorageKeyOptions(maxSize: maxSize, decryptedForSync: decrypted))
  }

  static func bytes(
    _ name: String = "bytes", _ policy: SyncPolicy = .manual, maxSize: Int? = nil
  ) -> StorageKey<Data?> {
    StorageKey<Data?>(
      name: name, domain: .fileSystem(directory: .documents), security: .none, serializer: .data, owner: "Tests",
      description: "Bytes of two devices.", syncPolicy: policy, options: StorageKeyOptions(maxSize: maxSize))
  }
}

/// One key as two releases of an app declare it: a number, then the number's text. The number 666 cannot be upgraded.
enum VersionedKey {
  static let first = StorageKey<Int?>(
    name: "versioned", domain: .userDefaults(), security: .none, owner: "Tests", description: "A value of two devices.",
    syncPolicy: .automaticSmall)
  static let second = StorageKey<String?>(
    name: "versioned", domain: .userDefaults(), security: .none, owner: "Tests", description: "A value of two devices.",
    syncPolicy: .automaticSmall
  ).upgrading(by: upgrade)

  private struct Failure: Error {}

  private static let upgrade = SchemaUpgrades<String>(decoding: .json) { (number: Int) throws -> String in
    if number == 666 { throw Failure() }
    return "number \(number)"
  }
}

/// One key as two releases of an app declare it, under two names and in two containers.
enum RenamedKey {
  static let first = SyncedKeys.number("former", .userDefaults(), .none, .automaticSmall)
  static let second = StorageKey<Int?>(
    name: "renamed", domain: .appGroupUserDefaults(identifier: "group.tests"), security: .none, owner: "Tests",
    description: "A number of two devices.", syncPolicy: .automaticSmall
  ) { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(first))) }
}

enum SyncedCatalog: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] {
    SyncedKeys.all.map { .key($0) } + [
      .key(SyncedKeys.bytes("bytes")), .key(SyncedKeys.bytes("small", .automaticSmall)),
      .key(SyncedKeys.number("never", .userDefaults(), .none, .never)),
      .key(SyncedKeys.number("unsaid", .userDefaults(), .recommended, .manual)),
      .key(SyncedKeys.number("phone", .userDefaults(), .none, .manual, availability: .phoneOnly)),
    ]
  }

  static var allFamilies: [StorageKeyFamily] {
    [
      StorageKeyFamily(
        name: "note_{id}", domain: .userDefaults(), security: .none,
        members: { AnyStorageKey(note(named: $0)) })
    ]
  }

  static func note(named name: String) -> StorageKey<Int?> {
    StorageKey<Int?>(
      name: name, domain: .userDefaults(), security: .none, owner: "Tests", description: "A number of a note.",
      syncPolicy: .manual, options: StorageKeyOptions(declaredName: "note_{id}"))
  }
}

/// A phone or a watch: stores that outlive its router, as a disk outlives a process.
final class SyncDevice {
  let memory: MemoryStore
  let commits: CommitFailingStore
  let store: FaultInjectingStore
  let histories = FaultyRecords()
  let transport: LinkedTransport
  let platform: StoragePlatform
  let clock: any StorageClock
  /// The catalog that the app registers, which another version of the app changes.
  var catalog: any StorageKeyCatalog.Type = SyncedCatalog.self
  private(set) var router: StorageRouter

  init(_ platform: StoragePlatform, _ transport: LinkedTransport, clock: any StorageClock = SystemClock()) throws {
    (self.platform, self.transport, self.clock) = (platform, transport, clock)
    memory = MemoryStore()
    commits = CommitFailingStore(base: memory)
    store = FaultInjectingStore(commits)
    router = StorageRouter.inMemory()
    try restart()
  }

  /// Everything that is stored, as a backup contains it.
  func disk() -> [(address: StorageAddress, bytes: Data)] { memory.entries }

  func restore(_ disk: [(address: StorageAddress, bytes: Data)]) throws {
    for entry in memory.entries { try memory.remove(entry.address, StorageAttributes()) }
    for entry in disk { try memory.write(entry.bytes, to: entry.address, StorageAttributes()) }
  }

  /// A new process over the same disk.
  func restart() throws {
    store.succeed()
    histories.succeed()
    commits.isFailing = false
    router = StorageRouter(configuration: StorageConfiguration(platform: platform), clock: clock) {
      [store, histories] in
      StorageServices(over: store, $0, syncRecords: histories)
    }
    try router.registerCatalog(catalog)
    router.sync.setTransport(transport)
  }

  /// Applies what arrives now.
  @discardableResult
  func receive() async -> [SyncEvent] {
    var events: [SyncEvent] = []
    for payload in transport.arrivals() { events += await router.sync.receive(payload) }
    return events
  }

  /// Applies what the other end put last, as at a launch.
  @discardableResult
  func receiveLast() async -> [SyncEvent] {
    guard let payload = transport.received else { return [] }
    return await router.sync.receive(payload)
  }

  /// The entries of all payloads that were put here.
  var sentEntries: [SyncPayload.Entry] {
    get throws { try transport.sent.flatMap { try SyncPayload($0).entries } }
  }
}

extension SyncDevice {
  static func pair(
    _ linked: LinkedTransports = LinkedTransports(), clock: any StorageClock = SystemClock()
  ) throws -> (phone: SyncDevice, watch: SyncDevice) {
    (try SyncDevice(.phone, linked.phone, clock: clock), try SyncDevice(.watch, linked.watch, clock: clock))
  }

  /// Delivers what both have put until neither answers.
  static func exchange(_ one: SyncDevice, _ other: SyncDevice) async {
    for _ in 0..<8 {
      var isQuiet = true
      for device in [one, other] {
        let payloads = device.transport.arrivals()
        for payload in payloads { _ = await device.router.sync.receive(payload) }
        if !payloads.isEmpty { isQuiet = false }
      }
      if isQuiet { return }
    }
    Issue.record("two devices answer each other without end")
  }
}

/// A store whose changes fail after they were decided, and change nothing: a disk that is full, or a process that is
/// killed between the history and the value.
///
/// `@unchecked Sendable`: `fails` is touched with `lock` held alone.
final class CommitFailingStore: ForwardingStore, @unchecked Sendable {
  let base: any ValueStore
  private let lock = NSLock()
  private var fails = false

  init(base: MemoryStore) { self.base = base }

  var isFailing: Bool {
    get { lock.withLock { fails } }
    set { lock.withLock { fails = newValue } }
  }

  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    if isFailing { throw .outOfSpace }
    try base.write(bytes, to: address, attributes)
  }

  func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    if isFailing { throw .outOfSpace }
    try base.remove(address, attributes)
  }

  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try base.update(address, attributes) { (stored) throws(StorageProblem) in
      let change = try change(stored)
      if case .keep = change { return change }
      if self.isFailing { throw .outOfSpace }
      return change
    }
  }
}

/// A clock that moves by a millisecond with every look at it: no two changes are made at once.
///
/// `@unchecked Sendable`: `time` is touched with `lock` held alone.
final class StepClock: StorageClock, @unchecked Sendable {
  private let lock = NSLock()
  private var time = Date(timeIntervalSince1970: 1_795_000_000)

  var now: Date {
    lock.withLock {
      time += 0.001
      return time
    }
  }

  func move(to date: Date) { lock.withLock { time = date } }
}

extension StorageServices {
  /// Creates services over one store, with histories of versions that a test holds.
  init(over store: any ValueStore, _ setup: RouterSetup, syncRecords: any SyncHistoryStore) {
    self.init(over: store, setup)
    features = FeatureStorage(keeping: SyncHistoryKeeper(syncRecords))
  }
}

extension SyncHistoryLogs {
  /// Creates histories in memory.
  init(_ histories: [KeysetID: SyncHistory]) {
    self.init()
    for (keyset, history) in histories {
      do throws(StorageProblem) {
        try change(keyset, isDurable: false) {
          $0 = history
          $0.changes.isHeadChanged = true
        }
      } catch { Issue.record(error) }
    }
  }

  /// The histories of the app and of the group of ``SyncedKeys``.
  var all: [KeysetID: SyncHistory] {
    var histories: [KeysetID: SyncHistory] = [:]
    for keyset in [KeysetID.app, .group(identifier: "group.tests")] where isKept(keyset) {
      do throws(StorageProblem) { histories[keyset] = try read(keyset) { $0 } } catch { Issue.record(error) }
    }
    return histories
  }
}

/// Notes in memory that fail if a test demands it, and that can be lost, saved and restored.
///
/// `@unchecked Sendable`: every mutable property is touched with `lock` held alone.
final class FaultyRecords: SyncHistoryStore, @unchecked Sendable {
  private let lock = NSLock()
  private var base = SyncHistoryLogs()
  private var left: Int?
  private var fault = StorageProblem.io(errno: EIO)
  private var changes = 0
  private var users = 0

  /// A Boolean value that indicates whether a history is locked now.
  var isLocked: Bool { lock.withLock { users > 0 } }

  /// How many changes still succeed, as before a process is killed or a disk is full; `nil` for all.
  func fail(after count: Int, with fault: StorageProblem = .io(errno: EIO)) {
    lock.withLock { (left, self.fault) = (count, fault) }
  }

  func succeed() { lock.withLock { left = nil } }

  /// The durable changes so far.
  var durableChanges: Int { lock.withLock { changes } }

  /// Forgets the histories, as a restored backup or a reinstalled app does.
  func lose() { lock.withLock { base = SyncHistoryLogs() } }

  /// The current state of the histories. Setting it restores a saved state.
  var state: [KeysetID: SyncHistory] {
    get { lock.withLock { base }.all }
    set { lock.withLock { base = SyncHistoryLogs(newValue) } }
  }

  func isKept(_ keyset: KeysetID) -> Bool { lock.withLock { base }.isKept(keyset) }

  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try lock.withLock { base }.read(keyset, body)
  }

  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool, _ body: (inout SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    guard take(isDurable) else { throw lock.withLock { fault } }
    return try lock.withLock { base }.change(keyset, isDurable: isDurable) { (history) throws(StorageProblem) in
      self.lock.withLock { self.users += 1 }
      defer { self.lock.withLock { self.users -= 1 } }
      return try body(&history)
    }
  }

  func setAside(_ keyset: KeysetID) throws(StorageProblem) -> Bool {
    lock.withLock {
      guard fault == .corrupted else { return false }
      (left, base) = (nil, SyncHistoryLogs())
      return true
    }
  }

  private func take(_ isDurable: Bool) -> Bool {
    lock.withLock {
      if isDurable { changes += 1 }
      guard let count = left else { return true }
      left = max(count - 1, 0)
      return count > 0
    }
  }
}

extension StorageError.Subject {
  static func of<Value>(_ key: StorageKey<Value>) -> Self { AnyStorageKey(key).subject }
}
