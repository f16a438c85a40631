import LocalDataSyntax
import LocalDataVocabulary

extension CatalogRun {
  /// The keys that no finding is left of. To be asked only where no finding is an error.
  func resolved() -> [ResolvedCatalog] {
    let databases = documents.flatMap { resolvedDatabases(of: $0.header) }
    let sources = documents.flatMap { resolvedSources(of: $0.header) }
    let hasPersonalData = documents.contains { $0.backupFiles.contains(where: \.draft.isPersonalData) }
    let personal = hasPersonalData ? personalData : nil
    func resolved(_ backup: DecodedBackupFile) -> ResolvedBackupFile {
      var resolved = backup.resolved
      if backup.draft.isPersonalData { resolved.personalData = personal }
      return resolved
    }
    let backupFiles = documents.flatMap { $0.backupFiles.map(resolved) }
    return documents.map { document in
      let header = document.header
      let path = document.tree.source.path
      var catalog = ResolvedCatalog(
        name: header.name, path: path, baseName: document.tree.source.baseName, access: header.access,
        imports: header.imports.union(header.borrowedModules).subtracting(CatalogHeader.standingImports).sorted(),
        types: resolvedTypes(of: document), keys: document.keys.map(\.resolved),
        reserved: document.reserved.map(\.resolved), databases: resolvedDatabases(of: header),
        records: resolvedRecords(of: header, in: databases, sources),
        reservedRecords: document.reservedRecords.map(\.resolved), backupFiles: document.backupFiles.map(resolved),
        allowances: allowances(of: document))
      catalog.sources = resolvedSources(of: header)
      catalog.unmanaged = document.unmanaged.map(\.resolved)
      catalog.backupFilesOfRun = backupFiles
      return catalog
    }
  }

  private func resolvedTypes(of document: CatalogDocument) -> [ResolvedType] {
    context.types.all.lazy.filter { $0.catalog == document.header.index }.compactMap { declared in
      let form: ResolvedType.Form
      switch declared.form {
      case .stringEnum(let cases): form = .stringEnum(cases)
      case .intEnum(let cases): form = .intEnum(cases)
      case .structure(let fields): form = .structure(fields)
      case .swift(let name, _): form = .swift(name)
      case .unknown: return nil
      }
      let description = declared.body.value(of: "description")?.text ?? ""
      var type = ResolvedType(name: declared.name, description: description, line: declared.node.line, form: form)
      type.reserved = declared.reserved.map(\.resolved)
      return type
    }
  }

  /// Returns the databases of a catalog. To be asked only if no finding is an error.
  func resolvedDatabases(of catalog: CatalogHeader) -> [ResolvedDatabase] {
    records.databases.filter { $0.catalog == catalog.index }.compactMap { database in
      let draft = database.draft
      guard let domain = draft.domain else { return nil }
      var resolved = ResolvedDatabase(
        member: database.member.text, name: database.storedName, line: database.member.line, owner: draft.owner ?? "",
        description: draft.description, access: database.access, domain: domain)
      resolved.protection = draft.protection
      resolved.sealing = draft.sealing
      resolved.isInBackup = draft.isInBackup
      resolved.movedFrom = draft.movedFrom.compactMap { earlier in
        earlier.domain.map { .init(name: earlier.name ?? database.storedName, domain: $0) }
      }
      return resolved
    }
  }

  /// Returns the records of a catalog. To be asked only if no finding is an error.
  func resolvedRecords(
    of catalog: CatalogHeader, in databases: [ResolvedDatabase] = [], _ sources: [ResolvedSource] = []
  ) -> [ResolvedRecord] {
    records.all.filter { $0.catalog == catalog.index }.map { record in
      var resolved = record.resolved(in: records)
      resolved.home = databases.first { $0.member == resolved.database }
      resolved.imported = record.resolvedImport(in: records, sources)
      return resolved
    }
  }

  /// Returns the findings that the declarations of a catalog accept.
  func allowances(of document: CatalogDocument) -> [Allowance] {
    let catalog = document.header.index
    let keys = document.keys.flatMap(\.allowances)
    let types = context.types.all.filter { $0.catalog == catalog }.flatMap(\.allowances)
    let databases = records.databases.filter { $0.catalog == catalog }.flatMap(\.draft.allowances)
    let sources = records.sources.filter { $0.catalog == catalog }.flatMap(\.draft.allowances)
    let backups = document.backupFiles.flatMap(\.draft.allowances)
    let unmanaged = document.unmanaged.flatMap(\.key.allowances)
    let ofRecords = records.all.filter { $0.catalog == catalog }.flatMap(\.draft.allowances)
    return keys + types + databases + sources + backups + unmanaged + ofRecords
  }
}

