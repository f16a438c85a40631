import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The audit of one catalog as a document without links: the same sections in Markdown and in text.
struct CatalogDocument {
  let audited: AuditedCatalog
  /// True if a table of the keys has the fields that every key has. Their sections then do not repeat them, so that a
  /// reviewer of ten thousand keys can read all of them.
  let hasTable: Bool

  private var catalog: ResolvedCatalog { audited.catalog }

  /// Writes the counts, the answers about all values, the privacy manifest and the table of the keys.
  func writeOverview(to document: inout some DocumentWriter & ~Copyable) {
    let summary = catalog.auditSummary
    document.title(catalog.name)
    let kinds = catalog.records.isEmpty ? "keys" : "keys and records"
    document.paragraph(.author("The \(kinds) of \(catalog.sourceName), written by local-data: \(summary.text)."))
    document.facts { document in
      if !catalog.records.isEmpty { document.fact("Records", catalog.records.map(\.name).joined(separator: ", ")) }
      if !catalog.unmanaged.isEmpty {
        document.fact("Unmanaged", catalog.unmanaged.map(\.member).joined(separator: ", "))
      }
      document.fact("Domains", StorageAuditSummary.text(summary.domains))
      document.fact("Security", StorageAuditSummary.text(summary.securities))
      document.fact("Sensitivity", StorageAuditSummary.text(summary.sensitivities))
    }
    let values = audited.values
    values.writeCounts(to: &document)
    values.writeExposures(to: &document)
    values.writeDepartures(to: &document)
    values.writeSignOut(of: [catalog], to: &document)
    PrivacySection([catalog]).write(to: &document)
    if hasTable, !catalog.keys.isEmpty { writeTable(values.keys[0], to: &document) }
    SigningSection([catalog]).write(to: &document)
    BackupSection([catalog]).write(to: &document)
  }

  /// - Parameter parts: The values of the keys, in the order of the catalog.
  private func writeTable(_ parts: [AuditedPart], to document: inout some DocumentWriter & ~Copyable) {
    let columns = [
      "Key", "Stored name", "Type", "Where", "Secured", "Serializer", "Sensitivity", "Owner", "Sync", "Kept",
    ]
    document.section("Overview", "overview") { document in
      document.table("Keys", columns) { document in
        for (key, part) in zip(catalog.keys, parts) {
          document.row([
            .author(key.descriptor.member), .author(key.descriptor.name), .author(key.descriptor.valueType),
            .author(part.storage.place), .author(part.storage.securedText),
            .author(key.descriptor.serializer.auditText), .author(key.descriptor.sensitivity.rawValue),
            .author(key.descriptor.owner), .author(key.descriptor.syncText), .author(key.descriptor.keptText),
          ])
        }
      }
    }
  }

  /// Writes the tables of the fates and of the weaknesses.
  func writeFates(to document: inout some DocumentWriter & ~Copyable) {
    FateSection(catalog: catalog, fates: audited.fates).write(to: &document)
    audited.weaknesses.write(to: &document)
  }

  /// Writes a section for each key, database, record and type, and the reserved names.
  func writeDeclarations(to document: inout some DocumentWriter & ~Copyable) {
    if !catalog.keys.isEmpty {
      document.section("Keys", "keys") { document in
        if hasTable { document.paragraph(.fixed(Self.ordinary)) }
        let source = catalog.sourceName
        for key in catalog.keys { document.write(key, of: source, besideTable: hasTable) }
      }
    }
    if !catalog.databases.isEmpty {
      document.section("Databases", "databases") { document in
        for database in catalog.databases { document.write(database, of: catalog) }
      }
    }
    if !catalog.records.isEmpty {
      document.section("Records", "records") { document in
        for record in catalog.records { document.write(record, of: catalog) }
      }
    }
    if !catalog.sources.isEmpty {
      document.section("Imports", "imports") { $0.write(catalog.sources) }
    }
    UnmanagedSection(catalogs: [catalog]).write(to: &document)
    if !catalog.types.isEmpty {
      document.section("Types", "types") { document in
        for type in catalog.types { document.write(type, of: catalog) }
      }
    }
    ReservedSection(catalogs: [catalog]).write(to: &document)
  }

