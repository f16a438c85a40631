import CatalogSyntax
import StorageVocabulary

extension CatalogRun {
  /// Decodes the databases and records of a document.
  ///
  /// - Parameter template: What `defaults` says.
  static func decodeRecords(
    of document: CatalogDocument, over template: KeyDraft, into table: inout RecordTable,
    _ context: inout DecodingContext
  ) {
    if let node = document.databaseNodes,
      context.mapping(node, "a map of databases", example: "databases: {\(Language.database.example)}")
    {
      for (member, body) in node.fields {
        if let database = DatabaseDecoder.database(member, body, over: template, &context) { table.add(database) }
      }
    }
    if let node = document.recordNodes,
      context.mapping(node, "a map of records", example: "records: {\(Language.record.example)}")
    {
      for (name, body) in node.fields {
        table.add(RecordDecoder.record(name, body, over: template, &context))
      }
    }
  }

  /// Finds the database of each record, and checks the names of other records, when all of the run are known.
  mutating func resolveRecords() {
    let members = records.databases.map(\.member.text)
    let names = records.all.map(\.name)
    let known = Set(names)
    let table = records
    var findings = context.findings
    records.update { record in
      findings.about(record) { findings in
        record.database = Self.database(of: record, in: table, members, &context, &findings)
        for node in record.namedRecords where !known.contains(node.text) {
          let suggestion = context.suggestion(for: node.text, among: names)
          findings.report(
            .unknownRecord, "'\(node.text)' is not a record of the run\(suggestion)", at: node,
            help: "use one of \(names.listing)")
        }
      }
    }
    for reserved in documents.lazy.flatMap(\.reservedRecords) {
      _ = Self.database(reserved.databaseNode, in: table, members, &context, &findings)
    }
    context.findings = findings
  }

  private static func database(
    of record: DecodedRecord, in table: RecordTable, _ members: [String], _ context: inout DecodingContext,
    _ findings: inout Findings
  ) -> String? {
    guard let node = record.draft.databaseNode else {
      if let only = members.first, members.count == 1 { return only }
      findings.report(
        .unknownDatabase, "'\(record.name)' has no database", at: record.node,
        help: members.isEmpty
          ? "declare one: `databases: {\(Language.database.example)}`"
          : "write `database: \(members[0])` here, or once in 'defaults'; use one of \(members.listing)")
      return nil
    }
    return database(node, in: table, members, &context, &findings)
  }

  /// Returns the database that a node names. Returns nil, after a finding, if the run has no such database.
  private static func database(
    _ node: SyntaxNode, in table: RecordTable, _ members: [String], _ context: inout DecodingContext,
    _ findings: inout Findings
  ) -> String? {
    if node.kind == .scalar, table.database(node.text) != nil { return node.text }
    let suggestion = context.suggestion(for: node.text, among: members)
    findings.report(
      .unknownDatabase, "'\(node.text)' is not a database of the run\(suggestion)", at: node,
      help: members.isEmpty
        ? "declare it: `databases: {\(Language.database.example)}`" : "use one of \(members.listing)")
    return nil
  }
}

extension CatalogRun {
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
  func resolvedRecords(of catalog: CatalogHeader, in databases: [ResolvedDatabase] = []) -> [ResolvedRecord] {
    records.all.filter { $0.catalog == catalog.index }.map { record in
      var resolved = record.resolved(in: records)
      resolved.home = databases.first { $0.member == resolved.database }
      return resolved
    }
  }

  /// Returns the findings that the records of a catalog accept.
  func allowances(ofRecordsOf catalog: CatalogHeader) -> [Allowance] {
    records.all.filter { $0.catalog == catalog.index }.flatMap(\.draft.allowances)
  }
}

extension DecodedRecord {
  /// The names of other records in the text.
  fileprivate var namedRecords: [SyntaxNode] {
    let renamed = draft.deprecation?.renamedTo == nil ? nil : body.value(of: "deprecated")?.value(of: "renamedTo")
    return (renamed.map { [$0] } ?? []) + fields.compactMap(\.draft.referenceNode)
  }

  fileprivate func resolved(in table: RecordTable) -> ResolvedRecord {
    var resolved = ResolvedRecord(
      name: name, storedName: storedName, member: member ?? "", line: node.line, owner: draft.owner ?? "",
      description: draft.description, access: access, sensitivity: draft.sensitivity, database: database ?? "",
      key: keyName, fields: fields.compactMap { $0.resolved(of: self, in: table) })
    resolved.privacy = draft.privacy
    resolved.review = draft.review
    resolved.deprecation = draft.deprecation
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
    resolved.reserved = draft.reserved.map {
      .init(numbers: $0.numbers, names: $0.names, deletesValues: $0.cleanup == .delete)
    }
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
    resolved.privacy = draft.privacy ?? record.draft.privacy
    resolved.description = draft.description
    if let target = draft.referenceNode.flatMap({ table[$0.text] }) {
      resolved.reference = .init(
        record: target.name, storedName: target.storedName, onDelete: draft.onDelete ?? .restrict)
    }
    return resolved
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
