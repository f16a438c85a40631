package import CatalogModel

/// Checked catalogs to files in memory: for each catalog `<Base>.swift`, `Audit/<Base>.md` and `Audit/<Base>.json`.
package enum CatalogEmitter {
  /// The files of all catalogs of a run, in the order of their paths.
  package static func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] {
    let modules = Set(catalogs.flatMap(\.imports))
    return
      catalogs
      .flatMap { catalog in
        [
          GeneratedFile(path: "\(catalog.baseName).swift", bytes: SwiftEmitter.emit(catalog, modules: modules)),
          GeneratedFile(path: "Audit/\(catalog.baseName).md", bytes: AuditFormat.markdown.render([catalog])),
          GeneratedFile(path: "Audit/\(catalog.baseName).json", bytes: AuditFormat.json.render([catalog])),
        ]
      }
      .sorted { $0.path < $1.path }
  }
}
