import StorageVocabulary

extension CatalogRun {
  /// Decodes and checks every migration, now that each key that it may name is known.
  mutating func resolveMigrations() {
    guard documents.contains(where: { $0.keys.contains { $0.migrationNode != nil } }) else { return }
    let run = self
    let index = KeyIndex(run)
    var edges: [MigrationEdge] = []
    for number in documents.indices {
      decoder.header = documents[number].header
      for position in documents[number].keys.indices {
        guard let node = documents[number].keys[position].migrationNode else { continue }
        // Moved there and back, so that the list of findings has one owner and is not copied.
        var migrations = MigrationDecoder(
          key: documents[number].keys[position], index: index, run: run, decoder: decoder)
        decoder.findings = Findings()
        if let migration = migrations.migration(node) {
          documents[number].keys[position].resolved.migration = migration
          documents[number].keys[position].resolved.descriptor.migration = migration.inWords
        }
        decoder = migrations.decoder
        edges += migrations.edges
      }
      documents[number].header = decoder.header
    }
    MigrationEdge.report(edges, &decoder.findings)
  }
}
