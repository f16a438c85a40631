import LocalDataSyntax

/// One catalog on its way from nodes to a resolved catalog.
struct CatalogDocument {
  let tree: SyntaxTree
  var header: CatalogHeader
  /// The nodes of its sections.
  let sections: FileDraft
  var keys: [DecodedKey] = []
  /// The findings of the rules of one key. They are reported after those of migrations.
  var ruleFindings = Findings()
  var reserved: [DecodedReservedName] = []
  var reservedRecords: [DecodedReservedRecord] = []
  var backupFiles: [DecodedBackupFile] = []
  var unmanaged: [DecodedUnmanaged] = []

  init(tree: SyntaxTree, header: CatalogHeader, sections: FileDraft) {
    self.tree = tree
    self.header = header
    self.sections = sections
  }

  var defaults: SyntaxNode? { sections.defaults }

  /// Decodes a part with the header of the catalog, and keeps what the header learns.
  mutating func decode(
    _ context: inout DecodingContext, _ body: (inout CatalogDocument, inout DecodingContext) -> Void
  ) {
    context.header = header
    body(&self, &context)
    header = context.header
  }
}

/// All catalogs of a run: what the rules look at.
struct CatalogRun {
  var context: DecodingContext
  var documents: [CatalogDocument]
  var records: RecordTable
  /// The catalogs of the paired device, or nil if the run does not know them.
  let paired: [ResolvedCatalog]?
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

extension DecodedReservedName {
  var place: StoredPlace { StoredPlace(resolved.domain, name: resolved.name) }
}
