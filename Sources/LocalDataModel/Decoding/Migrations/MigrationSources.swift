import LocalDataSyntax
import LocalDataVocabulary

/// Sources that are described where they are used. What is left out is the key's own.
extension MigrationDecoder {
  mutating func inlineSource(_ node: SyntaxNode) -> Source? {
    let descriptor = key.resolved.descriptor
    var draft = SourceDraft()
    let read = Language.source.decode(node, into: &draft, &context)
    if draft.memberNode != nil || draft.fieldNode != nil { return read.isSound ? part(draft, node) : nil }
    // What the source takes from the key may have findings there.
    guard read.isSound, key.hasPlace, key.isSound(KeyFieldSet(.type, .security, .serializer)),
      let (name, parts) = name(draft, node)
    else { return nil }
    var inline = ResolvedMigration.Inline(
      name: name, nameParts: parts, parameters: key.resolved.parameters, encoding: draft.encoding,
      type: draft.type ?? key.resolved.type,
      domain: draft.domain?.domain ?? descriptor.domain,
      security: draft.security ?? descriptor.security, serializer: draft.serializer ?? descriptor.serializer,
      dates: draft.dates)
    let security = node.value(of: "security") ?? node
    let serializer = node.value(of: "serializer") ?? node
    guard isMeaningful(inline, security: security, serializer: serializer) else { return nil }
    let problem = DateFormProblem.of(inline.type, inline.serializer, context.types)
    if let problem, draft.dates != nil {
      report(.dateForm, problem.message, node.value(of: "dates") ?? node, problem.help)
      return nil
    }
    if problem == nil, draft.serializer == nil { inline.dates = inline.dates ?? descriptor.dates }
    return placed(inline, node)
  }

  private mutating func name(
    _ draft: SourceDraft, _ source: SyntaxNode
  ) -> (text: String, parts: [ResolvedKey.NamePart])? {
    if draft.domain?.missing == .account {
      guard let node = draft.nameNode else { return ("", []) }
      report(
        .itemAttributes, "the item of the source has no account, so 'name' has no meaning", node,
        "remove `name`, or remove `without: account`")
      return nil
    }
    let hasPath = key.resolved.descriptor.domain.isExact
    if let path = draft.domain?.path ?? (draft.domain == nil && hasPath ? key.resolved.descriptor.name : nil) {
      return self.path(path, draft, source)
    }
    guard let node = draft.nameNode else {
      let name = key.resolved.descriptor.name
      // The key has no account or a path, and the source does not say that it has none.
      if name.isEmpty || hasPath, draft.domain != nil {
        report(
          .missingField, "the source has no name", source,
          "add the stored name: `name: old_name`; or write `without: account` in its domain")
        return nil
      }
      return (name, key.resolved.nameParts)
    }
    guard let text = context.storedName(node) else { return nil }
    if key.resolved.parameters.isEmpty, !NameParts.hasBrace(text) { return (text, []) }
    return context.nameParts(text, at: node, parameters: key.resolved.parameters).map { (text, $0) }
  }

  private mutating func path(
    _ path: String, _ draft: SourceDraft, _ source: SyntaxNode
  ) -> (text: String, parts: [ResolvedKey.NamePart])? {
    if let node = draft.nameNode {
      report(
        .invalidPath, "the file of the source has a path, so 'name' has no meaning", node,
        "remove `name`, or write `domain` with the path of the source")
      return nil
    }
    if key.resolved.parameters.isEmpty, !NameParts.hasBrace(path) { return (path, []) }
    let node = draft.domain?.pathNode ?? source
    return context.nameParts(path, at: node, parameters: key.resolved.parameters).map { (path, $0) }
  }

  private mutating func isMeaningful(
    _ inline: ResolvedMigration.Inline, security: SyntaxNode, serializer: SyntaxNode
  ) -> Bool {
    let kind = inline.domain.kind
    if let problem = VerbatimFile.problem(inline.parameters, in: inline.domain) {
      report(.parameterEncoding, problem, security, VerbatimFile.help)
    } else if inline.domain.isExact, inline.security != .none {
      report(.invalidPath, PathSecurity.problem, security, PathSecurity.help)
    } else if inline.security.kind == .keychain, kind != .keychain {
      context.findings.report(
        .keychainSecurity, "'security: keychain' needs the keychain domain, and the source is stored in '\(kind.text)'",
        at: security, help: "say how the source is secured: `security: none`")
    } else if inline.security == .none, kind == .keychain {
      context.findings.report(
        .unsecuredDomain, "'security: none' means nothing in '\(kind.text)'", at: security,
        help: "write `security: keychain` for an item that the app wrote itself")
    } else if !inline.serializer.takes(inline.type) {
      context.findings.report(
        .serializerType, inline.serializer.refusal(of: inline.type), at: serializer,
        help: "say how the source is serialized: `serializer: json`")
    } else if !inline.serializer.isUsable(in: inline.domain, inline.security) {
      report(.serializerType, SerializerKind.textOutsidePreferences, serializer, SerializerKind.cureOfText)
    } else {
      return true
    }
    return false
  }

