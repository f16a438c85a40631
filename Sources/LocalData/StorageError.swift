package import StorageStores
public import StorageVocabulary

/// An error about a key: a problem, and the key that it concerns. Absence is not an error: an absent value reads as `nil` or
/// as the key's default.
///
/// An error never contains a value, a parameter of a family, or the text of an error of another library. A value that cannot be
/// read now is never reported as "not found".
///
/// ```swift
/// do {
///   try await router.set(token, for: .accessToken)
/// } catch where error.code == .locked {
///   // Try again once the device is unlocked.
/// }
/// ```
public struct StorageError: Error, Sendable, Hashable {
  /// The problem.
  public var code: Code
  /// The key and the container that the error is about.
  public var subject: Subject
  /// The error that a migration of the app threw, if ``code-swift.property`` is ``Code-swift.enum/migrationFailed``. Otherwise
  /// `nil`.
  ///
  /// It may quote a value. Do not log it without a look at its type. It is no part of the description, and errors that differ
  /// only in it are equal.
  public let underlyingError: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The problem.
  ///   - subject: The key that the error is about.
  ///   - underlyingError: The error that a migration of the app threw.
  public init(_ code: Code, _ subject: Subject, underlyingError: (any Error)? = nil) {
    (self.code, self.subject, self.underlyingError) = (code, subject, underlyingError)
  }

  public static func == (one: StorageError, other: StorageError) -> Bool {
    one.code == other.code && one.subject == other.subject
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(subject)
  }

