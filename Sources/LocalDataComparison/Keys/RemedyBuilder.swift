import LocalDataModel
import LocalDataVocabulary

/// The input of a comparison with one release, besides the key that is compared.
struct ComparisonContext {
  let today: CatalogState
  let readers: ReaderIndex
  let released: ReleasedForms
  /// The position of the release whose values are looked for.
  let release: Int

  /// A source that reads what a release stored as `key`, in the migration of another key. Nil if the forms of the releases
  /// differ in more than one source can describe.
  func proposal(_ key: DeclaredKey, for owner: DeclaredKey) -> SourceProposal? {
    released.source(of: key, in: release).map { SourceProposal($0, for: owner, released, today) }
  }

  /// A name like that of a form, which no key has or had. Nil if every name is taken.
  func freeName(like form: StoredForm) -> String? {
    let names = (2...99).map { "\(form.name)_\($0)" } + (2...99).map { "v\($0)_\(form.name)" }
    return names.first { name in
      var free = form
      free.name = name
      return !readers.isRead(free) && !readers.reserved.contains(free.address) && !released.knows(free.address)
    }
  }

  /// An entry of `reserved` for a form; nil if a key of today uses the name, so that it cannot be reserved.
  ///
  /// - Parameter member: A key that gets another name.
  func reservable(_ form: StoredForm, except member: String? = nil) -> FieldValue? {
    readers.isUsed(form, except: member) ? nil : CatalogText.reserved(form)
  }
}

/// Builds the text that makes a finding disappear.
struct RemedyBuilder {
  struct Answer {
    var rule: ReleaseRule
    var help: String
    var remedy: Remedy
  }

  /// The key that stored the values.
  let old: DeclaredKey
  /// The key that reads them today, and how.
  let owner: DeclaredKey
  let reader: Reader
  /// Everything that prevents the values from being read.
  let obstacles: [Obstacle]
  let check: ReadingCheck
  let context: ComparisonContext

  private var form: StoredForm { old.storedForm }

  func answer(to obstacle: Obstacle) -> Answer {
    let rule = obstacle.kind.rule
    if !reader.isOwnPlace { return corrected(rule) }
    if owner.isLegacy { return restored(rule) }
    if obstacles.contains(where: { $0.kind == .serializer }) { return elsewhere(rule) }
    return switch obstacle.kind {
    case .address: address(rule)
    case .serializer: elsewhere(rule)
    case .security: secured(rule)
    case .schema: schema(check.typeObstacles(form.type, reader.form.type).isEmpty ? old.schema : old.schema + 1, rule)
    case .type, .rawValue: schema(owner.schema + 1, rule)
    }
  }

  // MARK: The key's own address

  private func address(_ rule: ReleaseRule) -> Answer {
    if let name = form.name(for: reader.form.parameters), form.wildcardName == reader.form.wildcardName,
      name != reader.form.name
    {
      return named(name, "so that each value keeps its name", rule)
    }
    if form.wildcardName != reader.form.wildcardName { return named(form.name, "in the case it was released in", rule) }
    if form.parameterTypes != reader.form.parameterTypes { return parameters(rule) }
    if form.domain == reader.form.domain {
      let types = Set(form.parameterTypes).sorted().map { "'\($0)'" }.joined(separator: ", ")
      return Answer(
        rule: rule,
        help: "declare the parameter's type as it was released (\(types)): its raw values are in "
          + "the stored names. Declare the new raw values as another type", remedy: Remedy())
    }
    return elsewhere(rule)
  }

  private func named(_ name: String, _ reason: String, _ rule: ReleaseRule) -> Answer {
    let field = CatalogText.name(name, like: owner.form)
    return Answer(rule: rule, help: "write `\(field.name): \(field.value)`, \(reason)", remedy: Remedy(fields: [field]))
  }

  private func parameters(_ rule: ReleaseRule) -> Answer {
    Answer(
      rule: rule, help: "write `parameters: \(parameters.value)` again", remedy: Remedy(fields: [parameters]))
  }

  /// The parameters of the key with the types that were released.
  private var parameters: FieldValue.Entry {
    var rest = form.parameterTypes[...]
    let own = owner.form.parameters
    return .init(
      "parameters", .map(own.map { .init($0.name, FieldValue(parameter: rest.popFirst() ?? $0.type, $0.encoding)) }))
  }

  private func secured(_ rule: ReleaseRule) -> Answer {
    let step = CatalogText.inPlaceStep(form, of: owner.domain)
    return Answer(rule: rule, help: "add `migration: \(step)` to '\(owner.member)'", remedy: Remedy(steps: [step]))
  }

  private func schema(_ schema: Int, _ rule: ReleaseRule) -> Answer {
    let steps = CatalogText.upgrades(of: owner, to: schema)
    return Answer(
      rule: rule, help: "write `schema: \(schema)` and `upgrade: \(steps)`", remedy: Remedy(schema: schema))
  }

  /// The value moves to another name, with the old one as its source.
  private func elsewhere(_ rule: ReleaseRule) -> Answer {
    guard let proposal = context.proposal(old, for: owner), let free = context.freeName(like: owner.form) else {
      return Self.unclear(rule)
    }
    let name = CatalogText.name(free, like: owner.form)
    let step = Self.step(proposal, to: owner)
    return Answer(
      rule: rule,
      help: "\(proposal.preparation)write `\(name.name): \(name.value)` and "
        + "`migration: \(owner.written(step, after: [name]))`, so that the old values are converted",
      remedy: Remedy(steps: [step], fields: [name]).declaring(proposal))
  }

  // MARK: Sources

