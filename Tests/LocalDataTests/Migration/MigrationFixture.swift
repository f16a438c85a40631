import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary

@testable import LocalData

/// Routers over one memory that outlives them, as processes over one disk; each of them can be stopped at a call.
struct MigrationFixture {
  let memory = MemoryStore()
  let log = MigrationLog()

  /// A router over the memory, through a store that a test may fail.
  func router(
    version: String? = "2.0.0", platform: StoragePlatform = .phone, _ store: FaultInjectingStore? = nil,
    log other: MigrationLog? = nil
  ) -> StorageRouter {
    let configuration = StorageConfiguration(
      applicationName: "Test", applicationVersion: version, platform: platform, defaultKeychainService: "service")
    return StorageRouter(configuration: configuration) { [memory, log] setup in
      var services = StorageServices(over: store ?? FaultInjectingStore(memory), setup)
      services.migrationLog = { _ in other ?? log }
      return services
    }
  }
}

extension MigrationFixture {
  /// A router of a process that is killed when a gate closes.
  func router(until gate: CallGate) -> StorageRouter {
    let store = FaultInjectingStore(memory)
    store.fail(with: .io(errno: 5)) { _ in !gate.pass() }
    var gated = log
    gated.willAppend = { () throws(StorageProblem) in if !gate.pass() { throw .io(errno: 5) } }
    return router(store, log: gated)
  }
}

/// Lets calls through until it closes, as a process that is killed makes no more of them.
final class CallGate: Sendable {
  private let left: Lock<Int>
  init(after calls: Int) { left = Lock(calls) }
  var isClosed: Bool { left.withLock { $0 < 0 } }
  func pass() -> Bool {
    left.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}

/// A key by hand, whatever its place.
func key<Value: Codable & Sendable>(
  _ name: String, _ type: Value.Type = Value.self, _ domain: StorageDomain = .userDefaults(),
  _ security: SecurityPolicy = .none, serializer: Serializer<Value> = .json, options: StorageKeyOptions = .init(),
  migration: (@Sendable (StorageKey<Value?>) -> AnyStorageMigration)? = nil
) -> StorageKey<Value?> {
  StorageKey<Value?>(
    name: name, domain: domain, security: security, serializer: serializer, owner: "Tests", description: "A test's.",
    options: options, migration: migration)
}

/// A token that moved from the preferences to the keychain.
func movedToken(onConflict: ConflictPolicy = .keepSource) -> (old: StorageKey<String?>, new: StorageKey<String?>) {
  let old = key("old_token", String.self)
  let new = key("token", String.self, .keychain(), .keychain()) { key in
    AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old), onConflict: onConflict))
  }
  return (old, new)
}
