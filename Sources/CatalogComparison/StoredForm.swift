package import CatalogModel
package import StorageVocabulary

/// The place and the form in which values of a key, or of a source of a migration, are stored.
package struct StoredForm: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var type: String
  }

  package var name: String
  package var domain: StorageDomain
  package var security: SecurityPolicy
  package var type: String
  package var serializer: FieldValue
  package var schema: Int
  /// In a family, the parameters of its name.
  package var parameters: [Parameter]

  /// The address of the values as the key of a dictionary. Names of parameters do not count.
  package var address: StoredPlace { StoredPlace(domain, name: wildcardName) }

  /// The stored name, with `{}` for each parameter.
  package var wildcardName: String { Self.wildcards(name) }

  static func wildcards(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "{")) else { return name }
    var result = ""
    var isInside = false
    for character in name {
      if character == "}" { isInside = false }
      if !isInside { result.append(character) }
      if character == "{" { isInside = true }
    }
    return result
  }

  /// The types of the parameters in the order of the name.
  var parameterTypes: [String] {
    parameters.compactMap { parameter in
      name.range(of: "{\(parameter.name)}").map { (position: $0, type: parameter.type) }
    }.sorted { $0.position < $1.position }.map(\.type)
  }

  /// The name with the parameters of another form instead of this one's. Parameters of the same names are the same.
  /// If the names differ, those at the same positions are the same.
  ///
  /// - Returns: The name, or nil if the other form has more or fewer parameters.
  func name(for others: [Parameter]) -> String? {
    guard others.count == parameters.count else { return nil }
    if Set(parameters.map(\.name)) == Set(others.map(\.name)) { return name }
    let names = Dictionary(zip(parameters, others).map { ($0.name, $1.name) }) { first, _ in first }
    let parts = name.split(separator: "{", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts.first ?? "")) { result, part in
      let old = String(part.prefix { $0 != "}" })
      result += "{\(names[old] ?? old)\(part.dropFirst(old.count))"
    }
  }

  /// The place in words: `'theme' in userDefaults`.
  package var place: String {
    name.isEmpty ? "the item in \(FieldValue(domain, name: name))" : "'\(name)' in \(FieldValue(domain))"
  }
}

extension String {
  /// The offset of a text in this one.
  fileprivate func range(of text: String) -> Int? {
    let (all, part) = (Array(utf8), Array(text.utf8))
    guard part.count <= all.count else { return nil }
    return (0...all.count - part.count).first { all[$0..<$0 + part.count].elementsEqual(part) }
  }
}

/// A step of a key's migration.
package struct MigrationStep: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// A legacy key, by its member.
    case member(String)
    case inline(StoredForm)
  }

  package enum Action: Sendable, Hashable {
    case from([Source])
    /// The key's own place, whose values were secured so.
    case inPlace(StorageDomain, SecurityPolicy)
    /// A migration of the app's own: what it reads is not known.
    case custom
  }

  package var action: Action
  /// The field of a legacy key that the step reads; absent if it reads the whole value.
  package var field: FieldValue
  /// The step as a catalog writes it.
  package var value: FieldValue

  init(_ value: FieldValue, of key: DeclaredKey) {
    self.value = value
    let from = value["from"]
    field = from[Language.fieldOfSource]
    if value["custom"] != .absent {
      action = .custom
    } else if from["name"] == .absent, from["security"] != .absent {
      action = .inPlace(
        StorageDomain(from["domain"]) ?? key.domain, SecurityPolicy(from["security"]) ?? key.security)
    } else {
      let sources = from.elements.isEmpty ? [from] : from.elements
      action = .from(sources.map { Self.source($0, of: key) })
    }
  }

  private static func source(_ value: FieldValue, of key: DeclaredKey) -> Source {
    if let member = value.text ?? value["member"].text { return .member(member) }
    var form = key.form
    form.name = value["name"].text ?? form.name
    form.domain = StorageDomain(value["domain"]) ?? form.domain
    form.security = SecurityPolicy(value["security"]) ?? form.security
    form.type = value["type"].text ?? form.type
    if value["serializer"] != .absent { form.serializer = value["serializer"] }
    form.schema = 1
    return .inline(form)
  }
}
