import LocalDataEmission
import LocalDataModel

/// Writes catalogs as one Markdown document, in pieces of about the same size.
enum MarkdownAuditEmitter {
  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    Array(catalogs.map { emitOverview($0) + emitFates($0) + emitKeys($0) }.joined(separator: "\n".utf8))
  }

  static func emitOverview(_ catalog: ResolvedCatalog) -> [UInt8] {
    MarkdownWriter.collect(capacity: 1_024 + 512 * catalog.keys.count, isFirst: true) {
      document(catalog).writeOverview(to: &$0)
    }
  }

  static func emitFates(_ catalog: ResolvedCatalog) -> [UInt8] {
    MarkdownWriter.collect(capacity: 16_384 + 256 * catalog.keys.count) { document(catalog).writeFates(to: &$0) }
  }

  static func emitKeys(_ catalog: ResolvedCatalog) -> [UInt8] {
    MarkdownWriter.collect(capacity: 1_024 + 512 * catalog.keys.count) {
      document(catalog).writeDeclarations(to: &$0)
    }
  }

  private static func document(_ catalog: ResolvedCatalog) -> CatalogDocument {
    CatalogDocument(catalog: catalog, hasTable: true)
  }
}
