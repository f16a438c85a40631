import Foundation
import LocalData
import LocalDataRecords
import LocalDataSync
import LocalDataFoundation

/// A router in memory that stores the same bytes in every run and on every machine.
///
/// Its keys, salts and nonces are the output of a counter, its clock does not advance, and each source of key material gives
/// fixed bytes. It is used only for fixtures.
struct FixtureStore {
  let router: StorageRouter
  private let memory = MemoryStore()

  init(for key: AnyStorageKey) {
    self.init(platform: key.availability == .watchOnly ? .watch : .phone, key.security, key.domains)
  }

  init<Database: RecordDatabase>(for database: Database.Type) throws {
    let part = StorageCatalogPart.records(Database.self)
    self.init(
      platform: .phone, Database.declaration.sealing, [part.domain] + part.movedFrom.map(\.domain))
    try router.registerCatalog(FixtureCatalog<Database>.self)
  }

  private init(platform: StoragePlatform, _ security: SecurityPolicy, _ domains: [StorageDomain]) {
    let configuration = StorageConfiguration(
      applicationName: "Fixtures", applicationVersion: "1", platform: platform,
      roots: StorageRoots(below: URL(fileURLWithPath: "/fixtures")), defaultKeychainService: "fixtures",
      defaultAppGroupIdentifier: "group.fixtures", containers: Self.containers(of: domains))
    let log = MigrationLog()
    router = StorageRouter(configuration: configuration, clock: ControllableClock()) { [memory] setup in
      let vault = KeysetVault(configuration: setup.encryption) { _ in memory }
      let encryption = EncryptionHelper(
        configuration: setup.encryption, vault: vault, providers: setup.providers, randomness: .counting(),
        holdsSealedValues: { _ in false })
      var services = StorageServices(
        preferences: memory, keychain: memory, files: memory, encryption: encryption,
        migrationLog: { _ in log }, lock: { encryption.lock() })
      // Rows that are kept until the app is launched again stay in the fixture.
      services.launch = ProcessLaunch(isExtension: true)
      return services
    }
    router.setup.withLock { [clock = router.clock] in $0.use(.sync, clock) }
    if case .encrypted(let policy) = security, case .external(let source) = policy.keySource {
      router.registerKeyMaterialProvider(FixedKeyMaterial(), for: source)
    }
  }

  /// Returns a name for each configured container: its pattern, in which `fixtures` is any text.
  private static func containers(of domains: [StorageDomain]) -> [String: String] {
    let configured = domains.flatMap(\.configuredNames)
    return Dictionary(configured.map { ($0.name, ($0.pattern ?? "*").replacing("*", with: "fixtures")) }) { first, _ in
      first
    }
  }

  /// A file with all stored values.
  var file: FixtureFile { FixtureFile(memory.entries) }

  /// Stores the values of a file.
  func fill(with file: FixtureFile) throws {
    for (address, bytes) in file.entries { try memory.write(bytes, to: address, StorageAttributes()) }
  }
}

/// A catalog of one database.
private enum FixtureCatalog<Database: RecordDatabase>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Database.self)] }
}

private struct FixedKeyMaterial: KeyMaterialProviding {
  func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 7, count: 32) }
}

extension Randomness {
  /// Returns a generator whose bytes count up.
  fileprivate static func counting() -> Randomness {
    let counter = Counter()
    return Randomness { buffer in
      for index in buffer.indices { buffer[index] = counter.next() }
    }
  }

  /// `@unchecked Sendable`: `value` is used only while `lock` is held.
  private final class Counter: @unchecked Sendable {
    private let lock = Foundation.NSLock()
    private var value: UInt8 = 0

    func next() -> UInt8 {
      lock.withLock {
        value &+= 1
        return value
      }
    }
  }
}
