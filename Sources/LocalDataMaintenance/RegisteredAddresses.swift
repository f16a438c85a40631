import Foundation
import LocalData
import LocalDataFoundation

/// The registered keys, families, reserved names and migration sources with their addresses. Finds the one that a stored name
/// belongs to.
///
/// The initializer waits until the router knows the default keychain access group, if an address depends on it.
struct RegisteredAddresses: Sendable {
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

  struct Reserved: Sendable {
    let reserved: StorageReservedName
    let container: StorageContainer

    func matches(_ name: String) -> Bool { FamilyName(reserved.name).isMember(name, in: container) }
  }

  /// The owner of a stored name.
  enum Owner: Sendable, Hashable {
    case key(Int), family(Int), reserved(Int)
    /// A migration takes the value from there.
    case source
    /// The library stores it for itself.
    case library
  }

  /// The keys, with the plans of calls whose changes are not sent to the paired device.
  private(set) var keys: [Key] = []
  private(set) var families: [Family] = []
  private var positions: [StorageAddress: Int] = [:]
  private(set) var reserved: [Reserved] = []
  /// The errors of keys that have no address on this device now.
  private(set) var problems: [StorageError] = []
  private var sources: [MigratingFamily.Source] = []
  private let registry: KeyRegistry
  private let encryption: EncryptionConfiguration

  /// Works out the addresses of everything that is registered on a router, except keys that do not exist on its platform.
  init(_ router: StorageRouter) async {
    let setup = router.setup.withLock { $0 }
    registry = setup.registry
    encryption = setup.encryption
    for listing in registry.listed {
      for key in listing.keys where key.availability.includes(setup.storage.platform) {
        await add(key, router)
      }
      if !listing.families.isEmpty {
        let descriptors = listing.descriptors.filter { !$0.parameters.isEmpty }
        for family in listing.families { await add(family, descriptors, router) }
      }
      for name in listing.reservedNames { await add(name, router) }
    }
  }

  private mutating func add(_ key: AnyStorageKey, _ router: StorageRouter) async {
    do throws(StorageError) {
      let plan = try await KeyPlan(ofSource: key, on: router)
      positions[plan.address.item] = keys.count
      keys.append(Key(key: key, plan: plan))
    } catch { problems.append(error) }
  }

  private mutating func add(
    _ family: StorageKeyFamily, _ descriptors: [StorageKeyDescriptor], _ router: StorageRouter
  ) async {
    let declared = descriptors.first { $0.name == FamilyName(family.name).plain && $0.domain == family.domain }
    let options = StorageKeyOptions(
      declaredName: family.name, retention: declared?.retention, maxSize: declared?.maxSize,
      backup: declared?.backup ?? true)
    do throws(StorageError) {
      try await router.accessGroup?.learn(for: family.domain, family.subject, router.setup)
      let (container, migrating) = try router.setup.withLock { (setup) throws(StorageError) in
        (
          try setup.container(of: family),
          try MigratingFamily(family) { (family) throws(StorageError) in try setup.container(of: family) }
        )
      }
      families.append(
        Family(family: family, container: container, name: FamilyName(family.name), options: options))
      sources += (migrating?.sources ?? []) + (migrating?.followed ?? [])
    } catch { problems.append(error) }
  }

  private mutating func add(_ name: StorageReservedName, _ router: StorageRouter) async {
    let subject = StorageError.Subject(key: name.name, domain: name.domain.kind)
    do throws(StorageError) {
      try await router.accessGroup?.learn(for: name.domain, subject, router.setup)
      let setup = router.setup.withLock { $0 }
      do throws(StorageProblem) {
        reserved.append(
          Reserved(
            reserved: name,
            container: try StorageContainer(name.domain, setup.storage, defaultAccessGroup: setup.defaultAccessGroup)))
      } catch { throw StorageError(error, subject) }
    } catch { problems.append(error) }
  }

  // MARK: Owners

  /// Returns the owner of a stored name, or `nil` if it has none.
  ///
  /// If several families can have the name, it belongs to the most specific one.
  func owner(of name: String, in container: StorageContainer) -> Owner? {
    let address = StorageAddress(container: container, name: name)
    if let key = positions[address.item] { return .key(key) }
    if encryption.reserves(address) || name == SuiteLoadCheck.sentinel { return .library }
    let own = families.indices.filter {
      isSame(families[$0].container, container) && families[$0].name.isMember(name, in: container)
    }
    if let family = own.owners(of: name, { families[$0].name }).first { return .family(family) }
    if registry.isTaken(address) { return .source }
    if sources.contains(where: { isSame($0.container, container) && $0.name.matches(name) }) {
      return .source
    }
    return reserved.indices.first { isSame(reserved[$0].container, container) && reserved[$0].matches(name) }
      .map { .reserved($0) }
  }

  private func isSame(_ one: StorageContainer, _ other: StorageContainer) -> Bool {
    StorageAddress(container: one, name: "").isSameItem(as: StorageAddress(container: other, name: ""))
  }

  /// The containers in which something registered is stored or was, each once, with a domain that names it.
  var containers: [(container: StorageContainer, domain: StorageDomain)] {
    var seen: Set<StorageContainer> = []
    let all =
      keys.map { ($0.plan.address.container, $0.key.domain) }
      + families.map { ($0.container, $0.family.domain) }
      + reserved.map { ($0.container, $0.reserved.domain) }
    // In the folder of a path, the other files are those of other code.
    return all.filter { $0.0.domain.fields.directory?.exact == nil && seen.insert($0.0.item).inserted }
  }
}

extension StorageServices {
  /// Returns the stored names of a container.
  func names(in container: StorageContainer, _ waits: CallWaits) async throws(StorageProblem) -> [String] {
    try await waits.step(on: .container(container)) { () async throws(StorageProblem) in try await names(in: container)
    }
  }

  private func names(in container: StorageContainer) async throws(StorageProblem) -> [String] {
    let store = base(for: container)
    return try await run { () throws(StorageProblem) in try store.storedNames(in: container).sorted() }
  }
}
