import SmallFoundation
package import StorageStores
package import StorageVocabulary

/// A database of a catalog. The product `LocalDataRecords` makes it.
public struct StorageCatalogPart: Sendable {
  /// The type that declares the database.
  package let type: ObjectIdentifier
  /// The name of the file, without its extension.
  package let name: String
  package let domain: StorageDomain
  /// Returns a store whose values are the record keys of a database, which need not be registered. LocalData cannot open it.
  package let recordKeys: RecordKeys

  package typealias RecordKeys = @Sendable (RecordDatabaseFile) -> any ValueStore

  package init(
    _ type: ObjectIdentifier, name: String, domain: StorageDomain, recordKeys: @escaping RecordKeys
  ) {
    (self.type, self.name, self.domain, self.recordKeys) = (type, name, domain, recordKeys)
  }

  package var subject: StorageError.Subject { .init(key: name, domain: domain.kind) }

  /// Returns the address of the database.
  ///
  /// - Throws: ``StorageError/invalidName(_:)`` if the domain has no files, and the errors of a domain that is not configured.
  package func address(_ configuration: StorageConfiguration) throws(StorageError) -> StorageAddress {
    do throws(StorageFault) {
      guard domain.kind == .fileSystem || domain.kind == .appGroupFileSystem else { throw .invalidName }
      let container = try StorageContainer(domain, configuration, defaultAccessGroup: nil)
      return StorageAddress(container: container, name: name)
    } catch { throw StorageError(error, subject, limit: 0) }
  }
}

extension StorageRouter {
  /// Returns the address of a database, and the services that its file is opened with.
  ///
  /// - Throws: ``StorageError/unregistered(_:)`` if no registered catalog has the database.
  package nonisolated func database(
    _ part: StorageCatalogPart
  ) throws(StorageError) -> (address: StorageAddress, services: StorageServices) {
    let address = try setup.withLock { (setup) throws(StorageError) in
      guard setup.registry.contains(database: part.type) else { throw .unregistered(part.subject) }
      setup.useDatabases()
      return try part.address(setup.storage)
    }
    return (address, values(for: nil).services)
  }
}
