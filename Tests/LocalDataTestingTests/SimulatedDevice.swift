import Foundation
import LocalData
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataAudit
import LocalDataStores
import LocalDataVocabulary

/// An app on an iPhone that remembers how each value was stored. An event removes what the system would remove, by the
/// attributes that the library has passed to the system.
///
/// Nothing here knows the table of fates. The rules are those of the system alone, for files, preferences and items.
final class SimulatedDevice: Sendable {
  let clock = ControllableClock()
  private let fixture: StoreFixture
  private let encryption: EncryptionConfiguration
  private let isLocked = Lock(false)
  private let values: AttributedStore
  private let log = MigrationLog()

  init(masterKey: KeychainAccessibility) throws {
    fixture = try StoreFixture()
    encryption = EncryptionConfiguration(masterKeyAccessibility: masterKey)
    values = AttributedStore(base: MemoryStore(clock: clock), isLocked: isLocked)
  }

  /// Launches the app, a second later.
  func launch() throws -> StorageRouter {
    clock.advance(by: 1)
    let launch = ProcessLaunch(startedAt: clock.now)
    let (values, log, marker) = (values, log, marker)
    let configuration = StorageConfiguration(applicationName: "Test", timeout: .seconds(600))
    let router = StorageRouter(configuration: configuration, clock: clock) { setup in
      let encryption = EncryptionHelper(
        configuration: setup.encryption, vault: KeysetVault(configuration: setup.encryption) { _ in values },
        providers: setup.providers, holdsSealedValues: { _ in false })
      var services = StorageServices(
        preferences: values, keychain: values, files: values, encryption: encryption, migrationLog: { _ in log },
        lock: { encryption.lock() })
      services.launch = launch
      services.installation = Installation(
        marker: marker, keychain: values, service: "LocalData", account: "MasterKey.installation.Test", accessGroup: nil
      )
      return services
    }
    try router.updateEncryptionConfiguration(encryption)
    return router
  }

  /// The file of an installation, which backups contain.
  private var marker: FileLocation { FileLocation(folder: fixture.locations.appFolder, name: ".installed") }

  /// Lets an event happen. An app that is not in the group's container any more has lost it.
  func undergo(_ event: StorageEvent) throws {
    switch event {
    case .deviceLocked: isLocked.withLock { $0 = true }
    case .reinstall:
      values.removeAll { address, _ in !address.container.isKeychain }
      try removeMarker()
    case .restoreSameDevice: restore { $0.accessControl == nil && $0.accessibility != .whenPasscodeSetThisDeviceOnly }
    case .encryptedBackup, .directTransfer:
      restore { $0.accessControl == nil && !$0.accessibility.isThisDeviceOnly }
    case .unencryptedBackup, .iCloudRestore: restore { _ in false }
    case .relaunch, .update, .downgrade, .ownBackup, .teamTransfer, .watchPairedAgain, .signOut: break
    }
  }

  func unlock() { isLocked.withLock { $0 = false } }

  /// Removes the bytes of items that the backup does not contain, and of files that are excluded.
  private func restore(_ arrives: (StorageAttributes) -> Bool) {
    values.removeAll { address, attributes in
      address.container.isKeychain ? !arrives(attributes) : !attributes.isBackedUp || address.container.isInCaches
    }
  }

  private func removeMarker() throws {
    if FileManager.default.fileExists(atPath: marker.path) { try FileManager.default.removeItem(atPath: marker.path) }
  }
}

/// A store with the attributes of each value.
private final class AttributedStore: ForwardingStore {
  let base: any ValueStore
  private let memory: MemoryStore
  private let isLocked: Lock<Bool>
  private let attributes = Lock<[StorageAddress: StorageAttributes]>([:])

  init(base: MemoryStore, isLocked: Lock<Bool>) { (self.base, memory, self.isLocked) = (base, base, isLocked) }

  func removeAll(where isLost: (StorageAddress, StorageAttributes) -> Bool) {
    let known = attributes.withLock { $0 }
    for (address, _) in memory.entries {
      let attributes = known[address] ?? StorageAttributes()
      guard isLost(address, attributes) else { continue }
      do throws(StorageProblem) { try memory.remove(address, attributes) } catch {}
    }
  }

  /// Throws `locked` for an item or a file that the system does not give out now.
  private func check(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    guard isLocked.withLock({ $0 }) else { return }
    let isUnreadable =
      if address.container.isKeychain { attributes.accessibility.needsUnlockedDevice } else {
        attributes.isCompletelyProtected
      }
    if isUnreadable { throw .locked }
  }

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try check(address, attributes)
    return try base.read(address, attributes)
  }

  func version(of address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try check(address, attributes)
    return try base.version(of: address, attributes)
  }

  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try check(address, attributes)
    self.attributes.withLock { $0[address] = attributes }
    try base.write(bytes, to: address, attributes)
  }

  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try check(address, attributes)
    self.attributes.withLock { $0[address] = attributes }
    try base.update(address, attributes, change)
  }
}

extension StorageContainer {
  fileprivate var isKeychain: Bool { store == .keychain }

  fileprivate var isInCaches: Bool { domain.fields.directory == .caches }
}

extension KeychainAccessibility {
  fileprivate var needsUnlockedDevice: Bool {
    switch self {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly: false
    }
  }
}
