import Foundation
public import LocalData
import LocalDataFoundation

extension Maintenance {
  /// The result of a sweep.
  public struct Sweep: Sendable, Hashable {
    /// The keys whose values were removed because their retention had ended. A family is listed once for each member, and a
    /// record once for all of its rows.
    public var ended: [StorageError.Subject] = []
    /// The reserved names whose values were removed, because their catalog says `cleanup: delete`.
    public var leftovers: [StorageError.Subject] = []
    /// The number of removed drafts, which are unfinished files of killed writers.
    public var drafts = 0
    /// The errors of values and files that could not be examined or removed now. The next sweep tries again.
    public var failures: [StorageError] = []
  }

  /// Removes values and records whose `retention` has ended, values of reserved names with `cleanup: delete`, and unfinished files of
  /// killed processes.
  ///
  /// Databases of records give the pages that are not in use back to the file system.
  ///
  /// The same rules apply to quarantined values, see ``quarantined()``.
  ///
  /// A value whose retention has ended is also removed when it is read. A sweep finds the values that are never read again.
  /// Call it some time after the launch, when the app has nothing more urgent to do:
  ///
  /// ```swift
  /// let sweep = await router.maintenance.sweep()
  /// print(sweep.ended)      // ['searchHistory' in userDefaults]
  /// ```
  ///
  /// The user is never asked. A value with an access control is removed only when it is read. If the process is killed, the
  /// next sweep continues.
  ///
  /// - Parameter progress: Called after each key, member of a family and container.
  /// - Returns: The keys and names whose values were removed, and the errors of the others.
  @discardableResult
  @concurrent public func sweep(progress: @Sendable (Progress) -> Void = { _ in }) async -> Sweep {
    let addresses = await RegisteredAddresses(router)
    var sweep = Sweep(failures: addresses.problems)
    let services = router.values(for: nil).services
    let waits = waits()
    var names: [StorageContainer: [String]] = [:]
    for container in addresses.listedContainers {
      do throws(StorageProblem) { names[container] = try await services.names(in: container, waits) } catch {
        sweep.failures.append(addresses.failure(error, in: container))
      }
    }
    let keys = addresses.retained(names)
    let leftovers = addresses.leftovers(names)
    let parts = router.parts
    let total = keys.count + leftovers.count + parts.count + 1
    var done = Progress(completed: 0, total: total)
    var purged = Set<StorageContainer>()
    for key in keys {
      if let container = await end(key, &sweep, waits) { purged.insert(container) }
      done.completed += 1
      progress(done)
    }
    for (address, subject) in leftovers {
      if await remove(address, subject, &sweep, waits) { purged.insert(address.container) }
      done.completed += 1
      progress(done)
    }
    for part in parts {
      do throws(StorageError) { sweep.ended += try await part.sweep(router) } catch { sweep.failures.append(error) }
      done.completed += 1
      progress(done)
    }
    for container in purged { await purge(container, addresses, &sweep, waits) }
    for keyset in router.setup.withLock(\.registry.keysets) { await removeQuarantined(of: keyset, addresses, &sweep) }
    await removeDrafts(addresses, &sweep)
    done.completed += 1
    progress(done)
    await router.feature?.catchUp(on: router, with: [], CallWaits(router.timeout, of: .call))
    return sweep
  }

