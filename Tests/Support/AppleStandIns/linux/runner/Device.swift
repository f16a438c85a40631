import Foundation
import LocalData
import LocalDataTesting
import Security
import LocalDataVocabulary

/// An app on a device: what its launches and its releases find, and what happens to the device between them.
final class Device {
  static let keychain = FakeKeychain.shared

  /// The app's own folders, with those of its groups.
  let folder: URL
  let clock: ControllableClock
  var encryption = EncryptionConfiguration()
  var files: FileStorageConfiguration?
  /// The names of containers that the build gives.
  var containers: [String: String] = [:]

  init(groups: [String] = ["TEAM.app"]) {
    folder = temporaryFolder()
    clock = ControllableClock(Date(timeIntervalSince1970: 1_800_000_000))
    Self.keychain.reset()
    Self.keychain.now = { [clock] in clock.now }
    SealedCatalog.removePreferences()
    Self.keychain.accessGroups = groups
  }

  /// A process of the same app that remembers nothing of this one, after the device was started again.
  ///
  /// - Parameter unloaded: The suites that UserDefaults does not show, with the values that are on the disk.
  init(restarting device: Device, unloaded: [String: [String: Any]]) throws {
    folder = temporaryFolder().appendingPathComponent("restarted")
    do { try FileManager.default.copyItem(at: device.folder, to: folder) } catch CocoaError.fileNoSuchFile {
      // A database of the ended process was closed meanwhile, which removes its log.
      try FileManager.default.removeItem(at: folder)
      try FileManager.default.copyItem(at: device.folder, to: folder)
    }
    (clock, encryption, files) = (device.clock, device.encryption, device.files)
    let lists = folder.appendingPathComponent("config")
    try FileManager.default.createDirectory(at: lists, withIntermediateDirectories: true)
    for (suite, values) in unloaded {
      for name in Set(values.keys).union(["LocalData.sentinel"]) {
        UserDefaults(suiteName: suite)?.removeObject(forKey: name)
      }
      try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        .write(to: lists.appendingPathComponent(suite + ".plist"))
    }
  }

  /// Launches a release, a second after what happened before.
  func launch(_ catalogs: any StorageKeyCatalog.Type..., isExtension: Bool = false) throws -> StorageRouter {
    clock.advance(by: 1)
    let launch = ProcessLaunch(isExtension: isExtension, startedAt: clock.now)
    let configuration = StorageConfiguration(
      applicationName: "device", roots: StorageRoots(below: folder), containers: containers, timeout: .seconds(60))
    let router = StorageRouter(configuration: configuration, clock: clock, accessGroup: .shared) { setup in
      var services = StorageServices.live(setup)
      services.launch = launch
      return services
    }
    try router.updateEncryptionConfiguration(encryption)
    if let files { try router.updateFileStorageConfiguration(files) }
    for catalog in catalogs { try router.registerCatalog(catalog) }
    return router
  }

  // MARK: What happens to the device

  /// The user deletes the app and installs it again: the keychain stays.
  func reinstall() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// A backup without a keychain is restored on another device, from iCloud for example.
  func restoreWithoutKeychain() throws {
    for group in Self.keychain.accessGroups {
      let status = SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: group])
      try require(status == errSecSuccess || status == errSecItemNotFound, "status \(status)")
    }
  }

  /// A backup is restored on another device: the files are there, and the keychain items that may leave a device.
  func restoreOnAnotherDevice() throws {
    for protection in [kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecAttrAccessibleWhenUnlockedThisDeviceOnly] {
      for group in Self.keychain.accessGroups {
        let status = SecItemDelete([
          kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: group, kSecAttrAccessible: protection,
        ])
        try require(status == errSecSuccess || status == errSecItemNotFound, "status \(status)")
      }
    }
  }

  /// Lets only the first calls of the keychain succeed, as if the process were killed after them.
  func keychainFails(after count: Int) -> CallCounter {
    let calls = CallCounter()
    Self.keychain.before = { [notAvailable] _ in calls.next() > count ? notAvailable : nil }
    return calls
  }

  /// `errSecNotAvailable`. Unlike `errSecInteractionNotAllowed`, it does not mean that an item exists.
  private var notAvailable: OSStatus { -25291 }

  func keychainWorks() { Self.keychain.before = nil }

  /// Returns the number of the files below a folder that are not the library's own.
  func files(in path: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }
}

/// The number of calls.
final class CallCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0

  var count: Int { lock.withLock { value } }

  func next() -> Int {
    lock.withLock {
      value += 1
      return value
    }
  }
}

/// Requires that a call throws an error, for example "keyMaterialMissing".
func expectError<Value>(_ name: String, _ what: String, _ body: () async throws -> Value) async throws {
  do {
    let value = try await body()
    throw Broken("\(what): \(value) instead of \(name)")
  } catch let error as StorageError {
    try expect(caseName(of: error), name, what)
  }
}

/// Returns the name of an error's code.
func caseName(of error: StorageError) -> String { "\(error.code)" }

/// Returns a key of texts.
func text(
  _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy,
  _ options: StorageKeyOptions = StorageKeyOptions(),
  migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil
) -> StorageKey<String?> {
  StorageKey<String?>(
    name: name, domain: domain, security: security, owner: "o", description: "d", options: options, migration: migration
  )
}
