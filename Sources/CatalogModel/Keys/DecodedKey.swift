import CatalogSyntax
import StorageVocabulary

/// A key with its places. If a field has findings, `resolved` has a stand-in for it that no rule looks at.
///
/// A class, since it has some thirty references in it, and every rule looks at each of ten thousand.
final class DecodedKey {
  var resolved: ResolvedKey
  /// The key's name in the catalog.
  let member: SyntaxNode
  /// The map of its fields.
  let body: SyntaxNode
  /// Fields with findings: nothing that follows from them is reported.
  let failed: KeyFieldSet
  /// Fields that the key wrote itself.
  let own: KeyFieldSet
  let migrationNode: SyntaxNode?
  let upgrades: [UpgradeStep]
  /// The findings that the key accepts.
  let allowances: [Allowance]
  /// The hash of its place, taken where keys are decoded side by side: no two places are compared unless it is the same.
  let placeHash: Int

  init(resolved: ResolvedKey, member: SyntaxNode, body: SyntaxNode, draft: KeyDraft) {
    self.resolved = resolved
    self.member = member
    self.body = body
    failed = draft.failed
    own = draft.own
    migrationNode = draft.migrationNode
    upgrades = draft.upgrades
    allowances = draft.allowances
    placeHash = StoredPlace(resolved.descriptor.domain, name: resolved.descriptor.name).hashValue
  }

  func isSound(_ fields: KeyFieldSet) -> Bool { failed.isDisjoint(with: fields) }

  /// Returns the node that writes a field: in the key or in `defaults`. If neither does, returns the key's name.
  func node(of field: KeyField, defaults: SyntaxNode?) -> SyntaxNode {
    if own.contains(field) { return body.value(of: field.text) ?? member }
    return defaults?.value(of: field.text) ?? member
  }
}
