import Dispatch
import LocalDataFoundation
import LocalDataStores

/// The keychains that contain keysets. On Linux the app and each group have a keystore, which keeps its root
/// key in memory until ``lock()``. Elsewhere there is one keychain.
final class Keystores: Sendable {
  let app: KeychainHelper
  private let locations: StorageLocations
  private let setup: RouterSetup
  private let groups = Lock<[KeysetID: KeychainHelper]>([:])

  init(_ locations: StorageLocations, _ setup: RouterSetup) {
    self.locations = locations
    self.setup = setup
    app = Self.keystore(in: locations.appFolder, group: nil, setup)
  }

  /// Returns the keychain of a keyset's record.
  func keystore(of keyset: KeysetID) throws(StorageProblem) -> KeychainHelper {
    guard Self.hasGroups, let identifier = keyset.group else { return app }
    if let known = groups.withLock({ $0[keyset] }) { return known }
    let made = Self.keystore(in: try locations.keystore(of: keyset).folder, group: identifier, setup)
    return groups.withLock { groups in
      let keystore = groups[keyset] ?? made
      groups[keyset] = keystore
      return keystore
    }
  }

  /// Removes the root keys from memory.
  func lock() {
    app.lock()
    for keystore in groups.withLock({ Array($0.values) }) { keystore.lock() }
  }

  #if os(Linux)
    private static let hasGroups = true

    private static func keystore(in folder: FolderLocation, group: String?, _ setup: RouterSetup) -> KeychainHelper {
      KeychainHelper(in: folder, protection: protection(setup.storage.rootKeySource, in: folder, group: group, setup))
    }

    private static func protection(
      _ source: RootKeySource, in folder: FolderLocation, group: String?, _ setup: RouterSetup
    ) -> RootKeyProtection {
      let keyName = group.map { "keystore." + $0 } ?? "keystore"
      return RootKeyProtection(
        source, in: folder, applicationName: setup.storage.applicationName, group: group,
        material: { [providers = setup.providers] (source) throws(StorageProblem) in
          try providers.waitForMaterial(of: source, keyName: keyName)
        },
        stretch: setup.stretching.stretch)
    }

    /// Encrypts the root key of a keystore with the configured source instead of an earlier one. Returns false if the
    /// configured source encrypts it already, or if there is no keystore.
    func changeRootKey(of keyset: KeysetID, from old: RootKeySource) throws(StorageProblem) -> Bool {
      let group = keyset.group
      let folder = try locations.keystore(of: keyset).folder
      return try keystore(of: keyset).root.change(from: Self.protection(old, in: folder, group: group, setup))
    }
  #else
    private static let hasGroups = false

    private static func keystore(in folder: FolderLocation, group: String?, _ setup: RouterSetup) -> KeychainHelper {
      let name = setup.storage.defaultKeychainAccessGroup
      return KeychainHelper(
        in: folder,
        accessGroup: name.map { name in DefaultAccessGroup { () throws(StorageProblem) in name } } ?? .shared,
        record: FileLocation(folder: folder, name: ".access-group.location"))
    }

    /// Does nothing, because the system's keychain has no root key of the library.
    func changeRootKey(of keyset: KeysetID, from old: RootKeySource) throws(StorageProblem) -> Bool { false }
  #endif
}

#if os(Linux)
  extension KeyMaterialRegistry {
    /// Returns the bytes of a provider. Blocks the thread until the provider returns. Do not call it on a thread of Swift's
    /// concurrency.
    fileprivate func waitForMaterial(
      of source: KeyMaterialSource, keyName: String
    ) throws(StorageProblem) -> SecretBytes {
      guard let (provider, _) = provider(for: source) else { throw .noKeyMaterialProvider(source) }
      let answer = Lock<Result<SecretBytes, StorageProblem>>(.failure(.keyMaterialProviderFailed(source)))
      let isAnswered = DispatchSemaphore(value: 0)
      Task.detached {
        do {
          var given = try await provider.keyMaterial(for: keyName)
          defer { given.wipe() }
          let material = SecretBytes(given)
          answer.withLock { $0 = .success(material) }
        } catch {
          // The error is not passed on, because its text may quote key bytes.
        }
        isAnswered.signal()
      }
      isAnswered.wait()
      return try answer.withLock { $0 }.get()
    }
  }
#endif
