package import LocalDataStores
public import LocalDataVocabulary

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
  /// The problem, with its details.
  package let problem: StorageProblem
  /// The key and the container that the error is about.
  public var subject: Subject
  /// The error that a migration of the app threw, if ``code-swift.property`` is ``StorageProblem/Code/migrationFailed``.
  /// Otherwise `nil`.
  ///
  /// It may quote a value. Do not log it without a look at its type. It is no part of the description, and errors that differ
  /// only in it are equal.
  public let underlyingError: (any Error)?

  /// The operation during which a call of the system failed, if ``code-swift.property`` is ``StorageProblem/Code/io``. Otherwise
  /// `nil`.
  public let operation: Operation?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - problem: The problem, for example `.locked` or `.valueTooLarge(limit: 100)`.
  ///   - subject: The key that the error is about.
  ///   - operation: The operation during which a call of the system failed.
  ///   - underlyingError: The error that a migration of the app threw.
  public init(
    _ problem: StorageProblem, _ subject: Subject, _ operation: Operation = .read, underlyingError: (any Error)? = nil
  ) {
    self.problem = problem.withoutField
    self.subject = subject
    self.operation = problem.code == .io ? operation : nil
    self.underlyingError = underlyingError
  }

  public static func == (one: StorageError, other: StorageError) -> Bool {
    one.problem == other.problem && one.subject == other.subject && one.operation == other.operation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(problem)
    hasher.combine(subject)
  }

  /// The problem that an error is about.
  public typealias Code = StorageProblem.Code

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
    /// Keeping the history of synced values, or exchanging them with the paired device.
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
    /// The number of PBKDF2 iterations is not in `KeyDerivation.iterations`. Or the app is built for Linux without the package
    /// trait `Passphrases`, so that it has no PBKDF2.
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

extension StorageError {
  /// The code of the problem.
  public var code: Code { problem.code }
  /// The most bytes that the value may have, if the problem is ``StorageProblem/Code/valueTooLarge`` or
  /// ``StorageProblem/Code/tooLargeToSync``. `nil` if the system does not say it.
  public var limit: Int? { problem.limit }
  /// The `errno` of a failed call of the system, or the negative status of Keychain Services, if the problem is
  /// ``StorageProblem/Code/io``.
  public var errno: Int32? { problem.errno }
  /// The reason, if the problem is ``StorageProblem/Code/needsWaiting``.
  public var waitingReason: WaitingReason? { code == .needsWaiting ? problem.text.flatMap(WaitingReason.init) : nil }
  /// The problem of the catalog, if the problem is ``StorageProblem/Code/invalidCatalog``.
  public var catalogProblem: CatalogProblem? {
    code == .invalidCatalog ? problem.text.flatMap(CatalogProblem.init(rawValue:)) : nil
  }
  /// The text of SQLite, if the problem is ``StorageProblem/Code/invalidQuery``. It may quote the statement, and contains no value
  /// of a row and no parameter.
  public var queryProblem: String? { code == .invalidQuery ? problem.text : nil }
  /// The values that `valid` allows, for example `range 1...10`, if the problem is ``StorageProblem/Code/invalidValue``.
  public var validValues: String? { code == .invalidValue ? problem.text : nil }
  /// The recorded access group, source or folder, if the problem is ``StorageProblem/Code/accessGroupChanged``,
  /// ``StorageProblem/Code/rootKeySourceConflict`` or ``StorageProblem/Code/locationChanged``.
  public var recorded: String? { problem.recorded }
  /// The default access group of the app, if the problem is ``StorageProblem/Code/accessGroupChanged``.
  public var current: String? { problem.current }
  /// The domain of the database, if the problem is ``StorageProblem/Code/containerDamaged``.
  public var damagedDomain: StorageDomain? { problem.domain }
  /// The external source, if the problem is ``StorageProblem/Code/noKeyMaterialProvider``,
  /// ``StorageProblem/Code/keyMaterialProviderFailed`` or ``StorageProblem/Code/keyMaterialTooShort``.
  public var keyMaterialSource: KeyMaterialSource? { problem.source }
}

extension StorageProblem {
  /// A problem with the code ``Code/needsWaiting``.
  public static func needsWaiting(_ reason: StorageError.WaitingReason) -> Self {
    Self(.needsWaiting, .text(reason.rawValue))
  }
  /// A problem with the code ``Code/invalidCatalog``.
  public static func invalidCatalog(_ problem: StorageError.CatalogProblem) -> Self {
    Self(.invalidCatalog, .text(problem.rawValue))
  }
}