  /// Checks that the place of a source is not that of a key that is still written. The key's own place is allowed.
  private mutating func placed(_ inline: ResolvedMigration.Inline, _ node: SyntaxNode) -> Source? {
    let place = StoredPlace(inline.domain, name: inline.parameters.runtimeName(inline.name, in: inline.domain))
    var source = Source(source: .inline(inline), type: inline.type, node: node)
    source.isOwnPlace = place == key.place
    if !source.isOwnPlace, let other = index.key(at: place), !other.resolved.descriptor.isLegacy {
      edges.append(
        MigrationEdge(
          from: key.resolved.descriptor.member, to: other.resolved.descriptor.member, node: node,
          target: other.member))
      return nil
    }
    if !source.isOwnPlace {
      claims.append(SourceClaim(member: key.resolved.descriptor.member, place: place, node: node))
    }
    return source
  }
}

/// A place that a key's migration empties.
struct SourceClaim {
  var member: String
  var place: StoredPlace
  /// The node that names the source.
  var node: SyntaxNode
  /// The legacy key of which the key takes a part; nil if it takes the whole value away.
  var partOf: String?
  /// The field that the key takes.
  var field: ResolvedMigration.SourceField?

  /// Reports each key that would come too late, where another has taken its source.
  static func report(_ claims: [SourceClaim], _ findings: inout Findings) {
    var first: [StoredPlace: SourceClaim] = [:]
    let whole = Set(claims.lazy.filter { $0.partOf == nil }.map(\.place))
    for claim in claims {
      guard let earlier = first[claim.place] else {
        first[claim.place] = claim
        continue
      }
      guard earlier.member != claim.member, whole.contains(claim.place) else { continue }
      findings.report(
        .sharedSource, "'\(earlier.member)' has the same source, and the key that is read first takes the value away",
        at: claim.node,
        help:
          "declare the source as one key with `legacy: true`, and in each key that reads it write the part that the key "
          + "takes: {from: {member: oldSettings, field: theme}}, or a `transform` that makes the part",
        notes: [.init("the other one", at: earlier.node.place)], of: claim.member)
    }
  }

  /// Reports each key that takes away the whole value of a legacy key from whose elements records are made.
  static func report(
    _ claims: [SourceClaim], takenFrom imported: Set<String>, _ index: KeyIndex, _ findings: inout Findings
  ) {
    for claim in claims where claim.partOf == nil {
      guard let member = index.key(at: claim.place)?.resolved.descriptor.member, imported.contains(member) else {
        continue
      }
      findings.report(
        .sharedSource, "records are made from '\(member)', and '\(claim.member)' takes the value away", at: claim.node,
        help: "write a `transform` that makes the part that the key takes", of: claim.member)
    }
  }

  /// Returns the claims of the parts of each legacy key, in their order. A key whose value one key takes with a transform has
  /// none, unless records are made from its elements.
  static func parts(_ claims: [SourceClaim], _ imported: Set<String>) -> [String: [SourceClaim]] {
    Dictionary(grouping: claims.filter { $0.partOf != nil }) { $0.partOf ?? "" }
      .filter { $0.value.count > 1 || imported.contains($0.key) || $0.value.contains { $0.field != nil } }
  }
}

/// All keys of a run by member and by place. Built only where a migration asks.
struct KeyIndex {
  private var byMember: [String: DecodedKey] = [:]
  private var byPlace: [StoredPlace: DecodedKey] = [:]
  private(set) var members: [String] = []

  init(_ keys: some Sequence<DecodedKey>) {
    for key in keys {
      let member = key.resolved.descriptor.member
      if byMember.updateValue(key, forKey: member) == nil { members.append(member) }
      if key.hasPlace { byPlace[key.place] = key }
    }
  }

  func key(_ member: String) -> DecodedKey? { byMember[member] }

  func key(at place: StoredPlace) -> DecodedKey? { byPlace[place] }
}
