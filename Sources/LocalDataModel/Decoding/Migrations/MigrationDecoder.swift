import LocalDataSyntax
import LocalDataVocabulary

/// The migration of one key. Every key of the run is known by now.
struct MigrationDecoder {
  let key: DecodedKey
  let index: KeyIndex
  var context: DecodingContext
  /// Live keys that the migration reads, by what they have written: an error, and what a cycle is made of.
  var edges: [MigrationEdge] = []
  /// The places that the migration empties.
  var claims: [SourceClaim] = []

  var descriptor: StorageKeyDescriptor { key.resolved.descriptor }

  /// A source with what its step must know of it.
  struct Source {
    var source: ResolvedMigration.Source
    /// The source, or nil if it has findings.
    var type: ValueType?
    var node: SyntaxNode
    /// A Boolean value that indicates whether the source is the key's own place.
    var isOwnPlace = false
  }

  mutating func migration(_ node: SyntaxNode) -> ResolvedMigration? {
    guard node.kind == .sequence else { return step(node).map { ResolvedMigration(steps: [$0]) } }
    var steps: [ResolvedMigration.Step] = []
    var isSound = true
    var earlier: [StoredPlace: SourceClaim] = [:]
    for child in node.children {
      let claimed = claims.count
      if let step = step(child) { steps.append(step) } else { isSound = false }
      for claim in claims[claimed...] {
        if let first = earlier[claim.place] { reportRepeated(claim, first) }
      }
      for claim in claims[claimed...] { earlier[claim.place] = claim }
    }
    if isSound, steps.isEmpty {
      report(.invalidMigration, "a chain of migrations has at least one", node, "write `\(ResolvedMigration.example)`")
      return nil
    }
    return isSound ? ResolvedMigration(steps: steps) : nil
  }

  // MARK: Steps

  private mutating func step(_ node: SyntaxNode) -> ResolvedMigration.Step? {
    guard let draft = Language.migration.record(node, MigrationDraft(), &context),
      let action = action(draft, node)
    else { return nil }
    if descriptor.isLegacy {
      guard case .secureInPlace = action else {
        report(
          .legacyField, "a legacy key is a source of migrations and cannot be a destination", node,
          "remove `migration`, or remove `legacy: true`")
        return nil
      }
    }
    return ResolvedMigration.Step(
      line: node.line, action: action, condition: draft.condition, onConflict: draft.onConflict ?? .keep)
  }

  private mutating func action(_ draft: MigrationDraft, _ node: SyntaxNode) -> ResolvedMigration.Action? {
    if let custom = draft.custom {
      guard draft.from == nil, draft.transform == nil, draft.aggregate == nil, draft.onConflict == nil else {
        report(
          .invalidMigration, "a custom migration reads its own sources",
          node.key(of: Language.customMigration) ?? custom,
          "write {custom: TokenMigration}, with 'whenAppVersion' at most")
        return nil
      }
      return path(custom, "the name of a migration in Swift", example: "{custom: TokenMigration}")
        .map(ResolvedMigration.Action.custom)
    }
    guard let from = draft.from else {
      report(.invalidMigration, "a migration needs 'from' or 'custom'", node, "write `\(ResolvedMigration.example)`")
      return nil
    }
    if draft.transform != nil, draft.aggregate != nil {
      report(
        .invalidMigration, "'transform' takes one source and 'aggregate' several", node.key(of: "transform") ?? node,
        "keep one of the two")
      return nil
    }
    if let aggregate = draft.aggregate { return aggregation(from, aggregate) }
    guard from.kind != .sequence else {
      report(
        .invalidMigration, "several sources need a function that joins them", from,
        "write {from: [firstName, lastName], aggregate: Names.join}")
      return nil
    }
    return single(from, draft, node)
  }

