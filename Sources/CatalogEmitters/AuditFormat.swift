package import CatalogModel
import StorageAudit
import StorageVocabulary

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
    case .json: JSONAuditEmitter.emit(catalogs)
    case .html: AuditPage(catalogs, context).bytes
    case .csv: CSVAudit.emit(catalogs)
    case .cyclonedx: CycloneDXEmitter.emit(catalogs)
    case .processing: ProcessingRecord.emit(catalogs, processing)
    case .text: Array(catalogs.map(Self.text).joined(separator: "\n").utf8)
    }
  }

  private static func text(_ catalog: ResolvedCatalog) -> String {
    StorageAuditReport.renderText(
      for: catalog.keys.map(\.descriptor), reserved: catalog.reserved.map(\.reservation),
      title: "\(catalog.name) (\(catalog.sourceName))", catalog.emptySummary) + TextRecordAudit(catalog: catalog).text
  }
}

extension ResolvedCatalog {
  /// The counts at the beginning of the audit, without those of keys.
  var emptySummary: StorageAuditSummary {
    var summary = StorageAuditSummary(reserved: reserved.count + reservedRecords.count)
    (summary.records, summary.databases) = (records.count, databases.count)
    return summary
  }
}

extension ResolvedReservedName {
  /// The reserved name as the runtime has it.
  var reservation: StorageReservedName {
    StorageReservedName(name: name, domain: domain, deletesLeftovers: deletesLeftovers, note: note)
  }
}
