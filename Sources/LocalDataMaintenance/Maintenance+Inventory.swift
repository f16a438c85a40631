public import Foundation
public import LocalData

extension Maintenance {
  /// The size and the age of the stored values of a key or a family. It contains no value and no parameter.
  public struct Entry: Sendable, Hashable {
    /// The declared name and the kind of domain.
    public var key: StorageError.Subject
    /// The number of stored values: 0 or 1 for a key, the number of members for a family.
    public var count = 0
    /// The number of stored bytes of all values together. `nil` if the bytes cannot be counted without asking the user.
    public var size: Int?
    /// The age of the value in seconds. For a family it is the age of the oldest member. `nil` if the age is not known, for
    /// example on Apple's platforms for a preference without `retention` that is not encrypted.
    public var age: TimeInterval?
    /// The number of quarantined values of the key. They are removed together with the key. See ``Maintenance/quarantined()``.
    public var quarantined = 0
    /// The error if the stored values cannot be examined now, or cannot be used.
    public var problem: StorageError?

    /// A Boolean value that indicates whether a value is stored.
    public var isPresent: Bool { count > 0 }
  }

  /// Returns the number, size and age of the stored values of each registered key and family, in the order of the catalogs. No
  /// value is returned, and the user is never asked.
  ///
  /// ```swift
  /// for entry in await router.maintenance.inventory() where entry.isPresent {
  ///   print(entry.key, entry.size ?? 0, "bytes")   // 'theme' in userDefaults 7 bytes
  /// }
  /// ```
  ///
  /// - Parameter progress: Called after each key and family.
  /// - Returns: An entry for each key that exists on this platform. A key that cannot be examined has a problem. If the values
  ///   that were moved aside cannot be listed now, there is one entry more for the app, and for each app group. It
  ///   names no key and has a problem; ``Entry/quarantined`` of the keys is 0 then.
  @concurrent public func inventory(progress: @Sendable (Progress) -> Void = { _ in }) async -> [Entry] {
    let addresses = await RegisteredAddresses(router)
    let services = router.values(for: nil).services
    let waits = waits()
    var entries = addresses.problems.map { Entry(key: $0.subject, problem: $0) }
    let containers = addresses.keys.map(\.plan.address.container) + addresses.families.map(\.container)
    let quarantined = await QuarantinedItems(services.quarantine, containers) { entries.append($0) }
    var done = Progress(completed: 0, total: addresses.keys.count + addresses.families.count)
    for key in addresses.keys {
      var entry = Entry(key: key.plan.subject)
      await examine(key.plan, &entry, waits)
      entry.quarantined = quarantined.count(in: key.plan.address.container) { $0 == key.plan.address.name }
      entries.append(entry)
      done.completed += 1
      progress(done)
    }
    for (index, family) in addresses.families.enumerated() {
      var entry = Entry(key: family.family.subject)
      do throws(StorageProblem) {
        for name in try await services.names(in: family.container, waits)
        where addresses.owner(of: name, in: family.container) == .family(index) {
          do throws(StorageError) {
            await examine(try await KeyPlan(ofSource: family.member(name), on: router), &entry, waits)
          } catch { entry.problem = error }
        }
      } catch { entry.problem = StorageError(error, family.family.subject) }
      entry.quarantined = quarantined.count(in: family.container) { name in
        addresses.owner(of: name, in: family.container) == .family(index)
      }
      entries.append(entry)
      done.completed += 1
      progress(done)
    }
    return entries
  }

  /// Adds the stored value of an address to an entry.
  private func examine(_ plan: KeyPlan, _ entry: inout Entry, _ waits: CallWaits) async {
    do throws(StorageError) {
      try await waits.step(on: .container(plan.address.container)) { () async throws(StorageError) in
        try await look(at: plan, &entry)
      }
    } catch { entry.problem = error }
  }

  private func look(at plan: KeyPlan, _ entry: inout Entry) async throws(StorageError) {
    let values = router.values(for: nil)
    guard try await values.isStored(plan) else { return }
    let isFirst = entry.count == 0
    entry.count += 1
    guard !plan.mayPrompt else {
      entry.size = nil
      if let date = try await values.modification(plan) { entry.note(date, now: router.clock.now) }
      return
    }
    let found = try await values.stored(plan, mayPrompt: false)
    guard let stored = found else {
      // It was removed in the meantime.
      entry.count -= 1
      return
    }
    if isFirst || entry.size != nil { entry.size = (entry.size ?? 0) + stored.count }
    if let date = try await modification(of: stored, plan) { entry.note(date, now: router.clock.now) }
  }

