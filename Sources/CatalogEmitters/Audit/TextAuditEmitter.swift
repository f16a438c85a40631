import CatalogModel

/// Emits the audit of catalogs as text, a paragraph for each declaration.
enum TextAuditEmitter {
  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    Array(catalogs.map(text).joined(separator: "\n").utf8)
  }

  private static func text(_ catalog: ResolvedCatalog) -> String {
    var writer = TextWriter()
    let document = CatalogDocument(catalog: catalog, hasTable: false)
    document.writeOverview(to: &writer)
    document.writeFates(to: &writer)
    document.writeDeclarations(to: &writer)
    return writer.text.text
  }
}
