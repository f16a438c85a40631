public import Foundation
public import LocalData
import LocalDataFoundation

extension Maintenance {
  /// The result of ``setAsideDamaged(_:progress:)``.
  public struct SetAside: Sendable, Hashable {
    /// The new locations of the damaged files. It is empty if nothing was damaged.
    public var files: [URL] = []
    /// The registered keys and families that may have lost a value, or whose values can no longer be decrypted.
    ///
    /// If a value of a database was lost, every key of the database that is absent now is listed, every absent key that has a
    /// migration, and every family of either kind. Such a key may have lost its value, or never had one.
    ///
    /// A record is listed if anything of it is lost.
    public var affected: [StorageError.Subject] = []
    /// The rows that are left of each record of the damaged databases of records.
    public var records: [StorageCatalogPart.RepairedHistory] = []
  }

  /// Repairs a domain whose files are damaged: a database, a keystore whose key file is lost or damaged, or a record of a
  /// configured location. The damaged files are set aside. Files that can be used stay.
  ///
  /// The values of a damaged database that can be read from the first or from the last one to the damage stay stored. The
  /// others are absent after the call, and can be set again. If nothing can be read, for example because the beginning of the file is damaged, all values are absent. A
  /// keystore whose key is lost is set aside as a whole, because none of its values can be decrypted. This is done only if the
  /// domain is `keychain`.
  ///
  /// The registered databases of records of the domain are repaired too. Their rows that can be read stay, except for those that
  /// need a lost row or a lost encrypted field.
  ///
  /// The damaged files are kept in the same folder until ``removeSetAsideFiles(_:progress:)`` removes them. Their names end in
  /// `.damaged-` and an identifier. Call the function if a call threw ``StorageProblem/Code/databaseDamaged``,
  /// ``StorageProblem/Code/keyMaterialDamaged`` or ``StorageProblem/Code/locationsDamaged``. If a call threw
  /// ``StorageProblem/Code/containerDamaged``, pass the domain of the error:
  ///
  /// ```swift
  /// let result = try await router.maintenance.setAsideDamaged(.userDefaults())
  /// print(result.affected)      // the keys to set anew: ['theme' in userDefaults]
  /// ```
  ///
  /// If the process is killed, the damaged database is unchanged, set aside or repaired, and the next call completes the work.
  /// An interrupted call may leave a copy of the damaged files. On Apple's platforms preferences and the keychain have no
  /// files of the library, so only records and databases of records are repaired.
  ///
  /// - Parameters:
  ///   - domain: The domain. Its suite, service or group selects the database.
  ///   - progress: Called after each database and record that was examined. A large database takes a long time. If it is
  ///     damaged, the function needs free space of up to three times the size of the database, and four times if the file is
  ///     cut short. Other calls cannot write to the database meanwhile.
  /// - Returns: The files that were set aside, and the affected keys.
  /// - Throws: ``StorageProblem/Code/busy`` if another process holds the database, ``StorageProblem/Code/outOfSpace``,
  ///   ``StorageProblem/Code/unknownFormatVersion`` if a newer version of the library wrote the database. Every other
  ///   ``StorageError`` if the database cannot be examined or repaired. After an error the database has not changed.
  @concurrent public func setAsideDamaged(
    _ domain: StorageDomain, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> SetAside {
    let subject = StorageError.Subject(key: nil, domain: domain.kind)
    try await router.accessGroup?.learn(for: domain, subject, router.setup)
    let setup = router.setup.withLock { $0 }
    let services = router.values(for: nil).services
    let damage: DamagedFiles
    let container: StorageContainer
    do throws(StorageProblem) {
      container = try StorageContainer(domain, setup.storage, defaultAccessGroup: setup.defaultAccessGroup)
      guard let locations = services.locations else { return SetAside() }
      damage = try await services.run { () throws(StorageProblem) in
        try LibraryFiles(locations: locations).setAsideDamaged(container, progress)
      }
    } catch { throw StorageError(error, subject, .write) }
    var result = SetAside()
    if !damage.files.isEmpty {
      // The root key and the master key of the database are still in memory.
      services.lock()
      result.files = damage.files.map { URL(fileURLWithPath: $0.path) }
      result.affected = await affected(by: damage, services)
    }
    for database in router.databases {
      let addresses = try [database.address(setup.storage)] + database.earlierAddresses(setup.storage)
      guard addresses.contains(where: { $0.container == container }) else { continue }
      let repaired = try await database.repair(router, .damage)
      result.files += repaired.files.map { URL(fileURLWithPath: $0.path) }
      result.records += repaired.records
      result.affected += repaired.records.filter { !$0.isWhole }.map(\.record)
    }
    return result
  }

  private func affected(by damage: DamagedFiles, _ services: StorageServices) async -> [StorageError.Subject] {
    #if os(Linux)
      await AffectedKeys(addresses: RegisteredAddresses(router), services: services).subjects(of: damage.databases)
    #else
      []
    #endif
  }
}

extension Maintenance {
  /// The result of ``resecure(progress:)``.
  public struct Resecuring: Sendable, Hashable {
    /// The keys whose values were written again. A family is listed once for each of its values.
    public var rewritten: [StorageError.Subject] = []
    /// The errors of the values that could not be written again. These values have not changed.
    public var failures: [StorageError] = []
  }

