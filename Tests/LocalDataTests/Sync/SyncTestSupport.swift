import Foundation
import LocalDataTesting
import StorageVocabulary

@testable import LocalData

/// The keys that a phone and its watch share in these tests.
enum SyncedKeys {
  static let plain = number("plain", .userDefaults(), .none, .automaticSmall)
  static let sealed = number("sealed", .userDefaults(suite: "sealed"), .recommended, .automaticSmall, resecure: true)
  static let file = number("file", .fileSystem(directory: .custom("a/b")), .none, .manual)
  static let secret = number("secret", .keychain(service: "s"), .keychain(), .manual, resecure: true)
  static let group = number("group", .appGroupUserDefaults(identifier: "group.tests"), .none, .automaticSmall)

  static let all = [plain, sealed, file, secret, group]

  static func number(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ policy: SyncPolicy,
    availability: PlatformAvailability = .all, resecure: Bool = false, maxSize: Int? = nil
  ) -> StorageKey<Int?> {
    StorageKey<Int?>(
      name: name, domain: domain, security: security, owner: "Tests", description: "A number of two devices.",
      availability: availability, syncPolicy: policy, traits: StorageKeyTraits(maxSize: maxSize, resecure: resecure))
  }

  static func bytes(
    _ name: String = "bytes", _ policy: SyncPolicy = .manual, maxSize: Int? = nil
  ) -> StorageKey<Data?> {
    StorageKey<Data?>(
      name: name, domain: .fileSystem(directory: .documents), security: .none, serializer: .data, owner: "Tests",
      description: "Bytes of two devices.", syncPolicy: policy, traits: StorageKeyTraits(maxSize: maxSize))
  }
}

enum SyncedCatalog: StorageKeyCatalog {
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
      syncPolicy: .manual, traits: StorageKeyTraits(declaredName: "note_{id}"))
  }
}

/// A phone or a watch: stores that outlive its router, as a disk outlives a process.
final class SyncDevice {
  let store = FaultInjectingStore(MemoryStore())
  let records = FaultyRecords()
  let transport: LinkedTransport
  let platform: StoragePlatform
  private(set) var router: StorageRouter

  init(_ platform: StoragePlatform, _ transport: LinkedTransport) throws {
    (self.platform, self.transport) = (platform, transport)
    router = StorageRouter.inMemory()
    try restart()
  }

  /// A new process over the same disk.
  func restart() throws {
    store.succeed()
    records.saves = nil
    router = StorageRouter(configuration: StorageConfiguration(platform: platform)) { [store, records] in
      StorageServices(over: store, $0, syncRecords: records)
    }
    try router.registerCatalog(SyncedCatalog.self)
    router.sync.use(transport)
  }

  /// Applies what arrives now.
  @discardableResult
  func receive() async -> [SyncEvent] {
    var events: [SyncEvent] = []
    for payload in transport.arrivals() { events += await router.sync.applyReceived(payload) }
    return events
  }
}

extension SyncDevice {
  static func pair(_ linked: LinkedTransports = LinkedTransports()) throws -> (phone: SyncDevice, watch: SyncDevice) {
    (try SyncDevice(.phone, linked.phone), try SyncDevice(.watch, linked.watch))
  }
}

/// Records that fail from a given save on, as a process that is killed keeps nothing from then on.
///
/// `@unchecked Sendable`: `left` is touched with `lock` held alone.
final class FaultyRecords: SyncRecordStore, @unchecked Sendable {
  private let base = MemorySyncRecords()
  private let lock = NSLock()
  private var left: Int?

  /// How many saves still succeed; `nil` for all.
  var saves: Int? {
    get { lock.withLock { left } }
    set { lock.withLock { left = newValue } }
  }

  func locked<Result>(
    _ keyset: KeysetID, _ body: (OpenSyncRecord) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    try base.locked(keyset) { (open) throws(StorageFault) in
      try body(
        try OpenSyncRecord(open.record.bytes) { (bytes) throws(StorageFault) in
          guard self.take() else { throw .io(errno: EIO) }
          open.record = try SyncRecord(bytes)
          try open.save()
        })
    }
  }

  private func take() -> Bool {
    lock.withLock {
      guard let count = left else { return true }
      left = max(count - 1, 0)
      return count > 0
    }
  }
}

extension StorageError.Subject {
  static func of<Value>(_ key: StorageKey<Value>) -> Self { AnyStorageKey(key).subject }
}
