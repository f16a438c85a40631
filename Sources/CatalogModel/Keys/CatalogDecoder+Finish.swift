import CatalogSyntax
import StorageVocabulary

/// A draft to a key: what needs several fields at once, and what may not be missing.
extension CatalogDecoder {
  /// - Parameter memberName: the text of `member`.
  mutating func finish(
    _ draft: inout KeyDraft, _ memberName: String, _ member: SyntaxNode, _ body: SyntaxNode
  ) -> DecodedKey {
    requireFields(&draft, member)
    settleLegacy(&draft)
    let (name, parts) = names(&draft, memberName, member)
    var defaultValue: DefaultValue?
    if let node = draft.defaultNode, let type = draft.type, !draft.failed.contains(.type) {
      defaultValue = self.defaultValue(node, of: type)
      if defaultValue == nil { draft.failed |= .default }
    }
    let domain = draft.domain ?? .userDefaults()
    let type = draft.type ?? .scalar(.string)
    let access = draft.isLegacy ? .internal : draft.access ?? header.access
    checkAccess(access, of: type, draft, member)
    let watchRepresentation = draft.watch?.settled(besides: draft.serializer ?? .json)
    let descriptor = StorageKeyDescriptor(
      member: memberName, name: name, valueType: type.swiftText, domain: domain,
      security: draft.security ?? .recommended, serializer: draft.serializer ?? .json, owner: draft.owner ?? "",
      description: draft.description ?? "", availability: draft.availability, syncPolicy: draft.syncPolicy,
      sensitivity: draft.sensitivity, retention: draft.retention, maxSize: draft.maxSize,
      backup: draft.backup ?? true,
      parameters: draft.parameters.isEmpty
        ? [] : draft.parameters.map { .init(name: $0.name, type: $0.type.swiftText) },
      defaultValue: defaultValue == nil ? nil : draft.defaultNode.map(DefaultText.text), isLegacy: draft.isLegacy,
      deprecation: draft.deprecation?.reason, schema: draft.schema ?? 1,
      isDecryptedForSync: draft.transfer == .decrypted,
      watchRepresentation: watchRepresentation?.inWords)
    var customSerializer: SwiftName?
    if case .custom(let name) = draft.serializer { customSerializer = SwiftName(name) }
    let resolved = ResolvedKey(
      line: member.line, access: access, type: type, defaultValue: defaultValue, descriptor: descriptor,
      parameters: draft.parameters, nameParts: parts, customSerializer: customSerializer,
      deprecation: draft.deprecation, privacy: draft.privacy,
      upgrades: draft.upgrades.sorted { $0.from < $1.from }.map(\.upgrade), watchRepresentation: watchRepresentation)
    return DecodedKey(resolved: resolved, member: member, body: body, draft: draft)
  }

  private mutating func requireFields(_ draft: inout KeyDraft, _ member: SyntaxNode) {
    if draft.type == nil, !draft.failed.contains(.type) {
      missing(.type, .missingField, "no type", "add `type: String`", &draft, member)
    }
    if draft.domain == nil, !draft.failed.contains(.domain) {
      missing(
        .domain, .missingField, "no domain", "add `domain: userDefaults` here, or once in 'defaults'", &draft, member)
    }
    if draft.owner == nil, !draft.failed.contains(.owner) {
      missing(
        .owner, .missingOwner, "no owner", "add `owner: AccountTeam` here, or once in 'defaults'", &draft, member)
    }
    if draft.description == nil, !draft.failed.contains(.description) {
      missing(
        .description, .missingDescription, "no description",
        "add `description:` with a sentence that says what the value is", &draft, member)
    }
  }

  private mutating func missing(
    _ field: KeyField, _ rule: CatalogRule, _ what: String, _ help: String, _ draft: inout KeyDraft,
    _ member: SyntaxNode
  ) {
    findings.report(rule, "'\(member.text)' has \(what)", at: member, help: help)
    draft.failed |= field
  }

  /// A legacy key is never written: what `defaults` says about writing is not said of it.
  private func settleLegacy(_ draft: inout KeyDraft) {
    if let kind = draft.domain?.kind, !kind.isFile, !draft.own.contains(.backup) { draft.backup = nil }
    guard draft.isLegacy else { return }
    if !draft.own.contains(.syncPolicy) { draft.syncPolicy = .never }
    if !draft.own.contains(.retention) { draft.retention = nil }
    if !draft.own.contains(.access) { draft.access = nil }
  }

  // MARK: Names

  private mutating func names(
    _ draft: inout KeyDraft, _ memberName: String, _ member: SyntaxNode
  ) -> (name: String, parts: [ResolvedKey.NamePart]) {
    guard let node = draft.nameNode else {
      if draft.parameters.isEmpty { return (memberName, []) }
      return familyDefaultName(&draft, memberName, member)
    }
    guard let text = storedName(node) else {
      draft.failed |= .name
      return (memberName, [])
    }
    if draft.failed.contains(.parameters) { return (text, []) }
    if draft.parameters.isEmpty, !NameParts.hasBrace(text) { return (text, []) }
    guard let parts = nameParts(text, at: node, parameters: draft.parameters) else {
      draft.failed |= .name
      return (text, [])
    }
    return (text, parts)
  }

  /// `member_{parameter}…`
  private mutating func familyDefaultName(
    _ draft: inout KeyDraft, _ memberName: String, _ member: SyntaxNode
  ) -> (name: String, parts: [ResolvedKey.NamePart]) {
    var name = memberName
    var parts: [ResolvedKey.NamePart] = [.text(memberName + "_")]
    for (index, parameter) in draft.parameters.enumerated() {
      if index > 0 { parts.append(.text("_")) }
      parts.append(.parameter(parameter.name))
      name += "_{\(parameter.name)}"
    }
    if !isStorable(name, at: member) { draft.failed |= .name }
    return (name, parts)
  }

  // MARK: Access

  /// Swift refuses a declaration that shows a type of less access.
  private mutating func checkAccess(
    _ access: AccessLevel, of type: ValueType, _ draft: KeyDraft, _ member: SyntaxNode
  ) {
    guard access != .internal, !draft.failed.contains(.type) else { return }
    checkAccess(access, of: type, what: "the key '\(member.text)'", at: member)
    for parameter in draft.parameters {
      if case .enumeration(let name) = parameter.type {
        checkAccess(access, of: .declared(name), what: "the key '\(member.text)'", at: member)
      }
    }
  }

  mutating func checkAccess(
    _ access: AccessLevel, of type: ValueType, what: @autoclosure () -> String, at node: SyntaxNode
  ) {
    type.forEachDeclared { name in
      guard let declared = types[name], declared.access.rank < access.rank else { return }
      findings.report(
        .typeAccess, "\(what()) is \(access.text), its type '\(name)' is \(declared.access.text)", at: node,
        help: "write `access: \(access.text)` in the catalog of '\(name)', or less access here",
        notes: [.init("the type", at: declared.node.place)])
    }
  }
}

extension AccessLevel {
  /// The wider, the higher.
  var rank: Int {
    switch self {
    case .internal: 0
    case .package: 1
    case .public: 2
    }
  }
}
