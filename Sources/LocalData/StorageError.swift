public import StorageVocabulary

/// An error about a key. Absence is not an error: an absent value reads as `nil` or as the key's default.
///
/// Every case names the declared key and the kind of its domain, and never a value, a parameter of a family, or the
/// text of an error of another library. A value that cannot be read now is never reported as "not found".
public enum StorageError: Error, Sendable, Hashable {
  /// Nothing is stored, and the key has neither a default nor an optional value.
  case notFound(Subject)
  /// Catalogs are registered, and the key is in none of them. Or the database of a record is in no registered catalog. Or a
  /// database of records exists, and no registered catalog has one, so that the keys in the database cannot be checked.
  case unregistered(Subject)
  /// A key of this name and container is registered with another type, serializer, security or domain.
  case differsFromRegistration(Subject)
  /// The key is only a source of migrations.
  case legacyKey(Subject)
  /// The value cannot be read or written without waiting, for this reason.
  case needsWaiting(Subject, WaitingReason)
  /// The value is in another store than the other values of the transaction, its store cannot change several values together,
  /// or the closure of the transaction has returned.
  case cannotJoinTransaction(Subject)
  /// The key's availability excludes this platform.
  case notAvailableOnPlatform(Subject)
  /// The identifier of the app group is malformed.
  case invalidAppGroupIdentifier(Subject)
  /// The key is stored in an app group, and neither the key nor the configuration names one.
  case appGroupNotConfigured(Subject)
  /// The system gives the app no container for the app group, because the app's entitlements do not list the group.
  case appGroupNotEntitled(Subject)
  /// A stored name, suite or directory is not valid.
  case invalidName(Subject)
  /// A catalog or a key has a problem, and cannot be registered or used.
  case invalidCatalog(Subject, CatalogProblem)
  /// A value is stored for the key, and the caller does not allow to replace it. Or another record has the same key, or the same
  /// value in a unique field.
  case alreadyStored(Subject)
  /// A record refers to a record that does not exist.
  case missingReference(Subject)
  /// Other records refer to the record, so it cannot be deleted.
  case stillReferenced(Subject)
  /// The configuration differs from the one that values were stored with, or was set after the first use.
  ///
  /// If the app's default keychain access group has changed, the error contains the recorded and the present one.
  case configurationConflict(Subject, AccessGroupChange? = nil)
  /// The value cannot be serialized.
  case cannotEncode(Subject)
  /// The stored bytes are complete, and are not a value of this type.
  case cannotDecode(Subject)
  /// The serialized value, or the stored one, has more bytes than the key allows.
  case valueTooLarge(Subject, limit: Int)
  /// The serialized value has more bytes than may be sent.
  case tooLargeToSync(Subject, limit: Int)
  /// No paired device can be reached now, or the key takes no part in sync.
  case syncUnavailable(Subject)
  /// The device or the keychain is locked. Try again once it is unlocked.
  case locked(Subject)
  /// The folder that contains the values cannot be reached: a symbolic link on its path leads nowhere, for example to a volume
  /// that is not mounted, or the file ``StorageRoots/marker`` does not exist. The values are not absent.
  case folderUnavailable(Subject)
  /// The system refuses access: permissions, a read-only volume, a failed authentication.
  case accessDenied(Subject)
  /// The process has no entitlement for the keychain, or none for the key's access group.
  case missingEntitlement(Subject)
  /// The system no longer gives the stored item out, because the enrolled fingers or faces changed after it was stored.
  /// `set` and `remove` still work.
  case invalidated(Subject)
  /// The user cancelled the authentication.
  case userCancelled(Subject)
  /// The call waited for other calls or another process until its ``StorageConfiguration/timeout``. Try again.
  case busy(Subject)
  /// The process was forked after it had opened the store on Linux. A forked process uses storage that it opens itself, or
  /// starts another program.
  case forkedProcess(Subject)
  /// No space is left. The stored value has not changed.
  case outOfSpace(Subject)
  /// The preferences of the app, the suite or the app group would become larger than UserDefaults stores: 3.5 MiB, and 896 KiB
  /// on watchOS. The stored values have not changed.
  case preferencesFull(Subject)
  /// A call of the system failed with this `errno`, or Keychain Services answered with this negative status.
  case io(Subject, Operation, errno: Int32)
  /// The stored bytes of the value are damaged, or another release stored them with another security than the key declares,
  /// for example encrypted, before the update of the app was undone.
  case corrupted(Subject)
  /// The library's record of the configured locations is damaged. The values are not damaged.
  case recordDamaged(Subject)
  /// The file of a value that was moved aside is damaged, so that its key is not known. It cannot be restored.
  case quarantinedFileDamaged(Subject)
  /// The stored bytes are no value of the key, and cannot be moved aside, because 256 values were moved aside already.
  case quarantineFull(Subject)
  /// The database that contains the value cannot be opened: it is damaged, empty, or of another program.
  case databaseDamaged(Subject)
  /// A database of this domain cannot be opened: it is damaged, empty, or of another program. The domain may differ from the
  /// key's domain. The database must be read before a master key is created, replaced or abandoned, because it may contain
  /// encrypted values (Linux).
  case containerDamaged(Subject, StorageDomain)
  /// The key file of the keystore has a wrong length, its credential is too short or too long, or the record of the master key
  /// is damaged.
  case keyMaterialDamaged(Subject)
  /// Other users can read or replace the key file of the keystore (Linux). The library does not use such a key.
  case keyMaterialExposed(Subject)
  /// A retired master key cannot be destroyed: a stored value needs it, or a rotation is unfinished.
  case retiredKeyInUse(Subject)
  /// Two folders of the configuration contain the same files.
  case overlappingRoots(Subject)
  /// The standard folder of data does not exist, and another one contains values of the app: `HOME` or `XDG_DATA_HOME` has
  /// changed since the values were stored (Linux).
  case locationChanged(Subject, from: String)
  /// The configured source of the key that encrypts the keystore's root key differs from the recorded source (Linux).
  case rootKeySourceConflict(Subject, recorded: String)
  /// The configured source returned a key that did not encrypt the keystore's root key, for example because of a wrong
  /// passphrase (Linux).
  case wrongRootKey(Subject)
  /// The stored bytes cannot be decrypted: they were encrypted with another key, or have been changed.
  case authenticationFailed(Subject)
  /// The key that encrypted the value does not exist.
  case keyMaterialMissing(Subject)
  /// No provider is registered for the external source that the key names.
  case noKeyMaterialProvider(Subject, KeyMaterialSource)
  /// The provider of the external source threw an error. The error is not passed on, because it may quote key bytes.
  case keyMaterialProviderFailed(Subject, KeyMaterialSource)
  /// The provider of the external source returned no bytes, or fewer than the key derivation needs.
  case keyMaterialTooShort(Subject, KeyMaterialSource)
  /// The stored bytes have a format that this version does not know. Or a newer release has moved the database.
  case unknownFormatVersion(Subject)
  /// The stored value was written by a newer version of the app. Or a newer version has retired a field of a record.
  case newerSchema(Subject)
  /// A migration, or the upgrade from an earlier schema, failed. The stored value has not changed. Or there are files of a database
  /// at its present address and at one of an earlier release, and both have rows. If a migration threw an error,
  /// ``underlyingError`` is that error.
  case migrationFailed(Subject, Cause = Cause())

