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
    let documents = Document.allCases.filter { formats.contains($0.format) }
    let parts = catalogs.flatMap { catalog -> [Job] in
      let code = formats.contains(.swift) ? SwiftEmitter.Piece.allCases.map { Job.swift($0, catalog) } : []
      guard !documents.isEmpty else { return code }
      let ofPage = page?.audited.first { $0.catalog.path == catalog.path && $0.catalog.name == catalog.name }
      let audited = ofPage ?? AuditedCatalog(catalog)
      return documents.map { Job.document($0, audited) } + code
    }
    let pieces = page?.pieces ?? []
    // The pieces of the page are the largest ones. What is left at the end is small, so that the threads end together.
    let results = (pieces.map(Job.page) + parts).concurrentMap { $0.write(swift) }
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
    Set([catalog.swiftFileName] + Document.allCases.map { $0.path(of: catalog) })
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
    case swift(SwiftEmitter.Piece, ResolvedCatalog)
    case document(Document, AuditedCatalog)
    case page(AuditPage.Piece)

    var path: String {
      switch self {
      case .swift(_, let catalog): catalog.swiftFileName
      case .document(let document, let audited): document.path(of: audited.catalog)
      case .page: CatalogEmitter.pagePath
      }
    }

    func write(_ swift: SwiftEmitter) -> [[UInt8]] {
      switch self {
      case .swift(let piece, let catalog): [swift.emit(piece, of: catalog)]
      case .document(let document, let audited): [document.write(audited)]
      case .page(let piece): piece.write()
      }
    }
  }

  /// A document about a catalog, or a piece of one. The pieces have about the same size, so that two threads finish at the
  /// same time. The pieces of one file follow each other, and the largest one is first.
  private enum Document: CaseIterable, Sendable {
    case json, markdownOverview, markdownFates, markdownKeys

    var format: Format { self == .json ? .json : .markdown }

    func path(of catalog: ResolvedCatalog) -> String {
      "Audit/\(catalog.baseName).\(format == .json ? "json" : "md")"
    }

    func write(_ audited: AuditedCatalog) -> [UInt8] {
      switch self {
      case .json: JSONAuditEmitter.emit([audited])
      case .markdownOverview: MarkdownAuditEmitter.emitOverview(audited)
      case .markdownFates: MarkdownAuditEmitter.emitFates(audited)
      case .markdownKeys: MarkdownAuditEmitter.emitKeys(audited)
      }
    }
  }
}
