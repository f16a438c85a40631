import LocalDataModel

/// Emits the audit of catalogs as text, a paragraph for each declaration.
enum TextAuditEmitter {
  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    Array(catalogs.map(emit).joined(separator: "\n".utf8))
  }

  private static func emit(_ catalog: ResolvedCatalog) -> [UInt8] {
    TextWriter.collect(capacity: 4_096 + 1_536 * catalog.keys.count) { writer in
      let document = CatalogDocument(audited: AuditedCatalog(catalog), hasTable: false)
      document.writeOverview(to: &writer)
      document.writeFates(to: &writer)
      document.writeDeclarations(to: &writer)
    }
  }
}