  /// Removes the value of a key whose retention has ended, and returns the container if it was removed.
  private func end(
    _ key: AnyStorageKey, _ sweep: inout Sweep, _ waits: CallWaits
  ) async -> StorageContainer? {
    do throws(StorageError) {
      let plan = try await router.plan(for: key)
      let isEnded = try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
        try await KeyChange(key, plan, on: router).endRetention(mayPrompt: false, isPurged: false, isReadNext: false)
      }
      guard isEnded else { return nil }
      sweep.ended.append(plan.subject)
      return plan.address.container
    } catch {
      if error.code == .notAvailableOnPlatform { return nil }
      sweep.failures.append(error)
      return nil
    }
  }

  /// Removes the value of a reserved name.
  private func remove(
    _ address: StorageAddress, _ subject: StorageError.Subject, _ sweep: inout Sweep, _ waits: CallWaits
  ) async -> Bool {
    let store = router.values(for: nil).services.base(for: address.container)
    do throws(StorageError) {
      try await router.inTurn(at: address, subject, waits) { (_) throws(StorageError) in
        do throws(StorageProblem) {
          try await BlockingExecutor.shared.run { () throws(StorageProblem) in
            try store.remove(address, StorageAttributes())
          }
        } catch { throw StorageError(error, subject, .write) }
      }
      sweep.leftovers.append(subject)
      return true
    } catch {
      sweep.failures.append(error)
      return false
    }
  }

  /// Erases all copies of the removed values of a container.
  private func purge(
    _ container: StorageContainer, _ addresses: RegisteredAddresses, _ sweep: inout Sweep, _ waits: CallWaits
  ) async {
    let store = router.values(for: nil).services.base(for: container)
    do throws(StorageProblem) {
      try await waits.step(on: .container(container)) { () async throws(StorageProblem) in
        try await BlockingExecutor.shared.run { () throws(StorageProblem) in try store.purge(container) }
      }
    } catch { sweep.failures.append(addresses.failure(error, in: container)) }
  }

  /// Removes quarantined values whose retention has ended, or whose names are reserved with `cleanup: delete`.
  private func removeQuarantined(
    of keyset: KeysetID, _ addresses: RegisteredAddresses, _ sweep: inout Sweep
  ) async {
    let values = router.values(for: nil)
    let quarantine = values.services.quarantine
    func remove(_ copy: QuarantinedCopy) async throws(StorageError) -> Bool {
      try await blocking { () throws(StorageProblem) in try quarantine.remove([copy.name], of: keyset) > 0 }
    }
    do throws(StorageError) {
      for copy in try await blocking(.read, { () throws(StorageProblem) in try quarantine.copies(of: keyset) }) {
        let address = copy.address
        switch addresses.owner(of: address.name, in: address.container) {
        case .key(let index):
          let plan = addresses.keys[index].plan
          if await copy.hasEnded(plan, values), try await remove(copy) { sweep.ended.append(plan.subject) }
        case .family(let index):
          let plan = try await KeyPlan(ofSource: addresses.families[index].member(address.name), on: router)
          if await copy.hasEnded(plan, values), try await remove(copy) { sweep.ended.append(plan.subject) }
        case .reserved(let index):
          let reserved = addresses.reserved[index].reserved
          guard reserved.deletesLeftovers, try await remove(copy) else { continue }
          sweep.leftovers.append(.init(key: reserved.name, domain: reserved.domain.kind))
        case .source, .library, nil: continue
        }
      }
    } catch { sweep.failures.append(error) }
  }

  private func removeDrafts(_ addresses: RegisteredAddresses, _ sweep: inout Sweep) async {
    let services = router.values(for: nil).services
    guard let locations = services.locations else { return }
    let files = LibraryFiles(locations: locations)
    let containers = addresses.containers.map(\.container)
    do throws(StorageProblem) {
      sweep.drafts = try await services.run { () throws(StorageProblem) in
        try files.removeDrafts(of: containers)
      }
    } catch { sweep.failures.append(StorageError(error, .init(key: nil, domain: nil), .write)) }
  }
}

extension QuarantinedCopy {
  /// Returns true if the retention of the value has ended. If the value has no readable time of writing, the time at which it
  /// was moved aside is used.
  fileprivate func hasEnded(_ plan: KeyPlan, _ values: ValueAccess) async -> Bool {
    await values.hasEnded(PlainEnvelope.writingTime(in: beginning).known ?? date.inEnvelope, plan)
  }
}

extension RegisteredAddresses {
  /// The containers whose names have to be listed: the containers of families, and of reserved names with `cleanup: delete`.
  fileprivate var listedContainers: [StorageContainer] {
    var seen: Set<StorageContainer> = []
    let deleted = reserved.filter(\.reserved.deletesLeftovers).map(\.container)
    return (families.map(\.container) + deleted).filter { seen.insert($0).inserted }
  }

  /// Returns the keys that have a retention, and the members of families that have one.
  fileprivate func retained(_ names: [StorageContainer: [String]]) -> [AnyStorageKey] {
    let own = keys.map(\.key).filter { $0.options.retention != nil }
    let members = families.enumerated().flatMap { index, family in
      (names[family.container] ?? []).filter { owner(of: $0, in: family.container) == .family(index) }
        .map(family.member).filter { $0.options.retention != nil }
    }
    return own + members
  }

  /// Returns the addresses of the values whose names are reserved with `cleanup: delete`.
  fileprivate func leftovers(
    _ names: [StorageContainer: [String]]
  ) -> [(address: StorageAddress, subject: StorageError.Subject)] {
    reserved.enumerated().filter { $0.element.reserved.deletesLeftovers }.flatMap { index, entry in
      (names[entry.container] ?? []).filter { owner(of: $0, in: entry.container) == .reserved(index) }.map { name in
        (
          StorageAddress(container: entry.container, name: name),
          StorageError.Subject(key: entry.reserved.name, domain: entry.reserved.domain.kind)
        )
      }
    }
  }

  /// Returns the error of a container that cannot be listed or cleaned up. It names no key.
  func failure(_ fault: StorageProblem, in container: StorageContainer) -> StorageError {
    let domain = containers.first { $0.container == container }?.domain.kind
    return StorageError(fault, .init(key: nil, domain: domain))
  }
}
