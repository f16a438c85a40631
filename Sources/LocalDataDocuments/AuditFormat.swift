package import LocalDataModel

/// The formats of an audit. Each is one document about any number of catalogs.
package enum AuditFormat: String, Sendable, CaseIterable {
  case markdown, json, text, html, csv, cyclonedx, processing

  /// Returns the document, with the catalogs in their order.
  ///
  /// - Parameters:
  ///   - context: What the run found out, which only HTML shows.
  ///   - processing: What the project says about the purposes for which data is processed.
  package func render(
    _ catalogs: [ResolvedCatalog], _ context: AuditContext = AuditContext(), processing: [Processing] = []
  ) -> [UInt8] {
    switch self {
    case .markdown: MarkdownAuditEmitter.emit(catalogs)
    case .json: JSONAuditEmitter.emit(catalogs.map(AuditedCatalog.init))
    case .html: AuditPage(catalogs, context).bytes
    case .csv: CSVAudit.emit(catalogs)
    case .cyclonedx: CycloneDXEmitter.emit(catalogs)
    case .processing: ProcessingRecord.emit(catalogs, processing)
    case .text: TextAuditEmitter.emit(catalogs)
    }
  }
}