extension DecodedRecord {
  fileprivate func resolved(in table: RecordTable) -> ResolvedRecord {
    var resolved = ResolvedRecord(
      name: name, storedName: storedName, member: member ?? "", line: node.line, owner: draft.owner ?? "",
      description: draft.description, access: access, sensitivity: draft.sensitivity, database: database ?? "",
      key: keyName, fields: fields.compactMap { $0.resolved(of: self, in: table) })
    resolved.privacy = draft.privacy
    resolved.review = draft.review
    resolved.deprecation = draft.deprecation
    resolved.labels = draft.labels
    resolved.signOut = draft.signOut.flatMap { signOut in
      signOut.kind == .keep ? .keep : signOut.byNode.map { .by($0.text) }
    }
    resolved.retention = draft.retention.flatMap { retention in
      if retention.end == .relaunch { return .untilRelaunch }
      return retention.byNode.map { .dated(by: $0.text, maxAge: retention.maxAge, maxCount: retention.maxCount) }
    }
    resolved.expires = draft.expiresNode?.text
    resolved.skipsDamaged = draft.skipsDamaged
    resolved.maxSize = draft.maxSize
    resolved.indexes = indexes
    resolved.unique = unique
    for list in draft.unique { resolved.existing[numbers([list])[0]] = list.existing }
    resolved.reserved = draft.reserved.map(\.resolved)
    return resolved
  }

  private var unique: [[Int]] {
    numbers(draft.unique) + fields.filter(\.draft.isUnique).compactMap { $0.draft.number.map { [$0] } }
  }

  /// The declared indexes, those of single fields, and those of the dates of `retention` and `expires`. An index that begins
  /// with a field serves the queries by the blind index, or by the date, too.
  private var indexes: [[Int]] {
    let declared = numbers(draft.indexes)
    let single = fields.compactMap { field -> [Int]? in
      guard let number = field.draft.number else { return nil }
      if field.draft.encryption == .blind { return declared.contains { $0.first == number } ? nil : [number] }
      return field.draft.isIndexed ? [number] : nil
    }
    return [draft.retention?.byNode, draft.expiresNode].reduce(into: declared + single) { indexes, node in
      guard let number = node.flatMap({ field($0.text)?.draft.number }) else { return }
      if !(indexes + unique).contains(where: { $0.first == number }) { indexes.append([number]) }
    }
  }

  private func numbers(_ lists: [FieldList]) -> [[Int]] {
    lists.map { list in list.names.compactMap { field($0.text)?.draft.number } }
  }
}

extension DecodedRecordField {
  fileprivate func resolved(of record: DecodedRecord, in table: RecordTable) -> ResolvedRecord.Field? {
    guard let type, let number = draft.number else { return nil }
    var resolved = ResolvedRecord.Field(
      name: name, storedName: storedName, number: number, line: node.line, type: type,
      sensitivity: draft.sensitivity ?? record.draft.sensitivity)
    resolved.defaultValue = defaultValue
    resolved.encryption = draft.encryption
    resolved.isInSeconds = draft.wire == .seconds
    resolved.transforms = draft.transforms.compactMap(\.resolved)
    resolved.valid = draft.valid
    resolved.privacy = draft.privacy ?? record.draft.privacy
    resolved.description = draft.description
    if let target = draft.referenceNode.flatMap({ table[$0.text] }) {
      resolved.reference = .init(
        record: target.name, storedName: target.storedName, onDelete: draft.onDelete ?? .restrict)
    }
    return resolved
  }
}

extension ReservedFields {
  fileprivate var resolved: ResolvedRecord.Reserved {
    .init(numbers: numbers, names: names, deletesValues: cleanup == .delete)
  }
}

extension RecordTransformDraft {
  fileprivate var resolved: ResolvedRecord.Transform? {
    guard let function else { return nil }
    return .init(sources: sources.compactMap(\.resolved), function: function)
  }
}

extension RecordSourceDraft {
  fileprivate var resolved: ResolvedRecord.Source? {
    guard let number, let type else { return nil }
    return .init(number: number, type: type, isEncrypted: encryption != .none, isInSeconds: wire == .seconds)
  }
}
