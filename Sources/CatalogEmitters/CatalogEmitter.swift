package import CatalogModel

/// Checked catalogs to files in memory.
package enum CatalogEmitter {
  /// The Swift and audit files of all catalogs of a run, in the order of their paths.
  package static func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] {
    let modules = Set(catalogs.flatMap(\.imports))
    return catalogs.flatMap { catalog in
      let rows = DescriptorRows(catalog)
      return [
        GeneratedFile(
          path: "\(catalog.baseName).swift", bytes: SwiftEmitter.emit(catalog, modules: modules, rows: rows))
      ]
    }
    .sorted { $0.path < $1.path }
  }
}
