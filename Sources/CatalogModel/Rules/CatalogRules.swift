import CatalogSyntax

/// A check of the fields of one key.
protocol KeyRule: Sendable {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings)
}

/// A check of all catalogs of a run.
protocol RunRule: Sendable {
  func check(_ run: CatalogRun, _ findings: inout Findings)
}

/// The checks that look at more than one field, in the order in which they run. Each is in a file of its own, with the
/// data of its rule.
enum CatalogRules {
  static let ofKey: [any KeyRule] = [
    KeychainSecurityRule(), UnsecuredDomainRule(), SynchronizableSecurityRule(), AccessControlAccessibilityRule(),
    PBKDF2MasterKeyRule(), SyncAvailabilityRule(), WatchSyncNeverRule(), SecuredSyncRule(), NeedlessDecryptedRule(),
    WatchRepresentationRule(), RetentionDomainRule(), BackupDomainRule(), SerializerTypeRule(), LegacyFieldRule(),
    UpgradeSchemaRule(), UpgradeGapRule(), CredentialOutsideKeychainRule(), PersonalDataInPlainStoreRule(),
    DeprecatedAccessibilityRule(), SyncOnSensitiveRule(), PermanentDataInCachesRule(), LargeValueInPreferencesRule(),
    TerseDescriptionRule(), TodoInDescriptionRule(), StringlyTypedRule(),
  ]

  static let ofRun: [any RunRule] = [
    DuplicateMemberRule(), DuplicateCatalogRule(), InvalidOutputRule(), DuplicateOutputRule(), RecursiveTypeRule(),
    TypeAccessRule(), UsableAddressRule(), AmbiguousNameRule(), SamePlaceRule(), FileAndFolderRule(),
    MeetingNamesRule(), SourceNamesRule(), EmittedPathRule(), TypeShadowsModuleRule(), RenamedMemberRule(),
    NameTooSimilarRule(), UnusedTypeRule(),
  ]
}

extension CatalogRules {
  /// Returns what the checks of one key find in `keys`.
  static func check(_ keys: [DecodedKey], defaults: SyntaxNode?) -> Findings {
    var findings = Findings()
    for key in keys {
      findings.key = Findings.Key(member: key.member, body: key.body)
      for rule in ofKey { rule.check(key, defaults: defaults, &findings) }
    }
    return findings
  }
}

extension CatalogRun {
  mutating func applyRules() {
    var findings = context.findings
    for document in documents { findings.add(document.ruleFindings) }
    for rule in CatalogRules.ofRun { rule.check(self, &findings) }
    context.findings = findings
  }
}
