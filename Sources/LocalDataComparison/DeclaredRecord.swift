package import LocalDataModel
package import LocalDataShapes
import LocalDataVocabulary

/// A record of a state, by the facts that a snapshot has of it.
package struct DeclaredRecord: Declaration {
  /// The Swift type.
  package let name: String
  /// The facts in the order in which a snapshot writes them.
  package let facts: [FieldValue.Entry]
  package let catalog: String
  /// The member of the database.
  package let database: String
  package let storedName: String
  /// The number of the field that identifies a row.
  package let key: Int
  package private(set) var fields: [Field]
  package let indexes: [[Int]]
  package let unique: [[Int]]
  /// The row that a unique index keeps of several with equal values.
  package let existing: [[Int]: RecordShape.Existing]
  /// The entries of `reserved`, each with its numbers, names and cleanup.
  package let reserved: [FieldValue]
  /// The line of its declaration; 0 if it was read from a release.
  @NotCompared package private(set) var line = 0

  package struct Field: Sendable, Hashable {
    package var name: String
    package var column: String
    package var number: Int
    package var type: String
    package var defaultValue: FieldValue
    package var encryption: ResolvedRecord.Encryption
    package var reference: RecordShape.Reference?
    /// A Boolean value that indicates whether a date is written as whole seconds in the wire format.
    package var isInSeconds: Bool
    /// For each function that makes the field from those of earlier releases, those fields.
    package var sources: [[Source]] = []
    @NotCompared package var line = 0
    /// The default as a literal of SQL. A release has none.
    @NotCompared package var sqlDefault: String?
  }

  /// A field of an earlier release, as its type and encryption are declared.
  package struct Source: Sendable, Hashable {
    package var number: Int
    package var type: String
    package var isEncrypted: Bool
    package var isInSeconds: Bool
  }

  /// Creates a record from the facts of a snapshot. Returns nil if they are not complete.
  package init?(_ name: String, facts: FieldValue) {
    self.init(name, facts.entries.filter { Self.known.contains($0.name) || $0.name.hasPrefix(Self.fieldPrefix) })
  }

  /// - Parameter types: The types of the run.
  init?(_ record: ResolvedRecord, catalog: String, types: [String: ResolvedType]) {
    self.init(record.name, record.facts(catalog: catalog))
    line = record.line
    for (index, field) in record.fields.enumerated() where fields.indices.contains(index) {
      fields[index].line = field.line
      if case .value(let value)? = field.defaultValue {
        fields[index].sqlDefault = SQLLiteral.text(value, of: field.type, types)
      }
    }
  }

  private init?(_ name: String, _ facts: [FieldValue.Entry]) {
    let all = FieldValue.map(facts)
    guard let database = all["database"].text, let storedName = all["name"].text else { return nil }
    var fields: [Field] = []
    for entry in facts where entry.name.hasPrefix(Self.fieldPrefix) {
      guard let field = Field(String(entry.name.dropFirst(Self.fieldPrefix.count)), entry.value) else { return nil }
      fields.append(field)
    }
    let numbers = Dictionary(fields.map { ($0.name, $0.number) }) { first, _ in first }
    guard Set(fields.map(\.number)).count == fields.count, numbers.count == fields.count,
      let key = fields.first(where: { .text($0.name) == all["key"] }),
      let indexes = Self.numbers(all["indexes"], numbers), let unique = Self.numbers(all["unique"], numbers)
    else { return nil }
    self.name = name
    self.facts = facts
    catalog = all["catalog"].text ?? ""
    self.database = database
    self.storedName = storedName
    self.key = key.number
    self.fields = fields
    self.indexes = indexes
    self.unique = unique
    reserved = all["reserved"].elements
    var existing: [[Int]: RecordShape.Existing] = [:]
    for index in Self.numbers(all["keepFirst"], numbers) ?? [] { existing[index] = .keepFirst }
    for index in Self.numbers(all["keepLast"], numbers) ?? [] { existing[index] = .keepLast }
    for index in Self.numbers(all["cascading"], numbers) ?? [] { existing[index]?.cascades = true }
    self.existing = existing
  }

  private static func numbers(_ lists: FieldValue, _ numbers: [String: Int]) -> [[Int]]? {
    let result = lists.elements.map { $0.elements.compactMap { $0.text.flatMap { numbers[$0] } } }
    return zip(result, lists.elements).allSatisfy { !$0.isEmpty && $0.count == $1.elements.count } ? result : nil
  }

  package static let fieldPrefix = "fields."

  /// The facts that this version knows. Others were written by a newer version of the same format, and decide nothing.
  private static let known: Set<String> = [
    "catalog", "database", "name", "member", "access", "key", "retention", "expires", "onCorruption", "maxSize",
    "owner", "description", "sensitivity", "privacy", "review", "deprecated", "indexes", "unique", "keepFirst",
    "keepLast", "cascading", "reserved", "importedFrom", "title", "tags", "signOut",
  ]
}

