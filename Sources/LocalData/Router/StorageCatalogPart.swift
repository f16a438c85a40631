import SmallFoundation
package import StorageStores
package import StorageVocabulary

/// A database of a catalog. The product `LocalDataRecords` makes it.
public struct StorageCatalogPart: Sendable {
  /// The type that declares the database.
  package let declaration: Any.Type
  /// The name of the file, without its extension.
  package let name: String
  package let domain: StorageDomain
  /// The names and domains that earlier releases stored the database under.
  package let movedFrom: [(name: String, domain: StorageDomain)]
  /// Returns a store whose values are the record keys of a database, which need not be registered. LocalData cannot open it.
  package let recordKeys: RecordKeys

  /// Deletes the rows whose retention has ended, and returns the records that they were of.
  package let sweep: Sweep
  /// Removes all rows.
  package let removeAll: RemoveAll

  package typealias Sweep = @Sendable (StorageRouter) async throws(StorageError) -> [StorageError.Subject]
  package typealias RemoveAll = @Sendable (StorageRouter) async throws(StorageError) -> Void
  package typealias RecordKeys = @Sendable (RecordDatabaseFile) -> any ValueStore

  package init(
    _ declaration: Any.Type, name: String, domain: StorageDomain,
    movedFrom: [(name: String, domain: StorageDomain)] = [], recordKeys: @escaping RecordKeys, sweep: @escaping Sweep,
    removeAll: @escaping RemoveAll
  ) {
    (self.declaration, self.name, self.domain) = (declaration, name, domain)
    (self.movedFrom, self.recordKeys, self.sweep, self.removeAll) = (movedFrom, recordKeys, sweep, removeAll)
  }

  package var type: ObjectIdentifier { ObjectIdentifier(declaration) }

  package var subject: StorageError.Subject { .init(key: name, domain: domain.kind) }

  /// Returns the address of the database.
  ///
  /// - Throws: ``StorageError/Code/invalidName`` if the domain has no files, and the errors of a domain that is not configured.
  package func address(_ configuration: StorageConfiguration) throws(StorageError) -> StorageAddress {
    try address(name, domain, configuration)
  }

  /// Returns the addresses of earlier releases.
  ///
  /// - Throws: The errors that ``address(_:)`` throws.
  package func earlierAddresses(_ configuration: StorageConfiguration) throws(StorageError) -> [StorageAddress] {
    var addresses: [StorageAddress] = []
    for earlier in movedFrom { addresses.append(try address(earlier.name, earlier.domain, configuration)) }
    return addresses
  }

  /// Returns the address of the database, its addresses in earlier releases, and the services that its file is opened with.
  ///
  /// - Throws: ``StorageError/Code/unregistered`` if no registered catalog has the database.
  package func opening(
    on router: StorageRouter
  ) throws(StorageError) -> (address: StorageAddress, earlier: [StorageAddress], services: StorageServices) {
    let (address, earlier) = try router.setup.withLock { (setup) throws(StorageError) in
      guard setup.registry.contains(database: type) else { throw StorageError(.unregistered, subject) }
      setup.useDatabases()
      return (try self.address(setup.storage), try earlierAddresses(setup.storage))
    }
    return (address, earlier, router.values(for: nil).services)
  }

  private func address(
    _ name: String, _ domain: StorageDomain, _ configuration: StorageConfiguration
  ) throws(StorageError) -> StorageAddress {
    do throws(StorageFault) {
      guard domain.kind == .fileSystem || domain.kind == .appGroupFileSystem else { throw .invalidName }
      let container = try StorageContainer(domain, configuration, defaultAccessGroup: nil)
      return StorageAddress(container: container, name: name)
    } catch { throw StorageError(fault: error, subject) }
  }
}

extension StorageRouter {
  /// The open databases. `nil` before the first use of the services.
  package nonisolated var openDatabases: FeatureStorage? { setup.withLock { $0.values?.services.records } }
}
