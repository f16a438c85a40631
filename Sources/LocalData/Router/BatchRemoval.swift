import LocalDataStores

/// A removal of many values. It continues after an error, and throws the first error at its end. All removals share the
/// deadline of one call.
struct BatchRemoval: Sendable {
  let router: StorageRouter
  private let waits: CallWaits
  private var containers: [StorageContainer: KeyPlan] = [:]
  private(set) var errors: [StorageError] = []

  init(router: StorageRouter) {
    self.router = router
    waits = CallWaits(router.timeout, of: .call)
  }

  /// Notes in the logs that the values of keys and families are removed, also where nothing is stored: a later release may have
  /// moved the value. A log without an entry knows no later release. Custom migrations do not run for the members any more.
  ///
  /// - Parameter isOfMembers: True if the keys are some members of families, whose other members are not removed.
  mutating func note(
    _ keys: [AnyStorageKey], _ families: [StorageKeyFamily], ofMembers isOfMembers: Bool = false
  ) async {
    var removed: [KeysetID: (plan: KeyPlan, ids: [AddressID], isNeeded: Bool)] = [:]
    for (key, custom) in keys.map({ ($0, []) }) + families.map({ ($0.template, $0.migration?.custom ?? []) }) {
      // The removal, which follows, reports the error.
      do throws(StorageError) {
        let plan = try await router.plan(for: key)
        let own = isOfMembers ? nil : plan.familyID()
        let ids = custom.compactMap { plan.familyID(of: $0.typeName) } + [own ?? AddressID(plan)]
        removed[plan.keyset, default: (plan, [], false)].ids += ids
        if !custom.isEmpty { removed[plan.keyset]?.isNeeded = true }
      } catch {}
    }
    for (plan, ids, isNeeded) in removed.values {
      do throws(StorageError) {
        try await waits.step(on: .keyset(plan.keyset)) { () async throws(StorageError) in
          let migrator = Migrator(for: plan, on: router)
          if !isNeeded, try await migrator.ledger(of: plan).isEmpty { return }
          try await migrator.note([.removal(of: ids, launch: migrator.setting.launch.id)], of: plan, in: plan.keyset)
        }
      } catch { note(error) }
    }
  }

  /// Removes the value of a key, if the key exists on this platform.
  mutating func remove(_ key: AnyStorageKey) async {
    do throws(StorageError) {
      note(try await KeyChange.remove(key, on: router, isPurged: false, waits))
    } catch {
      if error.code == .notAvailableOnPlatform { return }
      note(error)
    }
  }

  /// Removes the values of a family's members, also those that a custom migration has not moved yet.
  mutating func remove(_ family: StorageKeyFamily, _ scope: RemovalScope = RemovalScope()) async {
    do throws(StorageError) {
      let members = try await FamilyMembers(family, of: router, isRemoval: true, waits)
      note(members.plan)
      if let problem = members.problem { note(problem) }
      for value in members.ambiguous {
        if scope.parameters == nil {
          await removeLegacy(AnyStorageKey(member: value.name, of: value.source.family))
        } else if scope.isAmbiguous(value.name, in: value.source.name) {
          // It may be a value of the account, or of another one.
          note(StorageError(.invalidName, members.plan.subject))
        }
      }
      let name = FamilyName(family.name)
      for key in members.keys {
        if scope.isAmbiguous(key.name, in: name) {
          note(StorageError(.invalidName, members.plan.subject))
        } else if scope.contains(key) {
          await remove(key)
        }
      }
    } catch {
      note(error)
    }
    // Those of other members have not run.
    if scope.parameters != nil { return }
    do throws(StorageError) { _ = try await router.migrations.listed(by: family, isRemoval: true) } catch {
      note(error)
    }
  }

  /// Removes the rows of a database. It has a deadline of its own.
  mutating func remove(_ part: StorageCatalogPart, _ scope: RemovalScope) async {
    do throws(StorageError) { try await part.removeAll(router, scope) } catch { note(error) }
  }

  /// Removes the value of a key that is only a source of migrations.
  mutating func removeLegacy(_ key: AnyStorageKey) async {
    do throws(StorageError) {
      let plan = try await KeyPlan(ofSource: key, on: router)
      try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
        try await router.values(for: plan).removeStored(plan)
        try await router.values(for: plan).removeCopies(plan, isPurged: false)
      }
      note(plan)
    } catch {
      note(error)
    }
  }

  /// Removes all copies of the removed values.
  ///
  /// - Throws: The first error.
  mutating func end() async throws(StorageError) {
    for plan in containers.values {
      do throws(StorageError) {
        try await waits.step(on: .container(plan.address.container)) { () async throws(StorageError) in
          try await router.values(for: plan).purge(plan)
        }
      } catch { note(error) }
    }
    if let error = errors.first { throw error }
  }

  private mutating func note(_ plan: KeyPlan) { containers[plan.address.container] = plan }

  private mutating func note(_ error: StorageError) { if !errors.contains(error) { errors.append(error) } }
}
