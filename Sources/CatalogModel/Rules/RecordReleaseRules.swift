package import CatalogSyntax

/// Rules that compare today's databases and records with each snapshot of a release. The checks are in CatalogComparison.
extension Rule {
  static let ofReleasedRecords: [Rule] = [
    releasedRecordRemoved, releasedFieldRemoved, releasedNumberReused, releasedFieldTypeChanged, releasedFieldRequired,
    releasedSourceRemoved, releasedKeyChanged, releasedUniqueAdded, releasedReferenceAdded, releasedDatabaseMoved,
  ]

  package static let releasedRecordRemoved = Rule(
    "released-record-removed", .releases,
    "A released record is declared in the same database under its stored name, or reserved.",
    why: "Its rows stay on devices, and nothing can read or remove them.", bad: nil,
    good: .records("Visit:\n  name: History\n  \(fields())\n  description: One visit of the user."))

  package static let releasedFieldRemoved = Rule(
    "released-field-removed", .releases, "The number of a released field that is gone is reserved.",
    why: "Its values stay in the rows. A later field with the number would read them as its own.", bad: nil,
    good: .records("Visit:\n  \(fields())\n  reserved: {numbers: [6]}\n  description: One visit of the user."))

  package static let releasedNumberReused = Rule(
    "released-number-reused", .releases, "A field does not have the number of another field of a release.",
    why: "The number finds the values in a row, and those of the other field are stored there.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("icon: {type: Data, number: 14}"))\n  reserved: {numbers: [6]}\n"
        + "  description: One visit of the user."))

  package static let releasedFieldTypeChanged = Rule(
    "released-field-type-changed", .releases, "A field of a release keeps its type and its encryption.",
    why: "The stored values cannot be read in another form, and the app could not open the database.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("length: {type: Double, number: 14, from: {number: 5, type: Int, transform: Length.real}}"))\n"
        + "  reserved: {numbers: [5]}\n  description: One visit of the user."))

  package static let releasedFieldRequired = Rule(
    "released-field-required", .releases,
    "A field that rows of a release do not have is optional, has a default, or is made from others.",
    why: "A row without the value cannot be read.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("count: {type: Int32, number: 2, default: 0}"))\n  description: One visit of the user."))

  package static let releasedSourceRemoved = Rule(
    "released-source-removed", .releases,
    "What a field is made from is read from the rows of each release.",
    why: "A user may skip releases. The values of the earlier field would be lost.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("length: {type: Double, number: 14, from: [\(sources)]}"))\n"
        + "  reserved: {numbers: [2, 5]}\n  description: One visit of the user."))

  /// The entries of `from` in an example.
  private static let sources =
    "{number: 5, type: Int, transform: Length.real}, {number: 2, type: String, transform: Length.parsed}"

  package static let releasedKeyChanged = Rule(
    "released-key-changed", .releases, "A record has the key that it had in each release.",
    why: "Rows are stored, updated and referred to by their key, and the app could not open the database.", bad: nil,
    good: .records("Visit:\n  key: id\n  \(fields())\n  description: One visit of the user."))

  package static let releasedUniqueAdded = Rule(
    "released-unique-added", .releases,
    "What is unique in a record was unique in each release, or says in `existing` which rows stay.",
    why: "A release may have stored equal values, and the app could not open the database.", bad: nil,
    good: .records(
      "Visit:\n  \(fields("page: {type: String, number: 2}"))\n  unique: [{fields: [page], existing: keepLast}]\n"
        + "  description: One visit of the user."))

  package static let releasedReferenceAdded = Rule(
    "released-reference-added", .releases,
    "A field of a release keeps its reference. One with a new reference has `onDelete: cascade` or `setNull`.",
    why: "Stored values may refer to nothing, and the app could not open the database.", bad: nil,
    good: .records("Visit:\n  \(fields("page: {type: String, number: 2}"))\n  description: One visit of the user."))

  package static let releasedDatabaseMoved = Rule(
    "released-database-moved", .releases,
    "A database has the name and the domain that it had in each release, or lists them in `movedFrom`.",
    why: "Otherwise the app creates an empty file at another address. The rows stay in the old one.", bad: nil,
    good: .described("a database that lists its earlier addresses") {
      let domain = "{fileSystem: {directory: applicationSupport}}"
      let old = "[{domain: {fileSystem: {directory: documents}}}]"
      let main = "main: {domain: \(domain), movedFrom: \(old), description: What the app stores.}"
      return Array("\(Example.header)defaults: {owner: AppTeam}\ndatabases:\n  \(main)\n".utf8)
    })

  /// The fields of an example.
  private static func fields(_ more: String...) -> String {
    "fields: {\((["id: {type: UUID, number: 1, default: new}"] + more).joined(separator: ", "))}"
  }
}