  /// The key and the kind of domain that an error is about.
  public struct Subject: Sendable, Hashable {
    /// The declared name of the key. For a member of a family it contains the names of the parameters, never their values.
    /// `nil` if the error belongs to no key.
    public var key: String?
    /// The kind of the key's domain, or of the domain that the error is about.
    public var domain: StorageDomain.Kind?
    /// The declared name of the key whose migration reads the value. `nil` if the error is not about a source of a migration.
    public var sourceOf: String?
    /// The container of the value, for example `service 'com.example.app'`. `nil` if the domain alone names it, or if the error
    /// belongs to no key. Subjects that differ only in their containers are equal.
    public internal(set) var container: String?

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - key: The declared name of the key.
    ///   - domain: The kind of the key's domain.
    ///   - sourceOf: The declared name of the key whose migration reads the value.
    public init(key: String?, domain: StorageDomain.Kind?, sourceOf: String? = nil) {
      self.key = key
      self.domain = domain
      self.sourceOf = sourceOf
    }

    /// A subject without a key.
    package static let none = Subject(key: nil, domain: nil)

    public static func == (one: Subject, other: Subject) -> Bool {
      one.key == other.key && one.domain == other.domain && one.sourceOf == other.sourceOf
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(key)
      hasher.combine(domain)
      hasher.combine(sourceOf)
    }
  }

