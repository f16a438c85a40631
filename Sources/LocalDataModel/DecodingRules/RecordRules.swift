import LocalDataSyntax

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
    "too-many-fields", .records, "A record has at most \(CatalogLimits.recordFields) fields.",
    why: "Each read of a record reads all of its fields, and SQLite limits the columns of a table.",
    bad: .described("a record of \(CatalogLimits.recordFields + 1) fields") {
      let fields = (1...CatalogLimits.recordFields).map { ", field\($0): {type: Int, number: \($0 + 1)}" }.joined()
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
    "wire-form", .records,
    "`wire: seconds` is written only for a field of the type Date, whose default has whole seconds.",
    why: "It is a form of dates in the wire format. Other types have one form only. A record with another default "
      + "could not be saved.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    length: {type: Int, number: 2, wire: seconds}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    written: {type: Date, number: 2, wire: seconds}"))

  static let recordSource = Rule(
    "record-source", .records, "`from` names numbers that the record no longer uses, each once for a field.",
    why: "The values of the earlier field are deleted when the new ones are made.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    length: {type: Int, number: 2}\n"
        + "    words: {type: String, number: 3, from: {number: 2, type: Int, transform: Words.text}}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  reserved: {numbers: [2]}\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n"
        + "    words: {type: String, number: 3, from: {number: 2, type: Int, transform: Words.text}}"))

  static let recordRetention = Rule(
    "record-retention", .records,
    "`retention` and `expires` of a record name a field of the type Date, and nothing keeps an ended record from being deleted.",
    why: "The date is compared with the current time. A record that other records refer to could not be deleted.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  retention: {maxAge: 30d, by: title}\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    title: {type: String, number: 2}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  retention: {maxAge: 30d, by: written}\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    written: {type: Date, number: 2}"))
}
