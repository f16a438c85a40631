package import LocalDataModel
import LocalDataSyntax
package import LocalDataEmission

/// Turns checked catalogs into files in memory: `<Base>.keys.swift`, `Audit/<Base>.md` and `Audit/<Base>.json` for each, and
/// `Audit/audit.html` for all.
package enum CatalogEmitter {
  /// The kinds of files.
  package enum Format: String, Sendable, CaseIterable {
    case swift, markdown, json, html
  }

  /// The path of the page about all catalogs of a run.
  package static let pagePath = "Audit/\(AuditPage.fileName)"

  /// Returns the files of all catalogs of a run, sorted by path.
  ///
  /// The emitters are pure and independent of each other, so they run concurrently.
  ///
  /// - Parameters:
  ///   - formats: The kinds of files of each catalog.
  ///   - page: The page about all catalogs, or nil if it is not written.
  package static func emit(
    _ catalogs: [ResolvedCatalog], as formats: Set<Format> = Set(Format.allCases), page: AuditPage? = nil
  ) -> [GeneratedFile] {
    let swift = SwiftEmitter(catalogs)
    let parts = catalogs.flatMap { catalog in
      Part.allCases.filter { formats.contains($0.format) }.map { Job.part($0, catalog) }
    }
    let pieces = page?.pieces ?? []
    // The pieces of the page are the largest ones. What is left at the end is small, so that the threads end together.
    let results = (pieces.map(Job.piece) + parts).concurrentMap { $0.write(swift) }
    var files = parts.indices.map { index in
      GeneratedFile(path: parts[index].path, parts: results[pieces.count + index])
    }
    if !pieces.isEmpty {
      files.append(GeneratedFile(path: pagePath, parts: AuditPage.joined(Array(results[..<pieces.count]))))
    }
    return GeneratedFile.joined(files)
  }

  /// Returns the paths of the files of a catalog, whatever formats a run writes.
  package static func paths(of catalog: ResolvedCatalog) -> Set<String> {
    Set(Part.allCases.map { $0.path(of: catalog) })
  }

  /// Returns the format of a file by its path.
  package static func format(of path: String) -> Format? {
    switch path.split(separator: ".").last.map(String.init) {
    case "swift": .swift
    case "md": .markdown
    case Format.json.rawValue: .json
    case "html": .html
    default: nil
    }
  }

  private enum Job: Sendable {
    case part(Part, ResolvedCatalog)
    case piece(AuditPage.Piece)

    var path: String {
      switch self {
      case .part(let part, let catalog): part.path(of: catalog)
      case .piece: CatalogEmitter.pagePath
      }
    }

    func write(_ swift: SwiftEmitter) -> [[UInt8]] {
      switch self {
      case .part(let part, let catalog): [part.write(catalog, swift)]
      case .piece(let piece): piece.write()
      }
    }
  }

  /// A piece of a catalog's output. The pieces have about the same size, so that two threads finish at the same time. The
  /// pieces of one file follow each other, and the largest piece is first.
  private enum Part: CaseIterable, Sendable {
    case json, swiftKeys, swiftCatalog, markdownOverview, markdownFates, markdownKeys

    var format: Format {
      switch self {
      case .json: .json
      case .swiftKeys, .swiftCatalog: .swift
      case .markdownOverview, .markdownFates, .markdownKeys: .markdown
      }
    }

    func path(of catalog: ResolvedCatalog) -> String {
      switch self {
      case .json: "Audit/\(catalog.baseName).json"
      case .swiftKeys, .swiftCatalog: catalog.swiftFileName
      case .markdownOverview, .markdownFates, .markdownKeys: "Audit/\(catalog.baseName).md"
      }
    }

    func write(_ catalog: ResolvedCatalog, _ swift: SwiftEmitter) -> [UInt8] {
      switch self {
      case .json: JSONAuditEmitter.emit([catalog])
      case .swiftKeys: swift.emit(.keys, of: catalog)
      case .swiftCatalog: swift.emit(.catalog, of: catalog)
      case .markdownOverview: MarkdownAuditEmitter.emitOverview(catalog)
      case .markdownFates: MarkdownAuditEmitter.emitFates(catalog)
      case .markdownKeys: MarkdownAuditEmitter.emitKeys(catalog)
      }
    }
  }
}
