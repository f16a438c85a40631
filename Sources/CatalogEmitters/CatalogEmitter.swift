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
      .flatMap { catalog in Part.allCases.map { (catalog: catalog, part: $0) } }
      .concurrentMap { job in
        GeneratedFile(
          path: job.part.path(of: job.catalog), parts: [job.part.write(job.catalog, modules: modules)])
      }
      .reduce(into: []) { files, next in
        if let last = files.indices.last, files[last].path == next.path {
          files[last].parts += next.parts
        } else {
          files.append(next)
        }
      }
      .sorted { $0.path < $1.path }
  }

  /// What a catalog becomes, in pieces of about one size, so that two threads have done at the same time. The pieces of
  /// a file are neighbours; the largest comes first.
  private enum Part: CaseIterable, Sendable {
    case json, swiftKeys, swiftCatalog, markdownOverview, markdownKeys

    func path(of catalog: ResolvedCatalog) -> String {
      switch self {
      case .json: "Audit/\(catalog.baseName).json"
      case .swiftKeys, .swiftCatalog: "\(catalog.baseName).swift"
      case .markdownOverview, .markdownKeys: "Audit/\(catalog.baseName).md"
      }
    }

    func write(_ catalog: ResolvedCatalog, modules: Set<String>) -> [UInt8] {
      switch self {
      case .json: JSONAuditEmitter.emit([catalog])
      case .swiftKeys: SwiftEmitter.emitKeys(catalog, modules: modules)
      case .swiftCatalog: SwiftEmitter.emitCatalog(catalog)
      case .markdownOverview: MarkdownAuditEmitter.emitOverview(catalog)
      case .markdownKeys: MarkdownAuditEmitter.emitKeys(catalog)
      }
    }
  }
}
