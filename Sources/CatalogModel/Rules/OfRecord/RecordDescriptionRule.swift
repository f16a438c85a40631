import CatalogSyntax

/// Checks that the descriptions of a record and of its fields say something. The rules are declared with those of keys.
struct RecordDescriptionRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let node = record.body.value(of: "description") ?? record.node
    TerseDescriptionRule.check(record.draft.description, of: record.name, at: node, &findings)
    TodoInDescriptionRule.check(record.draft.description, at: node, &findings)
    for field in record.fields {
      guard let description = field.draft.description else { continue }
      TodoInDescriptionRule.check(description, at: field.place(of: "description"), &findings)
    }
  }
}
