package import StorageVocabulary

/// An error of a store or a cipher, without the key that it concerns.
///
/// Each problem has its own case. "Cannot be read now" is never reported as "absent", and absence is not a fault.
package enum StorageFault: Error, Hashable, Sendable {
  /// Nothing is stored, and the key has neither a default nor an optional value.
  case notFound
  case cannotEncode
  case cannotDecode
  /// A malformed identifier of an app group.
  case invalidAppGroupIdentifier
  /// Neither the key nor the configuration names an app group.
  case appGroupNotConfigured
  /// The system gives the app no container for the app group.
  case appGroupNotEntitled
  /// A name, suite, directory or configured part of a path is not valid.
  case invalidName
  case configurationConflict
  /// The default keychain access group differs from the recorded one.
  case accessGroupChanged(recorded: String, current: String)
  /// A value has more bytes than the limit, which is `nil` if the system or a cipher refused it.
  case valueTooLarge(limit: Int?)
  /// The condition of a query has more parts than SQLite takes.
  case queryTooLarge
  /// SQLite does not run a query of the app. The text is SQLite's, without what it quotes from rows.
  case invalidQuery(String)
  /// The device is locked, or the keychain is.
  case locked
  /// A link above the folder of the values leads nowhere, or the configured marker of their volume does not exist.
  case folderUnavailable
  /// Other users can read or replace the key file of a keystore.
  case keyMaterialExposed
  /// EACCES, EPERM, EROFS, or a keychain that refuses.
  case accessDenied
  /// The process has no entitlement for the keychain, or none for the access group.
  case missingEntitlement
  /// The system no longer returns an item, because the enrolled fingers or faces changed after it was stored.
  case invalidated
  case userCancelled
  /// Another process held a lock for too long, or the system is about to suspend the process.
  case busy
  /// The thread has the lock that the call needs: a closure of the app made the call while another call had the lock.
  case reentrantCall
  /// The process was forked after it had opened a database. The locks belong to the parent process.
  case forkedProcess
  case outOfSpace
  /// A suite of UserDefaults would become larger than the system stores.
  case preferencesFull
  case io(errno: Int32)
  /// The stored bytes of a value are not those that were written.
  case corrupted
  /// A database cannot be read as one of the library: it is damaged, empty or another program's.
  case databaseDamaged
  /// A database that a scan for encrypted values reads cannot be opened. The key may be in another database.
  case containerDamaged(StorageDomain)
  /// The record of a configured location, or of the suites with encrypted values, is damaged.
  case recordDamaged
  /// A row has the value already. The column is the name in the file.
  case alreadyStored(column: String?)
  /// A row refers to a row that does not exist.
  case missingReference
  /// A row is referred to, and cannot be deleted.
  case stillReferenced
  /// A test refuses queries that read every row. The fields are those that have no index.
  case refusedScan(fields: String)
  /// The limit of values that are moved aside is reached.
  case quarantineFull
  /// A key file or a credential has a wrong length, or the record of a keyset is damaged.
  case keyMaterialDamaged
  /// A stored value needs a key that a rotation has replaced.
  case retiredKeyInUse
  /// No registered catalog has a database of records, so that the keys in the databases cannot be read.
  case noRecordDatabase
  /// Two folders of the configuration contain the same files.
  case overlappingRoots
  /// The standard folder of data does not exist, and another one contains values of the app.
  case locationChanged(from: String)
  /// The configured source of the key that encrypts a keystore's root key differs from the recorded source.
  case rootKeySourceConflict(recorded: String)
  /// The source returned a key that did not seal the keystore's root key.
  case wrongRootKey
  /// The key is wrong, or the bytes were changed.
  case authenticationFailed
  /// The key that encrypted a value does not exist.
  case keyMaterialMissing
  /// No provider is registered for the external source that the key names.
  case noKeyMaterialProvider(KeyMaterialSource)
  /// The provider of an external source threw an error.
  case keyMaterialProviderFailed(KeyMaterialSource)
  /// The provider of an external source returned no bytes, or too few.
  case keyMaterialTooShort(KeyMaterialSource)
  case unknownFormatVersion
  case newerSchema
  /// A value is complete, and an enum in it has no case for it: a later release has stored it.
  case newerValue
  /// A value of an earlier schema, or of another address, could not be converted.
  case migrationFailed
}

extension StorageFault {
  /// A Boolean value that indicates whether the fault means that the bytes of a keystore item are damaged. The root key sealed
  /// them and cannot open them.
  package var isOfDamagedItem: Bool {
    #if os(Linux)
      self == .authenticationFailed || self == .corrupted
    #else
      // The system's keychain does not report damaged items.
      false
    #endif
  }
}
