import Foundation
import LocalData

/// The files that were set aside, and the lost values in them.
struct DamagedFiles: Sendable {
  var files: [FileLocation] = []

  #if os(Linux)
    /// A database that was damaged.
    struct Database: Sendable {
      enum Content: Sendable, Equatable {
        case preferences(StorageContainer)
        case keystore(KeysetID)
      }

      let content: Content
      /// A Boolean value that indicates whether no value was lost.
      let isWhole: Bool
    }

    var databases: [Database] = []

    mutating func add(_ damaged: LibraryFiles.DamagedDatabase, _ content: Database.Content) {
      files.append(damaged.copy)
      databases.append(Database(content: content, isWhole: damaged.isWhole))
    }
  #endif
}

extension SecurityPolicy {
  /// The encryption of a policy, or `nil` if it does not encrypt.
  var encryption: EncryptionPolicy? {
    if case .encrypted(let policy) = self { policy } else { nil }
  }
}

extension LibraryFiles {
  /// Repairs the damaged files of a container, and keeps the damaged versions.
  func setAsideDamaged(
    _ container: StorageContainer, _ progress: (Maintenance.Progress) -> Void
  ) throws(StorageProblem) -> DamagedFiles {
    var damage = DamagedFiles()
    let keyset = KeysetID(of: container)
    let notes = try notes(of: keyset)
    var done = Maintenance.Progress(completed: 0, total: notes.count)
    func advance() {
      done.completed += 1
      progress(done)
    }
    #if os(Linux)
      let preferences = container.store == .preferences ? try locations.database(of: container) : nil
      done.total += preferences == nil ? 1 : 2
      if let preferences {
        if let damaged = try mend(preferences, UserDefaultsHelper.tables) {
          damage.add(damaged, .preferences(container))
        }
        advance()
      }
      let isKeychain = container.store == .keychain
      // For another domain, a keystore whose items can all be read stays, and so does one whose key file is not there now.
      if let damaged = try mend(
        try locations.keystore(of: keyset), KeychainHelper.tables,
        key: isKeychain ? try locations.keystoreKey(group: keyset.group) : nil,
        isExamined: isKeychain)
      {
        damage.add(damaged, .keystore(keyset))
      }
      advance()
    #endif
    for note in notes {
      if let aside = try setAsideDamaged(note) { damage.files.append(aside) }
      advance()
    }
    return damage
  }

  #if os(Linux)
    /// Moves a keystore aside although it is not damaged, because its key is lost.
    func setAsideKeystore(of keyset: KeysetID) throws(StorageProblem) -> FileLocation? {
      try abandon(try locations.keystore(of: keyset), key: try locations.keystoreKey(group: keyset.group))
    }
  #endif
}

#if os(Linux)
  extension DamagedFiles.Database {
    /// Returns true if the values of a container are in the database.
    fileprivate func contains(_ container: StorageContainer) -> Bool {
      switch content {
      case .preferences(let damaged): return damaged == container
      // All services of the app are in one keystore. The keystore of a group contains only keys of the library.
      case .keystore(let keyset): return keyset == .app && container.store == .keychain
      }
    }
  }

  /// Finds the registered keys and families that a damage of databases concerns.
  struct AffectedKeys {
    let addresses: RegisteredAddresses
    let services: StorageServices

    func subjects(of databases: [DamagedFiles.Database]) async -> [StorageError.Subject] {
      var owners: Set<RegisteredAddresses.Owner> = []
      for database in databases where !database.isWhole {
        await addAbsent(from: database, &owners)
        if case .keystore(let keyset) = database.content, await isMasterKeyLost(keyset) {
          addEncrypted(with: keyset, &owners)
        }
      }
      return addresses.keys.indices.filter { owners.contains(.key($0)) }.map { addresses.keys[$0].plan.subject }
        + addresses.families.indices.filter { owners.contains(.family($0)) }.map {
          addresses.families[$0].family.subject
        }
    }

    /// Adds the keys that have no value now, and the families, of a database. The value of a migration's source is that of a key
    /// which may be stored elsewhere.
    private func addAbsent(from database: DamagedFiles.Database, _ owners: inout Set<RegisteredAddresses.Owner>) async {
      for (index, key) in addresses.keys.enumerated()
      where key.key.migration != nil || database.contains(key.plan.address.container) {
        if await isAbsent(key.plan) { owners.insert(.key(index)) }
      }
      for (index, family) in addresses.families.enumerated()
      where family.family.migration != nil || database.contains(family.container) {
        owners.insert(.family(index))
      }
    }

    private func addEncrypted(with keyset: KeysetID, _ owners: inout Set<RegisteredAddresses.Owner>) {
      func isEncrypted(_ container: StorageContainer, _ policy: SecurityPolicy.EncryptionPolicy?) -> Bool {
        guard KeysetID(of: container) == keyset, case .masterKey = policy?.keySource else { return false }
        return true
      }
      for (index, key) in addresses.keys.enumerated() where isEncrypted(key.plan.address.container, key.plan.sealing) {
        owners.insert(.key(index))
      }
      for (index, family) in addresses.families.enumerated()
      where isEncrypted(family.container, family.family.security.encryption) {
        owners.insert(.family(index))
      }
    }

    private func isAbsent(_ plan: KeyPlan) async -> Bool {
      do throws(StorageProblem) {
        return try await services.run { [services] () throws(StorageProblem) in try !services.isStored(plan) }
      } catch { return true }
    }

    private func isMasterKeyLost(_ keyset: KeysetID) async -> Bool {
      do throws(StorageProblem) {
        return try await services.run { [encryption = services.encryption] () throws(StorageProblem) in
          try encryption.storedRecord(of: keyset) == nil
        }
      } catch { return true }
    }
  }
#endif
