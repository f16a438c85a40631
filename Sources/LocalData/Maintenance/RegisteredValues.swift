import Foundation
import StorageVocabulary

/// The registered keys and families, found by the addresses of their values.
struct RegisteredValues: Sendable {
  private struct Family: Sendable {
    let family: StorageKeyFamily
    let container: StorageContainer
    let name: FamilyName
  }

  private var plans: [StorageAddress: KeyPlan] = [:]
  private var families: [Family] = []
  private let setup: RouterSetup
  private let syncLink: SyncLink

  init(_ router: StorageRouter) {
    let setup = router.setup.withLock { $0 }
    (self.setup, syncLink) = (setup, router.syncLink)
    for listing in setup.registry.listed {
      for key in listing.keys {
        // A key without an address on this device has no value here.
        guard let plan = plan(of: key), !plan.isFoundation else { continue }
        plans[plan.address.item] = plan
      }
      for family in listing.families {
        do throws(StorageError) {
          families.append(
            Family(family: family, container: try setup.container(of: family), name: FamilyName(family.name)))
        } catch { continue }
      }
    }
  }

  private func plan(of key: AnyStorageKey) -> KeyPlan? {
    do throws(StorageError) { return try setup.plan(key, syncLink) } catch { return nil }
  }

  /// Returns the containers of the registered keys and families of a keyset.
  func containers(of keyset: KeysetID) -> [StorageContainer] {
    let all = plans.values.map(\.address.container) + families.map(\.container)
    return Set(all.filter { KeysetID(of: $0) == keyset }).sorted { "\($0)" < "\($1)" }
  }

  /// Returns the family of a stored name. Of several ones, the name belongs to the one with the most text between its
  /// parameters.
  private func family(of address: StorageAddress) -> Family? {
    families
      .filter { family in
        // A moved-aside item does not say whether it is synchronizable.
        let own = StorageAddress(container: family.container, name: address.name)
        return own.item == address.item && family.name.matches(address.name)
      }
      .max { $0.name.literalCount < $1.name.literalCount }
  }

  private func plan(of address: StorageAddress) -> KeyPlan? {
    if let plan = plans[address.item] { return plan }
    guard let member = family(of: address)?.family.members?(address.name) else { return nil }
    return plan(of: member)
  }

  /// Returns the declared key of a value, or `nil` if no registered key has its address.
  func subject(of address: StorageAddress) -> StorageError.Subject? {
    plans[address.item]?.subject ?? family(of: address)?.family.subject
  }

  /// Returns the identity of a value on the paired device, or `nil` if the value is not synced.
  func syncKey(of address: StorageAddress) -> SyncKey? { (plan(of: address)?.hook as? SyncTicket)?.key }

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
