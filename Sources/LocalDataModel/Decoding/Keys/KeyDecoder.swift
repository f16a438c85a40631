import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// Decodes keys, and the `defaults` of a file.
enum KeyDecoder {
  /// Returns what `defaults` says for every key of its file.
  static func template(_ node: SyntaxNode, _ context: inout DecodingContext) -> KeyDraft {
    var draft = KeyDraft()
    let table = Language.defaults
    guard context.mapping(node, table.what, example: table.example) else {
      // What a key leaves out may be what `defaults` was meant to say.
      draft.failed = Language.inheritable
      return draft
    }
    let read = table.decode(node, into: &draft, &context) { entry, key, context in
      if entry.isInheritable { return false }
      context.findings.report(
        .misplacedField, "'\(entry.name)' cannot be written in 'defaults', because it differs from key to key", at: key,
        help: "write it in the keys")
      return true
    }
    draft.failed = read.failed
    draft.inherited = read.present
    return draft
  }

  static func key(
    _ member: SyntaxNode, _ body: SyntaxNode, template: KeyDraft, _ context: inout DecodingContext
  ) -> DecodedKey {
    context.findings.key = Findings.Key(member: member, body: body)
    defer { context.findings.key = nil }
    var draft = template
    let name = context.identifier(member, as: .member)
    if context.mapping(body, "a map of the key's fields", example: "theme: {type: String, …}") {
      let read = Language.key.decode(body, into: &draft, &context)
      draft.own = read.present
      // A field that the key writes itself replaces one of `defaults` that has findings.
      draft.failed = template.failed.subtracting(read.present).union(read.failed)
    } else {
      draft.failed = .all
    }
    if name == nil, draft.nameNode == nil { draft.failed |= .name }
    return finish(&draft, name ?? member.text, member, body, &context)
  }

  /// Returns a key that is written without a name, as the example of a policy.
  static func example(_ body: SyntaxNode, template: KeyDraft, _ context: inout DecodingContext) -> DecodedKey? {
    var draft = template
    guard context.mapping(body, "a map of the fields of a key", example: "{security: none}") else { return nil }
    let read = Language.key.decode(body, into: &draft, &context)
    draft.own = read.present
    draft.failed = read.failed
    return finish(&draft, "example", body, body, &context)
  }

  // MARK: Finishing

  /// Makes a key of a draft: what needs several fields at once, and what may not be missing.
  static func finish(
    _ draft: inout KeyDraft, _ memberName: String, _ member: SyntaxNode, _ body: SyntaxNode,
    _ context: inout DecodingContext
  ) -> DecodedKey {
    reportMissing(&draft, member, &context)
    let hasEnumElements = context.types.isListOfEnums(draft.type)
    dropInapplicable(&draft, hasEnumElements: hasEnumElements)
    let (name, parts) = names(&draft, memberName, member, &context)
    var defaultValue: DefaultValue?
    if let node = draft.defaultNode, let type = draft.type, !draft.failed.contains(.type) {
      defaultValue = DefaultDecoder.keyDefault(node, of: type, &context)
      if defaultValue == nil { draft.failed |= .default }
    }
    let type = draft.type ?? .scalar(.string)
    let access = draft.descriptor.isLegacy ? .internal : draft.access ?? context.header.access
    checkAccess(access, of: type, draft, member, &context)
    let watch = draft.watch?.settled(besides: draft.descriptor.serializer)

    var descriptor = draft.descriptor
    checkDates(&descriptor, type, draft, member, &context)
    descriptor.member = memberName
    descriptor.name = name
    descriptor.valueType = type.swiftText
    descriptor.domain = draft.domain?.domain ?? .userDefaults()
    descriptor.security = draft.security?.policy ?? .recommended
    descriptor.maxSize = draft.maxSize ?? descriptor.domain.kind.defaultMaxSize
    descriptor.backup = draft.backup ?? true
    descriptor.protection = draft.protection ?? .untilFirstUnlock
    if !draft.parameters.isEmpty {
      descriptor.parameters = draft.parameters.map {
        .init(name: $0.name, type: $0.type.swiftText, encoding: $0.encoding == .escaped ? nil : $0.encoding)
      }
    }
    if defaultValue != nil { descriptor.defaultValue = draft.defaultNode.map(DefaultText.text) }
    var reads: [ResolvedKey.ReadForm] = []
    if !draft.reads.isEmpty {
      reads = ReadForms(draft: draft, type: type, descriptor: descriptor).resolved(&context)
      if !reads.isEmpty { descriptor.reads = reads.map(\.inWords).joined(separator: "; ") }
    }
    descriptor.deprecation = draft.deprecation?.reason
    descriptor.watchRepresentation = watch?.inWords

    var customSerializer: SwiftName?
    if case .custom(let name) = descriptor.serializer { customSerializer = SwiftName(name) }
    let resolved = ResolvedKey(
      line: member.line, catalog: context.header.name, access: access, type: type, defaultValue: defaultValue,
      descriptor: descriptor,
      parameters: draft.parameters, nameParts: parts, customSerializer: customSerializer,
      deprecation: draft.deprecation, privacy: draft.privacy, review: draft.review,
      upgrades: draft.upgrades.isEmpty ? [] : draft.upgrades.sorted { $0.from < $1.from }.map(\.upgrade),
      watchRepresentation: watch, reads: reads,
      valid: draft.valid, labels: draft.labels)
    return DecodedKey(
      resolved: resolved, member: member, body: body, draft: draft, hasEnumElements: hasEnumElements)
  }

