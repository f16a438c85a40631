import CatalogSyntax
import StorageVocabulary

/// A rule about the fields of one key.
protocol KeyRule: Sendable {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings)
}

/// A rule about all catalogs of a run.
protocol RunRule: Sendable {
  func check(_ run: CatalogRun, _ findings: inout Findings)
}

/// The rules that look at more than one field, in the order in which they are asked.
enum CatalogRules {
  static let ofKey: [any KeyRule] = [
    KeychainSecurityRule(), UnsecuredDomainRule(), SynchronizableSecurityRule(), AccessControlAccessibilityRule(),
    PBKDF2MasterKeyRule(), SyncAvailabilityRule(), WatchSyncNeverRule(), SecuredSyncRule(), NeedlessDecryptedRule(),
    WatchRepresentationRule(), RetentionDomainRule(), BackupDomainRule(), SerializerTypeRule(), LegacyFieldRule(),
    UpgradeSchemaRule(), UpgradeGapRule(),
  ]

  static let ofRun: [any RunRule] = [
    DuplicateMemberRule(), DuplicateCatalogRule(), InvalidOutputRule(), DuplicateOutputRule(), RecursiveTypeRule(),
    TypeAccessRule(), AmbiguousNameRule(), SamePlaceRule(), MeetingNamesRule(), RenamedMemberRule(),
  ]
}

extension CatalogRules {
  /// What the rules of one key find in `keys`.
  static func check(_ keys: [DecodedKey], defaults: SyntaxNode?) -> Findings {
    var findings = Findings()
    for key in keys {
      for rule in ofKey { rule.check(key, defaults: defaults, &findings) }
    }
    return findings
  }
}

extension CatalogRun {
  mutating func applyRules() {
    var findings = decoder.findings
    for document in documents { findings.add(document.ruleFindings) }
    for rule in CatalogRules.ofRun { rule.check(self, &findings) }
    decoder.findings = findings
  }
}
