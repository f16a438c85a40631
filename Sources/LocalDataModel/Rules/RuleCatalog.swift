package import LocalDataSyntax

/// All rules. The list is the only one: tests ask an example and a golden case of each, and `rules`, `explain` and the
/// language reference are written from it.
package enum RuleCatalog {
  /// The rules in the order of their categories.
  package static let all: [Rule] =
    Rule.ofReader + document + names + values + types + combinations + places + migrations
    + records + Rule.ofReleases + protection + clarity + project + Rule.ofAppStore

  static let index = RuleIndex(all)

  /// The rule of an id.
  package static func rule(_ id: String) -> Rule? { index[id] }

  /// The ids of the rules whose severity an option can change.
  package static let adjustable = all.filter(\.isAllowable).map(\.id)

  /// The id that a misspelt one was meant to be.
  package static func nearest(to id: String) -> String? { Spelling.nearest(to: id, among: all.map(\.id)) }

  private static let document: [Rule] = [
    .missingVersion, .unsupportedVersion, .unknownField, .misplacedField, .missingField, .notSupportedYet, .wrongKind,
    .unexpectedNull, .commentCutsText, .tooManyKeys, .invalidAllowance,
  ]

  private static let names: [Rule] = [
    .invalidIdentifier, .reservedIdentifier, .invalidSwiftName, .duplicateMember, .duplicateType, .duplicateCatalog,
    .invalidOutput, .duplicateOutput, .duplicateEntry, .unknownMember, .typeShadowsModule,
  ]

  private static let values: [Rule] = [
    .unknownDomain, .unknownType, .unknownCase, .invalidNumber, .invalidFlag, .invalidDuration, .invalidDate,
    .invalidContainer, .invalidDirectory, .invalidStoredName, .missingOwner, .missingDescription, .vagueDescription,
    .invalidPrivacy, .validValue,
  ]

  private static let types: [Rule] = [
    .invalidType, .misplacedOptional, .invalidMapKey, .recursiveType, .invalidRawValue, .typeAccess, .wrongDefault,
  ]

  private static let combinations: [Rule] = [
    .itemAttributes, .keychainSecurity, .unsecuredDomain, .synchronizableSecurity, .accessControlAccessibility,
    .pbkdf2MasterKey,
    .syncAvailability, .watchSyncNever, .securedSync, .needlessDecrypted, .watchRepresentation, .retentionDomain,
    .corruptionPolicy, .backupDomain, .fileProtection, .serializerType, .dateForm, .readForm, .legacyField,
    .signingKeyLeavesDevice, .signingKeyTag,
  ]

  private static let places: [Rule] = [
    .nameParameters, .misplacedParameter, .parameterEncoding, .ambiguousName, .meetingNames, .samePlace, .fileAndFolder,
    .reservedName,
  ]

  private static let migrations: [Rule] = [
    .invalidMigration, .invalidVersionCondition, .migrationSource, .migrationType, .migrationParameters,
    .migrationCycle, .sourceField, .sharedSource, .unusedLegacyKey, .upgradeSchema, .upgradeGap,
  ]

  private static let records: [Rule] = [
    .unknownDatabase, .unknownRecord, .missingNumber, .invalidFieldNumber, .duplicateNumber, .reservedNumber,
    .reservedFieldName, .recordKey, .recordFieldType, .tooManyFields, .newDefault, .wireForm, .recordSource,
    .unknownImport, .importField, .importKey, .importType, .invalidPath,
    .recordMember, .referenceDatabase, .referenceType, .referenceDelete, .cascadeCycle, .encryptedIndex,
    .blindIndexLeaks, .redundantIndex, .recordRetention, .databaseProtection, .backupContent,
    .backupSecretsPlain, .backupPrivateKeys, .backupReference, .recordNotBackedUp, .signOutField,
  ]

  private static let protection: [Rule] = [
    .credentialOutsideKeychain, .credentialDefault, .personalDataInPlainStore, .sensitiveInBackup,
    .deprecatedAccessibility, .syncOnSensitive, .permanentDataInCaches, .largeValueInPreferences, .reviewEnded,
    .keptAfterSignOut,
  ]

  private static let project: [Rule] = [.invalidPolicy, .unknownOwner, .outsideProject, .unknownRule, .unpairedKey]

  private static let clarity: [Rule] = [
    .nameTooSimilar, .terseDescription, .todoInDescription, .stringlyTyped, .unusedType, .unusedImport,
    .staleSuppression,
  ]
}
