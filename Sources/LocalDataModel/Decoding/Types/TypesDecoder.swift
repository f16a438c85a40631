import LocalDataSyntax

/// Decodes `types`. Names and enums are known to all catalogs before a field or a key names one.
enum TypesDecoder {
  /// Adds the types of one catalog to the table. The fields of structs are decoded later.
  static func declare(_ node: SyntaxNode, _ context: inout DecodingContext) {
    guard context.mapping(node, "a map of types", example: "types: {Theme: {enum: [light, dark]}}") else { return }
    for (name, body) in node.fields { declareOne(name, body, &context) }
  }

  private static func declareOne(_ nameNode: SyntaxNode, _ body: SyntaxNode, _ context: inout DecodingContext) {
    context.findings.key = Findings.Key(member: nameNode, body: body)
    defer { context.findings.key = nil }
    let name = context.identifier(nameNode, as: .type)
    var declared = TypeTable.Declared(
      name: nameNode.text, node: nameNode, body: body, catalog: context.header.index, access: context.header.access,
      form: .unknown)
    var draft = TypeDraft()
    if let form = form(body, &draft, &context) { declared.form = form } else { declared.isBroken = true }
    declared.allowances = draft.allowances
    declared.reserved = draft.reserved ?? []
    guard name != nil else { return context.types.refuse(declared.name) }
    if let first = context.types.add(declared) {
      context.findings.report(
        .duplicateType, "the type '\(declared.name)' is declared twice", at: nameNode,
        help: "types are visible in every catalog of the run: keep one of the two",
        notes: [.init("the first one", at: first.node.place)])
    }
  }

  private static func form(
    _ body: SyntaxNode, _ draft: inout TypeDraft, _ context: inout DecodingContext
  ) -> TypeTable.Form? {
    let table = Language.type
    guard context.mapping(body, table.what, example: table.example) else { return nil }
    let read = table.decode(body, into: &draft, &context)
    let forms = [draft.enumNode, draft.fieldsNode, draft.swiftNode].compactMap { $0 }
    guard forms.count == 1, let node = forms.first else {
      if forms.isEmpty, read.hasUnknown { return nil }
      context.findings.report(
        forms.isEmpty ? .missingField : .invalidType, "a type has one of 'enum', 'fields' and 'swift'",
        at: body.fields.map(\.key).last { ["enum", "fields", "swift"].contains($0.text) } ?? body,
        help: "write {enum: [light, dark]}, {fields: {street: String}} or {swift: Badge}")
      return nil
    }
    if draft.fieldsNode == nil, draft.reserved != nil {
      context.findings.report(
        .unknownField, "'reserved' has the numbers and names of fields, and this type is not a struct",
        at: body.key(of: "reserved") ?? body, help: "leave it out")
      return nil
    }
    if draft.enumNode != nil { return EnumDecoder.form(node, raw: draft.rawNode, &context) }
    guard draft.rawNode == nil else {
      context.findings.report(
        .unknownField, "'raw' is the type of an enum's raw values, and this type is not an enum",
        at: body.key(of: "raw") ?? body, help: "leave it out")
      return nil
    }
    return draft.swiftNode == nil ? .structure([]) : swiftForm(node, &context)
  }

  private static func swiftForm(_ node: SyntaxNode, _ context: inout DecodingContext) -> TypeTable.Form? {
    guard let name = context.swiftName(node, "the name of a type in Swift", example: "{swift: AccountModels.Profile}")
    else {
      return nil
    }
    let parts = name.text.split(separator: ".", maxSplits: 1)
    let module = parts.count == 2 ? String(parts[0]) : nil
    return .swift(name, module: module.flatMap { context.header.imports.contains($0) ? $0 : nil })
  }

  // MARK: Structs

  /// Decodes the fields of the structs of the catalog at hand, when every type of the run is known.
  static func completeStructs(_ context: inout DecodingContext) {
    for index in context.types.all.indices where context.types.all[index].catalog == context.header.index {
      let declared = context.types.all[index]
      guard case .structure = declared.form, let node = declared.body.value(of: "fields") else { continue }
      if let fields = structFields(node, &context) {
        context.types.update(index) { $0.form = .structure(fields) }
      } else {
        context.types.update(index) { $0.isBroken = true }
      }
    }
  }

  private static func structFields(_ node: SyntaxNode, _ context: inout DecodingContext) -> [ResolvedType.Field]? {
    guard context.mapping(node, "a map of fields", example: "fields: {street: String}") else { return nil }
    var result: [ResolvedType.Field] = []
    var isSound = true
    for (name, body) in node.fields {
      if let field = structField(name, body, &context) { result.append(field) } else { isSound = false }
    }
    if isSound, result.isEmpty {
      context.findings.report(
        .missingField, "a struct has at least one field", at: node, help: "write {street: String}")
      return nil
    }
    return isSound && haveOwnRoots(result, node, &context) ? result : nil
  }

  /// Reports defaults that begin with a name that the emitted initializers use.
  private static func haveOwnRoots(
    _ fields: [ResolvedType.Field], _ node: SyntaxNode, _ context: inout DecodingContext
  ) -> Bool {
    guard fields.contains(where: { if case .swift? = $0.defaultValue { true } else { false } }) else { return true }
    let used = Set(fields.map(\.name)).union(["container", "decoder", "encoder"])
    var isSound = true
    for field in fields {
      guard case .swift(let name)? = field.defaultValue, used.contains(String(name.text.prefix { $0 != "." })) else {
        continue
      }
      context.findings.report(
        .reservedIdentifier, "'\(name.text)' begins with a name that the emitted initializer uses",
        at: node.value(of: field.name)?.value(of: "default") ?? node,
        help: "declare it in another type, as in `Profile.empty`")
      isSound = false
    }
    return isSound
  }

  private static func structField(_ nameNode: SyntaxNode, _ body: SyntaxNode, _ context: inout DecodingContext)
    -> ResolvedType.Field?
  {
    let name = context.identifier(nameNode, as: .field)
    guard body.kind == .mapping else {
      guard let type = ValueTypeDecoder.valueType(body, in: .field, &context), let name else { return nil }
      return ResolvedType.Field(name: name, type: type, defaultValue: nil, description: nil)
    }
    var draft = StructFieldDraft()
    let read = Language.structField.decode(body, into: &draft, &context)
    guard let typeNode = draft.typeNode else {
      if !read.hasUnknown {
        context.findings.report(
          .missingField, "the field '\(nameNode.text)' has no type", at: nameNode, help: "write `type: String`")
      }
      return nil
    }
    guard let type = ValueTypeDecoder.valueType(typeNode, in: .field, &context) else { return nil }
    var defaultValue: DefaultValue?
    if let defaultNode = draft.defaultNode {
      guard let value = DefaultDecoder.defaultValue(defaultNode, of: type, &context) else { return nil }
      defaultValue = value
    }
    guard let name, read.isSound else { return nil }
    return ResolvedType.Field(
      name: name, type: type, defaultValue: defaultValue, description: draft.description,
      number: draft.number)
  }
}
