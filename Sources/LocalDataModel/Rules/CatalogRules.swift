import LocalDataSyntax

/// The checks that look at more than one field, in the order in which they run. Each is in one file with the data of its
/// rule.
enum CatalogRules {
  private static let ofKey: [any KeyRule] = [
    KeychainSecurityRule(), UnsecuredDomainRule(), SynchronizableSecurityRule(), AccessControlAccessibilityRule(),
    PBKDF2MasterKeyRule(), SyncAvailabilityRule(), WatchSyncNeverRule(), SecuredSyncRule(), NeedlessDecryptedRule(),
    WatchRepresentationRule(), RetentionDomainRule(), CorruptionPolicyRule(), BackupDomainRule(), FileProtectionRule(),
    SerializerTypeRule(), LegacyFieldRule(), MisplacedParameterRule(), ParameterEncodingRule(), PathSecurityRule(),
    SigningKeyRule(), KeptAfterSignOutRule(), ValidValueRule(),
    UpgradeSchemaRule(), UpgradeGapRule(), CredentialOutsideKeychainRule(), CredentialDefaultRule(),
    PersonalDataInPlainStoreRule(), SensitiveInBackupRule(), DeprecatedAccessibilityRule(), SyncOnSensitiveRule(),
    PermanentDataInCachesRule(), LargeValueInPreferencesRule(),
    TerseDescriptionRule(), TodoInDescriptionRule(), StringlyTypedRule(),
  ]

  fileprivate static let ofRecord: [any RecordRule] = [
    RecordNumbersRule(), RecordSourceRule(), RecordKeyRule(), RecordFieldTypeRule(), RecordReferenceRule(),
    EncryptedIndexRule(),
    RedundantIndexRule(), BlindIndexLeaksRule(), RecordFieldNamesRule(), RecordMemberRule(), RecordProtectionRule(),
    RecordDescriptionRule(), RecordRetentionRule(), RecordImportRule(), RecordSignOutRule(), RecordValidValueRule(),
  ]

  /// The rule that takes longest is first, because they run side by side.
  private static let ofRun: [any RunRule] = [
    NameTooSimilarRule(), DuplicateMemberRule(), DuplicateCatalogRule(), InvalidOutputRule(), DuplicateOutputRule(),
    RecursiveTypeRule(),
    TypeAccessRule(), UsableAddressRule(), AmbiguousNameRule(), SamePlaceRule(), FileAndFolderRule(), FilePathRule(),
    MeetingNamesRule(), SourceNamesRule(), EmittedPathRule(), TypeShadowsModuleRule(), RenamedMemberRule(),
    UnusedTypeRule(), UnusedLegacyKeyRule(), UnpairedKeyRule(), AllRecordRules(), RecordNamesRule(),
    ReservedRecordsRule(),
    StructNumbersRule(),
    CascadeCycleRule(), DatabaseProtectionRule(), ImportSourceRule(), BackupFileRules(), UnmanagedRules(),
  ]
}

extension CatalogRules {
  /// Returns what the checks of one key find in `keys`.
  static func check(_ keys: [DecodedKey], defaults: SyntaxNode?) -> Findings {
    var findings = Findings()
    for key in keys {
      findings.key = Findings.Key(member: key.member, body: key.body)
      for index in ofKey.indices { ofKey[index].check(key, defaults: defaults, &findings) }
    }
    return findings
  }

  /// Returns what the checks of a whole run find.
  static func check(_ run: CatalogRun) -> Findings {
    // Rules only read the run, and its keys do not change before all of them have ended.
    nonisolated(unsafe) let run = run
    let parts = ofRun.concurrentMap { rule in
      var findings = Findings()
      rule.check(run, &findings)
      return findings
    }
    return parts.reduce(into: Findings()) { $0.add($1) }
  }
}

/// Asks each rule of records about each record of the run.
private struct AllRecordRules: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for record in run.records.all {
      findings.about(record) { findings in
        for rule in CatalogRules.ofRecord { rule.check(record, run, &findings) }
      }
    }
  }
}
