package import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

/// The addresses and identities of a database's record keys.
extension RecordDatabaseFile {
  /// The name of the lock that the writers of the file share.
  package var lockName: String {
    location.name.hasSuffix(Self.copySuffix)
      ? String(location.name.dropFirst().dropLast(Self.copySuffix.count)) : location.name
  }

  /// Returns the address of a record key in the store of the database's record keys, for example `.records/notes/1`. No file of
  /// a value has this path.
  package func address(ofKey number: UInt32) -> StorageAddress {
    StorageAddress(container: address.container, name: prefix + String(number))
  }

  /// Returns the number of the record key at an address.
  ///
  /// - Throws: ``StorageProblem/invalidName`` if it is no address of this database.
  package func number(ofKey address: StorageAddress) throws(StorageProblem) -> UInt32 {
    guard address.name.hasPrefix(prefix), let number = UInt32(address.name.dropFirst(prefix.count)) else {
      throw .invalidName
    }
    return number
  }

  private var prefix: String { "\(Self.folder)/\(address.name)/" }

  /// Returns the identity that the envelope of a record key is bound to.
  package func identity(ofKey number: UInt32) -> RecordKeyIdentity {
    RecordKeyIdentity(
      domain: address.container.domain.kind, container: address.container, database: address.name, number: number)
  }
}
