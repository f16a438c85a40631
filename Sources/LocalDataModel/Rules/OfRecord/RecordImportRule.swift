import LocalDataSyntax
import LocalDataVocabulary

/// Checks `importedFrom` of a record. The rules themselves are declared with those of the decoder.
struct RecordImportRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    guard let imported = record.draft.imported, let node = imported.sourceNode else { return }
    guard let source = run.records.source(node.text) else {
      let names = run.records.sources.map(\.member.text)
      findings.report(
        .unknownImport, "'\(node.text)' is not a source of the run", at: node,
        help: names.isEmpty
          ? "declare it: `sources: {\(Language.importSource.example)}`" : "use one of \(names.listing)")
      return
    }
    if source.draft.memberNode != nil {
      guard imported.transform == nil || !imported.fields.isEmpty || !imported.tableName.isEmpty else { return }
      return findings.report(
        .importType, "the elements of a list need a transform to the record, and nothing else", at: imported.node,
        help: "write `importedFrom: {source: \(node.text), transform: OldNote.record}`")
    }
    // The findings of the source say what is missing.
    guard source.draft.form != nil else { return }
    guard !imported.tableName.isEmpty, imported.transform == nil, !(imported.entity != nil && imported.table != nil),
      (imported.entity != nil) == (source.draft.form == .coreData)
    else {
      let field = source.draft.form == .coreData ? "entity" : "table"
      return findings.report(
        .unknownImport, "the rows of '\(node.text)' are those of one \(field)", at: imported.node,
        help: "write `\(field)` and `fields`, and remove what else says where the rows are")
    }
    checkFields(of: record, imported, source, run, &findings)
  }

  private func checkFields(
    of record: DecodedRecord, _ imported: ImportDraft, _ source: DecodedSource, _ run: CatalogRun,
    _ findings: inout Findings
  ) {
    for field in imported.fields where record.field(field.name) == nil {
      findings.report(
        .importField, "'\(field.name)' is not a field of '\(record.name)'", at: field.node,
        help: "use one of \(record.fields.map(\.name).listing)")
    }
    for field in record.fields {
      if let origin = imported.fields.first(where: { $0.name == field.name }) {
        check(origin, field, of: record, source, run, &findings)
      } else if field.name == record.keyName {
        findings.report(
          .importKey, "the key '\(field.name)' of '\(record.name)' is not imported", at: imported.node,
          help: "name its column in 'fields', or write `\(field.name): {rowID: true}`")
      } else if field.defaultValue == nil, !field.isOptional {
        findings.report(
          .importField, "'\(field.name)' is not imported, and has neither a default nor '?'", at: imported.node,
          help: "name its column in 'fields', or give the field a default")
      }
    }
  }

  private func check(
    _ origin: ImportedFieldDraft, _ field: DecodedRecordField, of record: DecodedRecord, _ source: DecodedSource,
    _ run: CatalogRun, _ findings: inout Findings
  ) {
    guard let type = field.type else { return }
    if origin.isRowID {
      let isKey = field.name == record.keyName && RecordKeyTypes.contains(type)
      if isKey, origin.attribute == nil, origin.relationship == nil, origin.transform == nil { return }
      return findings.report(
        .importKey, "'rowID' is for the key of a record alone", at: origin.node,
        help: "write the column: `\(field.name): \(field.name)`")
    }
    guard let relationship = origin.relationship else {
      return check(origin, type, run, &findings)
    }
    if let target = field.draft.referenceNode.flatMap({ run.records[$0.text] }) {
      guard origin.fields.isEmpty, target.draft.imported?.sourceNode?.text == source.member.text else {
        return findings.report(
          .importType, "'\(relationship)' leads to a record that is not imported from the same source", at: origin.node,
          help: "import '\(target.name)' from '\(source.member.text)' too, or name the column of its key")
      }
      return
    }
    guard case .list(.declared(let name))? = field.plainType,
      case .structure(let members)? = run.context.types[name]?.form, !(origin.entity ?? origin.table ?? "").isEmpty
    else {
      return findings.report(
        .importType, "a relationship is read into a list of structs, with the 'entity' or 'table' of their rows",
        at: origin.node, help: "write the type of the field as a list of a struct in 'types', or name a column")
    }
    checkElements(origin, members, of: name, run, &findings)
  }

  private func checkElements(
    _ origin: ImportedFieldDraft, _ members: [ResolvedType.Field], of name: String, _ run: CatalogRun,
    _ findings: inout Findings
  ) {
    for element in origin.fields {
      guard let member = members.first(where: { $0.name == element.name }) else {
        findings.report(
          .importField, "'\(element.name)' is not a field of '\(name)'", at: element.node,
          help: "use one of \(members.map(\.name).listing)")
        continue
      }
      check(element, member.type, run, &findings)
    }
    for member in members where !origin.fields.contains(where: { $0.name == member.name }) {
      if case .optional = member.type { continue }
      guard member.defaultValue == nil else { continue }
      findings.report(
        .importField, "'\(member.name)' of '\(name)' is not imported, and has neither a default nor '?'",
        at: origin.node, help: "name its column in 'fields'")
    }
  }

  /// Checks that a column contains values of a type, or has a transform with the type that it takes.
  private func check(
    _ origin: ImportedFieldDraft, _ type: ValueType, _ run: CatalogRun, _ findings: inout Findings
  ) {
    func report(_ problem: String, _ help: String) {
      findings.report(.importType, problem, at: origin.node, help: help)
    }
    if origin.isExternal, (origin.type ?? type).unwrapped != .scalar(.data) {
      return report("'externalStorage' is for Data", "write `type: Data` and a transform, or remove 'externalStorage'")
    }
    guard origin.transform != nil else {
      guard type.isImportable(run.context.types) else {
        return report(
          "a column contains no '\(type.swiftText)'",
          "write the type that the column has, and a transform: `{attribute: \(origin.name), type: String, transform: …}`"
        )
      }
      if let own = origin.type, own != type { report("'type' needs a transform", "remove it, or write `transform`") }
      return
    }
    guard let own = origin.type else {
      return report("a transform needs the type of the column", "write `type: String` beside 'transform'")
    }
    guard case .scalar = own.unwrapped else {
      return report("a column contains no '\(own.swiftText)'", "write a type such as String, Int, Double or Data")
    }
  }
}

