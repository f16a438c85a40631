import CatalogSyntax
import StorageVocabulary

extension Rule {
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
}

/// Checks the earlier fields that the fields of a record are made from.
struct RecordSourceRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.fields where !field.draft.transforms.isEmpty {
      if field.name == record.keyName {
        findings.report(
          .recordSource, "the key of '\(record.name)' cannot be made from another field", at: field.place(of: "from"),
          help: "declare another record beside '\(record.name)'")
      }
      var seen: Set<[Int]> = []
      for transform in field.draft.transforms {
        let numbers = transform.sources.compactMap(\.number)
        if Set(numbers).count < numbers.count || !seen.insert(numbers).inserted {
          findings.report(
            .recordSource, "'\(field.name)' is made from \(numbers.map(String.init).listing) twice", at: transform.node,
            help: "remove one of the two")
        }
        for source in transform.sources { check(source, of: transform, field, record, &findings) }
      }
    }
  }

  private func check(
    _ source: RecordSourceDraft, of transform: RecordTransformDraft, _ field: DecodedRecordField,
    _ record: DecodedRecord,
    _ findings: inout Findings
  ) {
    guard let number = source.number, let type = source.type else { return }
    let place = source.node ?? transform.node.value(of: "number") ?? transform.node
    if let user = record.fields.first(where: { $0.draft.number == number }) {
      findings.report(
        .recordSource, "'\(field.name)' is made from the number \(number), which '\(user.name)' has", at: place,
        help: user.name == field.name
          ? "give '\(field.name)' a new number, and reserve \(number)"
          : "remove '\(user.name)' and reserve its number, or copy the value in the app")
    } else if !record.draft.reserved.contains(where: { $0.numbers.contains(number) }) {
      findings.report(
        .recordSource, "'\(field.name)' is made from the number \(number), which '\(record.name)' does not reserve",
        at: place, help: "write `reserved: {numbers: [\(number)]}` in '\(record.name)'")
    }
    let typePlace = source.node ?? transform.node.value(of: "type") ?? transform.node
    if let problem = RecordType.problem(type, isInWireFormat: source.encryption != .none) {
      findings.report(
        .recordFieldType, "a field of a record cannot be \(problem.what)", at: typePlace, help: problem.help)
    }
    if source.wire == .seconds, type != .scalar(.date), type != .optional(.scalar(.date)) {
      findings.report(
        .wireForm, "'wire: seconds' is for Date, and the number \(number) is of the type '\(type.swiftText)'",
        at: typePlace, help: "remove it, or write `type: Date`")
    }
  }
}
