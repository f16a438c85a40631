import LocalDataSyntax
import LocalDataVocabulary

/// Decodes records. Their databases, references and indexes are resolved when all records of the run are known.
enum RecordDecoder {
  static func record(
    _ node: SyntaxNode, _ body: SyntaxNode, over template: KeyDraft, _ context: inout DecodingContext
  ) -> DecodedRecord {
    context.findings.key = Findings.Key(member: node, body: body)
    defer { context.findings.key = nil }
    var record = DecodedRecord(
      node: node, body: body, draft: RecordDraft(over: template), catalog: context.header.index,
      access: context.header.access)
    let name = context.identifier(node, as: .type)
    let table = Language.record
    guard context.mapping(body, table.what, example: table.example) else { return record }
    let read = table.decode(body, into: &record.draft, &context)
    table.reportMissing(
      read, besides: template.inherited.union(template.failed).contains(.owner) ? ["owner"] : [], in: node, &context)
    record.access = record.draft.access ?? context.header.access
    if let fields = record.draft.fieldsNode { record.fields = self.fields(fields, &context) }
    if let member = record.draft.memberNode {
      record.member = context.identifier(member, as: .routerMember)
    } else {
      record.member = name.map(RouterMember.plural(of:))
    }
    return record
  }

  private static func fields(_ node: SyntaxNode, _ context: inout DecodingContext) -> [DecodedRecordField] {
    guard context.mapping(node, "a map of fields", example: "fields: {id: {type: UUID, number: 1}}") else { return [] }
    let fields = Array(node.fields)
    guard fields.count <= CatalogLimits.recordFields else {
      context.findings.report(
        .tooManyFields, "a record has at most \(CatalogLimits.recordFields) fields, not \(fields.count)",
        at: fields[CatalogLimits.recordFields].key,
        help: "put fields that belong together into a struct of 'types', or into another record")
      return []
    }
    return fields.map { field($0.key, $0.value, &context) }
  }

  private static func field(
    _ node: SyntaxNode, _ body: SyntaxNode, _ context: inout DecodingContext
  ) -> DecodedRecordField {
    _ = context.identifier(node, as: .field)
    var field = DecodedRecordField(node: node, body: body)
    guard body.kind == .mapping else {
      // A type alone. The missing number is the finding of a rule.
      field.type = context.valueType(body, in: .field)
      return field
    }
    let table = Language.recordField
    let read = table.decode(body, into: &field.draft, &context)
    field.writesNumber = !read.present.union(read.failed).isDisjoint(with: table.set(["number"]))
    guard let typeNode = field.draft.typeNode else {
      if !read.hasUnknown {
        context.findings.report(
          .missingField, "the field '\(node.text)' has no type", at: node, help: "write `type: String`")
      }
      return field
    }
    field.type = context.valueType(typeNode, in: .field)
    guard let type = field.type else { return field }
    if let value = field.draft.defaultNode { field.defaultValue = defaultValue(value, of: type, &context) }
    if field.draft.wire == .seconds, field.plainType != .scalar(.date) {
      context.findings.report(
        .wireForm, "'wire: seconds' is for Date, and '\(node.text)' is of the type '\(type.swiftText)'",
        at: field.place(of: "wire"), help: "remove it, or write `type: Date`")
    } else if field.draft.wire == .seconds, case .value(.date(let seconds, _)) = field.defaultValue,
      seconds != seconds.rounded()
    {
      context.findings.report(
        .wireForm, "a date with 'wire: seconds' has no fraction of a second, and the default of '\(node.text)' has one",
        at: field.place(of: "default"), help: "write the default in whole seconds, or remove `wire`")
    }
    return field
  }

  private static func defaultValue(
    _ node: SyntaxNode, of type: ValueType, _ context: inout DecodingContext
  ) -> ResolvedRecord.Default? {
    guard node.isPlain, node.hasText("new") else {
      return DefaultDecoder.defaultValue(node, of: type, &context).map { .value($0) }
    }
    switch type {
    case .scalar(.uuid): return .new
    case .declared(let name) where context.types[name]?.form.caseNames.contains("new") == true:
      return .value(.enumCase("new"))
    default:
      let isText = type == .scalar(.string) || type == .optional(.scalar(.string))
      context.findings.report(
        .newDefault, "'default: new' is for the type UUID, not for '\(type.swiftText)'", at: node,
        help: "write `type: UUID`" + (isText ? ", or `default: \"new\"` for the text" : ", or another default"))
      return nil
    }
  }
}

extension RecordDraft {
  /// A record that says what `defaults` says.
  fileprivate init(over template: KeyDraft) {
    databaseNode = template.databaseNode
    if template.inherited.contains(.owner) { owner = template.descriptor.owner }
    sensitivity = template.descriptor.sensitivity
    privacy = template.privacy
    labels.tags = template.labels.tags
    access = template.access
  }
}

/// Decodes databases.
enum DatabaseDecoder {
  /// Returns a database. Returns nil, after a finding, if its value is not a map.
  static func database(
    _ member: SyntaxNode, _ body: SyntaxNode, over template: KeyDraft, _ context: inout DecodingContext
  ) -> DecodedDatabase? {
    context.findings.key = .database(member, body)
    defer { context.findings.key = nil }
    _ = context.identifier(member, as: .database)
    let table = Language.database
    guard context.mapping(body, table.what, example: table.example) else { return nil }
    var draft = DatabaseDraft()
    if template.inherited.contains(.owner) { draft.owner = template.descriptor.owner }
    draft.access = template.access
    let read = table.decode(body, into: &draft, &context)
    table.reportMissing(
      read, besides: template.inherited.union(template.failed).contains(.owner) ? ["owner"] : [], in: member, &context)
    return DecodedDatabase(
      member: member, body: body, draft: draft, catalog: context.header.index,
      access: draft.access ?? context.header.access)
  }
}

/// Decodes sources of rows.
enum SourceDecoder {
  /// Returns a source. Returns nil, after a finding, if its value is not a map.
  static func source(
    _ member: SyntaxNode, _ body: SyntaxNode, _ context: inout DecodingContext
  ) -> DecodedSource? {
    context.findings.key = Findings.Key(member: member, body: body)
    defer { context.findings.key = nil }
    _ = context.identifier(member, as: .routerMember)
    let table = Language.importSource
    guard context.mapping(body, table.what, example: table.example) else { return nil }
    var draft = ImportSourceDraft()
    let read = table.decode(body, into: &draft, &context)
    table.reportMissing(read, besides: [], in: member, &context)
    return DecodedSource(member: member, body: body, draft: draft, catalog: context.header.index)
  }
}

extension FieldTable {
  /// Reports each required field of a map that neither the map nor `defaults` writes.
  func reportMissing(
    _ read: FieldsRead, besides inherited: [String], in name: SyntaxNode, _ context: inout DecodingContext
  ) {
    let written = read.present.union(read.failed).union(set(inherited))
    for (position, field) in fields.enumerated()
    where field.entry.presence == .required && !written.contains(FieldSet(position: position)) {
      let entry = field.entry
      let rule: Rule =
        switch entry.name {
        case "owner": .missingOwner
        case "description": .missingDescription
        default: .missingField
        }
      context.findings.report(
        rule, "'\(name.text)' has no \(entry.name)", at: name,
        help: "add `\(entry.written)`" + (entry.isInheritable ? " here, or once in 'defaults'" : ""))
    }
  }
}
