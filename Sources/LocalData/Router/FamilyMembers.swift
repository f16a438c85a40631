import LocalDataFoundation
import LocalDataStores

/// The members of one family. They are found by the stored names in the family's container and in the containers of its
/// sources.
struct FamilyMembers: Sendable {
  /// The members' keys, sorted by their stored names.
  private(set) var keys: [AnyStorageKey] = []
  /// The error because of which members may be missing; `nil` if all were found.
  private(set) var problem: StorageError?
  /// Names in the sources that are those of no member, because two choices of parameters give them.
  private(set) var ambiguous: [FamilyListing.Ambiguous] = []
  /// A plan with the family's container, for calls on the container as a whole.
  let plan: KeyPlan

  /// Lists the containers. Holds no turn.
  ///
  /// - Parameters:
  ///   - isRemoval: True if the members will be removed. Members whose values were moved aside are listed too then.
  ///   - waits: The waits of the call.
  /// - Throws: A ``StorageError`` if the family cannot be used, or its own container cannot be listed now.
  @concurrent init(
    _ family: StorageKeyFamily, of router: StorageRouter, isRemoval: Bool = false, _ waits: CallWaits
  ) async throws(StorageError) {
    plan = try await router.plan(for: family.template)
    let (registry, encryption) = router.setup.withLock { ($0.registry, $0.encryption) }
    let declared = FamilyName(family.name)
    let families = [declared] + registry.familyNames(in: plan.address.container, besides: family.name)
    let names = try await waits.step(on: .container(plan.address.container)) { [plan] () async throws(StorageError) in
      let values = router.values(for: plan)
      let container = plan.address.container
      return try await values.perform(plan, isQuick: !isRemoval) { (store) throws(StorageProblem) in
        let names = try values.services.names(in: container, of: store, isRemoval) {
          declared.isMember($0, in: container)
        }
        return Set(names).sorted()
      }
    }
    let container = plan.address.container
    for name in names {
      let address = StorageAddress(container: container, name: name)
      if registry.isTaken(address) || encryption.reserves(address) { continue }
      let owners = families.filter { $0.isMember(name, in: container) }.owners(of: name) { $0 }
      guard owners.contains(declared) else { continue }
      if owners.count == 1 {
        keys.append(family.member(named: name, declared))
      } else {
        problem = problem ?? StorageError(.invalidCatalog(.sharedSource), plan.subject)
      }
    }
    if family.migration != nil {
      let migrating = await router.migrations.members(of: [family], isRemoval: isRemoval, waits)
      problem = problem ?? migrating.problems.first?.error
      ambiguous = migrating.ambiguous
      let known = Set(keys.map(\.name))
      let found = keys + migrating.keys.filter { !known.contains($0.name) }
      keys = []
      for key in found {
        let isListed = isRemoval ? true : await Self.mayHaveValue(key, isFound: known.contains(key.name), router)
        if isListed { keys.append(key) }
      }
    }
    keys = keys.sortedByName
  }

  /// Returns false if a key has no value, and its migration would not find one. A migration ignores a value at the address of
  /// a source if the source was moved or removed before. Returns true if the storage cannot be examined now.
  ///
  /// - Parameter isFound: True if a value was found at the key's address. An earlier release may have removed it.
  private static func mayHaveValue(_ key: AnyStorageKey, isFound: Bool, _ router: StorageRouter) async -> Bool {
    do throws(StorageError) {
      let plan = try await router.plan(for: key)
      let migration = KeyMigration(key, plan, on: router)
      let isSignedOut = await migration.isSignedOut()
      if isFound, !isSignedOut { return true }
      if try await migration.findsSource() { return true }
      // This is checked last, because another call may have moved the value meanwhile.
      return isSignedOut ? false : try await router.values(for: plan).isStored(plan)
    } catch {
      return true
    }
  }
}

extension StorageKeyFamily {
  /// The declared name as a member, so that the checks of a key apply to the family.
  var template: AnyStorageKey { AnyStorageKey(member: name, of: self) }

  /// Returns the key of a member. The key has a migration and takes part in sync if the family has a function that makes its
  /// members' keys.
  fileprivate func member(named name: String, _ declared: FamilyName) -> AnyStorageKey {
    migration.flatMap { declared.firstMember(of: name, $0.member) } ?? members?(name)
      ?? AnyStorageKey(member: name, of: self)
  }
}

extension KeyRegistry {
  /// The names of the registered families of a container, without one of them.
  fileprivate func familyNames(in container: StorageContainer, besides name: String) -> [FamilyName] {
    familyNames(in: container).filter { $0 != FamilyName(name) }
  }
}
