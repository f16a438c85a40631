import LocalDataFoundation
package import LocalDataStores
package import LocalDataVocabulary

/// A database of a catalog, which the product `LocalDataRecords` makes, or something else that is removed at sign-out.
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
  /// Removes rows.
  package let removeAll: RemoveAll
  /// Repairs the file if it is damaged or, for the other cause, if record keys of sealed rows are lost.
  package let repair: Repair
  /// False if the part has no file.
  let isDatabase: Bool

  package typealias Repair = @concurrent @Sendable (StorageRouter, RepairCause) async throws(StorageError) -> Repaired
  package typealias Sweep = @concurrent @Sendable (StorageRouter) async throws(StorageError) -> [StorageError.Subject]
  package typealias RemoveAll =
    @concurrent @Sendable (StorageRouter, RemovalScope) async throws(StorageError) -> Void
  package typealias RecordKeys = @Sendable (RecordDatabaseFile) -> any ValueStore

  package init(
    _ declaration: Any.Type, name: String, domain: StorageDomain,
    movedFrom: [(name: String, domain: StorageDomain)] = [], recordKeys: @escaping RecordKeys, sweep: @escaping Sweep,
    removeAll: @escaping RemoveAll, repair: @escaping Repair
  ) {
    self.declaration = declaration
    self.name = name
    self.domain = domain
    self.movedFrom = movedFrom
    self.recordKeys = recordKeys
    self.sweep = sweep
    self.removeAll = removeAll
    self.repair = repair
    isDatabase = true
  }

  /// Creates a part without a database, which is removed at sign-out before the keys are.
  package init(
    signingOut declaration: Any.Type, sweep: @escaping Sweep = { _ throws(StorageError) in [] },
    removeAll: @escaping RemoveAll
  ) {
    self.declaration = declaration
    name = ""
    domain = .keychain()
    movedFrom = []
    recordKeys = { _ in RefusingStore(.unregistered) }
    self.sweep = sweep
    self.removeAll = removeAll
    repair = { (_, _) throws(StorageError) in ([], []) }
    isDatabase = false
  }

  package var type: ObjectIdentifier { ObjectIdentifier(declaration) }

  package var subject: StorageError.Subject { .init(key: name, domain: domain.kind) }

  /// Returns the address of the database.
  ///
  /// - Throws: ``StorageProblem/Code/invalidName`` if the domain has no files, and the errors of a domain that is not configured.
  package func address(_ configuration: StorageConfiguration) throws(StorageError) -> StorageAddress {
    try address(name, domain, configuration)
  }

  /// Returns the addresses of earlier releases.
  ///
  /// - Throws: The errors that ``address(_:)`` throws.
  package func earlierAddresses(_ configuration: StorageConfiguration) throws(StorageError) -> [StorageAddress] {
    let current = try address(configuration)
    var addresses: [StorageAddress] = []
    for earlier in movedFrom {
      let address = try address(earlier.name, earlier.domain, configuration)
      // A configured name can be that of an earlier release.
      if address != current, !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }

  /// Returns the address of the database, its addresses in earlier releases, and the services that its file is opened with.
  ///
  /// - Throws: ``StorageProblem/Code/unregistered`` if no registered catalog has the database.
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
    do throws(StorageProblem) {
      guard domain.kind == .fileSystem || domain.kind == .appGroupFileSystem else { throw .invalidName }
      let container = try StorageContainer(domain, configuration, defaultAccessGroup: nil)
      return StorageAddress(container: container, name: name)
    } catch { throw StorageError(error, subject) }
  }
}

extension StorageCatalogPart {
  /// The reason for which a database is repaired.
  package enum RepairCause: Sendable {
    case damage, lostKeys
  }

  /// The copies of the files that were repaired, and what is left of their records.
  package typealias Repaired = (files: [FileLocation], records: [RepairedHistory])

  /// The rows of a record after the repair of its database.
  public struct RepairedHistory: Sendable, Hashable {
    /// The stored name of the record, and the kind of domain.
    public let record: StorageError.Subject
    /// The number of rows that stay.
    public package(set) var kept = 0
    /// The number of rows that were removed although they could be read: they need a field that is lost, or a row that is lost.
    public package(set) var removed = 0
    /// The number of rows that stay without a field, by the number of the field. A field that may be empty is counted too.
    public package(set) var lostFields: [Int: Int] = [:]
    /// A Boolean value that indicates whether every row could be read. Rows on damaged pages cannot be counted.
    let isRead: Bool

    package init(record: StorageError.Subject, isRead: Bool = false) {
      self.record = record
      self.isRead = isRead
    }

    /// A Boolean value that indicates whether nothing of the record is lost.
    public var isWhole: Bool { isRead && removed == 0 && lostFields.isEmpty }
  }
}

extension StorageRouter {
  /// The parts of the registered catalogs.
  package nonisolated var parts: [StorageCatalogPart] { setup.withLock(\.registry.listed).flatMap(\.parts) }

  /// The databases of the registered catalogs.
  package nonisolated var databases: [StorageCatalogPart] { parts.filter(\.isDatabase) }

  /// The open databases. `nil` before the first use of the services.
  package nonisolated var openDatabases: FeatureStorage? { setup.withLock { $0.values?.services.records } }
}
