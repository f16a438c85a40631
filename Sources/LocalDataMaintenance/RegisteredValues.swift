import Foundation
import LocalData
import SmallFoundation

/// The registered keys and families, found by the addresses of their values. The initializer does not wait.
struct RegisteredValues: Sendable {
  private var index = RegisteredIndex()
  private let setup: RouterSetup

  init(_ router: StorageRouter) {
    let setup = router.setup.withLock { $0 }
    self.setup = setup
    for listing in setup.registry.listed {
      for key in listing.keys {
        // A key without an address on this device has no value here.
        guard let plan = plan(of: key) else { continue }
        index.add(key, plan)
      }
      for family in listing.families {
        do throws(StorageError) { index.add(family, in: try setup.container(of: family)) } catch { continue }
      }
    }
  }

  private func plan(of key: AnyStorageKey) -> KeyPlan? {
    do throws(StorageError) { return try setup.plan(key, for: .write) } catch { return nil }
  }

  /// Returns the containers of the registered keys and families of a keyset.
  func containers(of keyset: KeysetID) -> [StorageContainer] {
    let all = index.keys.map(\.plan.address.container) + index.families.map(\.container)
    return Set(all.filter { KeysetID(of: $0) == keyset }).sorted { "\($0)" < "\($1)" }
  }

  private func declaredPlan(at address: StorageAddress) -> KeyPlan? {
    index.key(at: address).map { index.keys[$0].plan }
  }

  private func family(of address: StorageAddress) -> StorageKeyFamily? {
    // A moved-aside item does not say whether it is synchronizable.
    let position = index.family(of: address.name) { container in
      StorageAddress(container: container, name: address.name).item == address.item
    }
    return position.map { index.families[$0].family }
  }

  private func plan(of address: StorageAddress) -> KeyPlan? {
    if let plan = declaredPlan(at: address) { return plan }
    guard let member = family(of: address)?.members?(address.name) else { return nil }
    return plan(of: member)
  }

  /// Returns the declared key of a value, or `nil` if no registered key has its address.
  func subject(of address: StorageAddress) -> StorageError.Subject? {
    declaredPlan(at: address)?.subject ?? family(of: address)?.subject
  }

  /// Returns the feature that takes part in the changes of a value; `nil` if there is none.
  func hook(of address: StorageAddress) -> (any ChangeHook)? { plan(of: address)?.hook }

  /// Returns the attributes that a value is written with.
  func attributes(
    of address: StorageAddress, _ domain: StorageDomain.Kind, _ scan: SealedValueScan?
  ) throws(StorageFault) -> StorageAttributes {
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
