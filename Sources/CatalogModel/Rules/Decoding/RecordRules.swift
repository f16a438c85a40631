import CatalogSyntax

/// Rules of databases and records that the decoder checks.
extension Rule {
  static let unknownDatabase = Rule(
    "unknown-database", .records, "A record is stored in a database of the run.",
    why: "The database decides where the record is stored, and how it is protected.",
    bad: .records(
      "Note:\n  database: mian\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"),
    good: .records(
      "Note:\n  database: main\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"))

  static let invalidFieldNumber = Rule(
    "invalid-field-number", .records,
    "The number of a field is from 1 to 536870911, and not from 19000 to 19999.",
    why: "These are the numbers that protobuf allows. It needs the others itself.",
    bad: .records("Note:\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 0}}"),
    good: .records("Note:\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"))

  static let tooManyFields = Rule(
    "too-many-fields", .records, "A record has at most \(RecordDecoder.maxFields) fields.",
    why: "Each read of a record reads all of its fields, and SQLite limits the columns of a table.",
    bad: .described("a record of \(RecordDecoder.maxFields + 1) fields") {
      let fields = (1...RecordDecoder.maxFields).map { ", field\($0): {type: Int, number: \($0 + 1)}" }.joined()
      let note = "Note: {description: What the user wrote., fields: {id: {type: UUID, number: 1}\(fields)}}\n"
      return Array("\(Example.header)\(Example.database)records:\n  \(note)".utf8)
    },
    good: .records("Note: {description: What the user wrote., fields: {id: {type: UUID, number: 1}}}"))

  static let newDefault = Rule(
    "new-default", .records, "`default: new` is written only for a field of the type UUID.",
    why: "It gives each record a new UUID. No other type has such a value.",
    bad: .records("Note:\n  description: What the user wrote.\n  fields: {id: {type: Int, number: 1, default: new}}"),
    good: .records("Note:\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1, default: new}}"))

  static let wireForm = Rule(
    "wire-form", .records, "`wire: seconds` is written only for a field of the type Date.",
    why: "It is a form of dates in the wire format. Other types have one form only.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    length: {type: Int, number: 2, wire: seconds}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    written: {type: Date, number: 2, wire: seconds}"))
}
