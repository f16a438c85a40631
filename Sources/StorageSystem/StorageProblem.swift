public import StorageVocabulary

/// A problem of a store, a cipher or a call, without the key that it concerns: a code, and details of some codes.
///
/// "Cannot be read now" is never reported as "absent", and absence is no problem of a store.
public struct StorageProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The details of a problem. Only some codes have any.
  package enum Detail: Hashable, Sendable {
    case none
    case limit(Int)
    case errno(Int32)
    /// The text of SQLite, or the raw value of a reason.
    case text(String)
    /// What was recorded, and what differs from it now.
    case change(recorded: String, current: String?)
    case domain(StorageDomain)
    case source(KeyMaterialSource)
    /// The field of a record, which the subject of an error names.
    case field(String)
    /// The database of records is in no registered catalog.
    case recordDatabase
  }

  /// The code of the problem.
  public let code: Code
  package let detail: Detail

  package init(_ code: Code, _ detail: Detail = .none) {
    self.code = code
    self.detail = detail
  }

  /// The name of the code, for example `busy`. Details are not quoted.
  public var description: String { code.description }

  /// The most bytes that a value may have, if the problem is ``Code/valueTooLarge`` or ``Code/tooLargeToSync``, and the limit is
  /// known.
  package var limit: Int? { if case .limit(let limit) = detail { limit } else { nil } }
  package var errno: Int32? { if case .errno(let errno) = detail { errno } else { nil } }
  package var text: String? { if case .text(let text) = detail { text } else { nil } }
  package var recorded: String? { if case .change(let recorded, _) = detail { recorded } else { nil } }
  package var current: String? { if case .change(_, let current) = detail { current } else { nil } }
  package var domain: StorageDomain? { if case .domain(let domain) = detail { domain } else { nil } }
  package var source: KeyMaterialSource? { if case .source(let source) = detail { source } else { nil } }
  package var field: String? { if case .field(let field) = detail { field } else { nil } }
}

/// The problems, each with the code of its name. ``StorageProblem/Code`` describes them.
extension StorageProblem {
  public static let notFound = Self(.notFound)
  public static let unregistered = Self(.unregistered)
  public static let differsFromRegistration = Self(.differsFromRegistration)
  public static let legacyKey = Self(.legacyKey)
  public static let cannotJoinTransaction = Self(.cannotJoinTransaction)
  public static let notAvailableOnPlatform = Self(.notAvailableOnPlatform)
  public static let invalidAppGroupIdentifier = Self(.invalidAppGroupIdentifier)
  public static let appGroupNotConfigured = Self(.appGroupNotConfigured)
  public static let appGroupNotEntitled = Self(.appGroupNotEntitled)
  public static let invalidName = Self(.invalidName)
  public static let alreadyStored = Self(.alreadyStored)
  public static let missingReference = Self(.missingReference)
  public static let stillReferenced = Self(.stillReferenced)
  public static let configurationConflict = Self(.configurationConflict)
  public static let cannotEncode = Self(.cannotEncode)
  public static let cannotDecode = Self(.cannotDecode)
  public static let queryTooLarge = Self(.queryTooLarge)
  public static let syncUnavailable = Self(.syncUnavailable)
  public static let locked = Self(.locked)
  public static let folderUnavailable = Self(.folderUnavailable)
  public static let accessDenied = Self(.accessDenied)
  public static let missingEntitlement = Self(.missingEntitlement)
  public static let invalidated = Self(.invalidated)
  public static let userCancelled = Self(.userCancelled)
  public static let secureEnclaveUnavailable = Self(.secureEnclaveUnavailable)
  public static let busy = Self(.busy)
  public static let reentrantCall = Self(.reentrantCall)
  public static let forkedProcess = Self(.forkedProcess)
  public static let outOfSpace = Self(.outOfSpace)
  public static let preferencesFull = Self(.preferencesFull)
  public static let corrupted = Self(.corrupted)
  public static let locationsDamaged = Self(.locationsDamaged)
  public static let quarantinedFileDamaged = Self(.quarantinedFileDamaged)
  public static let quarantineFull = Self(.quarantineFull)
  public static let databaseDamaged = Self(.databaseDamaged)
  public static let keyMaterialDamaged = Self(.keyMaterialDamaged)
  public static let keyMaterialExposed = Self(.keyMaterialExposed)
  public static let retiredKeyInUse = Self(.retiredKeyInUse)
  public static let overlappingRoots = Self(.overlappingRoots)
  public static let wrongRootKey = Self(.wrongRootKey)
  public static let authenticationFailed = Self(.authenticationFailed)
  public static let keyMaterialMissing = Self(.keyMaterialMissing)
  public static let unknownFormatVersion = Self(.unknownFormatVersion)
  public static let newerSchema = Self(.newerSchema)
  public static let newerValue = Self(.newerValue)
  public static let migrationFailed = Self(.migrationFailed)

  /// A problem with the code ``Code/valueTooLarge``. The limit is `nil` if the system does not say it.
  public static func valueTooLarge(limit: Int?) -> Self { Self(.valueTooLarge, limit.map { .limit($0) } ?? .none) }
  /// A problem with the code ``Code/tooLargeToSync``.
  public static func tooLargeToSync(limit: Int) -> Self { Self(.tooLargeToSync, .limit(limit)) }
  /// A problem with the code ``Code/io``.
  public static func io(errno: Int32) -> Self { Self(.io, .errno(errno)) }
  /// A problem with the code ``Code/invalidQuery``. The text is SQLite's, without what it quotes from rows.
  public static func invalidQuery(_ text: String) -> Self { Self(.invalidQuery, .text(text)) }
  /// A problem with the code ``Code/accessGroupChanged``.
  public static func accessGroupChanged(recorded: String, current: String) -> Self {
    Self(.accessGroupChanged, .change(recorded: recorded, current: current))
  }
  /// A problem with the code ``Code/locationChanged``.
  public static func locationChanged(from folder: String) -> Self {
    Self(.locationChanged, .change(recorded: folder, current: nil))
  }
  /// A problem with the code ``Code/rootKeySourceConflict``.
  public static func rootKeySourceConflict(recorded: String) -> Self {
    Self(.rootKeySourceConflict, .change(recorded: recorded, current: nil))
  }
  /// A problem with the code ``Code/containerDamaged``.
  public static func containerDamaged(_ domain: StorageDomain) -> Self { Self(.containerDamaged, .domain(domain)) }
  /// A problem with the code ``Code/noKeyMaterialProvider``.
  public static func noKeyMaterialProvider(_ source: KeyMaterialSource) -> Self {
    Self(.noKeyMaterialProvider, .source(source))
  }
  /// A problem with the code ``Code/keyMaterialProviderFailed``.
  public static func keyMaterialProviderFailed(_ source: KeyMaterialSource) -> Self {
    Self(.keyMaterialProviderFailed, .source(source))
  }
  /// A problem with the code ``Code/keyMaterialTooShort``.
  public static func keyMaterialTooShort(_ source: KeyMaterialSource) -> Self {
    Self(.keyMaterialTooShort, .source(source))
  }

  /// A row has the value already. The column is the name in the file.
  package static func alreadyStored(column: String?) -> Self {
    Self(.alreadyStored, column.map { .field($0) } ?? .none)
  }
  /// A test refuses queries that read every row. The fields are those that have no index.
  package static func refusedScan(fields: String) -> Self { Self(.accessDenied, .field(fields)) }
  /// No registered catalog has a database of records, so that the keys in the databases cannot be read.
  package static let noRecordDatabase = Self(.unregistered, .recordDatabase)
}

extension StorageProblem {
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
