import CatalogSyntax

/// One catalog on its way from nodes to a resolved catalog.
struct CatalogDocument {
  let tree: SyntaxTree
  var header = CatalogHeader()
  var defaults: SyntaxNode?
  var types: SyntaxNode?
  var keyNodes: SyntaxNode?
  var databaseNodes: SyntaxNode?
  var recordNodes: SyntaxNode?
  var reservedNodes: SyntaxNode?
  var keys: [DecodedKey] = []
  /// The findings of the rules of one key. They are reported after those of migrations.
  var ruleFindings = Findings()
  var reserved: [DecodedReservedName] = []
  var reservedRecords: [DecodedReservedRecord] = []
  var hasMigration = false

  init(tree: SyntaxTree) { self.tree = tree }
}

/// A reserved record with its places.
struct DecodedReservedRecord {
  var resolved: ResolvedReservedRecord
  var databaseNode: SyntaxNode
  var node: SyntaxNode
}

/// A reserved name with its place.
struct DecodedReservedName {
  var resolved: ResolvedReservedName
  var pattern: [ResolvedKey.NamePart]
  var node: SyntaxNode
}
