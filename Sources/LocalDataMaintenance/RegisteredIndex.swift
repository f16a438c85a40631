import Foundation
import LocalData

/// The registered keys and families with their addresses. Finds the one that a stored name belongs to.
///
/// Two types fill an index in different ways:
///
/// - ``RegisteredValues`` is created without waiting. It uses the default keychain access group only if the router knows it
///   already, and leaves out keys that have no address now. It finds the declarations of encrypted values. A value without a
///   declaration is encrypted again or moved aside too.
/// - ``RegisteredAddresses`` waits until the router knows the access group, and reports keys that have no address. It also
///   finds the other owners of a name, for example a migration. Otherwise a value that has an owner could be listed as an
///   orphan.
struct RegisteredIndex: Sendable {
  struct Key: Sendable {
    let key: AnyStorageKey
    let plan: KeyPlan
  }

  struct Family: Sendable {
    let family: StorageKeyFamily
    let container: StorageContainer
    let name: FamilyName
    /// The options that the catalog declares for the members.
    let options: StorageKeyOptions

    /// Returns the key of a member. If the family cannot make it, it has the options of the declaration and no migration.
    func member(_ name: String) -> AnyStorageKey {
      family.members?(name)
        ?? AnyStorageKey(
          StorageKey<Data>(
            name: name, domain: family.domain, security: family.security, serializer: .data, owner: "",
            description: "", options: options))
    }
  }

  private(set) var keys: [Key] = []
  private(set) var families: [Family] = []
  private var positions: [StorageAddress: Int] = [:]

  mutating func add(_ key: AnyStorageKey, _ plan: KeyPlan) {
    positions[plan.address.item] = keys.count
    keys.append(Key(key: key, plan: plan))
  }

  /// - Parameter options: The options that the catalog declares for the members, or `nil` if they are not needed.
  mutating func add(
    _ family: StorageKeyFamily, in container: StorageContainer, options: StorageKeyOptions? = nil
  ) {
    let name = FamilyName(family.name)
    let options = options ?? StorageKeyOptions(declaredName: family.name)
    families.append(Family(family: family, container: container, name: name, options: options))
  }

  /// Returns the position of the key that has an address, or `nil` if no key has it.
  func key(at address: StorageAddress) -> Int? { positions[address.item] }

  /// Returns the position of the family that owns a stored name, or `nil` if no family matches it. Of two equally specific
  /// families, the one that was added first is returned.
  ///
  /// - Parameters:
  ///   - name: The stored name.
  ///   - isInContainer: Returns true if the name is stored in a family's container.
  func family(of name: String, where isInContainer: (StorageContainer) -> Bool) -> Int? {
    families.indices.filter { isInContainer(families[$0].container) }.owners(of: name) { families[$0].name }.first
  }
}
