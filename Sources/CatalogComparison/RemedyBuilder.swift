import CatalogModel
import StorageVocabulary

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
  /// The forms in which all releases stored their values.
  let released: ReleasedForms

  private var form: StoredForm { old.storedForm }

  func answer(to obstacle: Obstacle) -> Answer {
    switch obstacle.kind {
    case .address: address()
    case .serializer: serializer()
    case .security: security()
    case .schema: schema(old.schema, .schemaLowered)
    case .type, .rawValue: type()
    }
  }

  // MARK: Answers

  private func address() -> Answer {
    if let name = form.name(for: reader.form.parameters), form.wildcardName == reader.form.wildcardName,
      name != reader.form.name
    {
      guard reader.isOwnPlace else { return corrected(.addressChanged) }
      let field = FieldValue.Entry("name", .text(name))
      return Answer(
        rule: .addressChanged, help: "write `name: \(field.value)`, so that each value keeps its name",
        remedy: Remedy(fields: [field]))
    }
    if form.wildcardName != reader.form.wildcardName {
      let name = FieldValue.Entry("name", .text(form.name))
      return Answer(
        rule: .addressChanged, help: "write `name: \(name.value)`, in the case it was released in",
        remedy: Remedy(fields: [name]))
    }
    if form.parameterTypes != reader.form.parameterTypes {
      let types = form.parameterTypes
      var rest = types[...]
      let entries = owner[.parameters].entries.map { FieldValue.Entry($0.name, FieldValue(rest.popFirst())) }
      return Answer(
        rule: .addressChanged, help: "write `parameters: \(FieldValue.map(entries))` again",
        remedy: Remedy(fields: [.init("parameters", .map(entries))]))
    }
    if form.domain == reader.form.domain {
      let types = Set(form.parameterTypes).sorted().map { "'\($0)'" }.joined(separator: ", ")
      return Answer(
        rule: .addressChanged,
        help: "declare the parameter's type as it was released (\(types)): its raw values are in "
          + "the stored names. Declare the new raw values as another type", remedy: Remedy())
    }
    return elsewhere(.addressChanged)
  }

  private func serializer() -> Answer {
    if owner.isLegacy { return restored("serializer", form.serializer, .serializerChanged) }
    if !reader.isOwnPlace { return corrected(.serializerChanged) }
    if let answer = olderType(.serializerChanged) { return answer }
    return elsewhere(.serializerChanged)
  }

  private func security() -> Answer {
    let forms = released.forms(like: form, check)
    if !reader.isOwnPlace { return forms.count > 1 ? declared(forms, .securityChanged) : corrected(.securityChanged) }
    // If another release stored values as the reader reads them, both forms are needed.
    if owner.isLegacy, !forms.contains(where: { ReadingCheck.opens($0, reader.form) }) {
      return restored("security", FieldValue(form.security), .securityChanged)
    }
    let step = Self.inPlaceStep(form, of: owner.domain)
    return Answer(
      rule: .securityChanged, help: "add `migration: \(step)` to '\(owner.member)'", remedy: Remedy(steps: [step]))
  }

  private func type() -> Answer {
    if let answer = olderType(.typeChanged) { return answer }
    if owner.isLegacy { return restored("type", .text(form.type), .typeChanged) }
    if !reader.isOwnPlace { return corrected(.typeChanged) }
    if obstacles.contains(where: { $0.kind == .serializer }) { return elsewhere(.typeChanged) }
    return schema(owner.schema + 1, .typeChanged)
  }

  /// Returns what to do if the old type must be named, and its name has another meaning today. Nil if no type must be
  /// named, or if it means the same today.
  private func olderType(_ rule: ReleaseRule) -> Answer? {
    let isRead = owner.isLegacy || !reader.isOwnPlace || obstacles.contains { $0.kind == .serializer }
    let changed = check.changedNames(in: form.type)
    guard isRead, !changed.isEmpty, obstacles.contains(where: { $0.kind == .type }) else { return nil }
    let names = changed.map { "'\($0)'" }.joined(separator: ", ")
    let copies = changed.map { "'\($0)V1'" }.joined(separator: ", ")
    let declare = "declare the released \(names) in 'types' as \(copies)"
    let type = FieldValue.text(check.type(form.type, renaming: changed) { $0 + "V1" })
    guard !owner.isLegacy else {
      return Answer(rule: rule, help: "\(declare), and write `type: \(type)` in '\(owner.member)'", remedy: Remedy())
    }
    var older = form
    older.type = type.text ?? form.type
    let step = Self.step(from: older, to: owner, isMoved: true, like: reader.step?.value)
    let name = reader.isOwnPlace ? "`name: \(Self.newName(form.name))` and " : ""
    return Answer(rule: rule, help: "\(declare), and write \(name)`migration: \(step)`", remedy: Remedy())
  }

  private func schema(_ schema: Int, _ rule: ReleaseRule) -> Answer {
    guard reader.isOwnPlace else {
      return Answer(
        rule: rule, help: "declare the source with `legacy: true` and `schema: \(schema)`: an inline one has schema 1",
        remedy: Remedy())
    }
    let steps = Self.upgrades(of: owner, to: schema)
    return Answer(
      rule: rule, help: "write `schema: \(schema)` and `upgrade: \(steps)`", remedy: Remedy(schema: schema))
  }

  /// The value moves to another name, with the old one as its source.
  private func elsewhere(_ rule: ReleaseRule) -> Answer {
    let name = Self.newName(form.name)
    let step = Self.step(from: form, to: owner, isMoved: true)
    return Answer(
      rule: rule, help: "write `name: \(name)` and `migration: \(step)`, so that the old values are converted",
      remedy: Remedy(steps: [step], fields: [.init("name", .text(name))]))
  }

  private func restored(_ field: String, _ value: FieldValue, _ rule: ReleaseRule) -> Answer {
    Answer(
      rule: rule, help: "write `\(field): \(value)` again: a legacy key is read as it was written",
      remedy: Remedy(fields: [.init(field, value)]))
  }

  /// The inline source of a step, described as it was stored.
  private func corrected(_ rule: ReleaseRule) -> Answer {
    let step = Self.step(from: form, to: owner, isMoved: true, like: reader.step?.value)
    let steps = owner[.migration].elements.map { $0 == reader.step?.value ? step : $0 }
    return Answer(
      rule: rule, help: "describe the source as it was stored: `migration: \(step)`",
      remedy: Remedy(fields: [.init("migration", .list(steps))]))
  }

  /// The place of an inline source as a legacy key: an inline source has one form.
  private func declared(_ forms: [StoredForm], _ rule: ReleaseRule) -> Answer {
    let legacy = Self.legacyKey(old, forms, for: owner)
    let (step, source) = (reader.step?.value ?? .absent, FieldValue.text(legacy.name))
    let help =
      "declare the place as a legacy key '\(legacy.name)' with `security: \(legacy.value["security"])` and "
      + "`migration: \(legacy.value["migration"])`, and name it as the source"
    // Of several sources that are joined, the one to replace is left to the developer.
    guard step["from"].elements.isEmpty else { return Answer(rule: rule, help: help, remedy: Remedy()) }
    let replaced = FieldValue.map(step.entries.map { $0.name == "from" ? .init("from", source) : $0 })
    let steps = owner[.migration].elements.map { $0 == step ? replaced : $0 }
    return Answer(
      rule: rule, help: "\(help): `migration: \(replaced)`",
      remedy: Remedy(fields: [.init("migration", .list(steps))], newKey: legacy))
  }

  // MARK: Parts of catalogs

  /// The fields that give a key the place back that it had.
  static func place(of key: DeclaredKey, in now: DeclaredKey) -> [FieldValue.Entry] {
    let form = key.form
    var fields: [FieldValue.Entry] = []
    let name = form.name(for: now.form.parameters)
    if name != now.form.name { fields.append(.init("name", .text(name ?? form.name))) }
    if name == nil { fields.append(.init("parameters", key[.parameters])) }
    if key.domain != now.domain { fields.append(.init("domain", FieldValue(key.domain))) }
    // The security of one domain may not be allowed in another.
    if key.domain.kind != now.domain.kind { fields.append(.init("security", FieldValue(key.security))) }
    return fields
  }

  /// A key whose address has changed, with the old address as a source.
  ///
  /// - Parameter forms: The forms in which releases stored the values, the newest first.
  static func moving(
    _ key: DeclaredKey, to successor: DeclaredKey, _ forms: [StoredForm]
  ) -> (help: String, remedy: Remedy) {
    guard key.form.parameters.count == successor.form.parameters.count else { return separating(key, from: successor) }
    guard key.schema > 1 || forms.count > 1 else {
      let step = step(from: key.form, to: successor)
      return (
        "add `migration: \(step)` to '\(successor.member)', or go back to the old place",
        Remedy(steps: [step], earlierSteps: key[.migration].elements)
      )
    }
    // An inline source is of schema 1, and has one form.
    let legacy = legacyKey(key, forms, for: successor)
    var step: [FieldValue.Entry] = [.init("from", .text(legacy.name))]
    if key.type != successor.type { step.append(.init("transform", transform(for: successor.member))) }
    var parts: [String] = []
    if key.schema > 1 { parts.append("of schema \(key.schema)") }
    if forms.count > 1 {
      let fields = ["security", "migration"].map { "`\($0): \(legacy.value[$0])`" }
      parts.append("with " + fields.joined(separator: " and "))
    }
    return (
      "declare the old place as a legacy key '\(legacy.name)' \(parts.joined(separator: " ")), and name it as the source: "
        + "`migration: \(FieldValue.map(step))`",
      Remedy(steps: [.map(step)], earlierSteps: key[.migration].elements, newKey: legacy)
    )
  }

  /// A legacy key for a place whose values have several forms: the newest is its own, and its migration names the others.
  private static func legacyKey(
    _ key: DeclaredKey, _ forms: [StoredForm], for successor: DeclaredKey
  ) -> FieldValue.Entry {
    let member = "legacy" + key.member.prefix(1).uppercased() + key.member.dropFirst()
    let form = forms.first ?? key.storedForm
    let name = form.name(for: successor.form.parameters) ?? form.name
    let steps = forms.dropFirst().map { inPlaceStep($0, of: form.domain) }
    var fields: [FieldValue.Entry] = [.init("legacy", .flag(true)), .init("name", .text(name))]
    if successor[.parameters] != .absent { fields.append(.init("parameters", successor[.parameters])) }
    fields += [
      .init("type", .text(form.type)), .init("domain", FieldValue(form.domain)),
      .init("security", FieldValue(form.security)), .init("serializer", form.serializer),
      .init("schema", .integer(form.schema)), .init("upgrade", form.schema > 1 ? key[.upgrade] : .absent),
      .init("owner", key[.owner]), .init("description", key[.description]),
    ]
    if let step = steps.first { fields.append(.init("migration", steps.count == 1 ? step : .list(steps))) }
    return .init(member, .map(fields))
  }

  /// A step that reads the values of a key's own place as they were secured before.
  private static func inPlaceStep(_ form: StoredForm, of domain: StorageDomain) -> FieldValue {
    var from: [FieldValue.Entry] = []
    if form.domain.kind != domain.kind { from.append(.init("domain", FieldValue(form.domain))) }
    from.append(.init("security", FieldValue(form.security)))
    return .map([.init("from", .map(from))])
  }

  /// A migration reads values one by one, with the parameters of the key that has it.
  private static func separating(_ key: DeclaredKey, from successor: DeclaredKey) -> (help: String, remedy: Remedy) {
    let entry = reserved(key.form)
    let isFree = !covers(key.form, successor.form) && !covers(successor.form, key.form)
    let reason = "no migration can read the values of a family as those of another one or of a single key: "
    guard isFree else { return (reason + "write the released name and its parameters again", Remedy()) }
    return (
      reason + "declare the old place as a key with another member, or give its values up and add "
        + "`- \(entry)` to 'reserved'",
      Remedy(reserved: entry)
    )
  }

  private static func covers(_ form: StoredForm, _ other: StoredForm) -> Bool {
    CatalogState.ReservedName(catalog: "", name: form.name, domain: form.domain, deletesLeftovers: false)
      .covers(other.wildcardName)
  }

  /// A step that reads what is stored as `form`; what it has in common with the key is left out.
  static func step(
    from form: StoredForm, to key: DeclaredKey, isMoved: Bool = false, like template: FieldValue? = nil
  ) -> FieldValue {
    var from: [FieldValue.Entry] = []
    let name = form.name(for: key.form.parameters) ?? form.name
    if isMoved || name != key.form.name { from.append(.init("name", .text(name))) }
    if form.type != key.type { from.append(.init("type", .text(form.type))) }
    if form.domain != key.domain { from.append(.init("domain", FieldValue(form.domain))) }
    if form.security != key.security { from.append(.init("security", FieldValue(form.security))) }
    if form.serializer != key.serializer { from.append(.init("serializer", form.serializer)) }
    var entries: [FieldValue.Entry] = [.init("from", .map(from))]
    entries += (template?.entries ?? []).filter { $0.name != "from" }
    if form.type != key.type, template?["transform"] ?? .absent == .absent {
      entries.append(.init("transform", transform(for: key.member)))
    }
    return .map(entries)
  }

  static func reserved(_ form: StoredForm) -> FieldValue {
    .map([.init("name", .text(form.name)), .init("domain", FieldValue(form.domain))])
  }

  static func newName(_ name: String) -> String { name + "_2" }

  /// The steps from schema 1 on: those of the key, and a function to be written for each further one.
  static func upgrades(of key: DeclaredKey, to schema: Int) -> FieldValue {
    let known = key[.upgrade].elements
    return .list(
      (1..<max(schema, 2)).map { from in
        if from <= known.count { return known[from - 1] }
        return .map([
          .init("from", .integer(from)), .init("transform", .text("\(typeName(key.member))V\(from).upgraded")),
        ])
      })
  }

  static func transform(for member: String) -> FieldValue { .text("\(typeName(member))Migration.apply") }

  private static func typeName(_ member: String) -> String { member.prefix(1).uppercased() + member.dropFirst() }

  /// All cases of an enum, each old raw value with its old case.
  static func cases(_ old: DeclaredType?, _ new: DeclaredType?) -> FieldValue? {
    guard case .enumeration(let before)? = old?.form, case .enumeration(let now)? = new?.form else { return nil }
    let names = Dictionary(before.map { ($0.name, $0.raw) }) { first, _ in first }
    var result = now.map { FieldValue.Entry($0.name, names[$0.name] ?? $0.raw) }
    for item in before where !result.contains(where: { $0.value == item.raw }) {
      result.append(.init(item.name, item.raw))
    }
    // A new case that was given an old raw value is left to the developer.
    return .map(result)
  }
}
