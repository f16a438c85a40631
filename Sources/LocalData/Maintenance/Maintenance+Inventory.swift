public import Foundation
public import StorageVocabulary

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
    /// example for a preference without `retention` that is not encrypted.
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
  /// - Returns: An entry for each key that exists on this platform. A key that cannot be examined has a problem.
  public func inventory(progress: @Sendable (Progress) -> Void = { _ in }) async -> [Entry] {
    let addresses = await RegisteredAddresses(router)
    let (services, waits) = (router.values(for: nil).services, waits())
    var quarantined = QuarantinedNames(services.quarantine)
    var entries = addresses.problems.map { Entry(key: $0.subject, problem: $0) }
    var done = Progress(completed: 0, total: addresses.keys.count + addresses.ownFamilies.count)
    for key in addresses.keys {
      var entry = Entry(key: key.plan.subject)
      await examine(key.plan, &entry, waits)
      await quarantined.count(in: key.plan.place.container, &entry) { $0 == key.plan.place.name }
      entries.append(entry)
      done.completed += 1
      progress(done)
    }
    for (index, family) in addresses.ownFamilies {
      var entry = Entry(key: family.family.subject)
      do throws(StorageFault) {
        for name in try await services.names(in: family.container, waits)
        where addresses.owner(of: name, in: family.container) == .family(index) {
          do throws(StorageError) {
            await examine(try await router.sourcePlan(of: family.member(name)), &entry, waits)
          } catch { entry.problem = error }
        }
      } catch { entry.problem = StorageError(error, family.family.subject, limit: 0) }
      await quarantined.count(in: family.container, &entry) { name in
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
      try await waits.step(on: .container(plan.place.container)) { () async throws(StorageError) in
        try await look(at: plan, &entry)
      }
    } catch { entry.problem = error }
  }

  private func look(at plan: KeyPlan, _ entry: inout Entry) async throws(StorageError) {
    let values = router.values(for: nil)
    guard try await values.isStored(plan) else { return }
    let isFirst = entry.count == 0
    entry.count += 1
    guard !plan.asksUser else {
      entry.size = nil
      if let date = try await modification(plan) { note(date, &entry) }
      return
    }
    let found = try await AuthenticationSession.silently { () throws(StorageError) in try await values.stored(plan) }
    guard let stored = found else {
      // It was removed in the meantime.
      entry.count -= 1
      return
    }
    if isFirst || entry.size != nil { entry.size = (entry.size ?? 0) + stored.count }
    if let date = try await modification(of: stored, plan) { note(date, &entry) }
  }

  private func note(_ date: Date, _ entry: inout Entry) {
    entry.age = max(entry.age ?? 0, router.clock.now.timeIntervalSince(date))
  }

  /// Returns the time at which a value was written, from its envelope, its file or its keychain item.
  private func modification(of stored: Data, _ plan: KeyPlan) async throws(StorageError) -> Date? {
    if EnvelopeHeader.begins(stored) {
      let header: EnvelopeHeader
      do throws(StorageFault) { header = try EnvelopeHeader.parse(stored) } catch {
        throw StorageError(error, plan.subject, limit: plan.maxSize)
      }
      if let time = header.metadata.time { return time }
    }
    return try await modification(plan)
  }

  private func modification(_ plan: KeyPlan) async throws(StorageError) -> Date? {
    try await router.values(for: nil).perform(plan) { (store) throws(StorageFault) in
      try store.modification(of: plan.place)
    }
  }
}

/// The names of the values that were moved aside. Each container is listed once.
private struct QuarantinedNames: Sendable {
  private let quarantine: Quarantine
  private var listed: [StorageContainer: Result<[String], StorageFault>] = [:]

  init(_ quarantine: Quarantine) { self.quarantine = quarantine }

  /// Adds the number of matching names of a container to an entry.
  mutating func count(
    in container: StorageContainer, _ entry: inout Maintenance.Entry, where isMeant: (String) -> Bool
  ) async {
    let names: Result<[String], StorageFault>
    if let known = listed[container] {
      names = known
    } else {
      do throws(StorageFault) {
        names = .success(
          try await BlockingExecutor.shared.run { [quarantine] () throws(StorageFault) in
            try quarantine.names(in: container)
          })
      } catch { names = .failure(error) }
      listed[container] = names
    }
    switch names {
    case .success(let names): entry.quarantined += names.count(where: isMeant)
    case .failure(let fault): entry.problem = entry.problem ?? StorageError(fault, entry.key, limit: 0)
    }
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
  public func orphans(progress: @Sendable (Progress) -> Void = { _ in }) async -> Orphans {
    let addresses = await RegisteredAddresses(router)
    let (services, waits) = (router.values(for: nil).services, waits())
    var orphans = Orphans(failures: addresses.problems)
    var done = Progress(completed: 0, total: addresses.containers.count)
    for (container, domain) in addresses.containers {
      do throws(StorageFault) {
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
