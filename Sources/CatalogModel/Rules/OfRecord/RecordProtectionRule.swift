import CatalogSyntax
import StorageVocabulary

/// Checks that credentials and personal data in records are encrypted. The rules are declared with those of keys.
struct RecordProtectionRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.plainFields where record.sensitivity(of: field) == .credential {
      findings.report(
        .credentialOutsideKeychain, "'\(field.name)' of '\(record.name)' is a credential, but is not encrypted",
        at: field.node, help: "write `encrypted: true`; if it is no secret, write `sensitivity: internal`")
    }
    let personal = record.plainFields.filter { record.sensitivity(of: $0).isAboutPerson }
    guard let first = personal.first else { return }
    findings.report(
      .personalDataInPlainStore,
      "'\(record.name)' has the sensitivity '\(record.sensitivity(of: first).text)' in fields that are not encrypted: "
        + personal.map(\.name).listing, at: record.node,
      help: "write `encrypted: true` at these fields, or `sensitivity: internal` at those that tell nothing")
  }
}

extension DecodedRecord {
  /// The fields that are not encrypted, without those that say nothing by themselves: references, and a UUID as the key.
  var plainFields: [DecodedRecordField] {
    fields.filter { field in
      let isIdentity = field.name == keyName && field.type == .scalar(.uuid)
      return field.draft.encryption == .none && field.draft.referenceNode == nil && !isIdentity
    }
  }

  func sensitivity(of field: DecodedRecordField) -> Sensitivity { field.draft.sensitivity ?? draft.sensitivity }
}
