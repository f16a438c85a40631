import LocalDataEmission
import CatalogModel
import StorageAudit
import StorageVocabulary

/// Writes the databases and the records of a catalog in Markdown: a table of the databases, and a section for each record
/// with its fields.
struct MarkdownRecordAudit {
  let catalog: ResolvedCatalog

  func write(to output: inout OutputBuffer) {
    writeDatabases(to: &output)
    if !catalog.records.isEmpty { output.write("\n## Records\n") }
    for record in catalog.records { write(record, to: &output) }
    writeReserved(to: &output)
  }

  private func writeDatabases(to output: inout OutputBuffer) {
    guard !catalog.databases.isEmpty else { return }
    output.write("\n## Databases\n\n")
    output.write("| database | name | where | protection | sealing | backups | owner | description |\n")
    output.write("|---|---|---|---|---|---|---|---|\n")
    for database in catalog.databases {
      output.write("| ")
      output.write(database.member)
      output.writeCell(database.name)
      output.writeCell(database.whereText)
      output.writeCell(database.protection.rawValue, isFree: false)
      output.writeCell(database.sealing.auditText)
      output.writeCell(database.isInBackup ? "included" : "excluded", isFree: false)
      output.writeCell(database.owner)
      output.writeCell(database.description)
      output.write(" |\n")
    }
  }

  private func writeReserved(to output: inout OutputBuffer) {
    guard !catalog.reservedRecords.isEmpty else { return }
    output.write("\n## Reserved records\n\nTheir rows stay in the databases.\n\n")
    output.write("| record | database | note |\n|---|---|---|\n")
    for reserved in catalog.reservedRecords {
      output.write("| ")
      output.writeMarkdown(reserved.record, in: .document)
      output.writeCell(reserved.database, isFree: false)
      output.writeCell(reserved.note ?? "")
      output.write(" |\n")
    }
  }

  private func write(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    output.write("\n### ")
    output.write(record.name)
    output.write("\n\n")
    output.writeMarkdown(record.description, in: .document)
    output.write("\n\n")
    writeFacts(record, to: &output)
    writeFields(record, to: &output)
  }

  private func writeFacts(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    output.writeFact("Stored name: ", record.storedName)
    output.writeFact("Database: ", record.database, isFree: false)
    output.writeFact("Member: ", record.member, isFree: false)
    output.writeFact("Key: ", record.key, isFree: false)
    output.writeFact("Sensitivity: ", record.sensitivityText(in: catalog.database(of: record)), isFree: false)
    output.writeFact("Owner: ", record.owner)
    if !record.indexes.isEmpty { output.writeFact("Indexes: ", record.names(of: record.indexes), isFree: false) }
    if !record.unique.isEmpty { output.writeFact("Unique: ", record.uniqueText, isFree: false) }
    output.writeFact("Kept: ", record.retention?.auditText ?? "until removed", isFree: false)
    if let expires = record.expires { output.writeFact("Expires: ", expires, isFree: false) }
    if record.skipsDamaged { output.writeFact("Damaged rows: ", "left out of lists", isFree: false) }
    for reserved in record.reserved { output.writeFact("Reserved: ", reserved.auditText) }
    for field in record.fields where !field.transforms.isEmpty {
      output.writeFact("Made from earlier fields: ", "\(field.name) \(field.sourceText)")
    }
    if let maxSize = record.maxSize { output.writeFact("At most: ", "\(maxSize) bytes", isFree: false) }
    if let privacy = record.privacy { output.writeFact("Privacy: ", privacy.auditText, isFree: false) }
    if let review = record.review { output.writeFact("Reviewed: ", review.auditText) }
    if let deprecation = record.deprecation { output.writeFact("Deprecated: ", deprecation.auditText) }
    output.write("- Declared: ")
    output.writeMarkdown(catalog.sourceName, in: .document)
    output.write(", line \(record.line)\n")
  }

  private func writeFields(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    output.write("\n| number | field | stored name | type | default | sensitivity | encrypted | refers to | privacy ")
    output.write("| description |\n|---|---|---|---|---|---|---|---|---|---|\n")
    for field in record.fields {
      output.write("| \(field.number)")
      output.writeCell(field.name, isFree: false)
      output.writeCell(field.storedName)
      output.writeCell(field.typeText)
      output.writeCell(field.defaultValue?.auditText ?? "")
      output.writeCell(field.sensitivity.rawValue, isFree: false)
      output.writeCell(field.encryption.auditText, isFree: false)
      output.writeCell(field.reference?.auditText ?? "", isFree: false)
      output.writeCell(field.privacy == record.privacy ? "" : field.privacy?.auditText ?? "", isFree: false)
      output.writeCell(field.description ?? "")
      output.write(" |\n")
    }
  }
}
