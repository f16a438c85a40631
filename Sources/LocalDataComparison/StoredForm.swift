package import LocalDataModel
package import LocalDataVocabulary

/// The place and the form in which values of a key, or of a source of a migration, are stored.
package struct StoredForm: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var type: String
    package var encoding = ParameterEncoding.escaped

    init(name: String, type: String) {
      self.name = name
      self.type = type
    }

    /// Creates a parameter from an entry of `parameters`: `UUID`, or `{type: UUID, encoding: verbatim}`.
    init(_ entry: FieldValue.Entry) {
      self.init(name: entry.name, type: entry.value.text ?? entry.value["type"].text ?? "")
      encoding = entry.value["encoding"].text.flatMap(ParameterEncoding.init) ?? .escaped
    }
  }

  package var name: String
  package var domain: StorageDomain
  package var security: SecurityPolicy
  package var type: String
  package var serializer: FieldValue
  /// The form of dates; absent if it is the serializer's.
  package var dates: FieldValue
  /// The further forms that a read accepts.
  package var reads: [FieldValue] = []
  package var schema: Int
  /// In a family, the parameters of its name.
  package var parameters: [Parameter]

  /// The address of the values as the key of a dictionary. Names of parameters do not count.
  package var address: StoredPlace { StoredPlace(domain, name: wildcardName) }

  /// The stored name, with `{}` for each parameter, or `{+}` if it is verbatim.
  package var wildcardName: String {
    Self.wildcards(
      parameters.reduce(name) { name, parameter in
        parameter.encoding == .escaped
          ? name : name.replacing("{\(parameter.name)}", with: "{+\(parameter.name)}")
      })
  }

  static func wildcards(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "{")) else { return name }
    var result = ""
    var isInside = false
    for character in name {
      if character == "}" { isInside = false }
      if !isInside || character == "+" { result.append(character) }
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

  /// Returns true if a read also accepts values of another form.
  func reads(_ other: StoredForm) -> Bool { reads.contains { other.isForm($0) } }

  /// Returns true if a form of `reads` is the declared one.
  func isForm(_ read: FieldValue) -> Bool {
    read["type"] == .text(type) && read["serializer"] == serializer && read["dates"] == dates
  }

  /// The form of dates, which is also that of JSON if nothing is written.
  var writtenDates: FieldValue {
    let isJSON = [SerializerKind.Kind.json, .jsonText].contains { serializer == .text($0.rawValue) }
    return isJSON && dates == .absent ? .text(DateForm.secondsSince2001.rawValue) : dates
  }

  /// The place in words: `'theme' in userDefaults`.
  package var place: String {
    let verbatim = parameters.filter { $0.encoding == .verbatim }.map(\.name)
    let encodings = verbatim.isEmpty ? "" : " with \(verbatim.joined(separator: ", ")) verbatim"
    if domain.isExact { return "the file\(encodings) in \(FieldValue(domain, name: name))" }
    if name.isEmpty { return "the item in \(FieldValue(domain, name: name))" }
    return "'\(name)'\(encodings) in \(FieldValue(domain))"
  }

  /// A Boolean value that indicates whether a catalog writes no name: an item without an account, or a file with a path.
  var isUnnamed: Bool { name.isEmpty || domain.isExact }

  /// The encoding of all parameters, or nil if they differ or there is none.
  var encoding: ParameterEncoding? {
    let all = Set(parameters.map(\.encoding))
    return all.count == 1 ? all.first : nil
  }

  /// The encodings in the order of the name.
  private var encodings: [ParameterEncoding] {
    parameters.compactMap { parameter in
      name.range(of: "{\(parameter.name)}").map { (position: $0, encoding: parameter.encoding) }
    }.sorted { $0.position < $1.position }.map(\.encoding)
  }

  /// Returns true if both names have their parameters in the same encodings.
  func isEncoded(as other: Self) -> Bool { encodings == other.encodings }

  /// Returns the parameters as another form of a key names them.
  func parameters(for others: [Parameter]) -> FieldValue {
    let names = Set(parameters.map(\.name)) == Set(others.map(\.name)) ? parameters.map(\.name) : others.map(\.name)
    return .map(
      zip(parameters, names).map { .init($1, FieldValue(parameter: $0.type, $0.encoding)) })
  }
}

extension String {
  /// The offset of a text in this one.
  fileprivate func range(of text: String) -> Int? {
    let all = Array(utf8)
    let part = Array(text.utf8)
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
    if value["serializer"] != .absent {
      form.serializer = value["serializer"]
      form.dates = .absent
    }
    if value["dates"] != .absent { form.dates = value["dates"] }
    if let encoding = value["encoding"].text.flatMap(ParameterEncoding.init) {
      for index in form.parameters.indices { form.parameters[index].encoding = encoding }
    }
    form.schema = 1
    form.reads = []
    return .inline(form)
  }
}
