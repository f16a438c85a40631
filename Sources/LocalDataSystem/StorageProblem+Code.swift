extension StorageProblem {
  /// The problem that an error is about. Each problem that the app can react to has its own code.
  ///
  /// A later version may have more codes: a `switch` over a code needs a `default`.
  public struct Code: StorageProblemName, CustomStringConvertible {
    /// The names of all codes.
    package enum Name: String, CaseIterable, Sendable {
      case notFound, unregistered, differsFromRegistration, legacyKey, needsWaiting, cannotJoinTransaction,
        notAvailableOnPlatform, invalidAppGroupIdentifier, appGroupNotConfigured, appGroupNotEntitled,
        invalidName, invalidCatalog, alreadyStored, missingReference, stillReferenced, configurationConflict,
        accessGroupChanged, cannotEncode, invalidValue, cannotDecode, valueTooLarge, queryTooLarge, invalidQuery,
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

    package init(name: Name) { self.name = name }

    public init(code: Code) { self = code }

    /// The name of the code, for example `busy`.
    public var description: String { name.rawValue }
  }
}

/// The problems by their names. A code has such a name, and so has a problem, so that `error.code == .busy` and
/// `StorageError(.busy, subject)` can be written.
public protocol StorageProblemName: Hashable, Sendable {
  /// Creates what the code names.
  init(code: StorageProblem.Code)
}

extension StorageProblemName {
  /// Nothing is stored, and the key has neither a default nor an optional value.
  public static var notFound: Self { Self(named: .notFound) }
  /// Catalogs are registered, and the key is in none of them. Or the database of a record is in no registered catalog. Or a
  /// database of records exists, and no registered catalog has one, so that the keys in the database cannot be checked.
  public static var unregistered: Self { Self(named: .unregistered) }
  /// A key of this name and container is registered with another type, serializer, security or domain.
  public static var differsFromRegistration: Self { Self(named: .differsFromRegistration) }
  /// The key is only a source of migrations.
  public static var legacyKey: Self { Self(named: .legacyKey) }
  /// The value cannot be read or written without waiting. The error has the reason as its `waitingReason`.
  public static var needsWaiting: Self { Self(named: .needsWaiting) }
  /// The value is in another store than the other values of the transaction, its store cannot change several values together,
  /// or the closure of the transaction has returned.
  public static var cannotJoinTransaction: Self { Self(named: .cannotJoinTransaction) }
  /// The key's availability excludes this platform.
  public static var notAvailableOnPlatform: Self { Self(named: .notAvailableOnPlatform) }
  /// The identifier of the app group is malformed.
  public static var invalidAppGroupIdentifier: Self { Self(named: .invalidAppGroupIdentifier) }
  /// The key is stored in an app group, and neither the key nor the configuration names one.
  public static var appGroupNotConfigured: Self { Self(named: .appGroupNotConfigured) }
  /// The system gives the app no container for the app group, because the app's entitlements do not list the group.
  public static var appGroupNotEntitled: Self { Self(named: .appGroupNotEntitled) }
  /// A stored name, suite or directory is not valid. Or the configuration gives no name for a container, or one that is unlike
  /// its pattern.
  public static var invalidName: Self { Self(named: .invalidName) }
  /// A catalog or a key has a problem, and cannot be registered or used. The error has the problem as its
  /// `catalogProblem`.
  public static var invalidCatalog: Self { Self(named: .invalidCatalog) }
  /// A value is stored for the key, and the caller does not allow to replace it. Or another record has the same key, or the
  /// same value in a unique field.
  public static var alreadyStored: Self { Self(named: .alreadyStored) }
  /// A record refers to a record that does not exist.
  public static var missingReference: Self { Self(named: .missingReference) }
  /// Other records refer to the record, so it cannot be deleted.
  public static var stillReferenced: Self { Self(named: .stillReferenced) }
  /// The configuration differs from the one that values were stored with, or was set after the first use.
  public static var configurationConflict: Self { Self(named: .configurationConflict) }
  /// The app's default keychain access group differs from the recorded one, in which values are stored.
  public static var accessGroupChanged: Self { Self(named: .accessGroupChanged) }
  /// The value cannot be serialized.
  public static var cannotEncode: Self { Self(named: .cannotEncode) }
  /// The value is not one of those that `valid` of the key or the field allows. Nothing was stored.
  public static var invalidValue: Self { Self(named: .invalidValue) }
  /// The stored bytes are complete, and are not a value of this type.
  public static var cannotDecode: Self { Self(named: .cannotDecode) }
  /// The serialized value, or the stored one, has more bytes than the key allows, or than the system stores. The limit is
  /// `nil` if the system does not say it.
  public static var valueTooLarge: Self { Self(named: .valueTooLarge) }
  /// The condition of a query has more than 500 comparisons, 20 levels or 30,000 values.
  public static var queryTooLarge: Self { Self(named: .queryTooLarge) }
  /// A query in SQL cannot be run, for this reason. The text is SQLite's. It may quote the statement, and contains no value of a
  /// row and no parameter.
  public static var invalidQuery: Self { Self(named: .invalidQuery) }
  /// The serialized value has more bytes than may be sent.
  public static var tooLargeToSync: Self { Self(named: .tooLargeToSync) }
  /// No paired device can be reached now, or the key takes no part in sync.
  public static var syncUnavailable: Self { Self(named: .syncUnavailable) }
  /// The device or the keychain is locked. Try again once it is unlocked.
  public static var locked: Self { Self(named: .locked) }
  /// The folder that contains the values cannot be reached: a symbolic link on its path leads nowhere, for example to a
  /// volume that is not mounted, or the file ``StorageRoots/marker`` does not exist. The values are not absent.
  public static var folderUnavailable: Self { Self(named: .folderUnavailable) }
  /// The system refuses access: permissions, a read-only volume, a failed authentication.
  public static var accessDenied: Self { Self(named: .accessDenied) }
  /// The process has no entitlement for the keychain, or none for the key's access group.
  public static var missingEntitlement: Self { Self(named: .missingEntitlement) }
  /// The system no longer gives the stored item out, because the enrolled fingers or faces changed after it was stored.
  /// `set` and `remove` still work.
  public static var invalidated: Self { Self(named: .invalidated) }
  /// The user cancelled the authentication.
  public static var userCancelled: Self { Self(named: .userCancelled) }
  /// A key pair must be in the Secure Enclave, and the device has none.
  public static var secureEnclaveUnavailable: Self { Self(named: .secureEnclaveUnavailable) }
  /// The call waited for other calls or another process until its ``StorageConfiguration/timeout``. Try again.
  public static var busy: Self { Self(named: .busy) }
  /// A closure that runs within a call, for example that of `update`, has called a function that changes the same store. It
  /// would wait for the call that it is a part of.
  public static var reentrantCall: Self { Self(named: .reentrantCall) }
  /// The process was forked after it had opened the store on Linux. A forked process uses storage that it opens itself, or
  /// starts another program.
  public static var forkedProcess: Self { Self(named: .forkedProcess) }
  /// No space is left. The stored value has not changed.
  public static var outOfSpace: Self { Self(named: .outOfSpace) }
  /// The preferences of the app, the suite or the app group would become larger than UserDefaults stores: 3.5 MiB, and 896
  /// KiB on watchOS. The stored values have not changed.
  public static var preferencesFull: Self { Self(named: .preferencesFull) }
  /// A call of the system failed with this `errno`, or Keychain Services answered with this negative status.
  public static var io: Self { Self(named: .io) }
  /// The stored bytes of the value are damaged, or another release stored them with another security than the key declares,
  /// for example encrypted, before the update of the app was undone.
  public static var corrupted: Self { Self(named: .corrupted) }
  /// The library's record of the configured locations is damaged. The values are not damaged.
  public static var locationsDamaged: Self { Self(named: .locationsDamaged) }
  /// The file of a value that was moved aside is damaged, so that its key is not known. It cannot be restored.
  public static var quarantinedFileDamaged: Self { Self(named: .quarantinedFileDamaged) }
  /// The stored bytes are no value of the key, and cannot be moved aside, because 256 values were moved aside already.
  public static var quarantineFull: Self { Self(named: .quarantineFull) }
  /// The database that contains the value cannot be opened: it is damaged, empty, or of another program.
  public static var databaseDamaged: Self { Self(named: .databaseDamaged) }
  /// A database of this domain cannot be opened: it is damaged, empty, or of another program. The domain may differ from the
  /// key's domain. The database must be read before a master key is created, replaced or abandoned, because it may contain
  /// encrypted values (Linux).
  public static var containerDamaged: Self { Self(named: .containerDamaged) }
  /// The key file of the keystore has a wrong length, its credential is too short or too long, or the record of the master
  /// key is damaged.
  public static var keyMaterialDamaged: Self { Self(named: .keyMaterialDamaged) }
  /// Other users can read or replace the key file of the keystore (Linux). The library does not use such a key.
  public static var keyMaterialExposed: Self { Self(named: .keyMaterialExposed) }
  /// A retired master key cannot be destroyed: a stored value needs it, or a rotation is unfinished.
  public static var retiredKeyInUse: Self { Self(named: .retiredKeyInUse) }
  /// Two folders of the configuration contain the same files.
  public static var overlappingRoots: Self { Self(named: .overlappingRoots) }
  /// The standard folder of data does not exist, and another one contains values of the app: `HOME` or `XDG_DATA_HOME` has
  /// changed since the values were stored (Linux).
  public static var locationChanged: Self { Self(named: .locationChanged) }
  /// The configured source of the key that encrypts the keystore's root key differs from the recorded source (Linux).
  public static var rootKeySourceConflict: Self { Self(named: .rootKeySourceConflict) }
  /// The configured source returned a key that did not encrypt the keystore's root key, for example because of a wrong
  /// passphrase (Linux).
  public static var wrongRootKey: Self { Self(named: .wrongRootKey) }
  /// The stored bytes cannot be decrypted: they were encrypted with another key, or have been changed.
  public static var authenticationFailed: Self { Self(named: .authenticationFailed) }
  /// The key that encrypted the value does not exist.
  public static var keyMaterialMissing: Self { Self(named: .keyMaterialMissing) }
  /// No provider is registered for the external source that the key names.
  public static var noKeyMaterialProvider: Self { Self(named: .noKeyMaterialProvider) }
  /// The provider of the external source threw an error. The error is not passed on, because it may quote key bytes.
  public static var keyMaterialProviderFailed: Self { Self(named: .keyMaterialProviderFailed) }
  /// The provider of the external source returned no bytes, or fewer than the key derivation needs.
  public static var keyMaterialTooShort: Self { Self(named: .keyMaterialTooShort) }
  /// The stored bytes have a format that this version does not know. Or a newer release has moved the database.
  public static var unknownFormatVersion: Self { Self(named: .unknownFormatVersion) }
  /// The stored value was written by a newer version of the app. Or a newer version has retired a field of a record.
  public static var newerSchema: Self { Self(named: .newerSchema) }
  /// The stored value is complete, and contains a case of an enum that this version of the app does not have. A later version
  /// has stored it, before the update of the app was undone. Or a field of a record has a value that `valid` does not allow. The
  /// value stays as it is, whatever `onCorruption` says.
  public static var newerValue: Self { Self(named: .newerValue) }
  /// A migration, or the upgrade from an earlier schema, failed. The stored value has not changed. Or there are files of a
  /// database at its present address and at one of an earlier release, and both have rows. If a migration threw an error,
  /// ``StorageError/underlyingError`` is that error.
  public static var migrationFailed: Self { Self(named: .migrationFailed) }

  private init(named name: StorageProblem.Code.Name) { self.init(code: StorageProblem.Code(name: name)) }
}
