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
  var sensitivity = Sensitivity.internal
  var retention: Retention?
  var maxSize: Int?
  var backup: Bool?
  var isLegacy = false
  var parameters: [ResolvedKey.Parameter] = []
  var deprecation: ResolvedKey.Deprecation?
  var privacy: ResolvedPrivacy?
  var domainNode: SyntaxNode?
  var securityNode: SyntaxNode?
  var nameNode: SyntaxNode?
  var defaultNode: SyntaxNode?
  var migrationNode: SyntaxNode?
}

/// A key with its places. Where fields failed, `resolved` holds stand-ins that no rule looks at.
struct DecodedKey {
  var resolved: ResolvedKey
  /// The key's name in the catalog.
  var member: SyntaxNode
  /// The map of its fields.
  var body: SyntaxNode
  /// The index of its catalog.
  var catalog: Int
  var failed: KeyFieldSet
  var own: KeyFieldSet
  var migrationNode: SyntaxNode?

  func isSound(_ fields: KeyFieldSet) -> Bool { failed.isDisjoint(with: fields) }

  /// Where a field is written: in the key, in `defaults`, or nowhere, which is the key's name.
  func node(of field: KeyField, defaults: SyntaxNode?) -> SyntaxNode {
    if own.contains(field) { return body.value(of: field.text) ?? member }
    return defaults?.value(of: field.text) ?? member
  }
}