  /// The problem that an error is about. Each problem that the app can react to has its own code.
  public enum Code: Sendable, Hashable {
    /// Nothing is stored, and the key has neither a default nor an optional value.
    case notFound
    /// Catalogs are registered, and the key is in none of them. Or the database of a record is in no registered catalog. Or a
    /// database of records exists, and no registered catalog has one, so that the keys in the database cannot be checked.
    case unregistered
    /// A key of this name and container is registered with another type, serializer, security or domain.
    case differsFromRegistration
    /// The key is only a source of migrations.
    case legacyKey
    /// The value cannot be read or written without waiting, for this reason.
    case needsWaiting(WaitingReason)
    /// The value is in another store than the other values of the transaction, its store cannot change several values together,
    /// or the closure of the transaction has returned.
    case cannotJoinTransaction
    /// The key's availability excludes this platform.
    case notAvailableOnPlatform
    /// The identifier of the app group is malformed.
    case invalidAppGroupIdentifier
    /// The key is stored in an app group, and neither the key nor the configuration names one.
    case appGroupNotConfigured
    /// The system gives the app no container for the app group, because the app's entitlements do not list the group.
    case appGroupNotEntitled
    /// A stored name, suite or directory is not valid.
    case invalidName
    /// A catalog or a key has a problem, and cannot be registered or used.
    case invalidCatalog(CatalogProblem)
    /// A value is stored for the key, and the caller does not allow to replace it. Or another record has the same key, or the
    /// same value in a unique field.
    case alreadyStored
    /// A record refers to a record that does not exist.
    case missingReference
    /// Other records refer to the record, so it cannot be deleted.
    case stillReferenced
    /// The configuration differs from the one that values were stored with, or was set after the first use.
    case configurationConflict
    /// The app's default keychain access group differs from the recorded one, in which values are stored.
    case accessGroupChanged(recorded: String, current: String)
    /// The value cannot be serialized.
    case cannotEncode
    /// The stored bytes are complete, and are not a value of this type.
    case cannotDecode
    /// The serialized value, or the stored one, has more bytes than the key allows, or than the system stores. The limit is
    /// `nil` if the system does not say it.
    case valueTooLarge(limit: Int?)
    /// The condition of a query has more than 500 comparisons, 20 levels or 30,000 values.
    case queryTooLarge
    /// A query in SQL cannot be run, for this reason. The text is SQLite's. It may quote the statement, and contains no value of a
    /// row and no parameter.
    case invalidQuery(String)
    /// The serialized value has more bytes than may be sent.
    case tooLargeToSync(limit: Int)
    /// No paired device can be reached now, or the key takes no part in sync.
    case syncUnavailable
    /// The device or the keychain is locked. Try again once it is unlocked.
    case locked
    /// The folder that contains the values cannot be reached: a symbolic link on its path leads nowhere, for example to a
    /// volume that is not mounted, or the file ``StorageRoots/marker`` does not exist. The values are not absent.
    case folderUnavailable
    /// The system refuses access: permissions, a read-only volume, a failed authentication.
    case accessDenied
    /// The process has no entitlement for the keychain, or none for the key's access group.
    case missingEntitlement
    /// The system no longer gives the stored item out, because the enrolled fingers or faces changed after it was stored.
    /// `set` and `remove` still work.
    case invalidated
    /// The user cancelled the authentication.
    case userCancelled
    /// A key pair must be in the Secure Enclave, and the device has none.
    case secureEnclaveUnavailable
    /// The call waited for other calls or another process until its ``StorageConfiguration/timeout``. Try again.
    case busy
    /// A closure that runs within a call, for example that of `update`, has called a function that changes the same store. It
    /// would wait for the call that it is a part of.
    case reentrantCall
    /// The process was forked after it had opened the store on Linux. A forked process uses storage that it opens itself, or
    /// starts another program.
    case forkedProcess
    /// No space is left. The stored value has not changed.
    case outOfSpace
    /// The preferences of the app, the suite or the app group would become larger than UserDefaults stores: 3.5 MiB, and 896
    /// KiB on watchOS. The stored values have not changed.
    case preferencesFull
    /// A call of the system failed with this `errno`, or Keychain Services answered with this negative status.
    case io(Operation, errno: Int32)
    /// The stored bytes of the value are damaged, or another release stored them with another security than the key declares,
    /// for example encrypted, before the update of the app was undone.
    case corrupted
    /// The library's record of the configured locations is damaged. The values are not damaged.
    case recordDamaged
    /// The file of a value that was moved aside is damaged, so that its key is not known. It cannot be restored.
    case quarantinedFileDamaged
    /// The stored bytes are no value of the key, and cannot be moved aside, because 256 values were moved aside already.
    case quarantineFull
    /// The database that contains the value cannot be opened: it is damaged, empty, or of another program.
    case databaseDamaged
    /// A database of this domain cannot be opened: it is damaged, empty, or of another program. The domain may differ from the
    /// key's domain. The database must be read before a master key is created, replaced or abandoned, because it may contain
    /// encrypted values (Linux).
    case containerDamaged(StorageDomain)
    /// The key file of the keystore has a wrong length, its credential is too short or too long, or the record of the master
    /// key is damaged.
    case keyMaterialDamaged
    /// Other users can read or replace the key file of the keystore (Linux). The library does not use such a key.
    case keyMaterialExposed
    /// A retired master key cannot be destroyed: a stored value needs it, or a rotation is unfinished.
    case retiredKeyInUse
    /// Two folders of the configuration contain the same files.
    case overlappingRoots
    /// The standard folder of data does not exist, and another one contains values of the app: `HOME` or `XDG_DATA_HOME` has
    /// changed since the values were stored (Linux).
    case locationChanged(from: String)
    /// The configured source of the key that encrypts the keystore's root key differs from the recorded source (Linux).
    case rootKeySourceConflict(recorded: String)
    /// The configured source returned a key that did not encrypt the keystore's root key, for example because of a wrong
    /// passphrase (Linux).
    case wrongRootKey
    /// The stored bytes cannot be decrypted: they were encrypted with another key, or have been changed.
    case authenticationFailed
    /// The key that encrypted the value does not exist.
    case keyMaterialMissing
    /// No provider is registered for the external source that the key names.
    case noKeyMaterialProvider(KeyMaterialSource)
    /// The provider of the external source threw an error. The error is not passed on, because it may quote key bytes.
    case keyMaterialProviderFailed(KeyMaterialSource)
    /// The provider of the external source returned no bytes, or fewer than the key derivation needs.
    case keyMaterialTooShort(KeyMaterialSource)
    /// The stored bytes have a format that this version does not know. Or a newer release has moved the database.
    case unknownFormatVersion
    /// The stored value was written by a newer version of the app. Or a newer version has retired a field of a record.
    case newerSchema
    /// The stored value is complete, and contains a case of an enum that this version of the app does not have. A later version
    /// has stored it, before the update of the app was undone. The value stays as it is, whatever `onCorruption` says.
    case newerValue
    /// A migration, or the upgrade from an earlier schema, failed. The stored value has not changed. Or there are files of a
    /// database at its present address and at one of an earlier release, and both have rows. If a migration threw an error,
    /// ``StorageError/underlyingError`` is that error.
    case migrationFailed
  }

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
    public var container: String? { place?.words }
    /// The container of the value. Its text is made when it is asked for, because most subjects end in no error.
    package var place: StorageContainer?
    /// A Boolean value that indicates whether the error is about a field of a record.
    package var isField = false

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
