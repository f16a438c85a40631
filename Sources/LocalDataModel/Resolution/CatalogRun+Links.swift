import LocalDataSyntax
import LocalDataVocabulary

extension CatalogRun {
  /// Links what was decoded: records with their databases, and keys with the sources of their migrations.
  ///
  /// - Parameter paired: The catalogs of the paired device, or nil if they are not known.
  init(_ decoded: DecodedCatalogs, paired: [ResolvedCatalog]?) {
    self.init(context: decoded.context, documents: decoded.documents, records: decoded.records, paired: paired)
    linkRecords()
    linkMigrations()
  }

  /// Finds the database of each record, and checks the names of other records.
  private mutating func linkRecords() {
    let members = records.databases.map(\.member.text)
    let names = records.all.map(\.name)
    let known = Set(names)
    let table = records
    var findings = context.findings
    records.update { record in
      findings.about(record) { findings in
        record.database = Self.database(of: record, in: table, members, &context, &findings)
        for node in record.namedRecords where !known.contains(node.text) {
          let suggestion = context.suggestion(for: node.text, among: names)
          findings.report(
            .unknownRecord, "'\(node.text)' is not a record of the run\(suggestion)", at: node,
            help: "use one of \(names.listing)")
        }
      }
    }
    for reserved in documents.lazy.flatMap(\.reservedRecords) {
      _ = Self.database(reserved.databaseNode, in: table, members, &context, &findings)
    }
    context.findings = findings
  }

  private static func database(
    of record: DecodedRecord, in table: RecordTable, _ members: [String], _ context: inout DecodingContext,
    _ findings: inout Findings
  ) -> String? {
    guard let node = record.draft.databaseNode else {
      if let only = members.first, members.count == 1 { return only }
      findings.report(
        .unknownDatabase, "'\(record.name)' has no database", at: record.node,
        help: members.isEmpty
          ? "declare one: `databases: {\(Language.database.example)}`"
          : "write `database: \(members[0])` here, or once in 'defaults'; use one of \(members.listing)")
      return nil
    }
    return database(node, in: table, members, &context, &findings)
  }

  /// Returns the database that a node names. Returns nil, after a finding, if the run has no such database.
  private static func database(
    _ node: SyntaxNode, in table: RecordTable, _ members: [String], _ context: inout DecodingContext,
    _ findings: inout Findings
  ) -> String? {
    if node.kind == .scalar, table.database(node.text) != nil { return node.text }
    let suggestion = context.suggestion(for: node.text, among: members)
    findings.report(
      .unknownDatabase, "'\(node.text)' is not a database of the run\(suggestion)", at: node,
      help: members.isEmpty
        ? "declare it: `databases: {\(Language.database.example)}`" : "use one of \(members.listing)")
    return nil
  }

  /// Decodes and checks every migration, now that each key that it may name is known.
  private mutating func linkMigrations() {
    guard documents.contains(where: { $0.keys.contains { $0.migrationNode != nil } }) else { return }
    let index = KeyIndex(documents.lazy.flatMap(\.keys))
    var edges: [MigrationEdge] = []
    var claims: [SourceClaim] = []
    for number in documents.indices {
      documents[number].decode(&context) { document, context in
        for key in document.keys {
          guard let node = key.migrationNode else { continue }
          // Moved there and back, so that the list of findings has one owner and is not copied.
          var migrations = MigrationDecoder(key: key, index: index, context: context)
          context.findings = Findings()
          migrations.context.findings.key = Findings.Key(member: key.member, body: key.body)
          if let migration = migrations.migration(node) {
            key.resolved = key.resolved.migrated(by: migration, inWords: migration.inWords(to: key.resolved.descriptor))
            claims += migrations.claims
          }
          context = migrations.context
          context.findings.key = nil
          edges += migrations.edges
        }
      }
    }
    MigrationEdge.report(edges, &context.findings)
    SourceClaim.report(claims, &context.findings)
    let imported = Set(records.sources.compactMap { $0.draft.memberNode?.text })
    SourceClaim.report(claims, takenFrom: imported, index, &context.findings)
    let parts = SourceClaim.parts(claims, imported)
    for key in documents.lazy.flatMap(\.keys) {
      guard let claims = parts[key.resolved.descriptor.member] else { continue }
      key.resolved = key.resolved.shared(
        by: claims.compactMap { claim in
          index.key(claim.member).map { ResolvedMigration.Part($0.resolved, claim.field) }
        })
    }
    guard !imported.isEmpty else { return }
    for key in documents.lazy.flatMap(\.keys) where imported.contains(key.resolved.descriptor.member) {
      key.resolved = key.resolved.imported()
    }
  }
}

extension DecodedRecord {
  /// The names of other records in the text.
  fileprivate var namedRecords: [SyntaxNode] {
    let renamed = draft.deprecation?.renamedTo == nil ? nil : body.value(of: "deprecated")?.value(of: "renamedTo")
    return (renamed.map { [$0] } ?? []) + fields.compactMap(\.draft.referenceNode)
  }
}
