import LocalDataModel
import LocalDataVocabulary

/// A source of a migration that reads the values of a released address, in words and as text of a catalog.
struct SourceProposal {
  /// The source, as a step names it: complete, or the member of a legacy key.
  let source: FieldValue
  let address: StoredPlace
  /// The type of the source.
  let type: String
  /// The legacy key to declare, if the values have several forms or a schema: an inline source has schema 1 and one form.
  let newKey: FieldValue.Entry?
  let newTypes: [FieldValue.Entry]
  /// The declaration to add, as the start of an instruction: `declare the released 'Address' in 'types' as 'AddressV1', and `.
  let preparation: String

  init(_ source: ReleasedSource, for owner: DeclaredKey, _ released: ReleasedForms, _ today: CatalogState) {
    let form = source.form
    let renamed = released.former.renamed(form.type, in: source.release)
    address = form.address
    type = renamed.type
    newTypes = renamed.declarations
    let old = renamed.names.map { "'\($0.old)'" }.joined(separator: ", ")
    let new = renamed.names.map { "'\($0.new)'" }.joined(separator: ", ")
    let types = renamed.names.isEmpty ? "" : "declare the released \(old) in 'types' as \(new), and "
    if form.schema == 1, source.older.isEmpty, form.encoding != nil || form.isEncoded(as: owner.form) {
      newKey = nil
      self.source = form.source(for: owner, type: renamed.type)
      preparation = types
      return
    }
    let member = Self.member(of: source, released, today)
    let legacy = Self.legacyKey(source, for: owner, type: renamed.type, member)
    newKey = legacy
    self.source = .text(legacy.name)
    preparation = "\(types)\(Self.words(legacy)), and name it as the source: "
  }

  /// The member of the legacy key: one for each address of the key, and none that is taken.
  private static func member(
    of source: ReleasedSource, _ released: ReleasedForms, _ today: CatalogState
  ) -> String {
    let name = "legacy" + source.key.member.prefix(1).uppercased() + source.key.member.dropFirst()
    var position = released.position(of: source.form.address, of: source.key.member)
    var number = 1
    while true {
      let candidate = number == 1 ? name : "\(name)\(number)"
      number += 1
      guard today.keys[candidate] == nil else { continue }
      if position == 0 { return candidate }
      position -= 1
    }
  }

  /// A legacy key for an address whose values have several forms: the newest is its own, and its migration names the others.
  private static func legacyKey(
    _ source: ReleasedSource, for owner: DeclaredKey, type: String, _ member: String
  ) -> FieldValue.Entry {
    let key = source.key
    let form = source.form
    let name = form.name(for: owner.form.parameters) ?? form.name
    let steps = source.older.map { CatalogText.inPlaceStep($0, of: form.domain) }
    return .init(
      member,
      .map(present: [
        .init("legacy", .flag(true)), .init("name", name.isEmpty || form.domain.isExact ? .absent : .text(name)),
        .init("parameters", owner[.parameters] == .absent ? .absent : form.parameters(for: owner.form.parameters)),
        .init("type", .text(type)),
        .init("domain", FieldValue(form.domain, name: name)),
        .init("security", CatalogText.complete(form.security)), .init("serializer", form.serializer),
        .init("dates", form.dates),
        .init("schema", .integer(form.schema)), .init("upgrade", form.schema > 1 ? key[.upgrade] : .absent),
        .init("owner", key[.owner]), .init("description", key[.description]),
        .init("migration", steps.count > 1 ? .list(steps) : steps.first ?? .absent),
      ]))
  }

  /// `declare its place as a legacy key 'legacyTheme' of schema 2 with …`
  private static func words(_ legacy: FieldValue.Entry) -> String {
    var parts = ["declare the old place as a legacy key '\(legacy.name)'"]
    if let schema = legacy.value["schema"].integer, schema > 1 { parts.append("of schema \(schema)") }
    if legacy.value["migration"] != .absent {
      parts.append(
        "with " + ["security", "migration"].map { "`\($0): \(legacy.value[$0])`" }.joined(separator: " and "))
    }
    return parts.joined(separator: " ")
  }
}

extension StoredForm {
  /// The form as a complete inline source.
  func source(for owner: DeclaredKey, type: String) -> FieldValue {
    let encoding = isEncoded(as: owner.form) ? nil : encoding?.rawValue
    let own = name(for: owner.form.parameters) ?? name
    return .map(present: [
      .init("name", .text(own)), .init("type", .text(type)),
      .init("domain", FieldValue(domain, name: domain.isExact ? own : nil)), .init("security", FieldValue(security)),
      .init("serializer", serializer), .init("dates", dates), .init("encoding", FieldValue(encoding)),
    ])
  }
}

extension Remedy {
  /// Adds what a source of a migration needs.
  func declaring(_ proposal: SourceProposal) -> Remedy {
    var remedy = self
    if let key = proposal.newKey { remedy.newKeys.append(NewKey(entry: key, address: proposal.address)) }
    remedy.newTypes += proposal.newTypes
    return remedy
  }
}