extension DeclaredRecord: NumberedDeclaration {
  package var fieldNames: [String] { fields.map(\.name) }
}

extension DeclaredRecord {
  /// `retention` as a catalog writes it; absent if rows are kept until they are deleted.
  var retention: FieldValue { facts.first { $0.name == "retention" }?.value ?? .absent }
  /// The declared largest size of a row; nil for the default.
  var maxSize: Int? { facts.first { $0.name == "maxSize" }?.value.integer }

  /// The functions that make a field from earlier ones, each with `fields` and `transform`.
  package func transformFacts(of number: Int) -> [FieldValue] {
    facts.first { $0.name == "\(Self.fieldPrefix)\(number)" }?.value["from"].elements ?? []
  }

  /// The values that a field may have; nil for all of its type.
  func valid(of number: Int) -> ValidValues? {
    facts.first { $0.name == "\(Self.fieldPrefix)\(number)" }.flatMap { ValidValues($0.value["valid"]) }
  }

  /// `importedFrom` with its source; absent if there is none.
  var imported: FieldValue { facts.first { $0.name == "importedFrom" }?.value ?? .absent }

  /// `review` as a catalog writes it; absent if there is none.
  var review: FieldValue { facts.first { $0.name == "review" }?.value ?? .absent }

  package func field(_ number: Int) -> Field? { fields.first { $0.number == number } }
}

extension DeclaredRecord.Field {
  var isOptional: Bool { type.hasSuffix("?") }
  /// The type without `?`.
  var plainType: String { isOptional ? String(type.dropLast()) : type }

  /// `encrypted` as a catalog writes it; absent if the field is not encrypted.
  var encrypted: FieldValue { FieldValue(encryption) }

  /// - Parameter number: The text of the number.
  fileprivate init?(_ number: String, _ facts: FieldValue) {
    guard let number = Int(number), FieldNumber.isValid(number), let name = facts["name"].text,
      let type = facts["type"].text,
      let encryption = ResolvedRecord.Encryption(facts["encrypted"])
    else { return nil }
    var reference: RecordShape.Reference?
    if let record = facts["references"].text {
      guard let onDelete = facts["onDelete"].text.flatMap(DeletionPolicy.init) else { return nil }
      reference = .init(record, onDelete)
    }
    self.init(
      name: name, column: facts["column"].text ?? name, number: number, type: type, defaultValue: facts["default"],
      encryption: encryption, reference: reference, isInSeconds: facts["wire"] == .text("seconds"))
    sources = facts["from"].elements.map { $0["fields"].entries.compactMap(DeclaredRecord.Source.init) }
  }
}

extension DeclaredRecord.Source {
  fileprivate init?(_ entry: FieldValue.Entry) {
    guard let number = Int(entry.name), let type = entry.value["type"].text else { return nil }
    self.init(
      number: number, type: type, isEncrypted: entry.value["encrypted"] == .flag(true),
      isInSeconds: entry.value["wire"] == .text("seconds"))
  }
}

// MARK: - Facts

