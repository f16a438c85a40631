import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The sections of databases and records, which all formats have.
extension DocumentWriter where Self: ~Copyable {
  /// Writes the section of a database.
  ///
  /// - Parameter rest: Writes what only one format has below the facts.
  mutating func write(
    _ database: ResolvedDatabase, of catalog: ResolvedCatalog, _ address: HTMLIdentifier? = nil,
    rest: (inout Self) -> Void = { _ in }
  ) {
    entry(database.member, "database", address) { document in
      document.paragraph(.author(database.description))
      document.facts { document in
        document.fact("Stored name", database.name)
        document.fact("Where", database.whereText)
        document.fact("Protection", database.protection.rawValue)
        document.fact("Sealing", database.sealing.auditText)
        document.fact("Backups", database.isInBackup ? "included" : "excluded")
        document.fact("Owner", database.owner)
        document.declared(catalog, database.line)
      }
      rest(&document)
    }
  }

  /// Writes the section of a record with its fields.
  ///
  /// - Parameters:
  ///   - database: The name of the database, which may be a link.
  ///   - facts: Writes facts that only one format has.
  ///   - rest: Writes what only one format has below the fields.
  mutating func write(
    _ record: ResolvedRecord, of catalog: ResolvedCatalog, _ address: HTMLIdentifier? = nil,
    database: DocumentText? = nil, facts: (inout Self) -> Void = { _ in }, rest: (inout Self) -> Void = { _ in }
  ) {
    entry(record.name, "record", address) { document in
      document.paragraph(.author(record.description))
      document.facts { document in
        document.write(record.labels)
        document.fact("Stored name", record.storedName)
        document.fact("Database", database ?? .author(record.database))
        document.writeFacts(of: record, in: catalog.database(of: record))
        facts(&document)
        document.declared(catalog, record.line)
      }
      document.writeFields(of: record)
      rest(&document)
    }
  }

  private mutating func writeFacts(of record: ResolvedRecord, in database: ResolvedDatabase?) {
    fact("Member", record.member)
    fact("Key", record.key)
    fact("Sensitivity", record.sensitivityText(in: database))
    fact("Owner", record.owner)
    if !record.indexes.isEmpty { fact("Indexes", record.names(of: record.indexes)) }
    if !record.unique.isEmpty { fact("Unique", record.uniqueText) }
    fact("Kept", record.retention?.auditText ?? "until removed")
    fact("Expires", ifAny: record.expires)
    fact("Imported from", ifAny: record.imported?.words)
    switch record.signOut {
    case .keep: fact("At sign-out", "kept")
    case .by(let field): fact("At sign-out", "removed with the account in \(field)")
    case nil: break
    }
    if record.skipsDamaged { fact("Damaged rows", "left out of lists") }
    for reserved in record.reserved { fact("Reserved", reserved.auditText) }
    fact("At most", ifAny: record.maxSize.map { "\($0) bytes" })
    fact("Privacy", ifAny: record.privacy?.auditText)
    fact("Reviewed", ifAny: record.review?.auditText)
    fact("Deprecated", ifAny: record.deprecation?.auditText)
    var storages = AuditedStorages()
    for part in database.map({ AuditedPart.all(of: record, in: $0, &storages) }) ?? [] {
      fact(
        part.protection == .none ? "Plain fields leave the device" : "Encrypted fields leave the device",
        part.storage.departureText)
    }
  }

  private mutating func writeFields(of record: ResolvedRecord) {
    let columns = [
      "Number", "Field", "Stored name", "Type", "Default", "Sensitivity", "Encrypted", "Refers to", "Made",
      "Privacy", "Description",
    ]
    table("Fields of \(record.name)", columns) { document in
      for field in record.fields {
        let privacy = field.privacy == record.privacy ? nil : field.privacy?.auditText
        document.row(texts: [
          String(field.number), field.name, field.storedName, field.typeText, field.defaultValue?.auditText ?? "",
          field.sensitivity.rawValue, field.encryption.auditText, field.reference?.auditText ?? "", field.sourceText,
          privacy ?? "", field.description ?? "",
        ])
      }
    }
  }

  /// Writes the place of a declaration.
  mutating func declared(_ catalog: ResolvedCatalog, _ line: Int) { declared(in: catalog.sourceName, line) }

  /// - Parameter source: The name of the catalog's file.
  mutating func declared(in source: String, _ line: Int) { fact("Declared", "\(source), line \(line)") }
}

/// The names and the records that earlier releases used.
struct ReservedSection {
  let catalogs: [ResolvedCatalog]

  var hasContent: Bool { catalogs.contains { !$0.reserved.isEmpty || !$0.reservedRecords.isEmpty } }

  func write(to document: inout some DocumentWriter & ~Copyable) {
    guard hasContent else { return }
    document.section("Reserved names", "reserved") { document in
      let names = catalogs.flatMap(\.reserved)
      let records = catalogs.flatMap(\.reservedRecords)
      if !names.isEmpty {
        document.table("Reserved names", ["Name", "Where", "Leftovers", "Note"]) { document in
          for name in names {
            document.row(
              texts: [name.name, name.domain.auditText, name.reservation.leftoversText, name.note ?? ""])
          }
        }
      }
      guard !records.isEmpty else { return }
      document.paragraph("The rows of reserved records stay in the databases.")
      document.table("Reserved records", ["Record", "Database", "Note"]) { document in
        for record in records {
          document.row(texts: [record.record, record.database, record.note ?? ""])
        }
      }
    }
  }
}

extension ResolvedReservedName {
  /// The reserved name as the runtime has it.
  var reservation: StorageReservedName {
    StorageReservedName(name: name, domain: domain, deletesLeftovers: deletesLeftovers, note: note)
  }
}
