import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let missingNumber = Rule(
    "missing-number", .records, "Each field of a record, and of a struct that a record uses, has a number.",
    why: "The number identifies the value in stored records. Without it, a renamed field would lose its value.",
    bad: .records("Note:\n  description: What the user wrote.\n  fields: {id: {type: UUID}}"),
    good: .records("Note:\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"))

  static let duplicateNumber = Rule(
    "duplicate-number", .records, "No two fields of a record or of a struct have the same number.",
    why: "One field would be read as the value of the other.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    text: {type: String, number: 1}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    text: {type: String, number: 2}"))

  static let reservedNumber = Rule(
    "reserved-number", .records, "No field has a number that its record or its struct reserves.",
    why: "Records of earlier releases can contain another value under that number.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  reserved: {numbers: [2]}\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    text: {type: String, number: 2}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  reserved: {numbers: [2]}\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    text: {type: String, number: 3}"))

  static let reservedFieldName = Rule(
    "reserved-field-name", .records, "No field has a name that its record or its struct reserves.",
    why: "A field of an earlier release had the name. Backups and readers of the file could confuse the two.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  reserved: {names: [text]}\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    text: {type: String, number: 2}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  reserved: {names: [text]}\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    content: {type: String, number: 2}"))
}

/// Checks that each field of a record has a number that no other field has, and a name that is not reserved.
struct RecordNumbersRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let reserved = record.draft.reserved
    let names = Set(reserved.flatMap(\.names))
    for field in record.fields {
      for name in Set([field.name, field.storedName]).sorted() where names.contains(name) {
        findings.report(
          .reservedFieldName, "the name '\(name)' is reserved in '\(record.name)'",
          at: name == field.name ? field.node : field.place(of: "name"), help: "choose a name that no release has used")
      }
    }
    let fields = record.fields.map {
      NumberedFields.Field(node: $0.node, body: $0.body, number: $0.draft.number, needsNumber: !$0.writesNumber)
    }
    NumberedFields(owner: record.name, fields: fields, reserved: Set(reserved.flatMap(\.numbers))).check(&findings)
  }
}

/// The fields of a record or of a struct with their numbers.
struct NumberedFields {
  struct Field {
    var node: SyntaxNode
    var body: SyntaxNode
    var number: Int?
    /// A Boolean value that indicates whether the number is missing, and not only wrong.
    var needsNumber: Bool
  }

  var owner: String
  var fields: [Field]
  var reserved: Set<Int> = []
  /// The reason why the fields need numbers.
  var note: Diagnostic.Note?

  /// Reports fields without a number, and numbers that another field has or had.
  func check(_ findings: inout Findings) {
    var next = (fields.compactMap(\.number).max() ?? 0) + 1
    /// Returns a number for the help of a finding: a different one for each.
    func unused() -> Int {
      let number = FieldNumber.next(from: next, besides: reserved)
      next = number + 1
      return number
    }
    var first: [Int: SyntaxNode] = [:]
    for field in fields {
      guard let number = field.number else {
        if field.needsNumber { reportMissing(field, unused(), &findings) }
        continue
      }
      let place = field.body.value(of: "number") ?? field.node
      if reserved.contains(number) {
        findings.report(
          .reservedNumber, "the number \(number) is reserved in '\(owner)'", at: place,
          help: "write `number: \(unused())`")
      }
      if let earlier = first[number] {
        findings.report(
          .duplicateNumber, "'\(earlier.text)' and '\(field.node.text)' both have the number \(number)", at: place,
          help: "write `number: \(unused())` at the field that was added later",
          notes: [.init("the first one", at: earlier.place)])
      } else {
        first[number] = field.node
      }
    }
  }

  private func reportMissing(_ field: Field, _ number: Int, _ findings: inout Findings) {
    let isMap = field.body.kind == .mapping
    let type = field.body.kind == .scalar ? FieldValue.scalar(field.body.text) : "…"
    findings.report(
      .missingNumber, "'\(field.node.text)' of '\(owner)' has no number", at: field.node,
      help: isMap
        ? "write `number: \(number)`, which no field has used"
        : "write `\(field.node.text): {type: \(type), number: \(number)}`; no field has used the number",
      notes: note.map { [$0] } ?? [])
  }
}
