import CatalogSyntax
import StorageVocabulary

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
          + "\(FieldNumber.next(from: (record.fields.compactMap(\.draft.number).max() ?? 0) + 1, besides: [])), "
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
