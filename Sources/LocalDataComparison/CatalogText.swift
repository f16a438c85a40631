package import LocalDataModel
import LocalDataVocabulary

/// Parts of a catalog that proposals consist of.
package enum CatalogText {
  /// The fields that give a key the address back that it had.
  static func place(of key: DeclaredKey, in now: DeclaredKey) -> [FieldValue.Entry] {
    let form = key.form
    var fields: [FieldValue.Entry] = []
    let name = form.name(for: now.form.parameters)
    // One of the two has no name: an item without an account, or a file with a path.
    if form.isUnnamed || now.form.isUnnamed, form.name != now.form.name || key.domain != now.domain {
      fields = named(form.name, form.domain)
      if key.domain.kind != now.domain.kind { fields.append(.init("security", complete(key.security))) }
      return fields
    }
    if name != now.form.name { fields.append(.init("name", .text(name ?? form.name))) }
    if name == nil || !form.isEncoded(as: now.form), key[.parameters] != .absent {
      fields.append(.init("parameters", key[.parameters]))
    }
    if key.domain != now.domain { fields.append(.init("domain", FieldValue(key.domain))) }
    // The security of one domain may not be allowed in another.
    if key.domain.kind != now.domain.kind { fields.append(.init("security", complete(key.security))) }
    return fields
  }

  /// The name and the domain of a value. An item without an account and a file with a path have no name.
  static func named(_ name: String, _ domain: StorageDomain) -> [FieldValue.Entry] {
    (name.isEmpty || domain.isExact ? [] : [.init("name", .text(name))])
      + [.init("domain", FieldValue(domain, name: name))]
  }

  /// The field that gives a value of a form another name: its name, or the domain with its path.
  static func name(_ name: String, like form: StoredForm) -> FieldValue.Entry {
    form.domain.isExact ? .init("domain", FieldValue(form.domain, name: name)) : .init("name", .text(name))
  }

  /// A keychain's security with all its fields. A field that is left out may be in the `defaults` of the catalog.
  static func complete(_ security: SecurityPolicy) -> FieldValue {
    guard case .keychain(let accessibility, let control) = security else { return FieldValue(security) }
    return .map([
      .init(
        security.kind.rawValue,
        .map(present: [
          .init("accessibility", .text(accessibility.rawValue)), .init("accessControl", FieldValue(control?.rawValue)),
        ]))
    ])
  }

  /// A step that reads the values of a key's own address as they were secured before.
  static func inPlaceStep(_ form: StoredForm, of domain: StorageDomain) -> FieldValue {
    .map([
      .init(
        "from",
        .map(present: [
          .init("domain", form.domain.kind == domain.kind ? .absent : FieldValue(form.domain)),
          .init("security", FieldValue(form.security)),
        ]))
    ])
  }

  static func reserved(_ form: StoredForm) -> FieldValue {
    .map(named(form.name, form.domain))
  }

  /// The steps from schema 1 on: those of the key, and a function to be written for each further one.
  package static func upgrades(of key: DeclaredKey, to schema: Int) -> FieldValue {
    let known = key[.upgrade].elements
    return .list(
      (1..<schema).map { from in
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
    let raws = Set(before.map(\.raw))
    // A new case that was given an old raw value is left to the developer.
    var result = now.filter { names[$0.name] != nil || !raws.contains($0.raw) || !names.values.contains($0.raw) }
      .map { FieldValue.Entry($0.name, names[$0.name] ?? $0.raw) }
    for item in before where !result.contains(where: { $0.value == item.raw }) {
      result.append(.init(item.name, item.raw))
    }
    return .map(result)
  }

  /// A step without what its sources have in common with the key. The fields of the key are those that it has afterwards.
  ///
  /// - Parameter field: The value of a field of the key, by its name.
  static func short(_ step: FieldValue, _ field: (String) -> FieldValue) -> FieldValue {
    .map(
      step.entries.map { entry in
        guard entry.name == "from" else { return entry }
        if case .list(let sources) = entry.value { return .init("from", .list(sources.map { shortSource($0, field) })) }
        return .init("from", shortSource(entry.value, field))
      })
  }

  /// An item without an account has no name, and its domain says so.
  private static func shortSource(
    withoutAccount domain: StorageDomain, _ entries: [FieldValue.Entry], _ field: (String) -> FieldValue
  ) -> FieldValue {
    let kept = entries.filter { $0.value != field($0.name) && !["name", "domain"].contains($0.name) }
    return .map([.init("domain", FieldValue(domain, name: ""))] + kept)
  }

  private static func shortSource(_ source: FieldValue, _ field: (String) -> FieldValue) -> FieldValue {
    guard case .map(let entries) = source, source["name"] != .absent else { return source }
    if source["name"] == .text(""), let domain = StorageDomain(source["domain"]) {
      return shortSource(withoutAccount: domain, entries, field)
    }
    let isExact = StorageDomain(source["domain"])?.isExact == true
    let kept = entries.filter { $0.value != field($0.name) && !(isExact && $0.name == "name") }
    return .map(kept.isEmpty ? [.init("name", source["name"])] : kept)
  }
}

extension DeclaredKey {
  /// A field that a source of a migration takes from its key, by its name in the catalog.
  func inherited(_ name: String) -> FieldValue {
    switch name {
    case "name": .text(form.name)
    case "type": .text(type)
    case "domain": FieldValue(domain)
    case "security": FieldValue(security)
    // A source that writes its serializer has no form of dates of the key.
    case "serializer": self[.dates] == .absent ? serializer : .absent
    case "encoding": FieldValue(form.encoding?.rawValue)
    default: .absent
    }
  }

  /// A step as it is written in this key, possibly after some fields were changed.
  package func written(_ step: FieldValue, after fields: [FieldValue.Entry] = []) -> FieldValue {
    CatalogText.short(step) { name in fields.first { $0.name == name }?.value ?? inherited(name) }
  }
}

extension FieldValue {
  /// Each entry of a map as a line of a catalog.
  package var lines: [String] { entries.map { "\($0.name): \($0.value)" } }
}
