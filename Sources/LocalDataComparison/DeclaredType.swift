package import LocalDataModel

/// A type of `types:`, as far as it decides what is stored.
package struct DeclaredType: Declaration {
  package struct Case: Sendable, Hashable {
    package var name: String
    /// A text, or a number.
    package var raw: FieldValue
  }

  package struct Field: Sendable, Hashable {
    package var name: String
    package var type: String
    package var defaultValue: FieldValue
    /// The number in the wire format of records.
    package var number: Int?
  }

  package enum Form: Sendable, Hashable {
    case enumeration([Case])
    case structure([Field])
    case swift(String)
  }

  package var catalog: String
  package var form: Form
  /// The entries of `reserved` of a struct.
  package var reserved: [FieldValue] = []
  /// The line of its declaration; 0 if it was read from a release.
  @NotCompared package var line: Int

  init(catalog: String, form: Form, line: Int = 0) {
    self.catalog = catalog
    self.form = form
    self.line = line
  }

  init(_ type: ResolvedType, catalog: String) {
    let form: Form =
      switch type.form {
      case .stringEnum(let cases): .enumeration(cases.map { Case(name: $0.name, raw: .text($0.raw)) })
      case .intEnum(let cases): .enumeration(cases.map { Case(name: $0.name, raw: .integer($0.raw)) })
      case .structure(let fields):
        .structure(
          fields.map { field in
            Field(
              name: field.name, type: field.type.swiftText,
              defaultValue: field.defaultValue.map { FieldValue($0) } ?? .absent, number: field.number)
          })
      case .swift(let name): .swift(name.text)
      }
    self.init(catalog: catalog, form: form, line: type.line)
    reserved = type.reserved.map(\.facts)
  }
  /// Creates a type from the facts of a snapshot. Returns nil if they are not complete.
  package init?(_ name: String, facts: FieldValue) {
    var cases: [Case] = []
    var fields: [Field] = []
    for entry in facts.entries {
      if entry.name.hasPrefix(Self.casePrefix) {
        cases.append(Case(name: String(entry.name.dropFirst(Self.casePrefix.count)), raw: entry.value))
      } else if entry.name.hasPrefix(Self.fieldPrefix) {
        guard let type = entry.value["type"].text else { return nil }
        fields.append(
          Field(
            name: String(entry.name.dropFirst(Self.fieldPrefix.count)), type: type,
            defaultValue: entry.value["default"], number: entry.value["number"].integer))
      }
    }
    let form: Form =
      if let name = facts["swift"].text { .swift(name) } else if !cases.isEmpty { .enumeration(cases) } else {
        .structure(fields)
      }
    self.init(catalog: facts["catalog"].text ?? "", form: form)
    reserved = facts[Self.reservedPath].elements
  }

  package var facts: [FieldValue.Entry] {
    let catalog = FieldValue.Entry("catalog", .text(catalog))
    switch form {
    case .enumeration(let cases): return [catalog] + cases.map { .init("\(Self.casePrefix)\($0.name)", $0.raw) }
    case .structure(let fields):
      let reserved = reserved.isEmpty ? [] : [FieldValue.Entry(Self.reservedPath, .list(reserved))]
      return [catalog] + fields.map { .init("\(Self.fieldPrefix)\($0.name)", $0.facts) } + reserved
    case .swift(let name): return [catalog, .init("swift", .text(name))]
    }
  }

  /// The names of cases or fields, in their order.
  package var names: [String] {
    switch form {
    case .enumeration(let cases): cases.map(\.name)
    case .structure(let fields): fields.map(\.name)
    case .swift: []
    }
  }

  private static let casePrefix = "enum."
  private static let fieldPrefix = "fields."
  package static let reservedPath = "reserved"

  /// The type without the numbers of its fields.
  var withoutNumbers: DeclaredType {
    guard case .structure(let fields) = form else { return self }
    return DeclaredType(
      catalog: catalog,
      form: .structure(fields.map { Field(name: $0.name, type: $0.type, defaultValue: $0.defaultValue) }), line: line)
  }
}

extension DeclaredType.Field {
  /// The facts of the field, except its name.
  package var facts: FieldValue {
    .map(present: [
      .init("type", .text(type)), .init("default", defaultValue),
      .init("number", number.map(FieldValue.integer) ?? .absent),
    ])
  }
}
