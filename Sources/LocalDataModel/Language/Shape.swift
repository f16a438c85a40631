import LocalDataSyntax
import LocalDataVocabulary

/// The shape of a field's value. Messages, the schema for editors, the reference and `explain` describe a field by its
/// shape.
package indirect enum Shape: Sendable {
  /// Free text.
  case text
  /// `true` or `false`.
  case flag
  /// A whole number within bounds.
  case integer(ClosedRange<Int>)
  /// A whole number and a unit: `30d`.
  case duration
  /// The least and the greatest number: `1...10`, `1...`, `...10`.
  case bounds
  /// A date of the calendar: `2027-01-31`.
  case date
  /// A comparison with a version: `<2.0.0`.
  case versionCondition
  /// One of these words.
  case word([String])
  /// A stored name, which may contain the parameters of a family between braces.
  case storedName
  /// The name of something that is declared in Swift by the generator.
  case identifier
  /// A dotted path in Swift.
  case swiftName
  /// The type of a value.
  case type
  /// A value of the key's type.
  case literal
  /// `null`, which means the configured value, or the shape.
  case configured(or: Shape)
  case list(of: Shape)
  /// A map whose keys are chosen by the author of the catalog.
  case map(of: Shape)
  /// A map with known fields.
  case record([FieldEntry])
  /// The name of a case, or a map of one case.
  case choice([Alternative])
  /// One of several shapes.
  case either([Shape])

  /// A case of a choice.
  package struct Alternative: Sendable {
    package var name: String
    package var summary: String
    package var payload: Payload

    package enum Payload: Sendable {
      case none
      case fields([FieldEntry], isRequired: Bool)
      case value(Shape, isRequired: Bool)
    }
  }
}

/// The description of one field of the language.
package final class FieldEntry: Sendable {
  package enum Presence: Sendable, Equatable {
    case required
    /// The field can be left out. The text says what then holds.
    case optional(String)
  }

  package let name: String
  /// The value in words, for messages: `a sync policy`.
  package let what: String
  package let shape: Shape
  package let presence: Presence
  /// A Boolean value that indicates whether `defaults` may write the field for every key of its file.
  package let isInheritable: Bool
  /// A Boolean value that indicates whether `none` takes back what `defaults` says.
  package let canBeUnset: Bool
  /// One sentence that says what the field is for.
  package let summary: String
  /// A value, as a catalog writes it.
  package let example: String

  init(
    name: String, what: String, shape: Shape, presence: Presence, isInheritable: Bool, canBeUnset: Bool,
    summary: String, example: String
  ) {
    self.name = name
    self.what = what
    self.shape = shape
    self.presence = presence
    self.isInheritable = isInheritable
    self.canBeUnset = canBeUnset
    self.summary = summary
    self.example = example
  }

  /// The field with its example: `maxSize: 4096`.
  package var written: String { "\(name): \(example)" }
}

/// The shape of a value that needs nothing but its node: its description, its words in messages, and its decoder.
struct ValueShape<Value>: Sendable {
  /// The value in words: `a sync policy`.
  let what: String
  let shape: Shape
  let decode: @Sendable (SyntaxNode, FieldEntry, inout DecodingContext) -> Value?
}

extension ValueShape where Value == Bool {
  static var flag: Self {
    Self(what: "true or false", shape: .flag) { node, entry, context in context.flag(node, entry.name) }
  }
}

extension ValueShape where Value == Int {
  /// A whole number within bounds, written in decimal digits.
  static func integer(_ what: String, _ bounds: ClosedRange<Int>) -> Self {
    Self(what: what, shape: .integer(bounds)) { node, entry, context in
      guard let text = context.scalar(node, what, example: entry.written) else { return nil }
      if let number = Int(text), bounds.contains(number), text.utf8.allSatisfy(Identifier.isDigit) { return number }
      let isOpen = bounds.upperBound == .max
      let meant = NumberText.meant(by: text).flatMap { bounds.contains($0) ? $0 : nil }
      let range = "from \(bounds.lowerBound) to \(bounds.upperBound)"
      context.findings.report(
        .invalidNumber, "'\(text)' is not \(what)" + (isOpen ? "" : " \(range)"), at: node,
        help: "write a whole number\(isOpen ? ", \(bounds.lowerBound) or more" : " \(range)"): "
          + "`\(meant.map { "\(entry.name): \($0)" } ?? entry.written)`")
      return nil
    }
  }
}

extension ValueShape where Value: CaseName {
  /// One of the cases of an enum.
  static func word(_ what: String, _ rule: Rule = .unknownCase) -> Self {
    Self(what: what, shape: .word(Value.names.texts)) { node, entry, context in
      context.name(node, what, rule, example: entry.written)
    }
  }
}

extension ValueShape where Value == SwiftName {
  /// A dotted path in Swift.
  static func swiftName(_ what: String) -> Self {
    Self(what: what, shape: .swiftName) { node, entry, context in
      context.swiftName(node, what, example: entry.written)
    }
  }
}

extension ValueShape where Value == String {
  /// Text that a comment must not cut short.
  static func prose(_ what: String) -> Self {
    Self(what: what, shape: .text) { node, entry, context in context.prose(node, what, example: entry.written) }
  }

  /// Text that is a name somewhere else.
  static func text(_ what: String) -> Self {
    Self(what: what, shape: .text) { node, entry, context in context.scalar(node, what, example: entry.written) }
  }
}

extension ValueShape {
  /// A list of one word or more, each once.
  static func words<Word: CaseName>(_ what: String, of element: ValueShape<Word>) -> Self where Value == [Word] {
    Self(what: what, shape: .list(of: element.shape)) { node, entry, context in
      guard context.sequence(node, what, example: entry.written) else { return nil }
      var result: [Word] = []
      var isSound = true
      for child in node.children {
        guard let word = element.decode(child, entry, &context) else {
          isSound = false
          continue
        }
        if result.contains(word) {
          context.findings.report(
            .duplicateEntry, "'\(word.text)' is listed twice", at: child, help: "remove one of the two")
          isSound = false
        }
        result.append(word)
      }
      return isSound ? result : nil
    }
  }

  /// A map with the fields of a table, whose draft becomes the value.
  static func record<Draft: Sendable>(
    _ table: FieldTable<Draft>, _ blank: Draft,
    _ finish: @escaping @Sendable (Draft, SyntaxNode, inout DecodingContext) -> Value?
  ) -> Self {
    Self(what: table.what, shape: table.shape) { node, _, context in
      table.record(node, blank, &context).flatMap { finish($0, node, &context) }
    }
  }
}
