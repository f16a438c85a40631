import CatalogSyntax
import StorageVocabulary

/// What a key, or `defaults`, says: the values that need nothing else to be decoded, and the nodes of those that do.
struct KeyDraft {
  /// Fields with findings: nothing that follows from them is reported.
  var failed: KeyFieldSet = []
  /// Fields that the key wrote itself.
  var own: KeyFieldSet = []
  var access: AccessLevel?
  var type: ValueType?
  var domain: StorageDomain?
  var security: SecurityPolicy?
  var serializer: SerializerKind?
  var owner: String?
  var description: String?
  var availability = PlatformAvailability.all
  var syncPolicy = SyncPolicy.never
  var transfer: SyncTransfer?
  var watch: ResolvedKey.WatchRepresentation?
  var sensitivity = Sensitivity.internal
  var retention: Retention?
  var maxSize: Int?
  var backup: Bool?
  var isLegacy = false
  var parameters: [ResolvedKey.Parameter] = []
  var deprecation: ResolvedKey.Deprecation?
  var privacy: ResolvedPrivacy?
  var schema: Int?
  var upgrades: [UpgradeStep] = []
  var domainNode: SyntaxNode?
  var securityNode: SyntaxNode?
  var nameNode: SyntaxNode?
  var defaultNode: SyntaxNode?
  var migrationNode: SyntaxNode?
}
