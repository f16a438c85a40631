import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// Data of the app that other code stores: what it is, where it is, and what protects it.
struct UnmanagedSection {
  let catalogs: [ResolvedCatalog]

  static let title: StaticString = "Unmanaged data"

  var hasContent: Bool { catalogs.contains { !$0.unmanaged.isEmpty } }

  /// Writes the explanation and a section for each declaration.
  func write(to document: inout some DocumentWriter & ~Copyable) {
    guard hasContent else { return }
    document.section(Self.title, "unmanaged") { document in
      document.paragraph(.fixed(Self.explanation))
      for catalog in catalogs {
        for data in catalog.unmanaged { document.write(data, of: catalog) }
      }
    }
  }

  static let explanation: StaticString = """
    Other code of the app stores this data. LocalData neither reads nor writes it, and a sign-out leaves it. The \
    protection is what the catalog says.
    """
}

extension DocumentWriter where Self: ~Copyable {
  /// Writes the section of unmanaged data.
  ///
  /// - Parameter rest: Writes what only one format has below the facts.
  mutating func write(
    _ data: ResolvedUnmanaged, of catalog: ResolvedCatalog, _ address: HTMLIdentifier? = nil,
    facts: (inout Self) -> Void = { _ in }, rest: (inout Self) -> Void = { _ in }
  ) {
    entry(data.member, "unmanaged", address) { document in
      document.paragraph(.author(data.descriptor.description))
      document.facts { document in
        document.write(data.key.labels)
        document.fact("Where", data.whereText)
        document.fact("Secured", data.securedText)
        document.fact("Sensitivity", data.descriptor.sensitivity.rawValue)
        document.fact("Owner", data.descriptor.owner)
        document.fact("Kept", data.descriptor.periodText)
        document.fact("Device backup", data.descriptor.backupText)
        var storages = AuditedStorages()
        document.fact("Leaves the device", AuditedPart(data, &storages).storage.departureText)
        document.fact("Privacy", ifAny: data.key.privacy?.auditText)
        facts(&document)
        document.declared(catalog, data.key.line)
      }
      rest(&document)
    }
  }

  /// Writes the title and the tags of a declaration.
  mutating func write(_ labels: DeclarationLabels) {
    fact("Title", ifAny: labels.title)
    if !labels.tags.isEmpty { fact("Tags", labels.tags.joined(separator: ", ")) }
  }
}

extension AuditedPart {
  init(_ data: ResolvedUnmanaged, _ storages: inout AuditedStorages) {
    let facts = data.storedFacts
    name = data.member
    values = [Value(name: data.member, sensitivity: data.descriptor.sensitivity)]
    storage = AuditedStorage(
      DataFlow(data, facts, backups: storages.backups(of: facts)), data.descriptor.security.kind.protection,
      strength: facts.strength, place: data.whereText, securedText: data.securedText)
    isLegacy = false
  }
}

/// Unmanaged data with what a document says of it besides its declaration.
struct AuditedUnmanaged {
  let data: ResolvedUnmanaged
  /// The name of its fates.
  let fate: String?
  /// The name of its answers to OWASP's weaknesses.
  let answers: String?
}

extension JSONForm<AuditedUnmanaged> {
  static let unmanaged = Self.object([
    .required("line", .integer, \.data.key.line), .required("member", .text, \.data.member),
    .required("kind", .text, \.data.kindText), .required("domain", .domain, \.data.descriptor.domain),
    .optional("name", .text) { $0.data.file == nil ? $0.data.descriptor.name : nil },
    .optional("directory", .word, \.data.file?.directory), .optional("path", .text, \.data.file?.path),
    .optional("group", .container, \.data.file?.group?.identifier),
    .required("security", .security, \.data.descriptor.security),
    .optional("protection", .word) { $0.data.file == nil ? nil : $0.data.protection },
    .optional("retention", .text, \.data.descriptor.retention?.periodText),
    .optional("backup", .flag) { $0.data.file == nil ? nil : $0.data.descriptor.backup },
    .required("sensitivity", .word, \.data.descriptor.sensitivity),
    .optional("privacy", .privacy.named("privacy"), \.data.key.privacy), .optional("fate", .text, \.fate),
    .optional("masvs", .text, \.answers),
    .required("owner", .text, \.data.descriptor.owner), .optional("title", .text, \.data.key.labels.title),
    .optional("tags", .texts, \.data.key.labels.tags.nonEmpty),
    .required("description", .text, \.data.descriptor.description),
  ])
}
