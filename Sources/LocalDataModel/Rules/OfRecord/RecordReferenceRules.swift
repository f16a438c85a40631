import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let recordKey = Rule(
    "record-key", .records, "The key of a record is a field of the type String, UUID, Int or Int64.",
    why: "The key identifies the record: an equal key is the same record, and references contain it.",
    bad: .records("Note:\n  key: ident\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"),
    good: .records("Note:\n  key: id\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"))
}

/// Checks that a record has a key, and that no other field is named `id`.
struct RecordKeyRule: RecordRule {
  private static let types: [ScalarType] = [.string, .uuid, .int, .int64]

  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    // The finding about a record without fields is another one.
    guard !record.fields.isEmpty else { return }
    guard let key = record.key else { return reportMissing(record, &findings) }
    if let type = key.type, !Self.types.contains(where: { type == .scalar($0) }) {
      findings.report(
        .recordKey, "the key '\(key.name)' of '\(record.name)' is of the type '\(type.swiftText)'",
        at: key.place(of: "type"), help: "use String, UUID, Int or Int64 without '?', or another field as the key")
    }
    if key.draft.encryption != .none {
      findings.report(
        .recordKey, "the key '\(key.name)' of '\(record.name)' is encrypted",
        at: key.place(of: Language.encryptedField),
        help: "remove it, because records are found by their key; use a key that tells nothing, such as a UUID")
    }
    if key.name != "id", let other = record.field("id") {
      findings.report(
        .recordKey, "'id' is a field of '\(record.name)', but its key is '\(key.name)'", at: other.node,
        help: "write `key: id`, or rename the field, because Swift identifies a record by its `id`")
    }
  }

  private func reportMissing(_ record: DecodedRecord, _ findings: inout Findings) {
    let names = record.fields.map(\.name)
    guard let node = record.draft.keyNode else {
      let suitable = record.fields.first { field in Self.types.contains { field.type == .scalar($0) } }
      findings.report(
        .recordKey, "'\(record.name)' has no field 'id', which is the key if `key` names no other field",
        at: record.node,
        help: "write `key: \(suitable?.name ?? names[0])`, or add a field: `id: {type: UUID, number: "
          + "\(FieldNumber.next(from: Self.unproposed(record), besides: [])), "
          + "default: new}`")
      return
    }
    findings.report(
      .recordKey,
      "the key of '\(record.name)' is '\(node.text)', which is not a field of it"
        + Spelling.suggestion(for: node.text, among: names),
      at: node, help: "use one of \(names.listing)")
  }
}

extension RecordKeyRule {
  /// A number after those of the fields, and after those that other findings propose for them.
  private static func unproposed(_ record: DecodedRecord) -> Int {
    let numbers = record.fields.compactMap(\.draft.number)
    let sound = Set(numbers).subtracting(record.draft.reserved.flatMap(\.numbers))
    return (numbers.max() ?? 0) + 1 + record.fields.count - sound.count
  }
}

extension Rule {
  private static func notes(_ field: String) -> String {
    "Folder:\n  description: A folder of notes.\n  fields: {id: {type: UUID, number: 1}}\n"
      + "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n    \(field)"
  }

  static let unknownRecord = Rule(
    "unknown-record", .records, "`references` and `renamedTo` name records of the run.",
    why: "A field can refer only to a record that the catalogs declare.",
    bad: .records(notes("folder: {type: UUID, number: 2, references: Foldr}")),
    good: .records(notes("folder: {type: UUID, number: 2, references: Folder}")))

  static let referenceDatabase = Rule(
    "reference-database", .records, "A field refers to a record of the same database.",
    why: "Each database is a file, and SQLite checks references only within a file.",
    bad: .catalog(twoDatabases(ofNotes: "other")), good: .catalog(twoDatabases(ofNotes: "main")))

  private static func twoDatabases(ofNotes database: String) -> String {
    "\(Example.database)  other:\n    domain: {fileSystem: {directory: documents}}\n"
      + "    description: What the user sees as files.\nrecords:\n  Folder:\n    database: main\n"
      + "    description: A folder of notes.\n    fields: {id: {type: UUID, number: 1}}\n"
      + "  Note:\n    database: \(database)\n    description: What the user wrote.\n    fields:\n"
      + "      id: {type: UUID, number: 1}\n      folder: {type: UUID, number: 2, references: Folder}"
  }

  static let referenceType = Rule(
    "reference-type", .records, "A field that refers to a record has the type of its key.",
    why: "The field contains the key of the other record.",
    bad: .records(notes("folder: {type: String, number: 2, references: Folder}")),
    good: .records(notes("folder: {type: UUID, number: 2, references: Folder}")))

  static let referenceDelete = Rule(
    "reference-delete", .records, "`onDelete` is for a field with `references`, and `setNull` for one that can be nil.",
    why: "After the deletion, the field would have no value that its type can express.",
    bad: .records(notes("folder: {type: UUID, number: 2, references: Folder, onDelete: setNull}")),
    good: .records(notes("folder: {type: UUID?, number: 2, references: Folder, onDelete: setNull}")))
}

/// Checks the references of a record to others.
struct RecordReferenceRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.fields {
      guard let node = field.draft.referenceNode else {
        if field.draft.onDelete != nil {
          findings.report(
            .referenceDelete, "'\(field.name)' has 'onDelete', but does not refer to a record",
            at: field.place(of: "onDelete"), help: "remove it, or write `references` with the name of a record")
        }
        continue
      }
      // The finding about an unknown record is made when names are resolved.
      guard let target = run.records[node.text] else { continue }
      check(field, at: node, to: target, record, &findings)
    }
  }

  private func check(
    _ field: DecodedRecordField, at node: SyntaxNode, to target: DecodedRecord, _ record: DecodedRecord,
    _ findings: inout Findings
  ) {
    if let own = record.database, let other = target.database, own != other {
      findings.report(
        .referenceDatabase, "'\(record.name)' is in '\(own)', and refers to '\(target.name)' in '\(other)'", at: node,
        help: "store both in one database, or keep the key without `references`",
        notes: [.init("the other record", at: target.node.place)])
    }
    if let type = field.plainType, let key = target.key, let keyType = key.type, type != keyType {
      findings.report(
        .referenceType,
        "'\(field.name)' is of the type '\(type.swiftText)', but the key of '\(target.name)' is of the type "
          + "'\(keyType.swiftText)'",
        at: field.place(of: "type"),
        help: "write `type: \(field.isOptional ? "\"\(keyType.swiftText)?\"" : keyType.swiftText)`",
        notes: [.init("the key", at: key.node.place)])
    }
    if field.draft.onDelete == .setNull, let type = field.type, !field.isOptional {
      findings.report(
        .referenceDelete, "'setNull' makes '\(field.name)' nil, but its type is not optional",
        at: field.place(of: "onDelete"), help: "write `type: \"\(type.swiftText)?\"`, or another `onDelete`")
    }
  }
}