  private mutating func single(_ from: SyntaxNode, _ draft: MigrationDraft, _ step: SyntaxNode) -> ResolvedMigration
    .Action?
  {
    guard let source = source(from) else { return nil }
    if draft.transform != nil, let claim = claims.last, claim.partOf == nil,
      case .declared(let declared) = source.source,
      key.resolved.parameters.isEmpty
    {
      claims[claims.endIndex - 1].partOf = declared.member
    }
    if source.isOwnPlace { return inPlace(source, draft, step) }
    if let transform = draft.transform {
      return path(transform, "the name of a function", example: "transform: TokenUpgrade.apply")
        .map { .transform(from: source.source, function: $0) }
    }
    if let type = source.type, key.isSound(KeyFieldSet(.type)), type != key.resolved.type {
      report(
        .migrationType,
        "the source is of the type '\(type.swiftText)', and '\(descriptor.member)' is of '\(descriptor.valueType)'",
        source.node, "add `transform:` with a function from the one to the other")
      return nil
    }
    return .move(from: source.source)
  }

  private mutating func aggregation(
    _ from: SyntaxNode, _ aggregate: SyntaxNode
  ) -> ResolvedMigration.Action? {
    var count = 0
    for _ in from.children { count += 1 }
    guard from.kind == .sequence, count > 1 else {
      report(
        .invalidMigration, "'aggregate' joins two sources or more", from,
        "write {from: [firstName, lastName], aggregate: Names.join}, or `transform` for one source")
      return nil
    }
    let function = path(aggregate, "the name of a function", example: "aggregate: Names.join")
    var sources: [ResolvedMigration.Source] = []
    let claimed = claims.count
    for child in from.children {
      guard let source = source(child) else { continue }
      if case .declared(let declared) = source.source, declared.field != nil {
        report(
          .sourceField, "'aggregate' joins whole values, and not fields", source.node,
          "read one field in each key, or join them in a custom migration")
      } else if source.isOwnPlace {
        report(.migrationSource, "a key cannot be joined from itself", source.node, "name the sources alone")
      } else {
        sources.append(source.source)
      }
    }
    reportRepeated(claims[claimed...])
    guard let function, sources.count == count else { return nil }
    return .aggregate(from: sources, function: function)
  }

  /// The runtime refuses two steps that empty one place: the forms of a place are declared with the place.
  private mutating func reportRepeated(_ claim: SourceClaim, _ first: SourceClaim) {
    context.findings.report(
      .duplicateEntry, "two steps have the same source", at: claim.node,
      help: "keep one of the two; if the values were secured in two ways, declare the place with `legacy: true`, and "
        + "the older way as its own `migration: {from: {security: …}}`",
      notes: [.init("the other", at: first.node.place)])
  }

  private mutating func reportRepeated(_ claims: ArraySlice<SourceClaim>) {
    var seen: [StoredPlace: SyntaxNode] = [:]
    for claim in claims {
      guard let first = seen.updateValue(claim.node, forKey: claim.place) else { continue }
      context.findings.report(
        .duplicateEntry, "the source is listed twice", at: claim.node, help: "keep one of the two",
        notes: [.init("the other", at: first.place)])
    }
  }

  /// The key's own place, whose bytes were secured otherwise.
  private mutating func inPlace(_ source: Source, _ draft: MigrationDraft, _ step: SyntaxNode) -> ResolvedMigration
    .Action?
  {
    guard case .inline(let inline) = source.source else { return nil }
    let help = "write {from: {security: none}} with what secured the bytes until now"
    if descriptor.isLegacy, let condition = step.key(of: "whenAppVersion") {
      report(
        .invalidMigration, "a legacy key is read in each of its forms by every version of the app", condition,
        "remove `whenAppVersion` here, or write it in the migration that names '\(descriptor.member)'")
    } else if let extra = step.key(of: "transform") ?? step.key(of: "onConflict") {
      report(
        .invalidMigration, "'\(extra.text)' has no effect in an in-place migration", extra, help)
    } else if let type = source.type, key.isSound(KeyFieldSet(.type)), type != key.resolved.type {
      report(
        .migrationType, "in the key's own place the type cannot change, from '\(type.swiftText)'", source.node,
        "give the key another name, and this one as its source")
    } else if inline.serializer != descriptor.serializer || inline.dates != descriptor.dates,
      key.isSound(KeyFieldSet(.serializer))
    {
      report(
        .invalidMigration, "in the key's own place the serializer cannot change", source.node,
        "give the key another name, and this one as its source")
    } else if inline.name != descriptor.name {
      report(
        .invalidMigration, "'\(inline.name)' and '\(descriptor.name)' are one file on some devices, and two on others",
        source.node, "give the key a name that differs in more than case or accents")
    } else if inline.security == descriptor.security, inline.domain.kind == descriptor.domain.kind {
      report(.migrationSource, "the source is the key itself, secured as it is now", source.node, help)
    } else {
      return .secureInPlace(from: inline.domain, inline.security)
    }
    return nil
  }

