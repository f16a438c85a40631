import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let blindIndexLeaks = Rule(
    "blind-index-leaks", .records, .warning, "A Bool and an enum have no blind index.",
    why:
      "Rows with equal values have equal fingerprints. If there are few values, a reader of the file can guess which "
      + "fingerprint is which value.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    isPrivate: {type: Bool, number: 2, encrypted: {index: blind}}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    isPrivate: {type: Bool, number: 2, encrypted: true}"))
}

/// Checks that no blind index is of a field with few values.
struct BlindIndexLeaksRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.fields where field.draft.encryption == .blind {
      let values: String
      switch field.plainType {
      case .scalar(.bool)?: values = "2 values"
      case .declared(let name)?:
        guard let declared = run.context.types[name], declared.form.isEnum else { continue }
        values = "\(declared.cases.count) cases"
      default: continue
      }
      findings.report(
        .blindIndexLeaks, "the blind index of '\(field.name)' shows which of \(values) a row has",
        at: field.place(of: Language.encryptedField), help: "write `encrypted: true`, and filter in Swift")
    }
  }
}
