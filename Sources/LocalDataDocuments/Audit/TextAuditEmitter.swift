import CatalogModel
import StorageAudit
import StorageVocabulary

/// Emits the audit of catalogs as text, a paragraph for each declaration.
enum TextAuditEmitter {
  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    Array(catalogs.map(text).joined(separator: "\n").utf8)
  }

  private static func text(_ catalog: ResolvedCatalog) -> String {
    StorageAuditReport.renderText(
      for: catalog.keys.map(\.descriptor), reserved: catalog.reserved.map(\.reservation),
      title: "\(catalog.name) (\(catalog.sourceName))", catalog.emptySummary) + TextRecordAudit(catalog: catalog).text
  }
}

extension ResolvedReservedName {
  /// The reserved name as the runtime has it.
  var reservation: StorageReservedName {
    StorageReservedName(name: name, domain: domain, deletesLeftovers: deletesLeftovers, note: note)
  }
}

/// Writes the databases and the records of a catalog as text, and the reviews of its keys.
private struct TextRecordAudit {
  let catalog: ResolvedCatalog

  var text: String {
    var text = AuditText()
    for database in catalog.databases { write(database, to: &text) }
    for record in catalog.records { write(record, to: &text) }
    if !catalog.reservedRecords.isEmpty {
      text.line("")
      text.line("Reserved records")
      for reserved in catalog.reservedRecords {
        let note = reserved.note.map { " \($0)" } ?? ""
        text.line("  \(reserved.record) (\(reserved.database)): rows are kept.\(note)")
      }
    }
    let reviews = catalog.keys.compactMap { key in key.review.map { "  \(key.descriptor.member): \($0.auditText)" } }
    if !reviews.isEmpty {
      text.line("")
      text.line("Reviews")
      for review in reviews { text.line(review) }
    }
    writeValues(to: &text)
    return text.text
  }

  /// Writes the answers about all values.
  private func writeValues(to text: inout AuditText) {
    let values = AuditedValues([catalog])
    section(AuditedValues.countsTitle, to: &text)
    for sensitivity in values.sensitivities {
      let counts = AuditedPart.Protection.allCases.map { "\(values.count(sensitivity, $0)) \($0.title)" }
      text.line("  \(sensitivity.rawValue): \(counts.joined(separator: ", "))")
    }
    for weakest in values.weakest {
      text.line(
        "  \(AuditedValues.Weakest.title), \(weakest.whose.description.lowercased()): \(weakest.text)")
    }
    section(AuditedValues.exposuresTitle, to: &text)
    if values.exposures.isEmpty { text.line("  \(AuditedValues.noExposure)") }
    for exposure in values.exposures {
      text.line("  \(exposure.sensitivity.rawValue) in \(exposure.place): \(exposure.names.joined(separator: ", "))")
    }
    section(AuditedValues.departuresTitle, to: &text)
    if values.departures.isEmpty { text.line("  \(AuditedValues.noDeparture)") }
    for departure in values.departures {
      text.line(
        "  \(departure.copy.text): \(departure.sensitivity.rawValue) \(departure.names.joined(separator: ", "))")
    }
    section(AuditedValues.signOutTitle, to: &text)
    for sentence in values.signOut([catalog]) { text.line("  \(sentence)") }
  }

  private func section(_ title: StaticString, to text: inout AuditText) {
    text.line("")
    text.line(title.description)
  }

  private func write(_ database: ResolvedDatabase, to text: inout AuditText) {
    text.line("")
    text.line("\(database.member), a database")
    text.line("  \(database.description)")
    text.fact("Stored name: ", database.name)
    text.fact("Where: ", database.whereText)
    text.fact("Protection: ", database.protection.rawValue)
    text.fact("Sealing: ", database.sealing.auditText)
    text.fact("Backups: ", database.isInBackup ? "included" : "excluded")
    text.fact("Owner: ", database.owner)
  }

  private func write(_ record: ResolvedRecord, to text: inout AuditText) {
    text.line("")
    text.line("\(record.name), a record")
    text.line("  \(record.description)")
    text.fact("Stored name: ", record.storedName)
    text.fact("Database: ", record.database)
    text.fact("Member: ", record.member)
    text.fact("Key: ", record.key)
    text.fact("Sensitivity: ", record.sensitivityText(in: catalog.database(of: record)))
    text.fact("Owner: ", record.owner)
    if !record.indexes.isEmpty { text.fact("Indexes: ", record.names(of: record.indexes)) }
    if !record.unique.isEmpty { text.fact("Unique: ", record.uniqueText) }
    text.fact("Kept: ", record.retention?.auditText ?? "until removed")
    if let expires = record.expires { text.fact("Expires: ", expires) }
    if record.skipsDamaged { text.fact("Damaged rows: ", "left out of lists") }
    for reserved in record.reserved { text.fact("Reserved: ", reserved.auditText) }
    if let maxSize = record.maxSize { text.fact("At most: ", "\(maxSize) bytes") }
    if let privacy = record.privacy { text.fact("Privacy: ", privacy.auditText) }
    if let review = record.review { text.fact("Reviewed: ", review.auditText) }
    if let deprecation = record.deprecation { text.fact("Deprecated: ", deprecation.auditText) }
    for field in record.fields { text.fact("Field: ", field.auditText(in: record)) }
  }
}

extension ResolvedRecord.Field {
  /// For example `4 credentialID: String; personal; refers to Credential, cascade`.
  fileprivate func auditText(in record: ResolvedRecord) -> String {
    var parts = ["\(number) \(name): \(typeText)"]
    if storedName != name { parts.append("stored as \(storedName)") }
    if let defaultValue { parts.append("default \(defaultValue.auditText)") }
    parts.append(sensitivity.rawValue)
    if encryption != .none { parts.append("encrypted: \(encryption.auditText)") }
    if let reference { parts.append("refers to \(reference.auditText)") }
    if !transforms.isEmpty { parts.append("made \(sourceText)") }
    if privacy != record.privacy, let privacy { parts.append("privacy: \(privacy.auditText)") }
    if let description { parts.append(description) }
    return parts.joined(separator: "; ")
  }
}
