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
      decoder.header = documents[number].header
      for key in documents[number].keys {
        guard let node = key.migrationNode else { continue }
        // Moved there and back, so that the list of findings has one owner and is not copied.
        var migrations = MigrationDecoder(key: key, index: index, run: run, decoder: decoder)
        decoder.findings = Findings()
        if let migration = migrations.migration(node) {
          key.resolved = key.resolved.migrated(by: migration, inWords: migration.inWords(to: key.resolved.descriptor))
          claims += migrations.claims
        }
        decoder = migrations.decoder
        edges += migrations.edges
      }
      documents[number].header = decoder.header
    }
    MigrationEdge.report(edges, &decoder.findings)
    SourceClaim.report(claims, &decoder.findings)
  }
}