extension ValueType {
  fileprivate var unwrapped: ValueType { if case .optional(let wrapped) = self { wrapped } else { self } }

  /// Returns true if a column of another library contains values of the type.
  fileprivate func isImportable(_ types: TypeTable) -> Bool {
    switch unwrapped {
    case .scalar: true
    case .declared(let name): types[name]?.form.isEnum ?? true
    case .swift, .list, .set, .map, .optional: false
    }
  }
}

/// The types of keys.
private enum RecordKeyTypes {
  static func contains(_ type: ValueType) -> Bool {
    [.scalar(.string), .scalar(.uuid), .scalar(.int), .scalar(.int64)].contains(type)
  }
}

/// Checks the sources of a run.
struct ImportSourceRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let named = Set(run.records.all.compactMap { $0.draft.imported?.sourceNode?.text })
    for source in run.records.sources {
      findings.about(source) { findings in
        check(source, run, &findings)
        // A misspelt name is that of one of the sources.
        if !named.contains(source.member.text), named.allSatisfy({ run.records.source($0) != nil }) {
          findings.report(
            .unusedImport, "no record is imported from '\(source.member.text)'", at: source.member,
            help: "write `importedFrom` at the record that its rows become, or remove the source")
        }
      }
    }
  }

  private func check(_ source: DecodedSource, _ run: CatalogRun, _ findings: inout Findings) {
    let draft = source.draft
    if draft.domain?.directory == .container, draft.domain?.kind == .fileSystem {
      findings.report(
        .invalidPath, "'container' is the folder of an app group", at: source.member,
        help: "write `appGroupFileSystem`, or another directory")
    }
    let records = run.records.all.filter { $0.draft.imported?.sourceNode?.text == source.member.text }
    if draft.isExclusive, Set(records.compactMap(\.database)).count > 1 {
      findings.report(
        .unknownImport, "'\(source.member.text)' is exclusive, and its records are in several databases",
        at: source.member, help: "put the records into one database, or remove 'exclusive'")
    }
    if let dates = source.body.value(of: "dates"), draft.form != .sqlite {
      findings.report(
        .unknownImport, "'dates' is for the form 'sqlite'", at: dates,
        help: "remove it: Core Data has one form of dates")
    }
    guard let member = draft.memberNode else {
      let hasDomain = source.body.value(of: "domain") != nil
      let hasForm = source.body.value(of: "form") != nil
      guard !hasDomain || !hasForm else { return }
      return findings.report(
        .unknownImport, "'\(source.member.text)' needs \(hasDomain ? "'form'" : "'domain' or 'member'")",
        at: source.member, help: "write a file with its form, or the legacy key that contains a list")
    }
    if draft.domain != nil || draft.form != nil || draft.using != nil {
      findings.report(
        .unknownImport, "'\(source.member.text)' is a key, and has no file", at: member,
        help: "remove 'domain', 'form' and 'using', or 'member'")
    } else if run.listElement(ofKey: member.text) == nil {
      findings.report(
        .unknownImport, "'\(member.text)' is no legacy key with a list", at: member,
        help: "declare it with `legacy: true` and a type such as `[OldNote]`, without parameters")
    }
  }
}
