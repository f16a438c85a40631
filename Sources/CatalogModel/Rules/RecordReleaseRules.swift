package import CatalogSyntax

/// Rules that compare today's databases and records with each snapshot of a release. The checks are in CatalogComparison.
extension Rule {
  static let ofReleasedRecords: [Rule] = [
    releasedRecordRemoved, releasedFieldRemoved, releasedNumberReused, releasedFieldTypeChanged, releasedFieldRequired,
    releasedKeyChanged, releasedUniqueAdded, releasedReferenceAdded, releasedDatabaseMoved,
  ]

  package static let releasedRecordRemoved = Rule(
    "released-record-removed", .releases, "A released record is declared in the same database under its stored name.",
    why: "Its rows stay on devices, and nothing can read or remove them.", bad: nil,
    good: records("Visit:\n  name: History\n  \(fields())\n  description: One visit of the user."))

  package static let releasedFieldRemoved = Rule(
    "released-field-removed", .releases, "The number of a released field that is gone is reserved.",
    why: "Its values stay in the rows. A later field with the number would read them as its own.", bad: nil,
    good: records("Visit:\n  \(fields())\n  reserved: {numbers: [6]}\n  description: One visit of the user."))

  package static let releasedNumberReused = Rule(
    "released-number-reused", .releases, "A field does not have the number of another field of a release.",
    why: "The number finds the values in a row, and those of the other field are stored there.", bad: nil,
    good: records(
      "Visit:\n  \(fields("icon: {type: Data, number: 14}"))\n  reserved: {numbers: [6]}\n"
        + "  description: One visit of the user."))

  package static let releasedFieldTypeChanged = Rule(
    "released-field-type-changed", .releases, "A field of a release keeps its type and its encryption.",
    why: "The stored values cannot be read in another form, and the app could not open the database.", bad: nil,
    good: records(
      "Visit:\n  \(fields("length: {type: \"Double?\", number: 14}"))\n  reserved: {numbers: [5]}\n"
        + "  description: One visit of the user."))

  package static let releasedFieldRequired = Rule(
    "released-field-required", .releases, "A field that rows of a release do not have is optional or has a default.",
    why: "A row without the value cannot be read.", bad: nil,
    good: records(
      "Visit:\n  \(fields("count: {type: Int32, number: 2, default: 0}"))\n  description: One visit of the user."))

  package static let releasedKeyChanged = Rule(
    "released-key-changed", .releases, "A record has the key that it had in each release.",
    why: "Rows are stored, updated and referred to by their key, and the app could not open the database.", bad: nil,
    good: records("Visit:\n  key: id\n  \(fields())\n  description: One visit of the user."))

  package static let releasedUniqueAdded = Rule(
    "released-unique-added", .releases, "What is unique in a record was unique in each release.",
    why: "A release may have stored equal values, and the app could not open the database.", bad: nil,
    good: records("Visit:\n  \(fields("page: {type: String, number: 2}"))\n  description: One visit of the user."))

  package static let releasedReferenceAdded = Rule(
    "released-reference-added", .releases, "A field of a release keeps its reference.",
    why: "Stored values may refer to nothing, and the app could not open the database.", bad: nil,
    good: records("Visit:\n  \(fields("page: {type: String, number: 2}"))\n  description: One visit of the user."))

  package static let releasedDatabaseMoved = Rule(
    "released-database-moved", .releases, "A database has the name and the domain that it had in each release.",
    why: "The app creates an empty file at another place. The rows stay in the old one.", bad: nil,
    good: records("Visit:\n  database: main\n  \(fields())\n  description: One visit of the user."))

  /// The fields of an example.
  private static func fields(_ more: String...) -> String {
    "fields: {\((["id: {type: UUID, number: 1, default: new}"] + more).joined(separator: ", "))}"
  }

  /// Records of an example.
  private static func records(_ text: String) -> Example {
    .described(text) { Array("\(Example.header)".utf8) }
  }
}