  /// What a section leaves out.
  static let ordinary: StaticString = """
    Unless its section says otherwise, a key exists on every device, a value has at most 1 MiB (in a file 16 MiB), and \
    backups of the device include it.
    """
}

extension DocumentWriter where Self: ~Copyable {
  /// Writes the section of a key.
  ///
  /// - Parameters:
  ///   - source: The name of the catalog's file.
  ///   - isBeside: True if the fields that every key has are written elsewhere.
  ///   - facts: Writes facts that only one format has, before the others.
  ///   - rest: Writes what only one format has below the facts.
  mutating func write(
    _ key: ResolvedKey, of source: String, _ address: HTMLIdentifier? = nil, besideTable isBeside: Bool,
    facts: (inout Self) -> Void = { _ in }, rest: (inout Self) -> Void = { _ in }
  ) {
    entry(key.descriptor.member, nil, address) { document in
      document.paragraph(.author(key.descriptor.description))
      document.facts { document in
        facts(&document)
        document.write(key.labels)
        document.fact("Valid", ifAny: key.valid?.text)
        key.descriptor.forEachAuditFact(besideTable: isBeside) { document.fact($0, $1) }
        document.fact("Privacy", ifAny: key.privacy?.auditText)
        document.fact("Reviewed", ifAny: key.review?.auditText)
        document.declared(in: source, key.line)
        key.descriptor.forEachAuditNote { document.fact("Note", $0) }
      }
      rest(&document)
    }
  }

  /// Writes the section of a type: the fields of a struct, or the cases of an enum.
  mutating func write(
    _ type: ResolvedType, of catalog: ResolvedCatalog, _ address: HTMLIdentifier? = nil,
    rest: (inout Self) -> Void = { _ in }
  ) {
    entry(type.name, "type", address) { document in
      document.paragraph(.author(type.description))
      switch type.form {
      case .stringEnum(let cases): document.write(cases.map { [$0.name, $0.raw, $0.description ?? ""] }, of: type)
      case .intEnum(let cases): document.write(cases.map { [$0.name, String($0.raw), $0.description ?? ""] }, of: type)
      case .structure(let fields): document.write(fields, of: type)
      case .swift(let name): document.paragraph(.author("A type of the app: \(name.text)."))
      }
      document.facts { document in
        for reserved in type.reserved { document.fact("Reserved", reserved.auditText) }
        document.declared(catalog, type.line)
      }
      rest(&document)
    }
  }

  private mutating func write(_ cases: [[String]], of type: ResolvedType) {
    table("Cases of \(type.name)", ["Case", "Stored as", "Description"]) { document in
      for each in cases { document.row(texts: each) }
    }
  }

  private mutating func write(_ fields: [ResolvedType.Field], of type: ResolvedType) {
    table("Fields of \(type.name)", ["Field", "Type", "Default", "Description", "Number"]) { document in
      for field in fields {
        let number = field.number.map { String($0) } ?? ""
        let value = field.defaultValue.map { FieldValue($0).description } ?? ""
        document.row(texts: [field.name, field.type.swiftText, value, field.description ?? "", number])
      }
    }
  }
}

/// The entries that the app's privacy manifest needs, by Apple's names.
struct PrivacySection {
  /// The entries of each catalog.
  private let entries: [(catalog: String, entry: PrivacyManifest.Entry)]

  init(_ catalogs: [ResolvedCatalog]) {
    entries = catalogs.flatMap { catalog in PrivacyManifest(catalog).entries.map { (catalog.name, $0) } }
  }

  var hasContent: Bool { !entries.isEmpty }

  func write(to document: inout some DocumentWriter & ~Copyable) {
    guard hasContent else { return }
    let columns = ["Data type", "Linked", "Tracking", "Purposes", "Catalog", "Keys and records"]
    document.section("Privacy manifest", "privacy") { document in
      document.table("Privacy manifest", columns) { document in
        for (catalog, entry) in entries {
          document.row(texts: [
            entry.dataType.manifestName, entry.isLinked ? "yes" : "no", entry.isTracking ? "yes" : "no",
            entry.purposes.map(\.manifestName).joined(separator: ", "), catalog,
            entry.members.joined(separator: ", "),
          ])
        }
      }
    }
  }
}
