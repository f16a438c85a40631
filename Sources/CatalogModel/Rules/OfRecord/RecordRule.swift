/// A check of one record.
protocol RecordRule: Sendable {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings)
}

/// Asks each rule of records about each record of the run.
struct RecordRules: RunRule {
  private static let all: [any RecordRule] = [
    RecordNumbersRule(), RecordSourceRule(), RecordKeyRule(), RecordFieldTypeRule(), RecordReferenceRule(),
    EncryptedIndexRule(),
    RedundantIndexRule(), BlindIndexLeaksRule(), RecordFieldNamesRule(), RecordMemberRule(), RecordProtectionRule(),
    RecordDescriptionRule(), RecordRetentionRule(),
  ]

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for record in run.records.all {
      findings.about(record) { findings in
        for rule in Self.all { rule.check(record, run, &findings) }
      }
    }
  }
}
