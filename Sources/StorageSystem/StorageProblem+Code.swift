extension StorageProblem {
  /// The problem that an error is about. Each problem that the app can react to has its own code.
  ///
  /// A later version may have more codes: a `switch` over a code needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// Nothing is stored, and the key has neither a default nor an optional value.
    public static let notFound = Code(.notFound)
    /// Catalogs are registered, and the key is in none of them. Or the database of a record is in no registered catalog. Or a
    /// database of records exists, and no registered catalog has one, so that the keys in the database cannot be checked.
    public static let unregistered = Code(.unregistered)
    /// A key of this name and container is registered with another type, serializer, security or domain.
    public static let differsFromRegistration = Code(.differsFromRegistration)
    /// The key is only a source of migrations.
    public static let legacyKey = Code(.legacyKey)
    /// The value cannot be read or written without waiting. The error has the reason as its `waitingReason`.
    public static let needsWaiting = Code(.needsWaiting)
    /// The value is in another store than the other values of the transaction, its store cannot change several values together,
    /// or the closure of the transaction has returned.
    public static let cannotJoinTransaction = Code(.cannotJoinTransaction)
    /// The key's availability excludes this platform.
    public static let notAvailableOnPlatform = Code(.notAvailableOnPlatform)
    /// The identifier of the app group is malformed.
    public static let invalidAppGroupIdentifier = Code(.invalidAppGroupIdentifier)
    /// The key is stored in an app group, and neither the key nor the configuration names one.
    public static let appGroupNotConfigured = Code(.appGroupNotConfigured)
    /// The system gives the app no container for the app group, because the app's entitlements do not list the group.
    public static let appGroupNotEntitled = Code(.appGroupNotEntitled)
    /// A stored name, suite or directory is not valid.
    public static let invalidName = Code(.invalidName)
    /// A catalog or a key has a problem, and cannot be registered or used. The error has the problem as its
    /// `catalogProblem`.
    public static let invalidCatalog = Code(.invalidCatalog)
    /// A value is stored for the key, and the caller does not allow to replace it. Or another record has the same key, or the
    /// same value in a unique field.
    public static let alreadyStored = Code(.alreadyStored)
    /// A record refers to a record that does not exist.
    public static let missingReference = Code(.missingReference)
    /// Other records refer to the record, so it cannot be deleted.
    public static let stillReferenced = Code(.stillReferenced)
    /// The configuration differs from the one that values were stored with, or was set after the first use.
    public static let configurationConflict = Code(.configurationConflict)
    /// The app's default keychain access group differs from the recorded one, in which values are stored.
    public static let accessGroupChanged = Code(.accessGroupChanged)
    /// The value cannot be serialized.
    public static let cannotEncode = Code(.cannotEncode)
    /// The stored bytes are complete, and are not a value of this type.
    public static let cannotDecode = Code(.cannotDecode)
    /// The serialized value, or the stored one, has more bytes than the key allows, or than the system stores. The limit is
    /// `nil` if the system does not say it.
    public static let valueTooLarge = Code(.valueTooLarge)
    /// The condition of a query has more than 500 comparisons, 20 levels or 30,000 values.
    public static let queryTooLarge = Code(.queryTooLarge)
    /// A query in SQL cannot be run, for this reason. The text is SQLite's. It may quote the statement, and contains no value of a
    /// row and no parameter.
    public static let invalidQuery = Code(.invalidQuery)
    /// The serialized value has more bytes than may be sent.
    public static let tooLargeToSync = Code(.tooLargeToSync)
    /// No paired device can be reached now, or the key takes no part in sync.
    public static let syncUnavailable = Code(.syncUnavailable)
    /// The device or the keychain is locked. Try again once it is unlocked.
    public static let locked = Code(.locked)
    /// The folder that contains the values cannot be reached: a symbolic link on its path leads nowhere, for example to a
    /// volume that is not mounted, or the file ``StorageRoots/marker`` does not exist. The values are not absent.
    public static let folderUnavailable = Code(.folderUnavailable)
    /// The system refuses access: permissions, a read-only volume, a failed authentication.
    public static let accessDenied = Code(.accessDenied)
    /// The process has no entitlement for the keychain, or none for the key's access group.
    public static let missingEntitlement = Code(.missingEntitlement)
    /// The system no longer gives the stored item out, because the enrolled fingers or faces changed after it was stored.
    /// `set` and `remove` still work.
    public static let invalidated = Code(.invalidated)
    /// The user cancelled the authentication.
    public static let userCancelled = Code(.userCancelled)
    /// A key pair must be in the Secure Enclave, and the device has none.
    public static let secureEnclaveUnavailable = Code(.secureEnclaveUnavailable)
    /// The call waited for other calls or another process until its ``StorageConfiguration/timeout``. Try again.
    public static let busy = Code(.busy)
    /// A closure that runs within a call, for example that of `update`, has called a function that changes the same store. It
    /// would wait for the call that it is a part of.
    public static let reentrantCall = Code(.reentrantCall)
    /// The process was forked after it had opened the store on Linux. A forked process uses storage that it opens itself, or
    /// starts another program.
    public static let forkedProcess = Code(.forkedProcess)
    /// No space is left. The stored value has not changed.
    public static let outOfSpace = Code(.outOfSpace)
    /// The preferences of the app, the suite or the app group would become larger than UserDefaults stores: 3.5 MiB, and 896
    /// KiB on watchOS. The stored values have not changed.
    public static let preferencesFull = Code(.preferencesFull)
    /// A call of the system failed with this `errno`, or Keychain Services answered with this negative status.
    public static let io = Code(.io)
    /// The stored bytes of the value are damaged, or another release stored them with another security than the key declares,
    /// for example encrypted, before the update of the app was undone.
    public static let corrupted = Code(.corrupted)
    /// The library's record of the configured locations is damaged. The values are not damaged.
    public static let locationsDamaged = Code(.locationsDamaged)
    /// The file of a value that was moved aside is damaged, so that its key is not known. It cannot be restored.
    public static let quarantinedFileDamaged = Code(.quarantinedFileDamaged)
    /// The stored bytes are no value of the key, and cannot be moved aside, because 256 values were moved aside already.
    public static let quarantineFull = Code(.quarantineFull)
    /// The database that contains the value cannot be opened: it is damaged, empty, or of another program.
    public static let databaseDamaged = Code(.databaseDamaged)
    /// A database of this domain cannot be opened: it is damaged, empty, or of another program. The domain may differ from the
    /// key's domain. The database must be read before a master key is created, replaced or abandoned, because it may contain
    /// encrypted values (Linux).
    public static let containerDamaged = Code(.containerDamaged)
    /// The key file of the keystore has a wrong length, its credential is too short or too long, or the record of the master
    /// key is damaged.
    public static let keyMaterialDamaged = Code(.keyMaterialDamaged)
    /// Other users can read or replace the key file of the keystore (Linux). The library does not use such a key.
    public static let keyMaterialExposed = Code(.keyMaterialExposed)
    /// A retired master key cannot be destroyed: a stored value needs it, or a rotation is unfinished.
    public static let retiredKeyInUse = Code(.retiredKeyInUse)
    /// Two folders of the configuration contain the same files.
    public static let overlappingRoots = Code(.overlappingRoots)
    /// The standard folder of data does not exist, and another one contains values of the app: `HOME` or `XDG_DATA_HOME` has
    /// changed since the values were stored (Linux).
    public static let locationChanged = Code(.locationChanged)
    /// The configured source of the key that encrypts the keystore's root key differs from the recorded source (Linux).
    public static let rootKeySourceConflict = Code(.rootKeySourceConflict)
    /// The configured source returned a key that did not encrypt the keystore's root key, for example because of a wrong
    /// passphrase (Linux).
    public static let wrongRootKey = Code(.wrongRootKey)
    /// The stored bytes cannot be decrypted: they were encrypted with another key, or have been changed.
    public static let authenticationFailed = Code(.authenticationFailed)
    /// The key that encrypted the value does not exist.
    public static let keyMaterialMissing = Code(.keyMaterialMissing)
    /// No provider is registered for the external source that the key names.
    public static let noKeyMaterialProvider = Code(.noKeyMaterialProvider)
    /// The provider of the external source threw an error. The error is not passed on, because it may quote key bytes.
    public static let keyMaterialProviderFailed = Code(.keyMaterialProviderFailed)
    /// The provider of the external source returned no bytes, or fewer than the key derivation needs.
    public static let keyMaterialTooShort = Code(.keyMaterialTooShort)
    /// The stored bytes have a format that this version does not know. Or a newer release has moved the database.
    public static let unknownFormatVersion = Code(.unknownFormatVersion)
    /// The stored value was written by a newer version of the app. Or a newer version has retired a field of a record.
    public static let newerSchema = Code(.newerSchema)
    /// The stored value is complete, and contains a case of an enum that this version of the app does not have. A later version
    /// has stored it, before the update of the app was undone. The value stays as it is, whatever `onCorruption` says.
    public static let newerValue = Code(.newerValue)
    /// A migration, or the upgrade from an earlier schema, failed. The stored value has not changed. Or there are files of a
    /// database at its present address and at one of an earlier release, and both have rows. If a migration threw an error,
    /// ``StorageError/underlyingError`` is that error.
    public static let migrationFailed = Code(.migrationFailed)

    /// The names of all codes.
    package enum Name: String, CaseIterable, Sendable {
      case notFound, unregistered, differsFromRegistration, legacyKey, needsWaiting, cannotJoinTransaction,
        notAvailableOnPlatform, invalidAppGroupIdentifier, appGroupNotConfigured, appGroupNotEntitled,
        invalidName, invalidCatalog, alreadyStored, missingReference, stillReferenced, configurationConflict,
        accessGroupChanged, cannotEncode, cannotDecode, valueTooLarge, queryTooLarge, invalidQuery,
        tooLargeToSync, syncUnavailable, locked, folderUnavailable, accessDenied, missingEntitlement,
        invalidated, userCancelled, secureEnclaveUnavailable, busy, reentrantCall, forkedProcess, outOfSpace,
        preferencesFull, io,
        corrupted, locationsDamaged, quarantinedFileDamaged, quarantineFull, databaseDamaged, containerDamaged,
        keyMaterialDamaged, keyMaterialExposed, retiredKeyInUse, overlappingRoots, locationChanged,
        rootKeySourceConflict, wrongRootKey, authenticationFailed, keyMaterialMissing, noKeyMaterialProvider,
        keyMaterialProviderFailed, keyMaterialTooShort, unknownFormatVersion, newerSchema, newerValue,
        migrationFailed
    }

    package let name: Name

    package init(_ name: Name) { self.name = name }

    /// The name of the code, for example `busy`.
    public var description: String { name.rawValue }
  }
}
