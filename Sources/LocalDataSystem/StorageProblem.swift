public import LocalDataVocabulary

/// A problem of a store, a cipher or a call, without the key that it concerns: a code, and details of some codes.
///
/// "Cannot be read now" is never reported as "absent", and absence is no problem of a store.
public struct StorageProblem: Error, StorageProblemName, CustomStringConvertible {
  /// The details of a problem. Only some codes have any.
  package enum Detail: Hashable, Sendable {
    case limit(Int)
    case errno(Int32)
    /// The text of SQLite, or the raw value of a reason.
    case text(String)
    /// What was recorded, and what differs from it now.
    case change(recorded: String, current: String? = nil)
    case domain(StorageDomain)
    case source(KeyMaterialSource)
    case container(ConfiguredName)
    /// The field of a record, which the subject of an error names.
    case field(String)
    /// The values that can be set, and the field of a record.
    case rule(String, field: String?)
  }

  /// The code of the problem.
  public let code: Code
  package let detail: Detail?

  package init(_ code: Code, _ detail: Detail?) {
    self.code = code
    self.detail = detail
  }

  /// Creates a problem without details.
  public init(code: Code) { self.init(code, nil) }

  /// The name of the code, for example `busy`. Details are not quoted.
  public var description: String { code.description }

  /// The most bytes that a value may have, if the problem is ``Code/valueTooLarge`` or ``Code/tooLargeToSync``, and the limit is
  /// known.
  package var limit: Int? { if case .limit(let limit) = detail { limit } else { nil } }
  package var errno: Int32? { if case .errno(let errno) = detail { errno } else { nil } }
  package var text: String? {
    switch detail {
    case .text(let text), .rule(let text, _): text
    default: nil
    }
  }
  package var recorded: String? { if case .change(let recorded, _) = detail { recorded } else { nil } }
  package var current: String? { if case .change(_, let current) = detail { current } else { nil } }
  package var domain: StorageDomain? { if case .domain(let domain) = detail { domain } else { nil } }
  package var source: KeyMaterialSource? { if case .source(let source) = detail { source } else { nil } }
  package var container: ConfiguredName? { if case .container(let name) = detail { name } else { nil } }
  package var field: String? {
    switch detail {
    case .field(let field): field
    case .rule(_, let field): field
    default: nil
    }
  }
  /// The problem without its field, which the subject of an error names.
  package var withoutField: Self {
    switch detail {
    case .field: Self(code: code)
    case .rule(let rule, _): .invalidValue(rule)
    default: self
    }
  }
}

/// The problems with details.
extension StorageProblem {
  /// A problem with the code ``Code/valueTooLarge``. The limit is `nil` if the system does not say it.
  public static func valueTooLarge(limit: Int?) -> Self { Self(.valueTooLarge, limit.map { .limit($0) }) }
  /// A problem with the code ``Code/invalidValue``. The rule is what `valid` allows, for example `range 1...10`.
  package static func invalidValue(_ rule: String) -> Self { Self(.invalidValue, .rule(rule, field: nil)) }
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
  public static func locationChanged(from folder: String) -> Self { Self(.locationChanged, .change(recorded: folder)) }
  /// A problem with the code ``Code/rootKeySourceConflict``.
  public static func rootKeySourceConflict(recorded: String) -> Self {
    Self(.rootKeySourceConflict, .change(recorded: recorded))
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

  /// The app gives no name for a container, or one of another form.
  package static func unnamedContainer(_ name: ConfiguredName) -> Self { Self(.invalidName, .container(name)) }
  /// A row has the value already. The column is the name in the file.
  package static func alreadyStored(column: String?) -> Self { Self(.alreadyStored, column.map { .field($0) }) }
  /// A field of a record has a value that `valid` does not allow.
  package static func invalidValue(_ rule: String, in field: String) -> Self {
    Self(.invalidValue, .rule(rule, field: field))
  }
  /// A test refuses queries that read every row. The fields are those that have no index.
  package static func refusedScan(fields: String) -> Self { Self(.accessDenied, .field(fields)) }
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
