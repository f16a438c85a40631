extension StorageServices {
  /// The services of an app, over the folders that its configuration names.
  static let live: @Sendable (RouterSetup) -> StorageServices = { setup in
    StorageServices(
      preferences: Nop(), keychain: Nop(), files: Nop(),
      encryption: EncryptionHelper(
        configuration: setup.encryption, vault: KeysetVault(configuration: setup.encryption) { _ in Nop() },
        holdsSealedValues: { _ in false }))
  }
}
import Foundation
struct Nop: ValueStore {
  var mayBlock: Bool { false }
  func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? { nil }
  func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool { false }
  func write(_ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {}
  func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {}
  func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {}
  func scan(
    _ container: StorageContainer, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault) {}
}
