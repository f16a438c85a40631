import CatalogSyntax

/// `types:`. Names and enums are known to all catalogs before a field or a key names one.
extension CatalogDecoder {
  /// Adds the types of one catalog to the table, structs and their fields still undecided.
  mutating func declareTypes(_ node: SyntaxNode) {
    guard mapping(node, "a map of types", example: "types: {Theme: {enum: [light, dark]}}") else { return }
    for (name, body) in node.fields { declareType(name, body) }
  }

  private mutating func declareType(_ nameNode: SyntaxNode, _ body: SyntaxNode) {
    let name = identifier(nameNode, as: .type)
    var declared = TypeTable.Declared(
      name: nameNode.text, node: nameNode, body: body, catalog: header.index, access: header.access, form: .unknown)
    if let form = form(body) { declared.form = form } else { declared.isBroken = true }
    guard name != nil else { return }
    if let first = types.add(declared) {
      findings.report(
        .duplicateType, "the type '\(declared.name)' is declared twice", at: nameNode,
        help: "types are visible in every catalog of the run: keep one of the two",
        notes: [.init("the first one", at: first.node.place)])
    }
  }

  private mutating func form(_ body: SyntaxNode) -> TypeTable.Form? {
    guard mapping(body, "a map that says what the type is", example: "Theme: {enum: [light, dark]}") else { return nil }
    var forms: [(field: TypeField, key: SyntaxNode, value: SyntaxNode)] = []
    var raw: (key: SyntaxNode, value: SyntaxNode)?
    var fields = FieldIterator<TypeField>(body, of: "a type")
    while let (field, key, value) = fields.next(&findings) {
      switch field {
      case .description: _ = prose(value, "a description", example: "description: The colour scheme of the app.")
      case .raw: raw = (key, value)
      case .enum, .fields, .swift: forms.append((field, key, value))
      }
    }
    guard let form = forms.first, forms.count == 1 else {
      if forms.isEmpty && fields.hasUnknown { return nil }
      findings.report(
        forms.isEmpty ? .missingField : .invalidType, "a type has one of 'enum', 'fields' and 'swift'",
        at: forms.last?.key ?? body, help: "write {enum: [light, dark]}, {fields: {street: String}} or {swift: Badge}")
      return nil
    }
    if let raw, form.field != .enum {
      findings.report(.unknownField, "'raw' says what the raw values of an enum are", at: raw.key, help: "leave it out")
      return nil
    }
    switch form.field {
    case .enum: return enumForm(form.value, raw: raw?.value)
    case .swift: return swiftForm(form.value)
    default: return .structure([])
    }
  }

  private mutating func swiftForm(_ node: SyntaxNode) -> TypeTable.Form? {
    guard let name = swiftName(node, "the name of a type in Swift", example: "{swift: AccountModels.Profile}") else {
      return nil
    }
    let parts = name.text.split(separator: ".", maxSplits: 1)
    let module = parts.count == 2 ? String(parts[0]) : nil
    return .swift(name, module: module.flatMap { header.imports.contains($0) ? $0 : nil })
  }

  // MARK: Structs

  /// Decodes the fields of the structs of the catalog at hand, every type of the run being known.
  mutating func completeStructs() {
    for index in types.all.indices where types.all[index].catalog == header.index {
      let declared = types.all[index]
      guard case .structure = declared.form, let node = declared.body.value(of: TypeField.fields.text) else { continue }
      if let fields = structFields(node) {
        types.update(index) { $0.form = .structure(fields) }
      } else {
        types.update(index) { $0.isBroken = true }
      }
    }
  }

  private mutating func structFields(_ node: SyntaxNode) -> [ResolvedType.Field]? {
    guard mapping(node, "a map of fields", example: "fields: {street: String}") else { return nil }
    var result: [ResolvedType.Field] = []
    var isSound = true
    for (name, body) in node.fields {
      if let field = structField(name, body) { result.append(field) } else { isSound = false }
    }
    if isSound, result.isEmpty {
      findings.report(.missingField, "a struct has at least one field", at: node, help: "write {street: String}")
      return nil
    }
    return isSound ? result : nil
  }

  private mutating func structField(_ nameNode: SyntaxNode, _ body: SyntaxNode) -> ResolvedType.Field? {
    let name = identifier(nameNode, as: .field)
    guard body.kind == .mapping else {
      guard let type = valueType(body, in: .field), let name else { return nil }
      return ResolvedType.Field(name: name, type: type, defaultValue: nil, description: nil)
    }
    var typeNode: SyntaxNode?
    var defaultNode: SyntaxNode?
    var description: String?
    var fields = FieldIterator<StructFieldField>(body, of: "a struct's field")
    while let (field, _, value) = fields.next(&findings) {
      switch field {
      case .type: typeNode = value
      case .default: defaultNode = value
      case .description:
        description = prose(value, "a description", example: "description: Empty where the country has none.")
      }
    }
    guard let typeNode else {
      if !fields.hasUnknown {
        findings.report(
          .missingField, "the field '\(nameNode.text)' has no type", at: nameNode, help: "write `type: String`")
      }
      return nil
    }
    guard let type = valueType(typeNode, in: .field) else { return nil }
    var defaultValue: DefaultValue?
    if let defaultNode {
      guard let value = self.defaultValue(defaultNode, of: type) else { return nil }
      defaultValue = value
    }
    guard let name, !fields.hasUnknown else { return nil }
    return ResolvedType.Field(name: name, type: type, defaultValue: defaultValue, description: description)
  }
}
