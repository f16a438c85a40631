package import CatalogModel
import StorageVocabulary

/// The forms of an audit. Each is one document about any number of catalogs.
package enum AuditFormat: String, Sendable, CaseIterable {
  case markdown, json, text

  /// The document, in the order of `catalogs`.
  package func render(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    switch self {
    case .markdown: MarkdownAuditEmitter.emit(catalogs)
    case .json: JSONAuditEmitter.emit(catalogs)
    case .text: Array(catalogs.map(Self.text).joined(separator: "\n").utf8)
    }
  }

  private static func text(_ catalog: ResolvedCatalog) -> String {
    StorageAuditReport.renderText(
      for: catalog.keys.map(\.descriptor),
      reserved: catalog.reserved.map {
        StorageReservedName(
          name: $0.name, domain: $0.domain, deletesLeftovers: $0.deletesLeftovers, note: $0.note)
      },
      title: "\(catalog.name) (\(catalog.sourceName))")
  }
}
