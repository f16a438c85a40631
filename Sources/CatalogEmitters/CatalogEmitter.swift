package import CatalogModel

/// Checked catalogs to files in memory: for each catalog `<Base>.swift`, `Audit/<Base>.md` and `Audit/<Base>.json`.
package enum CatalogEmitter {
  /// The files of all catalogs of a run, in the order of their paths.
  package static func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] {
    let modules = Set(catalogs.flatMap(\.imports))
    return
      catalogs
      .flatMap { catalog in Output.allCases.map { (catalog: catalog, output: $0) } }
      .concurrentMap { $0.output.emit($0.catalog, modules: modules) }
      .sorted { $0.path < $1.path }
  }

  /// The files of a catalog; each is made without the others.
  private enum Output: CaseIterable {
    case swift, markdown, json

    func emit(_ catalog: ResolvedCatalog, modules: Set<String>) -> GeneratedFile {
      let base = catalog.baseName
      return switch self {
      case .swift: GeneratedFile(path: "\(base).swift", bytes: SwiftEmitter.emit(catalog, modules: modules))
      case .markdown: GeneratedFile(path: "Audit/\(base).md", bytes: AuditFormat.markdown.render([catalog]))
      case .json: GeneratedFile(path: "Audit/\(base).json", bytes: AuditFormat.json.render([catalog]))
      }
    }
  }
}
