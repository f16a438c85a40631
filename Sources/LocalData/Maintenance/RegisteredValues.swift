import Foundation
import StorageVocabulary

/// The registered keys and families, found by the addresses of their values.
struct RegisteredValues: Sendable {
  private struct Family: Sendable {
    let family: StorageKeyFamily
    let container: StorageContainer
    let name: FamilyName
  }

  private var plans: [StoragePlace: KeyPlan] = [:]
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
        plans[plan.place.item] = plan
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
    let all = plans.values.map(\.place.container) + families.map(\.container)
    return Set(all.filter { KeysetID(of: $0) == keyset }).sorted { "\($0)" < "\($1)" }
  }

  /// Returns the family of a stored name. Of several ones, the name belongs to the one with the most text between its
  /// parameters.
  private func family(of place: StoragePlace) -> Family? {
    families
      .filter { family in
        // A moved-aside item does not say whether it is synchronizable.
        let own = StoragePlace(container: family.container, name: place.name)
        return own.item == place.item && family.name.matches(place.name)
      }
      .max { $0.name.literalCount < $1.name.literalCount }
  }

  private func plan(of place: StoragePlace) -> KeyPlan? {
    if let plan = plans[place.item] { return plan }
    guard let member = family(of: place)?.family.members?(place.name) else { return nil }
    return plan(of: member)
  }

  /// Returns the declared key of a value, or `nil` if no registered key has its address.
  func subject(of place: StoragePlace) -> StorageError.Subject? {
    plans[place.item]?.subject ?? family(of: place)?.family.subject
  }

  /// Returns the identity of a value on the paired device, or `nil` if the value is not synced.
  func syncKey(of place: StoragePlace) -> SyncKey? { (plan(of: place)?.hook as? SyncTicket)?.key }

  /// Returns the attributes that a value is written with.
  func attributes(
    of place: StoragePlace, _ domain: StorageDomain.Kind, _ scan: SealedValueScan?
  ) throws(StorageFault) -> StorageAttributes {
    var attributes: StorageAttributes
    if let plan = plan(of: place) {
      attributes = plan.attributes
    } else {
      attributes = StorageAttributes(
        isCompletelyProtected: domain == .encryptedFileSystem, isBackedUp: try scan?.isBackedUp(place) ?? true)
    }
    attributes.maxStoredSize = StorageAttributes.anySize.maxStoredSize
    return attributes
  }
}
