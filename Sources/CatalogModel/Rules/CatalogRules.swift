import CatalogSyntax

/// A check of the fields of one key.
protocol KeyRule: Sendable {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings)
}

/// A check of all catalogs of a run.
protocol RunRule: Sendable {
  func check(_ run: CatalogRun, _ findings: inout Findings)
}

/// The checks that look at more than one field, in the order in which they run. Each is in one file, with the
/// data of its rule.
enum CatalogRules {
  static let ofKey: [any KeyRule] = [
    KeychainSecurityRule(), UnsecuredDomainRule(), SynchronizableSecurityRule(), AccessControlAccessibilityRule(),
    PBKDF2MasterKeyRule(), SyncAvailabilityRule(), WatchSyncNeverRule(), SecuredSyncRule(), NeedlessDecryptedRule(),
    WatchRepresentationRule(), RetentionDomainRule(), CorruptionPolicyRule(), BackupDomainRule(), SerializerTypeRule(),
    LegacyFieldRule(), MisplacedParameterRule(),
    UpgradeSchemaRule(), UpgradeGapRule(), CredentialOutsideKeychainRule(), CredentialDefaultRule(),
    PersonalDataInPlainStoreRule(), SensitiveInBackupRule(), DeprecatedAccessibilityRule(), SyncOnSensitiveRule(),
    PermanentDataInCachesRule(), LargeValueInPreferencesRule(),
    TerseDescriptionRule(), TodoInDescriptionRule(), StringlyTypedRule(),
  ]

  /// The rule that takes longest is first, because they run side by side.
  static let ofRun: [any RunRule] = [
    NameTooSimilarRule(), DuplicateMemberRule(), DuplicateCatalogRule(), InvalidOutputRule(), DuplicateOutputRule(),
    RecursiveTypeRule(),
    TypeAccessRule(), UsableAddressRule(), AmbiguousNameRule(), SamePlaceRule(), FileAndFolderRule(),
    MeetingNamesRule(), SourceNamesRule(), EmittedPathRule(), TypeShadowsModuleRule(), RenamedMemberRule(),
    UnusedTypeRule(), UnusedLegacyKeyRule(), UnpairedKeyRule(), RecordRules(), RecordNamesRule(), ReservedRecordsRule(),
    StructNumbersRule(),
    CascadeCycleRule(), DatabaseProtectionRule(),
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
}

extension CatalogRun {
  mutating func applyRules() {
    var findings = context.findings
    for document in documents { findings.add(document.ruleFindings) }
    // Rules only read the run, and its keys do not change before all of them have ended.
    nonisolated(unsafe) let run = self
    let further = CatalogRules.ofRun.concurrentMap { rule in
      var findings = Findings()
      rule.check(run, &findings)
      return findings
    }
    for more in further { findings.add(more) }
    context.findings = findings
  }
}
