public import Foundation
public import StorageVocabulary

extension Maintenance {
  /// The result of ``setAsideDamaged(_:progress:)``.
  public struct SetAside: Sendable, Hashable {
    /// The files under their new names. It is empty if nothing was damaged.
    public var files: [URL] = []
    /// The registered keys and families whose values are no longer stored or can no longer be decrypted.
    public var affected: [StorageError.Subject] = []
  }

  /// Moves the files of a domain aside that cannot be used: a damaged database, a keystore whose key file is lost or
  /// damaged, and a damaged record of a configured location. Files that can be used stay.
  ///
  /// The files are kept, in the same folder, under names that end in `.damaged-` and an identifier. The keys read as absent
  /// then, and can be set again. Call it if a call threw ``StorageError/databaseDamaged(_:)``,
  /// ``StorageError/keyMaterialDamaged(_:)``, or ``StorageError/corrupted(_:)`` that `set` does not mend, and with the domain
  /// of ``StorageError/containerDamaged(_:_:)``:
  ///
  /// ```swift
  /// let result = try await router.maintenance.setAsideDamaged(.userDefaults())
  /// print(result.affected)      // the keys to set anew: ['theme' in userDefaults]
  /// ```
  ///
  /// If the process is killed, nothing or all of a database was moved, and another call does the rest. On Apple's platforms
  /// preferences and the keychain have no files of the library, and only records are moved.
  ///
  /// - Parameters:
  ///   - domain: The domain. Its suite, service or group selects the database.
  ///   - progress: Called after each database and record that was examined. Examining a large database can take a long time.
  /// - Returns: The files that were moved and the keys that are affected.
  /// - Throws: ``StorageError/busy(_:)`` if another process holds the database, ``StorageError/unknownFormatVersion(_:)`` if
  ///   a newer version of the library wrote it, and what else keeps it from being examined or moved. Nothing was moved
  ///   then.
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
      damage = try await BlockingExecutor.shared.run { () throws(StorageFault) in
        try LibraryFiles(locations: locations).setAsideDamaged(container, progress)
      }
    } catch { throw StorageError(error, subject, limit: 0, .write) }
    guard !damage.files.isEmpty else { return SetAside() }
    // Keys of the database are in memory.
    services.lock()
    let addresses = await RegisteredAddresses(router)
    return SetAside(
      files: damage.files.map { URL(fileURLWithPath: $0.path) },
      affected: addresses.keys.filter { damage.concerns($0.plan.place.container, $0.plan.sealing) }.map(\.plan.subject)
        + addresses.families.filter { damage.concerns($0.container, $0.family.security.encryption) }
        .map(\.family.subject))
  }
}

/// The files that were set aside, and what was in them.
struct Damage: Sendable {
  var files: [FileLocation] = []
  /// The container whose database was set aside.
  var container: StorageContainer?
  /// The keyset whose keystore was set aside, and its master key with it.
  var keyset: KeysetID?

  /// Returns true if the values of a container were among what was set aside, or need a key that was.
  func concerns(_ container: StorageContainer, _ policy: SecurityPolicy.EncryptionPolicy?) -> Bool {
    if let damaged = self.container, damaged.isSameDatabase(as: container) { return true }
    guard let keyset, KeysetID(of: container) == keyset, case .masterKey = policy?.keySource else { return false }
    return true
  }
}

extension StorageContainer {
  /// Returns true if both are in one file. All services of the keychain are, where the keychain is a file.
  fileprivate func isSameDatabase(as other: StorageContainer) -> Bool {
    if case .keychain = self, case .keychain = other { return true }
    return self == other
  }
}

extension SecurityPolicy {
  /// The encryption of a policy, or `nil` if it does not encrypt.
  var encryption: EncryptionPolicy? {
    if case .encrypted(let policy) = self { policy } else { nil }
  }
}

