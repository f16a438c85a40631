import CatalogModel
import StorageAudit
import StorageVocabulary

/// The databases of a page, and the records with their fields.
struct AuditRecords {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  func write(to html: inout HTMLWriter) {
    // A record can be in a database of another catalog.
    let all = zip(page.catalogs, page.addresses.databases).flatMap { zip($0.databases.map(\.member), $1) }
    let databases = Dictionary(all) { first, _ in first }
    for (index, catalog) in page.catalogs.enumerated() {
      for (database, address) in zip(catalog.databases, page.addresses.databases[index]) {
        write(database, address, of: catalog, to: &html)
      }
      for (position, (record, address)) in zip(catalog.records, page.addresses.records[index]).enumerated() {
        let parts = page.values.records[index][position]
        write(record, parts, address, databases[record.database], of: catalog, to: &html)
      }
    }
  }

  // MARK: - Databases

  private func write(
    _ database: ResolvedDatabase, _ address: HTMLIdentifier, of catalog: ResolvedCatalog, to html: inout HTMLWriter
  ) {
    html.element(.section, .id(address), .class("entry")) { html in
      html.element(.h3) { html in
        html.element(.a, .href(address), text: database.member)
        html.element(.small, text: " database")
      }
      html.element(.p, text: database.description)
      html.line()
      html.element(.dl) { html in
        html.fact("Stored name", database.name)
        html.fact("Where", database.whereText)
        html.fact("Protection", database.protection.rawValue)
        html.fact("Sealing", database.sealing.auditText)
        html.fact("Backups", database.isInBackup ? "included" : "excluded")
        html.fact("Owner", database.owner)
        html.declared(catalog, database.line)
      }
      html.line()
      page.writeFindings(of: database.typeName, to: &html)
    }
    html.line()
  }

  // MARK: - Records

  private func write(
    _ record: ResolvedRecord, _ parts: [AuditedPart], _ address: HTMLIdentifier, _ database: HTMLIdentifier?,
    of catalog: ResolvedCatalog, to html: inout HTMLWriter
  ) {
    html.element(.section, .id(address), .class("entry")) { html in
      html.element(.h3) { html in
        html.element(.a, .href(address), text: record.name)
        html.element(.small, text: " record")
      }
      html.element(.p, text: record.description)
      html.line()
      html.element(.dl) { html in
        html.fact("Stored name", record.storedName)
        html.element(.dt, text: "Database")
        html.element(.dd) { html in
          guard let database else { return html.text(record.database) }
          html.element(.a, .href(database), text: record.database)
        }
        writeFacts(record, in: catalog.database(of: record), to: &html)
        for part in parts {
          html.fact(
            part.protection == .none ? "Plain fields leave the device" : "Encrypted fields leave the device",
            part.flow.departureText)
        }
        page.writeRelease(page.context.history?.records[record.name], to: &html)
        html.declared(catalog, record.line)
      }
      html.line()
      for part in parts { page.pictures.write(part.flow, to: &html) }
      page.writeFindings(of: record.name, to: &html)
      writeFields(record, to: &html)
    }
    html.line()
  }

  private func writeFacts(_ record: ResolvedRecord, in database: ResolvedDatabase?, to html: inout HTMLWriter) {
    html.fact("Member", record.member)
    html.fact("Key", record.key)
    html.fact("Sensitivity", record.sensitivityText(in: database))
    html.fact("Owner", record.owner)
    if !record.indexes.isEmpty { html.fact("Indexes", record.names(of: record.indexes)) }
    if !record.unique.isEmpty { html.fact("Unique", record.uniqueText) }
    html.fact("Kept", record.retention?.auditText ?? "until removed")
    if let expires = record.expires { html.fact("Expires", expires) }
    if record.skipsDamaged { html.fact("Damaged rows", "left out of lists") }
    for reserved in record.reserved { html.fact("Reserved", reserved.auditText) }
    if let maxSize = record.maxSize { html.fact("At most", "\(maxSize) bytes") }
    if let privacy = record.privacy { html.fact("Privacy", privacy.auditText) }
    if let review = record.review { html.fact("Reviewed", review.auditText) }
    if let deprecation = record.deprecation { html.fact("Deprecated", deprecation.auditText) }
  }

  private func writeFields(_ record: ResolvedRecord, to html: inout HTMLWriter) {
    html.scrollable("Fields of \(record.name)") { html in
      html.element(.table) { html in
        html.element(.caption, text: Counted.text(record.fields.count, "field"))
        html.tableHead(
          "Number", "Field", "Stored name", "Type", "Default", "Sensitivity", "Encrypted", "Refers to", "Made from",
          "Privacy", "Description")
        html.element(.tbody) { html in
          for field in record.fields {
            html.line()
            html.element(.tr) { write(field, of: record, to: &$0) }
          }
        }
      }
    }
    html.line()
  }

  private func write(_ field: ResolvedRecord.Field, of record: ResolvedRecord, to html: inout HTMLWriter) {
    html.element(.td, .class("number")) { $0.text(field.number) }
    html.element(.th, .scope("row"), text: field.name)
    html.element(.td, text: field.storedName)
    html.element(.td, text: field.typeText)
    html.element(.td, text: field.defaultValue?.auditText ?? "")
    html.element(.td, text: field.sensitivity.rawValue)
    html.element(.td, text: field.encryption.auditText)
    html.element(.td, text: field.reference?.auditText ?? "")
    html.element(.td, text: field.sourceText)
    html.element(.td, text: field.privacy == record.privacy ? "" : field.privacy?.auditText ?? "")
    html.element(.td, text: field.description ?? "")
  }
}

extension HTMLWriter {
  /// Writes the place of a declaration.
  mutating func declared(_ catalog: ResolvedCatalog, _ line: Int) {
    fact("Declared", "\(catalog.sourceName), line \(line)")
  }
}
