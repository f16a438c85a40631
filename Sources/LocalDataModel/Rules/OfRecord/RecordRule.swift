import LocalDataVocabulary

/// A check of one record.
protocol RecordRule: Sendable {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings)
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