  /// The source of a step, described as it was stored.
  private func corrected(_ rule: ReleaseRule) -> Answer {
    guard let step = reader.step, let proposal = context.proposal(old, for: owner) else { return Self.unclear(rule) }
    let corrected = Self.step(step, at: form.address, proposal, to: owner)
    let instruction = proposal.newKey == nil ? "describe the source as it was stored: " : ""
    return Answer(
      rule: rule, help: "\(proposal.preparation)\(instruction)`migration: \(owner.written(corrected))`",
      remedy: Remedy(replacements: [.init(key: owner.member, old: step.value, new: corrected)]).declaring(proposal))
  }

  /// The fields of a legacy key, as they were stored. Keys that name it may have to transform its values.
  private func restored(_ rule: ReleaseRule) -> Answer {
    guard let source = context.released.source(of: old, in: context.release) else { return Self.unclear(rule) }
    let renamed = context.released.former.renamed(source.form.type, in: source.release)
    var fields: [FieldValue.Entry] = []
    if renamed.type != owner.type { fields.append(.init("type", .text(renamed.type))) }
    if source.form.parameterTypes != owner.form.parameterTypes { fields.append(parameters) }
    if source.form.domain != owner.domain { fields.append(.init("domain", FieldValue(source.form.domain))) }
    if source.form.security != owner.security {
      fields.append(.init("security", CatalogText.complete(source.form.security)))
    }
    if source.form.serializer != owner.serializer { fields.append(.init("serializer", source.form.serializer)) }
    if source.form.dates != owner[.dates], source.form.dates != .absent {
      fields.append(.init("dates", source.form.dates))
    }
    if source.form.schema != owner.schema {
      fields.append(.init("schema", .integer(source.form.schema)))
      if source.form.schema > 1 {
        fields.append(.init("upgrade", CatalogText.upgrades(of: source.key, to: source.form.schema)))
      }
    }
    let steps = source.older.map { CatalogText.inPlaceStep($0, of: source.form.domain) }
    let known = owner[.migration].elements.map { owner.written($0) }
    let added = steps.filter { !known.contains($0) }
    var words: [String] = []
    if !fields.isEmpty {
      let text = FieldValue.map(fields).lines.joined(separator: "`, `")
      words.append("write `\(text)` again: a legacy key is read as it was written")
    }
    if !added.isEmpty {
      let list = added.count == 1 ? added[0] : .list(added)
      words.append("add `migration: \(list)` to '\(owner.member)'")
    }
    for name in renamed.names.reversed() {
      words.insert("declare the released '\(name.old)' in 'types' as '\(name.new)'", at: 0)
    }
    // Proposals write fields and remove none.
    guard source.form.schema > 1 || owner[.upgrade].elements.isEmpty else {
      words.append("remove its `upgrade`")
      return Answer(rule: rule, help: words.joined(separator: ", and "), remedy: Remedy())
    }
    guard source.form.dates != .absent || owner[.dates] == .absent else {
      words.append("remove its `dates`")
      return Answer(rule: rule, help: words.joined(separator: ", and "), remedy: Remedy())
    }
    return Answer(
      rule: rule, help: words.joined(separator: ", and "),
      remedy: Remedy(
        steps: added, replacements: transformed(to: renamed.type), fields: fields, newTypes: renamed.declarations))
  }

  /// The steps that name a legacy key, with a transform if its type becomes another one than that of their key.
  private func transformed(to type: String) -> [Remedy.Replacement] {
    context.today.keys.values.sorted { $0.member < $1.member }.flatMap { key in
      key[.migration].elements.compactMap { step in
        guard step["from"].text == owner.member, step["transform"] == .absent, key.type != type else { return nil }
        let transform = FieldValue.Entry("transform", CatalogText.transform(for: key.member))
        return .init(key: key.member, old: step, new: .map(step.entries + [transform]))
      }
    }
  }

  // MARK: Steps

  /// A new step that reads a source.
  static func step(_ proposal: SourceProposal, to key: DeclaredKey) -> FieldValue {
    var entries: [FieldValue.Entry] = [.init("from", proposal.source)]
    if proposal.type != key.type { entries.append(.init("transform", CatalogText.transform(for: key.member))) }
    return .map(entries)
  }

  /// A step with another description of one of its sources.
  static func step(
    _ step: MigrationStep, at address: StoredPlace, _ proposal: SourceProposal, to key: DeclaredKey
  ) -> FieldValue {
    let from = step.value["from"]
    guard case .list(let sources) = from, case .from(let parsed) = step.action else {
      var entries = step.value.entries.map { $0.name == "from" ? FieldValue.Entry("from", proposal.source) : $0 }
      if proposal.type != key.type, step.value["transform"] == .absent {
        entries.insert(.init("transform", CatalogText.transform(for: key.member)), at: min(1, entries.count))
      }
      return .map(entries)
    }
    let replaced = zip(sources, parsed).map { value, source in
      if case .inline(let form) = source, form.address == address { proposal.source } else { value }
    }
    return .map(step.value.entries.map { $0.name == "from" ? .init("from", .list(replaced)) : $0 })
  }

  private static func unclear(_ rule: ReleaseRule) -> Answer {
    Answer(
      rule: rule,
      help: "releases stored values in several forms at this address, and no one declaration reads all of them: "
        + "read them in a custom migration, `migration: {custom: …}`", remedy: Remedy())
  }
}

extension Obstacle.Kind {
  /// The rule of a finding about it.
  fileprivate var rule: ReleaseRule {
    switch self {
    case .address: .addressChanged
    case .serializer: .serializerChanged
    case .security: .securityChanged
    case .schema: .schemaLowered
    case .type: .typeChanged
    case .rawValue: .rawValueChanged
    }
  }
}
