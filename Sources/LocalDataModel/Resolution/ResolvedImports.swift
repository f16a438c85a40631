import LocalDataSyntax
import LocalDataVocabulary

extension CatalogRun {
  /// Returns the sources of a catalog. To be asked only if no finding is an error.
  func resolvedSources(of catalog: CatalogHeader) -> [ResolvedSource] {
    records.sources.filter { $0.catalog == catalog.index }.compactMap { source in
      let draft = source.draft
      guard let content = content(of: draft) else { return nil }
      return ResolvedSource(
        member: source.member.text, line: source.member.line, description: draft.description, content: content,
        using: draft.using, isExclusive: draft.isExclusive)
    }
  }

  private func content(of draft: ImportSourceDraft) -> ResolvedSource.Content? {
    if let member = draft.memberNode?.text {
      return listElement(ofKey: member).map { .key(member: member, element: $0) }
    }
    guard let domain = draft.domain, let directory = domain.directory, let path = domain.path, let form = draft.form
    else { return nil }
    let group = domain.kind == .appGroupFileSystem ? ResolvedSource.Group(identifier: domain.identifier) : nil
    return .file(.init(directory: directory, group: group, path: path, form: form, dates: draft.dates))
  }

  /// The type of the elements of a legacy key with a list.
  func listElement(ofKey member: String) -> ValueType? {
    let key = documents.lazy.flatMap(\.keys).first { $0.resolved.descriptor.member == member }
    guard let key, key.resolved.descriptor.isLegacy, key.resolved.parameters.isEmpty,
      case .list(let element) = key.resolved.type
    else { return nil }
    return element
  }
}

extension DecodedRecord {
  /// Returns the import of the record, with the names of the columns in SQL.
  func resolvedImport(in table: RecordTable, _ sources: [ResolvedSource]) -> ResolvedImport? {
    guard let draft = draft.imported, let source = draft.sourceNode?.text else { return nil }
    let home = sources.first { $0.member == source }
    var resolved = ResolvedImport(
      source: source, line: draft.node.line, table: draft.tableName, transform: draft.transform, fields: [])
    resolved.home = home
    for field in fields {
      guard let imported = draft.fields.first(where: { $0.name == field.name }),
        let origin = imported.origin(for: field, in: table, isCoreData: home?.isCoreData ?? false)
      else { continue }
      resolved.fields.append(.init(name: field.name, origin: origin))
    }
    return resolved
  }
}

extension ResolvedSource {
  package var isKey: Bool { if case .key = content { true } else { false } }

  package var isCoreData: Bool { if case .file(let file) = content { file.form == .coreData } else { false } }
}

extension ImportDraft {
  var tableName: String { entity ?? table ?? "" }
}

extension ImportedFieldDraft {
  fileprivate func origin(
    for field: DecodedRecordField, in table: RecordTable, isCoreData: Bool
  ) -> ResolvedImport.Origin? {
    if isRowID { return .rowID }
    guard let relationship else { return .column(resolvedColumn(isCoreData)) }
    if let target = field.draft.referenceNode.flatMap({ table[$0.text] }), let parent = target.draft.imported {
      let key = parent.fields.first { $0.name == target.keyName }
      return .parent(
        reference: column ?? Self.sqlName(relationship, isCoreData), table: parent.tableName,
        column: key.flatMap { $0.isRowID ? nil : $0.resolvedColumn(isCoreData) })
    }
    return .children(
      name: relationship, inverse: inverse ?? (isCoreData ? nil : relationship), table: entity ?? self.table ?? "",
      fields: fields.map { .init(name: $0.name, column: $0.resolvedColumn(isCoreData)) })
  }

  func resolvedColumn(_ isCoreData: Bool) -> ResolvedImport.Column {
    var resolved = ResolvedImport.Column(name: column ?? Self.sqlName(attribute ?? name, isCoreData))
    resolved.type = type
    resolved.transform = transform
    resolved.isExternal = isExternal
    return resolved
  }

  /// Core Data writes names in upper case, after a `Z`.
  private static func sqlName(_ name: String, _ isCoreData: Bool) -> String {
    isCoreData ? "Z" + name.uppercased() : name
  }
}
