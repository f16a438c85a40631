public import LocalDataVocabulary

/// The file of a database, its protection, and its records. Generated code declares it.
public final class RecordDatabaseDeclaration: Sendable {
  /// The name of the file, without `.db`.
  package let name: String
  package let domain: StorageDomain
  let protection: RecordProtection
  /// The encryption of the key that seals encrypted fields.
  package let sealing: SecurityPolicy
  /// A Boolean value that indicates whether backups of the device contain the file.
  let isInBackup: Bool
  /// The addresses that earlier releases stored the file at, the latest one first.
  let movedFrom: [Address]
  /// The steps of another product before the first call of a launch.
  package let opening: RecordOpening?
  package let records: @Sendable () -> [RecordDeclaration]
  /// The types of the records. Only functions that examine every row need them.
  package let types: @Sendable () -> [any StorageRecord.Type]

  @_spi(Generated) public convenience init(
    _ name: String, _ domain: StorageDomain, protection: RecordProtection = .untilFirstUnlock,
    sealing: SecurityPolicy = .recommended, isInBackup: Bool = true,
    movedFrom: [Address] = [], opening: RecordOpening? = nil,
    records: @escaping @Sendable () -> [any StorageRecord.Type]
  ) {
    self.init(
      name, domain, protection: protection, sealing: sealing, isInBackup: isInBackup, movedFrom: movedFrom,
      opening: opening, types: records, records: { records().map { $0.declaration } })
  }

  /// Creates a declaration by the tables of the records. Functions that examine every row need the types too.
  @_disfavoredOverload
  @_spi(Generated) public init(
    _ name: String, _ domain: StorageDomain, protection: RecordProtection = .untilFirstUnlock,
    sealing: SecurityPolicy = .recommended, isInBackup: Bool = true, movedFrom: [Address] = [],
    opening: RecordOpening? = nil, types: @escaping @Sendable () -> [any StorageRecord.Type] = { [] },
    records: @escaping @Sendable () -> [RecordDeclaration]
  ) {
    self.name = name
    self.domain = domain
    self.protection = protection
    self.sealing = sealing
    self.isInBackup = isInBackup
    self.movedFrom = movedFrom
    self.opening = opening
    self.types = types
    self.records = records
  }

  /// The name and domain of a file.
  public struct Address: Sendable, Hashable {
    package let name: String
    package let domain: StorageDomain

    @_spi(Generated) public init(_ name: String, _ domain: StorageDomain) {
      self.name = name
      self.domain = domain
    }
  }
}

/// The times at which the system lets an app read the file of a database.
public enum RecordProtection: String, Sendable, Hashable, CaseIterable {
  /// While the device is unlocked.
  case complete
  /// While the device is unlocked, and afterwards if the file is open.
  case completeUnlessOpen
  /// From the first unlock after the device has started.
  case untilFirstUnlock
  /// Always, also before the first unlock. The system does not protect the file.
  case none
}
