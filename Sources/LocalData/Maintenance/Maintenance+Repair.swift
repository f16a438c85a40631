public import Foundation
public import StorageVocabulary

extension Maintenance {
  /// The result of ``setAsideDamaged(_:progress:)``.
  public struct SetAside: Sendable, Hashable {
    /// The damaged files under their new names. It is empty if nothing was damaged.
    public var files: [URL] = []
    /// The registered keys and families that lost a value, or whose values can no longer be decrypted.
    ///
    /// As a rule the names of lost values are known. If the damage hides them too, every key that is absent now is listed, and
    /// every family of the database: they may have lost a value, or never had one.
    public var affected: [StorageError.Subject] = []
  }

  /// Mends a domain whose files are damaged: a database, a keystore whose key file is lost or damaged, and a damaged record
  /// of a configured location. The damaged files are set aside. Files that can be used stay.
  ///
  /// The values of a damaged database that can still be read stay stored. The others read as absent then, and can be set
  /// again. If nothing can be read, for example because the beginning of the file is damaged, all values are absent. A
  /// keystore whose key is lost is set aside as a whole, because none of its values can be decrypted. That is done for the
  /// domain `keychain` alone.
  ///
  /// The damaged files are kept, in the same folder, under names that end in `.damaged-` and an identifier, until
  /// ``removeSetAsideFiles(_:)`` removes them. Call the function if a call threw ``StorageError/databaseDamaged(_:)``,
  /// ``StorageError/keyMaterialDamaged(_:)`` or ``StorageError/recordDamaged(_:)``, and with the domain of
  /// ``StorageError/containerDamaged(_:_:)``:
  ///
  /// ```swift
  /// let result = try await router.maintenance.setAsideDamaged(.userDefaults())
  /// print(result.affected)      // the keys to set anew: ['theme' in userDefaults]
  /// ```
  ///
  /// If the process is killed, the damaged database is in its place, or aside, or mended, and another call does the rest. A
  /// call that was killed may leave a copy of the damaged files. On Apple's platforms preferences and the keychain have no
  /// files of the library, and only records are moved.
  ///
  /// - Parameters:
  ///   - domain: The domain. Its suite, service or group selects the database.
  ///   - progress: Called after each database and record that was examined. A large database takes a long time, and up to
  ///     three times its size of free space if it is damaged, and four times if its file is cut short. Other calls cannot
  ///     write to it meanwhile.
  /// - Returns: The files that were set aside and the keys that are affected.
  /// - Throws: ``StorageError/busy(_:)`` if another process holds the database, ``StorageError/outOfSpace(_:)``,
  ///   ``StorageError/unknownFormatVersion(_:)`` if a newer version of the library wrote it, and what else keeps it from being
  ///   examined or mended. The database is as it was then.
  public func setAsideDamaged(
    _ domain: StorageDomain, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> SetAside {
    let subject = StorageError.Subject(key: nil, domain: domain.kind)
    try await router.accessGroup?.learn(for: domain, subject, router.setup)
    let setup = router.setup.withLock { $0 }
    let services = router.values(for: nil).services
    let damage: Damage
    do throws(StorageFault) {
      let container = try StorageContainer(domain, setup.storage, defaultAccessGroup: setup.defaultAccessGroup)
      guard let locations = services.locations else { return SetAside() }
      damage = try await services.run { () throws(StorageFault) in
        try LibraryFiles(locations: locations).setAsideDamaged(container, progress)
      }
    } catch { throw StorageError(error, subject, limit: 0, .write) }
    guard !damage.files.isEmpty else { return SetAside() }
    // Keys of the database are in memory.
    services.lock()
    return SetAside(
      files: damage.files.map { URL(fileURLWithPath: $0.path) },
      affected: await affected(by: damage, services))
  }

  private func affected(by damage: Damage, _ services: StorageServices) async -> [StorageError.Subject] {
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
    /// The keys whose values were written again. A family is listed once for each member.
    public var rewritten: [StorageError.Subject] = []
    /// The errors of the values that could not be written again. They are stored as before.
    public var failures: [StorageError] = []
  }

  /// Writes every stored value again with the protection that its key declares today: file protection, exclusion from
  /// backups, permissions and keychain accessibility. The bytes of a value stay, and so does its age. Preferences have no such
  /// protection, and are left alone. On Apple's platforms, the master keys get the configured accessibility too: an earlier
  /// installation of the app may have left them in the keychain with another one.
  ///
  /// Call it once after a release that changes `accessibility`, `backup` or the domain's protection of keys. Without it a
  /// value has the protection of the release that wrote it, until it is set again.
  ///
  /// Each value is replaced as a whole: if the process is killed, a value has its old protection or its new one. The
  /// user is never asked, so values that an access control protects stay as they are. A value gets the access control that
  /// a new release declares, if the device is unlocked. Values that need a migration are left to it.
  ///
  /// - Parameter progress: Called after each key and family.
  /// - Returns: What was written again, and what failed and why.
  @discardableResult
  public func resecure(progress: @Sendable (Progress) -> Void = { _ in }) async -> Resecuring {
    let addresses = await RegisteredAddresses(router)
    let (services, waits) = (router.values(for: nil).services, waits())
    var result = Resecuring(failures: addresses.problems)
    var done = Progress(completed: 0, total: addresses.keys.count + addresses.ownFamilies.count)
    #if canImport(Security)
      await resecureMasterKeys(&result)
    #endif
    for key in addresses.keys {
      await resecure(key.plan, &result, waits)
      done.completed += 1
      progress(done)
    }
    for (index, family) in addresses.ownFamilies {
      do throws(StorageFault) {
        for name in try await services.names(in: family.container, waits)
        where addresses.owner(of: name, in: family.container) == .family(index) {
          do throws(StorageError) {
            await resecure(try await router.sourcePlan(of: family.member(name)), &result, waits)
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
          try await values.run { (encryption) throws(StorageFault) in
            try encryption.rewriteRecord(of: values.keyset)
          }
        } catch {
          // An app without the entitlement of a group's keychain has no master key there.
          if case .missingEntitlement = error { continue }
          result.failures.append(error)
        }
      }
    }
  #endif

  private func resecure(_ plan: KeyPlan, _ result: inout Resecuring, _ waits: CallWaits) async {
    guard !plan.isPreference, !plan.isFoundation else { return }
    do throws(StorageError) {
      let isRewritten = try await router.inTurn(at: plan.place, plan.subject, waits) { router throws(StorageError) in
        let values = router.values(for: nil)
        guard try await values.isStored(plan) else { return false }
        try await values.requireMasterKey(of: plan)
        return try await AuthenticationSession.silently { () throws(StorageError) in
          try await values.perform(plan, .write) { (store) throws(StorageFault) in
            var isRewritten = false
            var attributes = plan.attributes
            attributes.keepsAge = true
            try store.update(plan.place, attributes) { stored in
              isRewritten = stored != nil
              return stored.map { .write($0) } ?? .keep
            }
            return isRewritten
          }
        }
      }
      if isRewritten { result.rewritten.append(plan.subject) }
    } catch {
      // An access control protects the value already, as far as can be found out without asking.
      if plan.asksUser, case .locked = error { return }
      result.failures.append(error)
    }
  }
}

extension StoredValues {
  /// Throws ``StorageError/keyMaterialMissing(_:)`` if the values of a key are encrypted with a master key, and there is none.
  fileprivate func requireMasterKey(
    of plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) {
    guard plan.sealing?.keySource == .masterKey else { return }
    let encryption = services.encryption
    do throws(StorageFault) {
      let record = try await BlockingExecutor.shared.run { () throws(StorageFault) in
        try encryption.storedRecord(of: plan.keyset)
      }
      if record == nil { throw StorageFault.keyMaterialMissing }
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize, .write)
    }
  }
}
