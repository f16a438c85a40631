import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData

/// A run over many keys that is killed at each call, and an earlier release that runs next.
@Suite struct KilledRunTests {
  /// A release whose keys were stored elsewhere, or in another form, by the release before.
  struct Update: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: (domain: StorageDomain, security: SecurityPolicy)
    var new: (domain: StorageDomain, security: SecurityPolicy)
    var isInPlace = false

    static let count = 2

    func oldKey(_ number: Int) -> StorageKey<String?> {
      key(isInPlace ? "new\(number)" : "old\(number)", String.self, old.domain, old.security)
    }

    func newKey(_ number: Int, _ onConflict: ConflictPolicy = .keepSource) -> StorageKey<String?> {
      key("new\(number)", String.self, new.domain, new.security) { key in
        AnyStorageMigration(
          SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldKey(number)), onConflict: onConflict))
      }
    }
  }

  private static let preferences: (domain: StorageDomain, security: SecurityPolicy) = (.userDefaults(), .none)
  private static let files: (domain: StorageDomain, security: SecurityPolicy) = (
    .fileSystem(directory: .documents), .none
  )
  private static let group = StorageDomain.appGroupUserDefaults(identifier: "group.tests")

  static let updates = [
    Update(testDescription: "to the keychain", old: preferences, new: (.keychain(), .keychain())),
    Update(testDescription: "to a group", old: files, new: (group, .none)),
    Update(testDescription: "from a group", old: (group, .none), new: preferences),
    Update(
      testDescription: "encrypted in place", old: preferences, new: (.userDefaults(), .recommended), isInPlace: true),
    Update(
      testDescription: "encrypted files", old: files, new: (.encryptedFileSystem(directory: .documents), .recommended),
      isInPlace: true),
  ]

  /// Storage over which a process is killed. The app and the group have a log each.
  private struct Storage {
    let memory = MemoryStore()
    let log = MigrationLog()
    let groupLog = MigrationLog()

    func launch(until gate: CallGate? = nil) -> StorageRouter {
      let store = FaultInjectingStore(memory)
      if let gate { store.fail(with: .io(errno: 5)) { _ in !gate.pass() } }
      return StorageRouter(configuration: StorageConfiguration(applicationName: "Test")) { setup in
        var services = StorageServices(over: store, setup)
        services.migrationLog = { keyset in
          var log = keyset == .app ? log : groupLog
          if let gate { log.willAppend = { () throws(StorageProblem) in if !gate.pass() { throw .io(errno: 5) } } }
          return log
        }
        return services
      }
    }

    func run(_ update: Update, _ onConflict: ConflictPolicy, until gate: CallGate) async {
      let keys = (0..<Update.count).map { AnyStorageKey(update.newKey($0, onConflict)) }
      _ = await launch(until: gate).migrations.run(keys) { _ in }
    }
  }

  /// Kills a run at each of its calls, and passes the storage to `body`.
  private func sweep(
    _ update: Update, _ onConflict: ConflictPolicy, _ body: (Storage, String) async throws -> Void
  ) async throws {
    for calls in 0..<400 {
      guard Sweep.isFull || calls % 2 == 0 else { continue }
      let (storage, gate) = (Storage(), CallGate(after: calls))
      for number in 0..<Update.count {
        try await storage.launch().set("one", for: update.oldKey(number))
      }
      await storage.run(update, onConflict, until: gate)
      try await body(storage, "\(calls) calls")
      if !gate.isClosed { return }
    }
    Issue.record("it never ends")
  }

  @Test(arguments: updates, [ConflictPolicy.keepSource, .removeSource])
  func aLaterWriteOfAnEarlierReleaseIsRead(_ update: Update, _ onConflict: ConflictPolicy) async throws {
    try await sweep(update, onConflict) { storage, moment in
      for number in 0..<Update.count { try await storage.launch().set("two", for: update.oldKey(number)) }
      for number in 0..<Update.count {
        let read = try await storage.launch().get(update.newKey(number, onConflict))
        #expect(read == "two", "\(moment), key \(number)")
      }
    }
  }

  /// Bytes in an older form at the key's own address need the entry of a release that uses the library.
  @Test(arguments: updates.filter { !$0.isInPlace }, [ConflictPolicy.keepSource, .removeSource])
  func aLaterWriteOfAnotherProgramIsRead(_ update: Update, _ onConflict: ConflictPolicy) async throws {
    try await sweep(update, onConflict) { storage, moment in
      for number in 0..<Update.count {
        let old = update.oldKey(number)
        let container = try StorageContainer(old.domain, StorageConfiguration())
        try storage.memory.write(
          Data("\"two\"".utf8), to: StorageAddress(container: container, name: old.name), StorageAttributes())
        let read = try await storage.launch().get(update.newKey(number, onConflict))
        #expect(read == "two", "\(moment), key \(number)")
      }
    }
  }

  /// A call for one key is killed.
  @Test(arguments: updates) func aLaterWriteAfterAKilledReadIsRead(_ update: Update) async throws {
    for calls in 0..<100 {
      let (storage, gate) = (Storage(), CallGate(after: calls))
      try await storage.launch().set("one", for: update.oldKey(0))
      do throws(StorageError) {
        _ = try await storage.launch(until: gate).get(update.newKey(0, .removeSource))
      } catch { #expect(gate.isClosed) }
      try await storage.launch().set("two", for: update.oldKey(0))
      #expect(try await storage.launch().get(update.newKey(0, .removeSource)) == "two", "\(calls) calls")
      if !gate.isClosed { return }
    }
  }

  /// The log has the sources of a batch before the first value is stored, and three batches of entries, however many keys there are.
  @Test func theSourcesOfABatchAreRecordedFirst() async throws {
    let (update, storage, count) = (Self.updates[0], Storage(), 20)
    for number in 0..<count { try await storage.launch().set("one", for: update.oldKey(number)) }
    let (ahead, appends) = (Lock<[Int]>([]), Lock(0))
    let store = FaultInjectingStore(storage.memory)
    store.fail(with: .busy) { call in
      guard call.operation == .update, call.address?.name.hasPrefix("new") == true else { return false }
      ahead.withLock { $0.append(((try? storage.log.entries()) ?? []).flatMap(\.moved).count) }
      return false
    }
    var log = storage.log
    log.willAppend = { () throws(StorageProblem) in appends.withLock { $0 += 1 } }
    let counted = log
    let router = StorageRouter(configuration: StorageConfiguration(applicationName: "Test")) { setup in
      var services = StorageServices(over: store, setup)
      services.migrationLog = { _ in counted }
      return services
    }
    let result = await router.migrations.run((0..<count).map { AnyStorageKey(update.newKey($0)) }) { _ in }
    #expect(result.failures.isEmpty && result.migrated.count == count)
    #expect(ahead.withLock(\.self) == Array(repeating: count, count: count))
    #expect(appends.withLock(\.self) == 3)
  }

  /// The earlier release removes the values.
  @Test(arguments: updates) func aLaterRemovalCounts(_ update: Update) async throws {
    try await sweep(update, .keepSource) { storage, moment in
      let keys = (0..<Update.count).map { AnyStorageKey.key(update.oldKey($0)) }
      try await ProbeCatalog.removeAll(keys, [], on: storage.launch())
      for number in 0..<Update.count {
        let read = try await storage.launch().get(update.newKey(number))
        #expect(read == nil, "\(moment), key \(number)")
      }
    }
  }
}