  /// Writes every stored value again with the protection that its key declares today: file protection, exclusion from backups,
  /// permissions and keychain accessibility. The bytes and the age of a value do not change. Preferences have no such
  /// protection, and are skipped. On Apple's platforms, the master keys get the configured accessibility too, because an
  /// earlier installation of the app may have stored them with another one.
  ///
  /// Call it once in a release that changes the `accessibility`, the `backup` or the file protection of keys. Otherwise a
  /// value keeps the protection of the release that wrote it until it is set again.
  ///
  /// Each value is replaced as a whole: if the process is killed, a value has its old protection or its new one. The user is
  /// never asked, so values with an access control do not change. A value without one gets the access control that its key
  /// declares today, if the device is unlocked. Values that need a migration are skipped.
  ///
  /// - Parameter progress: Called after each key and family.
  /// - Returns: The keys whose values were written again, and the errors of the others.
  @discardableResult
  @concurrent public func resecure(progress: @Sendable (Progress) -> Void = { _ in }) async -> Resecuring {
    let addresses = await RegisteredAddresses(router)
    let services = router.values(for: nil).services
    let waits = waits()
    var result = Resecuring(failures: addresses.problems)
    var done = Progress(completed: 0, total: addresses.keys.count + addresses.families.count)
    #if canImport(Security)
      await resecureMasterKeys(&result)
    #endif
    for key in addresses.keys {
      await resecure(key.plan, &result, waits)
      done.completed += 1
      progress(done)
    }
    for (index, family) in addresses.families.enumerated() {
      do throws(StorageProblem) {
        for name in try await services.names(in: family.container, waits)
        where addresses.owner(of: name, in: family.container) == .family(index) {
          do throws(StorageError) {
            await resecure(try await KeyPlan(ofSource: family.member(name), on: router), &result, waits)
          } catch { result.failures.append(error) }
        }
      } catch { result.failures.append(addresses.failure(error, in: family.container)) }
      done.completed += 1
      progress(done)
    }
    return result
  }

  #if canImport(Security)
    private func resecureMasterKeys(_ result: inout Resecuring) async {
      for values in sealedValues() {
        do throws(StorageError) {
          try await values.run { (encryption) throws(StorageProblem) in
            try encryption.rewriteRecord(of: values.keyset)
          }
        } catch {
          // An app without the entitlement of a group's keychain has no master key there.
          if error.code == .missingEntitlement { continue }
          result.failures.append(error)
        }
      }
    }
  #endif

  private func resecure(_ plan: KeyPlan, _ result: inout Resecuring, _ waits: CallWaits) async {
    guard !plan.isPreference else { return }
    do throws(StorageError) {
      let isRewritten = try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
        let values = router.values(for: nil)
        guard try await values.isStored(plan) else { return false }
        try await plan.requireMasterKey(values.services.encryption)
        return try await AuthenticationSession.silently { () throws(StorageError) in
          try await values.write(plan) { (value) throws(StorageProblem) in
            var value = value
            var isRewritten = false
            value.attributes.keepsAge = true
            try value.update { stored in
              isRewritten = stored != nil
              return stored.map { .write($0) } ?? .keep
            }
            return isRewritten
          }
        }
      }
      if isRewritten { result.rewritten.append(plan.subject) }
    } catch {
      // The value probably has an access control already. This cannot be checked without asking the user.
      if plan.mayPrompt, error.code == .locked { return }
      result.failures.append(error)
    }
  }
}

extension KeyPlan {
  /// Throws ``StorageProblem/Code/keyMaterialMissing`` if the key's values are encrypted with a master key, and there is none.
  fileprivate func requireMasterKey(
    _ encryption: EncryptionHelper
  ) async throws(StorageError) {
    guard sealing?.keySource == .masterKey else { return }
    do throws(StorageProblem) {
      let record = try await BlockingExecutor.shared.run { () throws(StorageProblem) in
        try encryption.storedRecord(of: keyset)
      }
      if record == nil { throw StorageProblem.keyMaterialMissing }
    } catch { throw self.error(error, .write) }
  }
}
