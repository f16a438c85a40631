import LocalDataModel
package import LocalDataSyntax

/// The rules that compare today's catalogs with an earlier state.
package enum ReleaseRule: Sendable, CaseIterable {
  case keyRemoved, addressChanged, typeChanged, rawValueChanged, serializerChanged, securityChanged, schemaLowered
  case migrationRemoved, sourceOrder, sourceField, nameReused, retentionShortened, availabilityNarrowed, deviceBound,
    maxSizeLowered, validNarrowed
  case weakerProtection, syncRemoved, defaultChanged, reviewOutdated
  case recordRemoved, fieldRemoved, numberReused, fieldTypeChanged, fieldRequired, recordKeyChanged, uniqueAdded,
    uniqueDefault
  case sourceRemoved, referenceAdded, databaseMoved, importRemoved
  case signingKeyChanged
  case backupRemoved

  /// The rule with its texts.
  package var rule: Rule {
    switch self {
    case .keyRemoved: .releasedKeyRemoved
    case .addressChanged: .releasedAddressChanged
    case .typeChanged: .releasedTypeChanged
    case .rawValueChanged: .releasedRawValueChanged
    case .serializerChanged: .releasedSerializerChanged
    case .securityChanged: .releasedSecurityChanged
    case .schemaLowered: .releasedSchemaLowered
    case .migrationRemoved: .releasedMigrationRemoved
    case .nameReused: .releasedNameReused
    case .weakerProtection: .releasedProtectionWeaker
    case .maxSizeLowered: .releasedMaxSizeLowered
    case .validNarrowed: .releasedValidNarrowed
    case .sourceOrder: .releasedSourceOrder
    case .sourceField: .releasedSourceField
    case .retentionShortened: .releasedRetentionShortened
    case .availabilityNarrowed: .releasedAvailabilityNarrowed
    case .deviceBound: .releasedDeviceBound
    case .syncRemoved: .releasedSyncRemoved
    case .defaultChanged: .releasedDefaultChanged
    case .reviewOutdated: .releasedReviewOutdated
    case .recordRemoved: .releasedRecordRemoved
    case .fieldRemoved: .releasedFieldRemoved
    case .numberReused: .releasedNumberReused
    case .fieldTypeChanged: .releasedFieldTypeChanged
    case .fieldRequired: .releasedFieldRequired
    case .recordKeyChanged: .releasedKeyChanged
    case .sourceRemoved: .releasedSourceRemoved
    case .uniqueAdded: .releasedUniqueAdded
    case .uniqueDefault: .releasedUniqueDefault
    case .referenceAdded: .releasedReferenceAdded
    case .databaseMoved: .releasedDatabaseMoved
    case .signingKeyChanged: .releasedSigningKeyChanged
    case .importRemoved: .releasedImportRemoved
    case .backupRemoved: .releasedBackupRemoved
    }
  }

  package var id: String { rule.id }

  package var severity: Diagnostic.Severity { rule.severity }

  /// The field that accepts a finding, with a reason that a developer has to write.
  package var allowance: String { "allow: [{rule: \(id), reason: Say why.}]" }

  /// A Boolean value that indicates whether a finding is about values that some user no longer has.
  package var losesValues: Bool {
    switch self {
    case .weakerProtection, .syncRemoved, .defaultChanged, .reviewOutdated, .importRemoved: false
    default: true
    }
  }
}