  /// Reports each required field that neither the key nor `defaults` writes.
  private static func reportMissing(_ draft: inout KeyDraft, _ member: SyntaxNode, _ context: inout DecodingContext) {
    let written = draft.own.union(draft.inherited).union(draft.failed)
    guard !written.isSuperset(of: required) else { return }
    for position in Language.key.fields.indices {
      let field = FieldSet(position: position)
      guard required.contains(field), !written.contains(field) else { continue }
      let entry = Language.key.fields[position].entry
      let rule: Rule =
        switch KeyField(position: position) {
        case .owner: .missingOwner
        case .description: .missingDescription
        default: .missingField
        }
      context.findings.report(
        rule, "'\(member.text)' has no \(entry.name)", at: member,
        help: "add `\(entry.written)`" + (entry.isInheritable ? " here, or once in 'defaults'" : ""))
      draft.failed.formUnion(field)
    }
  }

  private static let required = Language.key.set(
    Language.key.entries.filter { $0.presence == .required }.map(\.name))

  /// Removes what `defaults` says and the key cannot have: the backup of what is not a file, a corruption policy that the
  /// key cannot have, and how to write a key that is only read.
  private static func dropInapplicable(_ draft: inout KeyDraft, hasEnumElements: Bool) {
    if let kind = draft.domain?.kind, !kind.isFile, !draft.own.contains(.backup) { draft.backup = nil }
    if let kind = draft.domain?.kind, !kind.hasFileProtection, !draft.own.contains(.protection) {
      draft.protection = nil
    }
    if draft.descriptor.onCorruption != .throw, !draft.own.contains(.onCorruption),
      !CorruptionProblem.allows(draft, isListOfEnums: hasEnumElements)
    {
      draft.descriptor.onCorruption = .throw
    }
    guard draft.descriptor.isLegacy else { return }
    if !draft.own.contains(.syncPolicy) { draft.descriptor.syncPolicy = .never }
    if !draft.own.contains(.retention) { draft.descriptor.retention = nil }
    if !draft.own.contains(.access) { draft.access = nil }
  }

  /// Reports a form of dates that values of the key cannot have, or removes the one of `defaults`.
  private static func checkDates(
    _ descriptor: inout StorageKeyDescriptor, _ type: ValueType, _ draft: KeyDraft, _ member: SyntaxNode,
    _ context: inout DecodingContext
  ) {
    let fields = KeyFieldSet(.type, .serializer, .schema)
    guard descriptor.dates != nil, draft.failed.isDisjoint(with: fields),
      let problem = DateFormProblem.of(type, descriptor.serializer, schema: descriptor.schema, context.types)
    else { return }
    descriptor.dates = nil
    guard draft.own.contains(.dates) else { return }
    context.findings.report(
      .dateForm, problem.message, at: context.findings.key?.body.value(of: KeyField.dates.text) ?? member,
      help: problem.help)
  }

  // MARK: Names