extension ResolvedRecord {
  fileprivate func facts(catalog: String) -> [FieldValue.Entry] {
    let names = Dictionary(fields.map { ($0.number, FieldValue.text($0.name)) }) { first, _ in first }
    func list(_ indexes: [[Int]]) -> FieldValue {
      indexes.isEmpty ? .absent : .list(indexes.map { .list($0.compactMap { names[$0] }) })
    }
    let facts: [FieldValue.Entry] = [
      .init("catalog", .text(catalog)), .init("database", .text(database)), .init("name", .text(storedName)),
      .init("member", .text(member)), .init("access", .text(access.rawValue)), .init("key", .text(key)),
      .init("retention", retention.map { FieldValue($0) } ?? .absent), .init("expires", FieldValue(expires)),
      .init("onCorruption", skipsDamaged ? .text("skip") : .absent),
      .init("maxSize", maxSize.map(FieldValue.integer) ?? .absent),
      .init("owner", .text(owner)),
      .init("description", .text(description)), .init("sensitivity", .text(sensitivity.rawValue)),
      .init("privacy", privacy.map { FieldValue($0) } ?? .absent),
      .init("review", review.map { FieldValue($0) } ?? .absent),
      .init("deprecated", deprecation.map { FieldValue($0) } ?? .absent),
      .init("signOut", signOut?.value ?? .absent), .init("title", FieldValue(labels.title)),
      .init("tags", labels.tags.isEmpty ? .absent : .list(labels.tags.map(FieldValue.text))),
    ]
    let rest: [FieldValue.Entry] = [
      .init("indexes", list(indexes)), .init("unique", list(unique)),
      .init("keepFirst", list(unique.filter { existing[$0]?.kept == .keepFirst })),
      .init("keepLast", list(unique.filter { existing[$0]?.kept == .keepLast })),
      .init("cascading", list(unique.filter { existing[$0]?.cascades == true })),
      .init("reserved", reserved.isEmpty ? .absent : .list(reserved.map(\.facts))),
      .init("importedFrom", imported.map { FieldValue($0) } ?? .absent),
    ]
    let fields = fields.map { FieldValue.Entry("\(DeclaredRecord.fieldPrefix)\($0.number)", $0.facts(of: self)) }
    return FieldValue.map(present: facts + fields + rest).entries
  }
}

extension ResolvedRecord.Field {
  /// The facts of the field. What it has from its record is left out.
  fileprivate func facts(of record: ResolvedRecord) -> FieldValue {
    var value = FieldValue.absent
    switch defaultValue {
    case .new: value = .text("new")
    case .value(let literal): value = FieldValue(literal)
    case nil: break
    }
    return .map(present: [
      .init("name", .text(name)), .init("column", storedName == name ? .absent : .text(storedName)),
      .init("type", .text(type.swiftText)), .init("default", value), .init("encrypted", FieldValue(encryption)),
      .init("wire", isInSeconds ? .text("seconds") : .absent), .init("references", FieldValue(reference?.storedName)),
      .init("onDelete", FieldValue(reference?.onDelete.rawValue)),
      .init("from", transforms.isEmpty ? .absent : .list(transforms.map(\.facts))),
      .init("valid", valid?.value ?? .absent),
      .init("sensitivity", sensitivity == record.sensitivity ? .absent : .text(sensitivity.rawValue)),
      .init("privacy", privacy == record.privacy ? .absent : privacy.map { FieldValue($0) } ?? .absent),
      .init("description", FieldValue(description)),
    ])
  }
}

extension ResolvedRecord.Transform {
  fileprivate var facts: FieldValue {
    let fields = sources.map { FieldValue.Entry(String($0.number), $0.facts) }
    return .map([.init("fields", .map(fields)), .init("transform", .text(function.text))])
  }
}

extension ResolvedRecord.Reserved {
  var facts: FieldValue {
    .map(present: [
      .init("numbers", numbers.isEmpty ? .absent : .list(numbers.map(FieldValue.integer))),
      .init("names", names.isEmpty ? .absent : .list(names.map(FieldValue.text))),
      .init("cleanup", deletesValues ? .text(RecordShape.Cleanup.delete.rawValue) : .absent),
    ])
  }
}

extension ResolvedRecord.Encryption {
  /// - Parameter value: `encrypted` as a catalog writes it.
  fileprivate init?(_ value: FieldValue) {
    switch value {
    case .absent, .flag(false): self = .none
    case .flag(true): self = .sealed
    case .map where value["index"] == .text("blind"): self = .blind
    default: return nil
    }
  }
}

extension FieldValue {
  fileprivate init(_ encryption: ResolvedRecord.Encryption) {
    switch encryption {
    case .none: self = .absent
    case .sealed: self = .flag(true)
    case .blind: self = .map([.init("index", .text("blind"))])
    }
  }
}
