import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// A catalog with a database, a record with an encrypted field, and a record that refers to it.
struct RecordCatalog {
  var database: ResolvedDatabase
  var records: [ResolvedRecord]
  var types: [ResolvedType]
  var reserved: [ResolvedReservedRecord] = []

  init() {
    database = ResolvedDatabase(
      member: "wallet", name: "wallet", line: 3, owner: "Team", description: "The wallet.", access: .internal,
      domain: .fileSystem(directory: .applicationSupport))
    database.protection = .complete
    types = [
      ResolvedType(
        name: "Format", description: "A format.", line: 5,
        form: .stringEnum([
          .init(name: "jwt", raw: "jwt", description: nil), .init(name: "sdJWT", raw: "sd", description: nil),
        ])),
      ResolvedType(
        name: "Claim", description: "A claim.", line: 6,
        form: .structure([
          .init(name: "key", type: .scalar(.string), defaultValue: nil, description: nil, number: 1),
          .init(name: "value", type: .optional(.scalar(.string)), defaultValue: nil, description: nil, number: 2),
        ])),
    ]
    records = [Self.credential, Self.history]
  }

  private static var credential: ResolvedRecord {
    var format = field("format", 2, .declared("Format"), line: 12)
    format.defaultValue = .value(.enumCase("sdJWT"))
    var secret = field("secret", 3, .scalar(.string), line: 13)
    secret.encryption = .sealed
    var issuer = field("issuer", 4, .scalar(.string), line: 14)
    issuer.encryption = .blind
    return record("Credential", line: 10, [field("id", 1, .scalar(.string), line: 11), format, secret, issuer])
  }

  private static var history: ResolvedRecord {
    var id = field("id", 9, .scalar(.uuid), line: 21)
    id.defaultValue = .new
    var credential = field("credentialID", 2, .scalar(.string), line: 22)
    credential.reference = .init(record: "Credential", storedName: "Credential", onDelete: .cascade)
    var count = field("count", 3, .scalar(.int32), line: 23)
    count.defaultValue = .value(.integer("0"))
    var record = record(
      "History", line: 20,
      [
        id, credential, count, field("claims", 4, .list(.declared("Claim")), line: 24),
        field("logo", 5, .optional(.scalar(.url)), line: 25), field("createdAt", 6, .scalar(.date), line: 26),
      ])
    record.indexes = [[2, 6]]
    record.reserved = [.init(numbers: [12], names: ["old"], deletesValues: true)]
    return record
  }

  static func field(_ name: String, _ number: Int, _ type: ValueType, line: Int = 0) -> ResolvedRecord.Field {
    .init(name: name, storedName: name, number: number, line: line, type: type, sensitivity: .personal)
  }

  static func record(_ name: String, line: Int, _ fields: [ResolvedRecord.Field]) -> ResolvedRecord {
    ResolvedRecord(
      name: name, storedName: name, member: name.lowercased(), line: line, owner: "Team", description: "A \(name).",
      access: .internal, sensitivity: .personal, database: "wallet", key: "id", fields: fields)
  }

  var credential: ResolvedRecord {
    get { records[0] }
    set { records[0] = newValue }
  }

  var history: ResolvedRecord {
    get { records[1] }
    set { records[1] = newValue }
  }

  /// The catalog after some changes.
  func with(_ change: (inout RecordCatalog) -> Void) -> RecordCatalog {
    var result = self
    change(&result)
    return result
  }

  var resolved: ResolvedCatalog {
    ResolvedCatalog(
      name: "Wallet", path: "Wallet.yaml", baseName: "Wallet", access: .internal, imports: [], types: types, keys: [],
      reserved: [], databases: [database], records: records, reservedRecords: reserved)
  }

  var state: CatalogState { CatalogState([resolved], title: "today") }

  /// The state of a release: written as a snapshot, and read again.
  func release(_ name: String) throws -> CatalogState {
    try Self.read(SnapshotWriter.write(state, release: name))
  }

  static func read(_ json: String) throws(SnapshotReader.Failure) -> CatalogState {
    try SnapshotReader.read(SourceFile(path: "1.0.json", bytes: Array(json.utf8))).state
  }
}

extension ResolvedRecord {
  /// The field with a name, which a test changes.
  subscript(_ name: String) -> Field {
    get { fields.first { $0.name == name } ?? RecordCatalog.field(name, 0, .scalar(.string)) }
    set {
      if let index = fields.firstIndex(where: { $0.name == name }) { fields[index] = newValue }
    }
  }
}
