import LocalDataSyntax
import LocalDataVocabulary

/// An enum whose cases a catalog names.
protocol CaseName: CaseIterable, Hashable, Sendable {
  /// The case as a catalog writes it.
  var text: String { get }
  /// The table in which its cases are looked up.
  static var names: NameTable<Self> { get }
}

extension CaseName where Self: RawRepresentable<String> {
  var text: String { rawValue }
}

/// The cases of an enum by their names.
struct NameTable<Name: CaseName>: Sendable {
  private let cases: [Name]
  private let index: NameIndex
  /// All names in their order.
  let texts: [String]

  init() {
    cases = Array(Name.allCases)
    texts = cases.map(\.text)
    index = NameIndex(texts)
  }

  /// All names in their order, for a help line.
  var listing: String { texts.listing }

  /// Returns the case that the text of a scalar names.
  func find(_ node: SyntaxNode) -> Name? { index.find(node).map { cases[$0] } }

  func find(_ text: String) -> Name? { index.find(text).map { cases[$0] } }
}

// The vocabulary's own lists of cases, made searchable: no name of a case is written here again.

extension StorageDomain.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension FileDirectory.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension SecurityPolicy.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension EncryptionAlgorithm: CaseName {
  static let names = NameTable<Self>()
}

extension KeyDerivation.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension KeySource.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension KeychainAccessibility: CaseName {
  static let names = NameTable<Self>()
}

extension KeychainAccessControl: CaseName {
  static let names = NameTable<Self>()
}

extension SyncTransfer: CaseName {
  static let names = NameTable<Self>()
}

extension SerializerKind.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension PlatformAvailability: CaseName {
  static let names = NameTable<Self>()
}

extension SyncPolicy: CaseName {
  static let names = NameTable<Self>()
}

extension Sensitivity: CaseName {
  static let names = NameTable<Self>()
}

extension Retention.Kind: CaseName {
  static let names = NameTable<Self>()
}

extension Retention.End: CaseName {
  static let names = NameTable<Self>()
}

extension CorruptionPolicy: CaseName {
  static let names = NameTable<Self>()
}

extension StorageReservedName.Cleanup: CaseName {
  static let names = NameTable<Self>()
}

extension AccessLevel: CaseName {
  static let names = NameTable<Self>()
}

extension ScalarType: CaseName {
  static let names = NameTable<Self>()
}

extension ResolvedMigration.OnConflict: CaseName {
  static let names = NameTable<Self>()
}

extension ResolvedPrivacy.DataType: CaseName {
  static let names = NameTable<Self>()
}

extension ResolvedPrivacy.Purpose: CaseName {
  static let names = NameTable<Self>()
}
