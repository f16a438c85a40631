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
