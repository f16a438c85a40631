package import CatalogModel

/// Checked catalogs to files in memory: for each catalog `<Base>.swift`, `Audit/<Base>.md` and `Audit/<Base>.json`.
package enum CatalogEmitter {
  /// The files of all catalogs of a run, in the order of their paths.
  ///
  /// Emitters are pure and know nothing of each other, so that they run beside each other.
  package static func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] {
    let modules = Set(catalogs.flatMap(\.imports))
    return
      catalogs
      .flatMap { catalog in Output.allCases.map { (catalog: catalog, output: $0) } }
      .concurrentMap { job in job.output.file(of: job.catalog, modules: modules) }
      .sorted { $0.path < $1.path }
  }

  /// What a catalog becomes.
  private enum Output: CaseIterable, Sendable {
    case swift, markdown, json

    func file(of catalog: ResolvedCatalog, modules: Set<String>) -> GeneratedFile {
      switch self {
      case .swift:
        GeneratedFile(path: "\(catalog.baseName).swift", bytes: SwiftEmitter.emit(catalog, modules: modules))
      case .markdown:
        GeneratedFile(path: "Audit/\(catalog.baseName).md", bytes: AuditFormat.markdown.render([catalog]))
      case .json:
        GeneratedFile(path: "Audit/\(catalog.baseName).json", bytes: AuditFormat.json.render([catalog]))
      }
    }
  }
}