  /// Returns the time at which a value was written, from its envelope or its store.
  private func modification(of stored: Data, _ plan: KeyPlan) async throws(StorageError) -> Date? {
    if EnvelopeHeader.begins(stored) {
      let header: EnvelopeHeader
      do throws(StorageProblem) { header = try EnvelopeHeader.parse(stored) } catch {
        throw plan.error(error)
      }
      if let time = header.metadata.time { return time }
    }
    return try await router.values(for: nil).modification(plan)
  }
}

extension Maintenance.Entry {
  /// Adds the time at which one of the values was written.
  fileprivate mutating func note(_ date: Date, now: Date) { age = max(age ?? 0, now.timeIntervalSince(date)) }
}

/// The addresses of the values that were moved aside. The folder of each keyset is listed once.
private struct QuarantinedItems: Sendable {
  private var items: [StorageAddress] = []

  /// Lists the values of some containers, and calls `report` with an entry for each folder that cannot be listed.
  init(
    _ quarantine: Quarantine, _ containers: [StorageContainer], _ report: (Maintenance.Entry) -> Void
  ) async {
    var listed: Set<KeysetID> = []
    for keyset in containers.map({ KeysetID(of: $0) }) where listed.insert(keyset).inserted {
      do throws(StorageProblem) {
        items += try await BlockingExecutor.shared.run { () throws(StorageProblem) in
          try quarantine.copies(of: keyset).map(\.address.item)
        }
      } catch {
        let problem = StorageError(error, StorageError.Subject.none)
        report(Maintenance.Entry(key: problem.subject, problem: problem))
      }
    }
  }

  /// Returns the number of values of a container whose stored names satisfy a condition.
  func count(in container: StorageContainer, where isMeant: (String) -> Bool) -> Int {
    let container = container.item
    return items.count { $0.container == container && isMeant($0.name) }
  }
}

extension Maintenance {
  /// A stored value that belongs to no registered key.
  public struct Orphan: Sendable, Hashable, CustomStringConvertible {
    /// The stored name. The description does not contain it, because it may contain a parameter of a family that is no longer
    /// declared.
    public var name: String
    /// The domain that the value is stored in.
    public var domain: StorageDomain

    /// A description with the kind of domain, without the stored name.
    public var description: String { "a value in \(domain.kind.rawValue) that belongs to no registered key" }
  }

  /// The result of a search for orphans.
  public struct Orphans: Sendable, Hashable {
    /// The values, in the order of the catalogs' containers and of their names.
    public var values: [Orphan] = []
    /// The errors of containers that cannot be listed now.
    public var failures: [StorageError] = []
  }

  /// Returns the values in the suites, services and directories of the registered keys that belong to no registered key or
  /// family, are not a source of a migration, and have no reserved name. Nothing is removed, and no value is read.
  ///
  /// Register every catalog of the app first. Values that other code of the app stores in the same suite of UserDefaults or
  /// under the same keychain service are listed too. An orphan was therefore not necessarily stored by this library.
  ///
  /// To remove orphans with the next release, add their names to a catalog's `reserved` with `cleanup: delete`.
  ///
  /// - Parameter progress: Called after each suite, service and directory.
  /// - Returns: The orphans, and the errors of the containers that cannot be listed now.
  @concurrent public func orphans(progress: @Sendable (Progress) -> Void = { _ in }) async -> Orphans {
    let addresses = await RegisteredAddresses(router)
    let services = router.values(for: nil).services
    let waits = waits()
    var orphans = Orphans(failures: addresses.problems)
    var done = Progress(completed: 0, total: addresses.containers.count)
    for (container, domain) in addresses.containers {
      do throws(StorageProblem) {
        for name in try await services.names(in: container, waits)
        where addresses.owner(of: name, in: container) == nil {
          orphans.values.append(Orphan(name: name, domain: domain))
        }
      } catch { orphans.failures.append(addresses.failure(error, in: container)) }
      done.completed += 1
      progress(done)
    }
    return orphans
  }
}