  // MARK: Sources

  private mutating func source(_ node: SyntaxNode) -> Source? {
    switch node.kind {
    case .mapping: return inlineSource(node)
    case .scalar: return declaredSource(node)
    case .sequence:
      context.reportKind(node, "a source", example: ResolvedMigration.example)
      return nil
    }
  }

  /// - Parameters:
  ///   - field: The field that is read; nil if the whole value is.
  ///   - fieldNode: The node of the field.
  mutating func declaredSource(
    _ node: SyntaxNode, field: ResolvedMigration.SourceField? = nil, at fieldNode: SyntaxNode? = nil
  ) -> Source? {
    guard let member = context.scalar(node, "a key", example: ResolvedMigration.example) else { return nil }
    guard let source = index.key(member) else {
      report(
        .migrationSource, "'\(member)' is not a key\(context.suggestion(for: member, among: index.members))", node,
        "declare it with `legacy: true`, or describe it here: {from: {name: old_name, domain: userDefaults}}")
      return nil
    }
    let resolved = source.resolved
    guard resolved.descriptor.isLegacy else {
      edges.append(MigrationEdge(from: descriptor.member, to: member, node: node, target: source.member))
      return nil
    }
    if let field {
      guard canReadField(field, of: source, at: fieldNode ?? node) else { return nil }
    } else {
      guard hasSameParameters(resolved, node) else { return nil }
    }
    claims.append(
      SourceClaim(
        member: descriptor.member, place: source.place, node: node, partOf: field.map { _ in member }, field: field))
    let declared = ResolvedMigration.Declared(
      member: member, type: resolved.type, domain: resolved.descriptor.domain, security: resolved.descriptor.security,
      isBackedUp: resolved.descriptor.backup)
    return Source(
      source: .declared(declared), type: source.isSound(KeyFieldSet(.type)) ? resolved.type : nil, node: node)
  }

  private mutating func hasSameParameters(_ source: ResolvedKey, _ node: SyntaxNode) -> Bool {
    let own = key.resolved.parameters
    let other = source.parameters
    if own.elementsEqual(other, by: { $0.name == $1.name && $0.type.swiftText == $1.type.swiftText }) { return true }
    func words(_ parameters: [ResolvedKey.Parameter]) -> String {
      parameters.isEmpty
        ? "no parameters" : "(" + parameters.map { "\($0.name): \($0.type.swiftText)" }.joined(separator: ", ") + ")"
    }
    report(
      .migrationParameters,
      "'\(source.descriptor.member)' has \(words(other)), and '\(descriptor.member)' has \(words(own))", node,
      "a source has the same parameters as the key")
    return false
  }

  /// A path that is looked up in an emitted function, whose names and neighbours come first.
  private mutating func path(_ node: SyntaxNode, _ what: String, example: String) -> SwiftName? {
    guard let name = context.swiftName(node, what, example: example) else { return nil }
    let first = name.text.prefix { $0 != "." }
    guard
      ReservedIdentifiers.isEmittedBesideFunctions(first) || index.key(String(first)) != nil
        || key.resolved.parameters.contains(where: { $0.name == first })
    else { return name }
    report(
      .reservedIdentifier, "'\(first)' would be looked up in the emitted code, which has it already", node,
      "put it into another type, as in `\(example)`")
    return nil
  }

  mutating func report(_ rule: Rule, _ message: String, _ node: SyntaxNode, _ help: String) {
    context.findings.report(rule, message, at: node, help: help)
  }
}
