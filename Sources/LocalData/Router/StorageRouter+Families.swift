import StorageVocabulary

/// The members of families, for runs over all keys.
extension StorageRouter {
  /// Lists the members of families that may have something to migrate. Holds no turn.
  func members(of families: [StorageKeyFamily]) async -> FamilyListing.Members {
    var members = FamilyListing.Members()
    let services = values(for: nil).services
    let migrating = await migrating(families, services, &members)
    guard !migrating.isEmpty else { return members }
    let (registry, encryption) = setup.withLock { ($0.registry, $0.encryption) }
    var listing = FamilyListing(migrating, registry, isReserved: encryption.reserves)
    for container in listing.containers {
      do throws(StorageFault) {
        let names = try await services.names(in: container, where: listing.isWanted)
        listing.add(names, in: container)
      } catch {
        listing.fail(container, error)
      }
    }
    members.keys += listing.members.keys
    members.problems += listing.members.problems
    return members
  }

  /// Works out the containers of families, and reads their logs. What fails is a problem of its family.
  private func migrating(
    _ families: [StorageKeyFamily], _ services: StorageServices, _ members: inout FamilyListing.Members
  ) async -> [(family: MigratingFamily, log: MigrationLedger)] {
    var migrating: [(MigratingFamily, MigrationLedger)] = []
    for family in families {
      do throws(StorageError) {
        for source in [family] + (family.migration?.sources ?? []) {
          try await learnAccessGroup(for: source.domain, source.subject)
        }
        let found = try setup.withLock { (setup) throws(StorageError) in
          try MigratingFamily(family) { (family) throws(StorageError) in try setup.container(of: family) }
        }
        if let found { migrating.append((found, try services.ledger(of: found))) }
      } catch {
        members.problems.append(.init(family: family.subject, source: family.subject, error: error))
      }
    }
    return migrating
  }
}

extension StorageServices {
  /// Returns the log of a family's keyset.
  fileprivate func ledger(of family: MigratingFamily) throws(StorageError) -> MigrationLedger {
    do throws(StorageFault) {
      return try migrationLog(KeysetID(of: family.own.container)).ledger()
    } catch {
      throw StorageError(error, family.own.subject, limit: 0)
    }
  }

  /// Returns the names of a container that are wanted.
  fileprivate func names(
    in container: FamilyListing.Container, where isWanted: @escaping @Sendable (String, FamilyListing.Container) -> Bool
  ) async throws(StorageFault) -> [String] {
    let store = container.isFoundation ? foundation : base(for: container.container)
    return try await BlockingExecutor.shared.run { () throws(StorageFault) in
      var names: [String] = []
      try store.names(in: container.container) { name in
        if isWanted(name, container) { names.append(name) }
        return true
      }
      return names
    }
  }
}
