package import CatalogSyntax

/// Every rule that a catalog can break, by its stable id.
///
/// The list is the only one: findings are made with it, `rules` and `explain` print it, and a test asks a golden case of
/// each.
package enum CatalogRule: String, Sendable, CaseIterable {
  // The document.
  case missingVersion = "missing-version"
  case unsupportedVersion = "unsupported-version"
  case unknownField = "unknown-field"
  case misplacedField = "misplaced-field"
  case missingField = "missing-field"
  case notSupportedYet = "not-supported-yet"
  case wrongKind = "wrong-kind"
  case unexpectedNull = "unexpected-null"
  case commentCutsText = "comment-cuts-text"
  case tooManyKeys = "too-many-keys"
  // Names in Swift.
  case invalidIdentifier = "invalid-identifier"
  case reservedIdentifier = "reserved-identifier"
  case invalidSwiftName = "invalid-swift-name"
  case duplicateMember = "duplicate-member"
  case duplicateType = "duplicate-type"
  case duplicateCatalog = "duplicate-catalog"
  case invalidOutput = "invalid-output"
  case duplicateOutput = "duplicate-output"
  case duplicateEntry = "duplicate-entry"
  // Values of fields.
  case unknownDomain = "unknown-domain"
  case unknownType = "unknown-type"
  case unknownCase = "unknown-case"
  case invalidNumber = "invalid-number"
  case invalidFlag = "invalid-flag"
  case invalidDuration = "invalid-duration"
  case invalidContainer = "invalid-container"
  case invalidDirectory = "invalid-directory"
  case invalidStoredName = "invalid-stored-name"
  case missingOwner = "missing-owner"
  case missingDescription = "missing-description"
  case vagueDescription = "vague-description"
  case invalidPrivacy = "invalid-privacy"
  // Types and defaults.
  case invalidType = "invalid-type"
  case misplacedOptional = "misplaced-optional"
  case invalidMapKey = "invalid-map-key"
  case recursiveType = "recursive-type"
  case invalidRawValue = "invalid-raw-value"
  case typeAccess = "type-access"
  case wrongDefault = "wrong-default"
  // Fields of one key that do not go together.
  case keychainSecurity = "keychain-security"
  case unsecuredDomain = "unsecured-domain"
  case synchronizableSecurity = "synchronizable-security"
  case accessControlAccessibility = "access-control-accessibility"
  case pbkdf2MasterKey = "pbkdf2-master-key"
  case syncAvailability = "sync-availability"
  case watchSyncNever = "watch-sync-never"
  case securedSync = "secured-sync"
  case needlessDecrypted = "needless-decrypted"
  case watchRepresentation = "watch-representation"
  case retentionDomain = "retention-domain"
  case backupDomain = "backup-domain"
  case serializerType = "serializer-type"
  case legacyField = "legacy-field"
  case upgradeSchema = "upgrade-schema"
  case upgradeGap = "upgrade-gap"
  // Families.
  case nameParameters = "name-parameters"
  case ambiguousName = "ambiguous-name"
  case meetingNames = "meeting-names"
  // Between keys.
  case samePlace = "same-place"
  case reservedName = "reserved-name"
  case unknownMember = "unknown-member"
  // Migrations.
  case invalidMigration = "invalid-migration"
  case invalidVersionCondition = "invalid-version-condition"
  case migrationSource = "migration-source"
  case migrationType = "migration-type"
  case migrationParameters = "migration-parameters"
  case migrationCycle = "migration-cycle"
  case sharedSource = "shared-source"

  /// How much it weighs unless the user says otherwise.
  package var severity: Diagnostic.Severity {
    switch self {
    case .pbkdf2MasterKey, .watchSyncNever, .sharedSource: .warning
    default: .error
    }
  }
}