  /// A change of the access group of keychain keys that name none.
  public struct AccessGroupChange: Sendable, Hashable {
    /// The group that values are stored in.
    public var recorded: String
    /// The default group of this release.
    public var current: String

    /// Creates a change.
    public init(recorded: String, current: String) { (self.recorded, self.current) = (recorded, current) }
  }

  /// The error that a migration of the app threw.
  ///
  /// The error may quote a value. Therefore it is no part of descriptions and mirrors. Two causes are always equal.
  public struct Cause: Sendable, Hashable {
    /// The error, or `nil` if no error was thrown.
    public let error: (any Error)?

    /// Creates a cause.
    public init(_ error: (any Error)? = nil) { self.error = error }

    public static func == (one: Cause, other: Cause) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
  }

  /// The operation during which a call of the system failed.
  public enum Operation: String, Sendable, Hashable, CaseIterable {
    /// Reading the value, or finding out whether there is one.
    case read
    /// Writing, changing or removing the value.
    case write
    /// Moving the value from the address of an earlier release.
    case migrate
    /// Keeping the record of synced values, or exchanging them with the paired device.
    case sync
  }

  /// The reason for which a value cannot be used without waiting.
  public enum WaitingReason: String, Sendable, Hashable, CaseIterable {
    /// The key is no plain preference: it is stored in another domain, is encrypted or has a retention. Or a custom migration
    /// calls the router.
    case notPlainPreference
    /// A migration of the key has not run yet, or a value may have to be moved.
    case migrationPending
    /// The log of migrations must record the change.
    case changeIsRecorded
  }

  /// The reason for which a catalog cannot be registered.
  public enum CatalogProblem: String, Sendable, Hashable, CaseIterable {
    /// Two keys have the same address.
    case duplicateKey
    /// A hand-written key has no owner.
    case missingOwner
    /// A hand-written key has no description.
    case missingDescription
    /// The catalog is registered already.
    case alreadyRegistered
    /// A migration transforms or aggregates a value at the key's own address.
    case transformInPlace
    /// Two migration sources have one address. The key that is read first would take the value from the other.
    case sharedSource
    /// A synchronizable keychain item is encrypted with the master key, which the other devices do not have.
    case synchronizableMasterKey
    /// The value would be stored in plain text: `.keychain` outside the keychain, or `.none` in `encryptedFileSystem`.
    case ineffectiveSecurity
    /// The number of PBKDF2 iterations is not in `KeyDerivation.iterations`.
    case keyDerivation
    /// The key cannot have its `onCorruption`: `useDefault` without a default or on a secured key, `quarantine` on a key
    /// that is synced, has a retention, or is secured by the keychain alone.
    case corruptionPolicy
    /// A key is synced, and its catalog does not name the feature `.sync` of the product `LocalDataSync`.
    case missingSyncFeature
    /// A migration source has a migration that cannot be followed: a custom migration, a migration of one source of an
    /// aggregate, or a migration that leads back to the key.
    case migratingSource
  }
}