extension LibraryFiles {
  /// Moves everything aside that keeps a container from being used.
  func setAsideDamaged(
    _ container: StorageContainer, _ progress: (Maintenance.Progress) -> Void
  ) throws(StorageFault) -> Damage {
    var damage = Damage()
    let keyset = KeysetID(of: container)
    let records = ["files", "master-key"]
    var done = Maintenance.Progress(completed: 0, total: records.count)
    func advance() {
      done.completed += 1
      progress(done)
    }
    #if os(Linux)
      let preferences = try preferences(of: container)
      done.total += preferences == nil ? 1 : 2
      if let preferences {
        if let file = try setAsideDamaged(preferences, tables: ["preference"]) {
          damage.files.append(file)
          damage.container = container
        }
        advance()
      }
      let isKeychain = if case .keychain = container { true } else { false }
      // If another domain is damaged, a keystore whose items can all be read stays.
      if let file = try setAsideDamaged(
        try locations.keystore(of: keyset), tables: ["root", "item"], key: try keystoreKey(of: keyset),
        isExamined: isKeychain)
      {
        damage.files.append(file)
        damage.keyset = keyset
        if isKeychain { damage.container = container }
      }
      advance()
    #endif
    for name in records {
      if let file = try setAsideDamagedRecord(name, of: keyset) { damage.files.append(file) }
      advance()
    }
    return damage
  }

  #if os(Linux)
    /// Moves a keystore aside although it is not damaged, because its key is lost.
    func setAsideKeystore(of keyset: KeysetID) throws(StorageFault) -> FileLocation? {
      try setAsideDamaged(
        try locations.keystore(of: keyset), tables: [], key: try keystoreKey(of: keyset), isAbandoned: true)
    }

    /// Returns the database of the preferences of a container, if it has one.
    private func preferences(of container: StorageContainer) throws(StorageFault) -> FileLocation? {
      switch container {
      case .preferences, .groupPreferences: try database(of: container)
      case .keychain, .directory, .groupDirectory: nil
      }
    }

    private func keystoreKey(of keyset: KeysetID) throws(StorageFault) -> FileLocation {
      switch keyset {
      case .app: try locations.keystoreKey()
      case .group(let identifier): try locations.keystoreKey(group: identifier)
      }
    }
  #endif
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
  /// backups, permissions and keychain accessibility. The bytes of a value stay, and so does its age.
  ///
  /// Call it once after a release that changes `accessibility`, `backup` or the domain's protection of keys. Without it a
  /// value has the protection of the release that wrote it, until it is set again.
  ///
  /// Each value is replaced as a whole: if the process is killed, a value has its old protection or its new one. The
  /// user is never asked, so values that an access control protects stay as they are. Values that need a migration are
  /// left to it.
  ///
  /// - Parameter progress: Called after each key and family.
  /// - Returns: What was written again, and what failed and why.
  @discardableResult
  public func resecure(progress: @Sendable (Progress) -> Void = { _ in }) async -> Resecuring {
    let addresses = await RegisteredAddresses(router)
    let services = router.values(for: nil).services
    var result = Resecuring(failures: addresses.problems)
    var done = Progress(completed: 0, total: addresses.keys.count + addresses.ownFamilies.count)
    for key in addresses.keys {
      await resecure(key.plan, &result)
      done.completed += 1
      progress(done)
    }
    for (index, family) in addresses.ownFamilies {
      do throws(StorageFault) {
        for name in try await services.names(in: family.container)
        where addresses.owner(of: name, in: family.container) == .family(index) {
          do throws(StorageError) {
            await resecure(try await router.sourcePlan(of: family.member(name)), &result)
          } catch { result.failures.append(error) }
        }
      } catch { result.failures.append(addresses.failure(error, in: family.container)) }
      done.completed += 1
      progress(done)
    }
    return result
  }

  private func resecure(_ plan: KeyPlan, _ result: inout Resecuring) async {
    guard !plan.isFoundation, !plan.asksUser else { return }
    do throws(StorageError) {
      let isRewritten = try await router.inTurn(at: plan.place, plan.subject) { router throws(StorageError) in
        let values = router.values(for: nil)
        guard try await values.isStored(plan) else { return false }
        try await values.requireMasterKey(of: plan)
        return try await values.perform(plan, .write) { (store) throws(StorageFault) in
          var isRewritten = false
          try store.update(plan.place, plan.attributes) { stored in
            isRewritten = stored != nil
            return stored.map { .write($0) } ?? .keep
          }
          return isRewritten
        }
      }
      if isRewritten { result.rewritten.append(plan.subject) }
    } catch { result.failures.append(error) }
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
