package import LocalDataFoundation
import LocalDataStores

/// The intention of a call on a key.
package enum KeyUse: Sendable {
  /// The call changes the value only if the key has a migration or a retention.
  case read
  case readOrRemove, write
}

/// A key with every configured default filled in. It is made once for each call.
package struct KeyPlan: Sendable {
  package let address: StorageAddress
  private let keyName: String?
  package let domain: StorageDomain.Kind
  package let schema: UInt32
  /// The declared name of the key whose migration reads the value; `nil` if this is not the plan of a source.
  var sourceOf: String?
  package var attributes: StorageAttributes
  package let sealing: SecurityPolicy.EncryptionPolicy?
  /// A Boolean value that indicates whether a plain value is stored with its schema and the time at which it is written.
  let recordsMetadata: Bool
  /// The time for which the value is kept; `nil` if it is kept until it is removed.
  package let retention: Retention?
  /// The action of a read on stored bytes that are no value of the key.
  var onCorruption: CorruptionPolicy
  /// The most bytes of the serialized value.
  package let maxSize: Int
  /// A Boolean value that indicates whether the key has a migration: its address may have a value of another policy.
  let hasMigration: Bool
  /// The feature that takes part in this call's change; `nil` for most keys.
  package var hook: (any ChangeHook)?

  /// The measurement of this call; `nil` if calls are not logged.
  var meter: CallMeter?

  /// The subject of the errors of this call. It is made from the other properties, because each step copies its plan.
  package var subject: StorageError.Subject {
    var subject = StorageError.Subject(key: keyName, domain: domain, sourceOf: sourceOf)
    subject.place = address.container
    return subject
  }

  /// The identity that a sealed value is bound to.
  package var identity: ValueIdentity {
    ValueIdentity(domain: domain, container: address.container, name: address.name, schema: schema)
  }

  /// The keyset that encrypts the value.
  package var keyset: KeysetID { KeysetID(of: address.container) }

  /// A Boolean value that indicates whether the value is stored in the keychain or encrypted. Its removal leaves no copy.
  package var isSecured: Bool { sealing != nil || domain == .keychain }

  /// A Boolean value that indicates whether the value is one of the preferences, plain or encrypted, with or without a
  /// retention.
  package var isPreference: Bool { domain.isPreferences }
  /// A Boolean value that indicates whether a write waits for no file, as a rule: neither for the value's own, nor for one with
  /// keys. See also ``KeyedValue/note``.
  var isWrittenAtOnce: Bool { isPreference && sealing == nil }

  /// A copy whose writes get no version, because they must not be sent to the paired device.
  package var unversioned: KeyPlan {
    var plan = self
    plan.hook = nil
    return plan
  }

  /// A copy whose writes are those of a migration of the key, of which the paired device must see no change.
  func migrating(_ write: MigrationWrite = .earlierValue(from: [])) -> KeyPlan {
    var plan = self
    plan.hook = hook?.inMigration(write)
    return plan
  }

  /// The most bytes that an envelope adds to a value, with room to grow.
  private static let envelopeAllowance = 1 << 10

  /// - Parameter defaultAccessGroup: The app's default keychain access group, or `nil` if it is not known.
  init(
    _ key: AnyStorageKey, _ configuration: StorageConfiguration, defaultAccessGroup: String? = nil
  ) throws(StorageError) {
    address = try StorageAddress(of: key, configuration, defaultAccessGroup: defaultAccessGroup)
    keyName = key.declaredName
    domain = key.domain.kind
    schema = key.schema
    hasMigration = key.migration != nil
    maxSize = min(max(key.options.maxSize ?? key.domain.kind.defaultMaxSize, 0), Self.largestSize)
    retention = key.options.retention
    onCorruption = key.options.onCorruption
    recordsMetadata = key.options.retention != nil || key.schema > 1

    var attributes = StorageAttributes(
      isCompletelyProtected: key.domain.kind == .encryptedFileSystem, isBackedUp: key.options.isBackedUp,
      maxStoredSize: maxSize + Self.envelopeAllowance)
    attributes.fileProtection = key.options.protection
    switch key.security {
    case .none:
      sealing = nil
      attributes.isPropertyListValue = key.serializer.isPropertyList && !recordsMetadata
      attributes.mayBePropertyListValue = key.serializer.isPropertyList || key.coding.readsPropertyLists
      attributes.readsOtherObjects = onCorruption.hasResult
    case .keychain(let accessibility, let accessControl):
      sealing = nil
      attributes.accessibility = accessibility
      attributes.accessControl = accessControl
    case .encrypted(let policy):
      sealing = policy
    }
    self.attributes = attributes
  }

  /// The most that a key can allow: short of 2 GiB, so that what is added to it fits an `Int` of 32 bits, and more than
  /// any store takes (SQLite 1,000,000,000 bytes).
  private static let largestSize = Int(Int32.max) - (1 << 20)
}

