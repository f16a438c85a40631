import LocalDataSyntax

/// A database with its places.
struct DecodedDatabase: Sendable {
  var member: SyntaxNode
  var body: SyntaxNode
  var draft: DatabaseDraft
  /// The position of its catalog in the run.
  var catalog: Int
  var access: AccessLevel

  var storedName: String { draft.name ?? member.text }
  var typeName: String { ResolvedDatabase.typeName(of: member.text) }
}

/// A record with its places. What has findings is nil or empty, and no rule looks at it.
struct DecodedRecord: Sendable {
  var node: SyntaxNode
  var body: SyntaxNode
  var draft: RecordDraft
  /// The position of its catalog in the run.
  var catalog: Int
  var access: AccessLevel
  /// The fields in the order of the text.
  var fields: [DecodedRecordField] = []
  /// The member of the router.
  var member: String?
  /// The member of the database.
  var database: String?

  var name: String { node.text }
  var storedName: String { draft.name ?? name }
  var keyName: String { draft.keyNode?.text ?? "id" }
  /// The field that identifies a record.
  var key: DecodedRecordField? { field(keyName) }
  var hasEncryptedFields: Bool { fields.contains { $0.draft.encryption != .none } }

  func field(_ name: String) -> DecodedRecordField? { fields.first { $0.name == name } }
}

/// A field of a record with its places.
struct DecodedRecordField: Sendable {
  var node: SyntaxNode
  var body: SyntaxNode
  var draft = RecordFieldDraft()
  var type: ValueType?
  var defaultValue: ResolvedRecord.Default?
  /// A Boolean value that indicates whether the field writes a number, even one with findings.
  var writesNumber = false

  var name: String { node.text }
  var storedName: String { draft.name ?? name }
  var isOptional: Bool { if case .optional? = type { true } else { false } }
  /// The type without `?`.
  var plainType: ValueType? { if case .optional(let wrapped)? = type { wrapped } else { type } }

  /// Returns the value of a part of the field, for the place of a finding.
  func place(of part: String) -> SyntaxNode { body.value(of: part) ?? node }
}

/// A source of rows with its places.
struct DecodedSource: Sendable {
  var member: SyntaxNode
  var body: SyntaxNode
  var draft: ImportSourceDraft
  /// The position of its catalog in the run.
  var catalog: Int
}

/// The databases and records of all catalogs of a run.
struct RecordTable: Sendable {
  var sources: [DecodedSource] = []
  private(set) var databases: [DecodedDatabase] = []
  private(set) var all: [DecodedRecord] = []
  private var places: [String: Int] = [:]
  private var databasePlaces: [String: Int] = [:]

  /// Returns the first record of a name. A second one is the finding of a rule.
  subscript(name: String) -> DecodedRecord? { places[name].map { all[$0] } }

  func source(_ member: String) -> DecodedSource? { sources.first { $0.member.text == member } }

  func database(_ member: String) -> DecodedDatabase? { databasePlaces[member].map { databases[$0] } }

  mutating func add(_ database: DecodedDatabase) {
    let member = database.member.text
    if databasePlaces[member] == nil { databasePlaces[member] = databases.count }
    databases.append(database)
  }

  mutating func add(_ record: DecodedRecord) {
    if places[record.name] == nil { places[record.name] = all.count }
    all.append(record)
  }

  mutating func update(_ change: (inout DecodedRecord) -> Void) {
    for index in all.indices { change(&all[index]) }
  }
}

extension Findings {
  /// Makes the findings of a closure findings of a record.
  mutating func about(_ record: DecodedRecord, _ report: (inout Findings) -> Void) {
    let outer = key
    key = Key(member: record.node, body: record.body)
    report(&self)
    key = outer
  }

  /// Makes the findings of a closure findings of a database.
  mutating func about(_ database: DecodedDatabase, _ report: (inout Findings) -> Void) {
    let outer = key
    key = .database(database.member, database.body)
    report(&self)
    key = outer
  }
}

extension Findings {
  /// Makes the findings of a closure findings of a source.
  mutating func about(_ source: DecodedSource, _ report: (inout Findings) -> Void) {
    let outer = key
    key = Key(member: source.member, body: source.body)
    report(&self)
    key = outer
  }
}

extension Findings.Key {
  /// A database by its Swift type: a key can have the same member.
  static func database(_ member: SyntaxNode, _ body: SyntaxNode) -> Self {
    Self(member: member, body: body, name: ResolvedDatabase.typeName(of: member.text))
  }
}
