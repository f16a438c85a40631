import CatalogModel
package import CatalogSyntax

/// The rules that compare today's catalogs with an earlier state.
package enum ReleaseRule: Sendable, CaseIterable {
  case keyRemoved, addressChanged, typeChanged, rawValueChanged, serializerChanged, securityChanged, schemaLowered
  case migrationRemoved, nameReused, weakerProtection, maxSizeLowered

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
    }
  }

  package var id: String { rule.id }

  package var severity: Diagnostic.Severity { rule.severity }
}
