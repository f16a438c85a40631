import LocalDataSyntax
import LocalDataVocabulary

/// Unmanaged data with its places.
struct DecodedUnmanaged {
  /// The declaration in the form of a key's. It is not among the keys of the run.
  let key: DecodedKey
  let draft: UnmanagedDraft

  var member: SyntaxNode { key.member }

  var resolved: ResolvedUnmanaged {
    var file: ResolvedUnmanaged.File?
    if let place = draft.domain?.file, let directory = place.directory, let path = place.path {
      let isOfGroup = place.kind == .appGroupFileSystem
      file = .init(
        directory: directory, group: isOfGroup ? .init(identifier: place.identifier) : nil, path: path)
    }
    return ResolvedUnmanaged(key: key.resolved, file: file, protection: draft.protection)
  }
}

extension Findings.Key {
  /// Unmanaged data by its member with the name of the section: a key can have the same member.
  static func unmanaged(_ member: SyntaxNode, _ body: SyntaxNode) -> Self {
    Self(member: member, body: body, name: "\(ResolvedUnmanaged.section).\(member.text)")
  }
}

/// Decodes unmanaged data. It is decoded as a key of the type Data.
enum UnmanagedDecoder {
  /// - Parameter template: What `defaults` says.
  static func entries(
    _ document: CatalogDocument, over template: KeyDraft, _ context: inout DecodingContext
  ) -> [DecodedUnmanaged] {
    guard let node = document.sections.unmanaged,
      context.mapping(node, "a map of unmanaged data", example: "unmanaged: {\(Language.unmanaged.example)}")
    else { return [] }
    return node.fields.compactMap { entry($0.key, $0.value, over: template, &context) }
  }

  private static func entry(
    _ member: SyntaxNode, _ body: SyntaxNode, over template: KeyDraft, _ context: inout DecodingContext
  ) -> DecodedUnmanaged? {
    context.findings.key = .unmanaged(member, body)
    defer { context.findings.key = nil }
    _ = context.identifier(member, as: .unmanaged)
    let table = Language.unmanaged
    guard context.mapping(body, table.what, example: table.example) else { return nil }
    var draft = start(over: template)
    let inherited = draft.failed
    let read = table.decode(body, into: &draft, &context)
    draft.own = Language.keyFields(ofUnmanaged: read.present)
    draft.failed = inherited.subtracting(draft.own).union(Language.keyFields(ofUnmanaged: read.failed))
    reportMisplaced(draft, body, &context)
    let key = KeyDecoder.finish(&draft, member.text, member, body, &context)
    return DecodedUnmanaged(key: key, draft: draft.unmanaged ?? UnmanagedDraft())
  }

  /// The fields that unmanaged data takes from `defaults`.
  private static let inheritable = Language.key.set(
    Language.unmanaged.entries.filter(\.isInheritable).map(\.name))

  /// The draft of data that says nothing.
  private static func start(over template: KeyDraft) -> KeyDraft {
    var draft = KeyDraft()
    draft.unmanaged = UnmanagedDraft()
    draft.descriptor.owner = template.descriptor.owner
    draft.descriptor.sensitivity = template.descriptor.sensitivity
    draft.privacy = template.privacy
    draft.labels.tags = template.labels.tags
    draft.failed = template.failed.intersection(inheritable)
    draft.inherited = template.inherited.intersection(inheritable).union(KeyFieldSet(.type))
    draft.descriptor.serializer = .data
    draft.type = .scalar(.data)
    draft.security = SecurityDraft(.none)
    return draft
  }

  /// Reports a name of a file, and the file protection of what is no file.
  private static func reportMisplaced(_ draft: KeyDraft, _ body: SyntaxNode, _ context: inout DecodingContext) {
    guard let isFile = draft.domain?.kind.isFile else { return }
    if isFile, let name = body.key(of: "name") {
      context.findings.report(
        .misplacedField, "'name' is not for a file, which has its name in its path", at: name, help: "remove `name`")
    }
    if !isFile, let protection = body.key(of: "protection") {
      context.findings.report(
        .misplacedField, "'protection' is for files", at: protection,
        help: "remove it; an item of the keychain has `security: {keychain: {accessibility: …}}`")
    }
  }
}
