import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let encryptedIndex = Rule(
    "encrypted-index", .records,
    "An encrypted field is not indexed, except by a blind index, not unique, no reference, and no date of "
      + "`retention` or `expires`.",
    why: "SQLite sees only sealed bytes, which differ for equal values.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    title: {type: String, number: 2, encrypted: true, index: true}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    title: {type: String, number: 2, encrypted: {index: blind}}"))
}

/// Checks that the fields of indexes exist, and can be indexed.
struct EncryptedIndexRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let types = run.context.types
    for field in record.fields {
      if field.draft.isIndexed { check(field, isUnique: false, at: field.place(of: "index"), types, &findings) }
      if field.draft.isUnique { check(field, isUnique: true, at: field.place(of: "unique"), types, &findings) }
      if let node = field.draft.referenceNode, field.draft.encryption != .none {
        findings.report(
          .encryptedIndex, "'\(field.name)' is encrypted and cannot refer to a record", at: node,
          help: "remove `encrypted`, or keep the key without `references`")
      }
    }
    var suggestions = Suggestions()
    for (lists, isUnique) in [(record.draft.indexes, false), (record.draft.unique, true)] {
      for list in lists { check(list, isUnique: isUnique, record, types, &suggestions, &findings) }
    }
  }

  private func check(
    _ list: FieldList, isUnique: Bool, _ record: DecodedRecord, _ types: TypeTable,
    _ suggestions: inout Suggestions, _ findings: inout Findings
  ) {
    var seen: Set<String> = []
    for node in list.names {
      guard seen.insert(node.text).inserted else {
        findings.report(
          .duplicateEntry, "'\(node.text)' is in the index twice", at: node, help: "remove one of the two")
        continue
      }
      if let field = record.field(node.text) {
        check(field, isUnique: isUnique, at: node, types, &findings)
      } else {
        let names = record.fields.map(\.name)
        findings.report(
          .unknownField,
          "'\(node.text)' is not a field of '\(record.name)'\(suggestions.suggestion(for: node.text, among: names))",
          at: node, help: "use one of \(names.listing)")
      }
    }
  }

  private func check(
    _ field: DecodedRecordField, isUnique: Bool, at node: SyntaxNode, _ types: TypeTable, _ findings: inout Findings
  ) {
    switch field.draft.encryption {
    case .none:
      guard !RecordType.isComparable(field, types), let type = field.type else { return }
      findings.report(
        .recordFieldType, "'\(field.name)' is of the type '\(type.swiftText)' and cannot be indexed", at: node,
        help: "use a field that queries can compare")
    case .sealed, .blind:
      if isUnique {
        findings.report(
          .encryptedIndex, "'\(field.name)' is encrypted and cannot be unique", at: node,
          help: "remove `encrypted`, or do not demand that it is unique")
      } else if field.draft.encryption == .sealed {
        findings.report(
          .encryptedIndex, "'\(field.name)' is encrypted and cannot be indexed", at: node,
          help: "write `encrypted: {index: blind}`, which lets queries compare it with `==`")
      }
    }
  }
}
