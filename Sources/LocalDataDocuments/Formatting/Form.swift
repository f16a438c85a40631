import LocalDataModel
package import LocalDataSyntax

/// The kind of a map in a catalog, which decides the order of its fields.
///
/// Forms follow the shapes of the language: the value of a field has the shape that the table gives it.
struct Form {
  static let file = Form(shape: .record(Language.fileEntries))

  /// nil for maps whose names are chosen by the author, and for values without fields.
  private let shape: Shape?

  /// Returns the place of a field among its neighbours. Fields that the language does not know come last.
  func rank(of name: String, at index: Int) -> Int {
    switch shape {
    case .record(let entries)?: entries.firstIndex { $0.name == name } ?? entries.count
    default: index
    }
  }

  /// Returns the form of a field's value.
  func form(of name: String, _ value: SyntaxNode) -> Form {
    switch shape {
    case .record(let entries)?: Form(shape: entries.first { $0.name == name }?.shape.matching(value))
    case .map(let inner)?: Form(shape: inner.matching(value))
    case .choice(let alternatives)?: Form(shape: alternatives.first { $0.name == name }?.shape?.matching(value))
    default: Form(shape: nil)
    }
  }

  /// Returns the form of an element of a list.
  func form(of element: SyntaxNode) -> Form {
    guard case .list(let inner)? = shape else { return Form(shape: nil) }
    let records = inner.records
    return Form(shape: records.first { $0.hasFields(of: element) } ?? records.first)
  }
}

extension Shape {
  /// The part of the shape that a value has: a list, or a map.
  fileprivate func matching(_ value: SyntaxNode) -> Shape? {
    switch self {
    case .either(let shapes):
      return shapes.lazy.compactMap { $0.matching(value) }.first { shape in
        switch (shape, value.kind) {
        case (.record, .mapping), (.map, .mapping), (.choice, .mapping), (.list, .sequence): true
        default: false
        }
      }
    case .configured(let shape): return shape.matching(value)
    default: return self
    }
  }

  /// The maps that an element of a list can be.
  fileprivate var records: [Shape] {
    switch self {
    case .record, .choice: [self]
    case .either(let shapes): shapes.flatMap(\.records)
    default: []
    }
  }

  /// Returns true if a map has no fields that the shape does not know.
  fileprivate func hasFields(of node: SyntaxNode) -> Bool {
    guard case .record(let entries) = self, node.kind == .mapping else { return false }
    return node.fields.allSatisfy { field in entries.contains { $0.name == field.key.text } }
  }
}

extension Shape.Alternative {
  /// The shape of what follows the name of the case.
  fileprivate var shape: Shape? {
    switch payload {
    case .none: nil
    case .fields(let entries, _): .record(entries)
    case .value(let shape, _): shape
    }
  }
}

extension SyntaxNode {
  /// Returns true if two nodes say the same, whatever the order of their fields, their spacing and their comments.
  package func means(_ other: SyntaxNode) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .scalar: return text == other.text && isPlain == other.isPlain
    case .sequence:
      let left = Array(children)
      let right = Array(other.children)
      return left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
    case .mapping:
      let left = Array(fields)
      let right = Array(other.fields)
      guard left.count == right.count else { return false }
      let byName = Dictionary(right.map { ($0.key.text, $0.value) }, uniquingKeysWith: { first, _ in first })
      return left.allSatisfy { field in byName[field.key.text].map { field.value.means($0) } ?? false }
    }
  }
}
