import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// Decodes key pairs. A pair becomes a key of the type Data in the keychain.
enum SigningKeyDecoder {
  /// - Parameter template: What `defaults` says. A pair takes the owner and the access from it.
  static func key(
    _ member: SyntaxNode, _ body: SyntaxNode, template: KeyDraft, _ context: inout DecodingContext
  ) -> DecodedKey {
    context.findings.key = Findings.Key(member: member, body: body)
    defer { context.findings.key = nil }
    var draft = start(template)
    let name = context.identifier(member, as: .member)
    if context.mapping(body, Language.signingKey.what, example: Language.signingKey.example) {
      let inherited = draft.failed
      let read = Language.signingKey.decode(body, into: &draft, &context)
      draft.own = Language.keyFields(ofSigning: read.present)
      draft.failed = inherited.subtracting(draft.own).union(Language.keyFields(ofSigning: read.failed))
      if read.isSound { reportTag(draft, body, &context) }
    } else {
      draft.failed = .all
    }
    if name == nil, draft.nameNode == nil { draft.failed |= .name }
    return KeyDecoder.finish(&draft, name ?? member.text, member, body, &context)
  }

  /// The fields that a pair takes from `defaults`.
  static let inheritable = KeyFieldSet(.owner, .access)

  /// The draft of a pair that says nothing.
  private static func start(_ template: KeyDraft) -> KeyDraft {
    var draft = KeyDraft()
    draft.descriptor.owner = template.descriptor.owner
    draft.access = template.access
    draft.failed = template.failed.intersection(inheritable)
    draft.inherited = template.inherited.intersection(inheritable).union(KeyFieldSet(.type, .domain))
    draft.descriptor.signing = StorageSigningDescriptor()
    draft.descriptor.serializer = .data
    draft.descriptor.sensitivity = .credential
    draft.type = .scalar(.data)
    draft.domain = DomainDraft(.keychain)
    var security = SecurityDraft(.keychain)
    security.accessibility = .whenUnlockedThisDeviceOnly
    draft.security = security
    return draft
  }

  /// Reports an application tag of a pair that cannot have one.
  private static func reportTag(_ draft: KeyDraft, _ body: SyntaxNode, _ context: inout DecodingContext) {
    guard let signing = draft.descriptor.signing, signing.applicationTag != nil,
      let node = body.key(of: "applicationTag")
    else { return }
    if !draft.parameters.isEmpty {
      context.findings.report(
        .signingKeyTag, "an application tag belongs to one pair, and this is a family of pairs", at: node,
        help: "declare the pair of earlier releases as a pair without parameters")
    } else if signing.isExportable {
      context.findings.report(
        .signingKeyTag, "the private key of a pair that earlier releases created cannot be exported", at: node,
        help: "remove `exportable`, or declare another pair for it")
    }
  }
}
