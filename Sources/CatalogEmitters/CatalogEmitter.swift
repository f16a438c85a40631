package import CatalogModel
import CatalogSyntax

/// Turns checked catalogs into files in memory: `<Base>.keys.swift`, `Audit/<Base>.md` and `Audit/<Base>.json` for each.
package enum CatalogEmitter {
  /// Returns the files of all catalogs of a run, sorted by path.
  ///
  /// The emitters are pure and independent of each other, so they run concurrently.
  package static func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] {
    let modules = Set(catalogs.flatMap(\.imports))
    let run = RunRecords(catalogs)
    return
      catalogs
      .flatMap { catalog in Part.allCases.map { (catalog: catalog, part: $0) } }
      .concurrentMap { job in
        GeneratedFile(
          path: job.part.path(of: job.catalog), parts: [job.part.write(job.catalog, modules: modules, run: run)])
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

  /// Returns the paths of the files of a catalog.
  package static func paths(of catalog: ResolvedCatalog) -> Set<String> {
    Set(Part.allCases.map { $0.path(of: catalog) })
  }

  /// A piece of a catalog's output. The pieces have about the same size, so that two threads finish at the same time. The
  /// pieces of one file follow each other, and the largest piece is first.
  private enum Part: CaseIterable, Sendable {
    case json, swiftKeys, swiftCatalog, markdownOverview, markdownKeys

    func path(of catalog: ResolvedCatalog) -> String {
      switch self {
      case .json: "Audit/\(catalog.baseName).json"
      case .swiftKeys, .swiftCatalog: catalog.swiftFileName
      case .markdownOverview, .markdownKeys: "Audit/\(catalog.baseName).md"
      }
    }

    func write(_ catalog: ResolvedCatalog, modules: Set<String>, run: RunRecords) -> [UInt8] {
      switch self {
      case .json: JSONAuditEmitter.emit([catalog])
      case .swiftKeys: SwiftEmitter.emitKeys(catalog, modules: modules, run: run)
      case .swiftCatalog: SwiftEmitter.emitCatalog(catalog)
      case .markdownOverview: MarkdownAuditEmitter.emitOverview(catalog)
      case .markdownKeys: MarkdownAuditEmitter.emitKeys(catalog)
      }
    }
  }
}
