import CatalogSyntax

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
