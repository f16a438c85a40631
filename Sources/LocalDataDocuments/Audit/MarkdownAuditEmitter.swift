import LocalDataEmission
import LocalDataModel

/// Writes catalogs as one Markdown document, in pieces of about the same size.
enum MarkdownAuditEmitter {
  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    let all = catalogs.map(AuditedCatalog.init)
    return Array(all.map { emitOverview($0) + emitFates($0) + emitKeys($0) }.joined(separator: "\n".utf8))
  }

  static func emitOverview(_ audited: AuditedCatalog) -> [UInt8] {
    MarkdownWriter.collect(capacity: 1_024 + 512 * audited.catalog.keys.count, isFirst: true) {
      document(audited).writeOverview(to: &$0)
    }
  }

  static func emitFates(_ audited: AuditedCatalog) -> [UInt8] {
    MarkdownWriter.collect(capacity: 1 << 16) { document(audited).writeFates(to: &$0) }
  }

  static func emitKeys(_ audited: AuditedCatalog) -> [UInt8] {
    MarkdownWriter.collect(capacity: 1_024 + 512 * audited.catalog.keys.count) {
      document(audited).writeDeclarations(to: &$0)
    }
  }

  private static func document(_ audited: AuditedCatalog) -> CatalogDocument {
    CatalogDocument(audited: audited, hasTable: true)
  }
}