/// Errors that name the key.
extension KeyPlan {
  /// Returns the error of the key for a fault.
  package func error(_ fault: StorageProblem, _ operation: StorageError.Operation = .read) -> StorageError {
    StorageError(fault, subject, operation)
  }

  /// Runs `body`, whose faults are errors of the key.
  package func naming<Result>(
    _ operation: StorageError.Operation = .read, _ body: () throws(StorageProblem) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageProblem) { return try body() } catch { throw self.error(error, operation) }
  }
}

extension StorageAddress {
  /// The most bytes of a stored name: 200 characters in the catalog, and some thousand escaped ones for a family's parameters.
  private static let longestName = 16 << 10

  /// Creates the address of a key.
  ///
  /// - Parameter defaultAccessGroup: The app's default keychain access group, or `nil` if it is not known.
  /// - Throws: ``StorageProblem/Code/invalidName`` for a name that is too long, or empty outside the keychain, and
  ///   ``StorageProblem/Code/appGroupNotConfigured`` or ``StorageProblem/Code/invalidAppGroupIdentifier`` for the app group.
  init(
    of key: AnyStorageKey, _ configuration: borrowing StorageConfiguration, defaultAccessGroup: String?
  ) throws(StorageError) {
    let container: StorageContainer
    do throws(StorageProblem) {
      container = try StorageContainer(key.domain, configuration, defaultAccessGroup: defaultAccessGroup)
    } catch {
      throw StorageError(error, key.subject)
    }
    let isEmptyAllowed = container.store == .keychain
    guard ((isEmptyAllowed ? 0 : 1)...Self.longestName).contains(key.name.utf8.count) else {
      throw StorageError(.invalidName, key.subject)
    }
    self.init(container: container, name: key.name)
  }
}

/// Converts serialized bytes to stored bytes, and back.
extension KeyPlan {
  /// Returns the bytes to store: sealed if there is a sealer, otherwise plain.
  package func secured(_ bytes: Data, _ sealer: Sealer?, at time: Date) throws(StorageProblem) -> Data {
    guard bytes.count <= maxSize else { throw .valueTooLarge(limit: maxSize) }
    let metadata = EnvelopeMetadata(schema: schema, writtenAt: time)
    guard let sealer else { return PlainEnvelope.wrapPlain(bytes, metadata: recordsMetadata ? metadata : nil) }
    return try sealer.seal(bytes, metadata: metadata, identity: identity)
  }

  /// Returns the serialized bytes of stored ones, of the key's schema or an earlier one.
  package func opened(_ stored: Data, _ opener: Opener?) throws(StorageProblem) -> OpenedValue {
    let (bytes, metadata): (Data, EnvelopeMetadata?) =
      if let opener { try opener.open(stored, identity: identity) } else { try PlainEnvelope.unwrapPlain(stored) }
    // Bytes without an envelope were stored before the key had a schema.
    let opened = OpenedValue(bytes: bytes, schema: metadata?.schema ?? 1)
    guard opened.schema <= schema else { throw .newerSchema }
    guard bytes.count <= maxSize else { throw .valueTooLarge(limit: maxSize) }
    return opened
  }
}
