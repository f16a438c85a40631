import Foundation
import LocalData
import LocalDataFoundation

/// The registered keys and families, found by the addresses of their values. It waits for nothing: it uses the default keychain
/// access group only if the router knows it already, and a key without an address now has no value here.
struct RegisteredKeyIndex: Sendable {
  private let setup: RouterSetup

  init(_ router: StorageRouter) { setup = router.setup.withLock { $0 } }

  /// Returns the containers of the registered keys and families of a keyset.
  func containers(of keyset: KeysetID) -> [StorageContainer] {
    Set(setup.registry.containers.filter { KeysetID(of: $0) == keyset }).sorted { "\($0)" < "\($1)" }
  }

  private func plan(of address: StorageAddress) -> KeyPlan? {
    let key: AnyStorageKey?
    switch setup.registry.owner(of: address) {
    case .key(let declared): key = declared
    case .family(let family): key = family.members?(address.name)
    case nil: key = nil
    }
    guard let key else { return nil }
    do throws(StorageError) { return try setup.plan(key, for: .write) } catch { return nil }
  }

  /// Returns the declared key of a value, or `nil` if no registered key has its address.
  func subject(of address: StorageAddress) -> StorageError.Subject? {
    switch setup.registry.owner(of: address) {
    case .key(let key): key.subject
    case .family(let family): family.subject
    case nil: nil
    }
  }

  /// Returns the feature that takes part in the changes of a value; `nil` if there is none.
  func hook(of address: StorageAddress) -> (any ChangeHook)? { plan(of: address)?.hook }

  /// Returns the attributes that a value is written with.
  func attributes(
    of address: StorageAddress, _ domain: StorageDomain.Kind, _ scan: SealedValueScan?
  ) throws(StorageProblem) -> StorageAttributes {
    var attributes: StorageAttributes
    if let plan = plan(of: address) {
      attributes = plan.attributes
    } else {
      attributes = StorageAttributes(
        isCompletelyProtected: domain == .encryptedFileSystem, isBackedUp: try scan?.isBackedUp(address) ?? true)
    }
    attributes.maxStoredSize = StorageAttributes.anySize.maxStoredSize
    return attributes
  }
}
