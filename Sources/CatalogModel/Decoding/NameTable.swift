import CatalogSyntax

/// An enum whose cases a catalog names.
protocol CaseName: CaseIterable, Hashable, Sendable {
  /// The case as a catalog writes it.
  var text: String { get }
  /// Where its cases are looked up, built once.
  static var names: NameTable<Self> { get }
}

extension CaseName where Self: RawRepresentable<String> {
  var text: String { rawValue }
}

/// The fields of one kind of map: an enum of `UInt8`, so that a set of fields is a set of bits.
protocol FieldName: CaseName, RawRepresentable<UInt8> {}

extension FieldName {
  var text: String { String(describing: self) }
}

/// The cases of an enum by their names.
///
/// Ten thousand keys ask a hundred thousand times, so a name is compared only with those of its length, and as the bytes
/// that it is in the source.
struct NameTable<Name: CaseName>: Sendable {
  private struct Entry: Sendable {
    var bytes: [UInt8]
    var name: Name
  }

  private let buckets: [[Entry]]
  /// All names in their order.
  let texts: [String]
  /// All names in their order, for a help line.
  let listing: String

  init() {
    texts = Name.allCases.map(\.text)
    listing = texts.joined(separator: ", ")
    var buckets: [[Entry]] = []
    for (name, text) in zip(Name.allCases, texts) {
      while buckets.count <= text.utf8.count { buckets.append([]) }
      buckets[text.utf8.count].append(Entry(bytes: Array(text.utf8), name: name))
    }
    self.buckets = buckets
  }

  /// The case that the text of a scalar names.
  func find(_ node: SyntaxNode) -> Name? { node.withText { find($0) } }

  func find(_ text: String) -> Name? {
    var text = text
    return text.withUTF8 { find($0) }
  }

  private func find(_ text: UnsafeBufferPointer<UInt8>) -> Name? {
    guard text.count < buckets.count else { return nil }
    for entry in buckets[text.count] where text.elementsEqual(entry.bytes) { return entry.name }
    return nil
  }

  /// `; did you mean 'x'?`, or nothing.
  func suggestion(for text: String) -> String {
    Spelling.suggestion(for: text, among: texts)
  }
}