  private static func names(
    _ draft: inout KeyDraft, _ memberName: String, _ member: SyntaxNode, _ context: inout DecodingContext
  ) -> (name: String, parts: [ResolvedKey.NamePart]) {
    if draft.domain?.missing == .account {
      if !isWithoutName(draft, member, &context) { draft.failed |= .name }
      return ("", [])
    }
    if let path = draft.domain?.path { return names(path, &draft, member, &context) }
    guard let node = draft.nameNode else {
      if draft.parameters.isEmpty { return (memberName, []) }
      return familyDefaultName(&draft, memberName, member, &context)
    }
    guard let text = context.storedName(node) else {
      draft.failed |= .name
      return (memberName, [])
    }
    if draft.failed.contains(.parameters) { return (text, []) }
    if draft.parameters.isEmpty, !NameParts.hasBrace(text) { return (text, []) }
    guard let parts = context.nameParts(text, at: node, parameters: draft.parameters) else {
      draft.failed |= .name
      return (text, [])
    }
    return (text, parts)
  }

  /// The name of a file with a path, which is the path.
  private static func names(
    _ path: String, _ draft: inout KeyDraft, _ member: SyntaxNode, _ context: inout DecodingContext
  ) -> (name: String, parts: [ResolvedKey.NamePart]) {
    if let node = draft.nameNode {
      context.findings.report(
        .invalidPath, "the file of '\(member.text)' has a path, so 'name' has no meaning", at: node,
        help: "remove `name`, or remove `path`")
      draft.failed |= .name
    }
    if draft.failed.contains(.parameters) || draft.parameters.isEmpty && !NameParts.hasBrace(path) { return (path, []) }
    let node = draft.domain?.pathNode ?? member
    guard let parts = context.nameParts(path, at: node, parameters: draft.parameters) else {
      draft.failed |= .name
      return (path, [])
    }
    return (path, parts)
  }

  /// Reports a name, or parameters, of an item without an account. Returns true if there are none.
  private static func isWithoutName(
    _ draft: KeyDraft, _ member: SyntaxNode, _ context: inout DecodingContext
  ) -> Bool {
    guard draft.nameNode != nil || !draft.parameters.isEmpty else { return true }
    let field = draft.nameNode == nil ? "parameters" : "name"
    context.findings.report(
      .itemAttributes, "the item of '\(member.text)' has no account, so '\(field)' has no meaning",
      at: draft.nameNode ?? member, help: "remove `\(field)`, or remove `without: account`")
    return false
  }

  /// The stored name of a family that does not write one: `member_{parameter}…`.
  private static func familyDefaultName(
    _ draft: inout KeyDraft, _ memberName: String, _ member: SyntaxNode, _ context: inout DecodingContext
  ) -> (name: String, parts: [ResolvedKey.NamePart]) {
    var name = memberName
    var parts: [ResolvedKey.NamePart] = [.text(memberName + "_")]
    for (index, parameter) in draft.parameters.enumerated() {
      if index > 0 { parts.append(.text("_")) }
      parts.append(.parameter(parameter.name))
      name += "_{\(parameter.name)}"
    }
    if !context.isStorable(name, at: member) { draft.failed |= .name }
    return (name, parts)
  }

  // MARK: Access

  /// Reports types that are less visible than the key. Swift refuses such a declaration.
  private static func checkAccess(
    _ access: AccessLevel, of type: ValueType, _ draft: KeyDraft, _ member: SyntaxNode,
    _ context: inout DecodingContext
  ) {
    guard access != .internal, !draft.failed.contains(.type) else { return }
    let what = "the key '\(member.text)'"
    context.types.checkAccess(access, of: type, what: what, at: member, &context.findings)
    for parameter in draft.parameters {
      if case .enumeration(let name) = parameter.type {
        context.types.checkAccess(access, of: .declared(name), what: what, at: member, &context.findings)
      }
    }
  }
}

extension ResolvedKey.WatchRepresentation {
  /// A description for audits: what is sent to the watch, and what protects it there.
  var inWords: String {
    "\(type.swiftText), made by \(transform.text) and written as \((serializer ?? .json).auditText)"
      + (schema == 1 ? "" : " of schema \(schema)") + ", to be secured as the watch's own catalog says"
  }

  /// Returns a copy with the serializer that it is written with. A custom serializer writes one type, and `data` writes
  /// only bytes.
  func settled(besides serializer: SerializerKind) -> Self {
    var form = self
    switch serializer {
    case .json, .propertyList: form.serializer = form.serializer ?? serializer
    case .jsonText, .data, .keyedArchive, .custom: form.serializer = form.serializer ?? .json
    }
    return form
  }
}

extension StorageDomain.Kind {
  /// A Boolean value that indicates whether a key chooses the protection of its file.
  package var hasFileProtection: Bool { isFile && self != .encryptedFileSystem }
}
