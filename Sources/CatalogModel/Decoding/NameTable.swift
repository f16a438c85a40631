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
/// Ten thousand keys ask a hundred thousand times, so a name is compared only with those of its length.
struct NameTable<Name: CaseName>: Sendable {
  private struct Entry: Sendable {
    var text: String
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
      buckets[text.utf8.count].append(Entry(text: text, name: name))
    }
    self.buckets = buckets
  }

  func find(_ text: String) -> Name? {
    let length = text.utf8.count
    guard length < buckets.count else { return nil }
    for entry in buckets[length] where entry.text == text { return entry.name }
    return nil
  }

  /// `; did you mean 'x'?`, or nothing.
  func suggestion(for text: String) -> String {
    Spelling.suggestion(for: text, among: texts)
  }
}
