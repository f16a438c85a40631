import StorageVocabulary

extension CatalogRun {
  /// Decodes and checks every migration, now that each key that it may name is known.
  mutating func resolveMigrations() {
    guard documents.contains(where: \.hasMigration) else { return }
    let run = self
    let index = KeyIndex(run)
    var edges: [MigrationEdge] = []
    var claims: [SourceClaim] = []
    for number in documents.indices {
      context.header = documents[number].header
      for key in documents[number].keys {
        guard let node = key.migrationNode else { continue }
        // Moved there and back, so that the list of findings has one owner and is not copied.
        var migrations = MigrationDecoder(key: key, index: index, run: run, context: context)
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
      documents[number].header = context.header
    }
    MigrationEdge.report(edges, &context.findings)
    SourceClaim.report(claims, &context.findings)
  }
}
