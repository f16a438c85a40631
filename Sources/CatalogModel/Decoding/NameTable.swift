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

/// The positions of names in a list.
///
/// Ten thousand keys ask a hundred thousand times. A name is therefore compared only with those of its length, and as
/// the bytes that it is in the source.
struct NameIndex: Sendable {
  private struct Entry: Sendable {
    var bytes: [UInt8]
    var position: Int
  }

  private var buckets: [[Entry]] = []

  init(_ names: [String]) {
    for (position, name) in names.enumerated() {
      while buckets.count <= name.utf8.count { buckets.append([]) }
      buckets[name.utf8.count].append(Entry(bytes: Array(name.utf8), position: position))
    }
  }

  func find(_ node: SyntaxNode) -> Int? { node.withText { find($0) } }

  func find(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { find($0) }
  }

  private func find(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count < buckets.count else { return nil }
    for entry in buckets[text.count] where text.elementsEqual(entry.bytes) { return entry.position }
    return nil
  }
}
