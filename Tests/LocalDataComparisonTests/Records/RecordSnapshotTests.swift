import LocalDataComparison
import LocalDataModel
import LocalDataShapes
import LocalDataVocabulary
import Testing

/// Databases and records in snapshots, and the shapes that they have.
@Suite struct RecordSnapshotTests {
  private let catalog = RecordCatalog()

  @Test func aSnapshotHoldsAllThatIsCompared() throws {
    let catalog = catalog.with {
      $0.database.sealing = .encrypted(.init(keyDerivation: .pbkdf2(iterations: 700_000)))
      $0.database.isInBackup = false
      $0.database.movedFrom = [
        .init(name: "old", domain: .appGroupFileSystem(identifier: "group.a", directory: .caches))
      ]
      $0.history.maxSize = 4096
      $0.history.expires = "createdAt"
      $0.history.skipsDamaged = true
      $0.history.retention = .dated(by: "createdAt", maxAge: 86_400, maxCount: 5)
      ($0.history.unique, $0.history.existing) = ([[2, 3]], [[2, 3]: .init(kept: .keepFirst, cascades: true)])
      $0.types[1].reserved = [
        .init(numbers: [3], names: ["purpose"], deletesValues: false),
        .init(numbers: [4, 5], names: [], deletesValues: true),
      ]
      $0.history.privacy = .init(isCollected: true, isLinked: true, dataType: .userID, purposes: [.analytics])
      $0.history.deprecation = .init(reason: "It is replaced.", renamedTo: "Visit")
      $0.history["createdAt"].isInSeconds = true
      $0.history["logo"].storedName = "logo_url"
      $0.history["logo"].description = "A \"logo\" \u{2028}."
    }
    let json = SnapshotWriter.write(catalog.state, release: "1.0")
    let state = try RecordCatalog.read(json)
    #expect(state.databases == catalog.state.databases)
    #expect(state.records == catalog.state.records)
    #expect(state.types == catalog.state.types)
    #expect(SnapshotWriter.write(state, release: "1.0") == json)
  }

  /// The format of released files: a change of it needs a new number, and a reader of both.
  @Test func theFormatIsFixed() {
    let json = SnapshotWriter.write(catalog.with { $0.records.removeFirst() }.state, release: "1.0")
    #expect(json.hasPrefix("{\n  \"format\": 2,\n  \"release\": \"1.0\",\n"))
    let sections = json.drop { $0 != "\n" }.split(separator: "  \"databases\"", maxSplits: 1).last ?? ""
    #expect(
      sections == """
        : {
            "wallet": {
              "catalog": "Wallet",
              "name": "wallet",
              "access": "internal",
              "domain": {"fileSystem": {"directory": "applicationSupport"}},
              "protection": "complete",
              "sealing": {"encrypted": {"algorithm": "chaCha20Poly1305"}},
              "backup": true,
              "owner": "Team",
              "description": "The wallet."
            }
          },
          "records": {
            "History": {
              "catalog": "Wallet",
              "database": "wallet",
              "name": "History",
              "member": "history",
              "access": "internal",
              "key": "id",
              "owner": "Team",
              "description": "A History.",
              "sensitivity": "personal",
              "fields.9": {"name": "id", "type": "UUID", "default": "new"},
              "fields.2": {"name": "credentialID", "type": "String", "references": "Credential", "onDelete": "cascade"},
              "fields.3": {"name": "count", "type": "Int32", "default": 0},
              "fields.4": {"name": "claims", "type": "[Claim]"},
              "fields.5": {"name": "logo", "type": "URL?"},
              "fields.6": {"name": "createdAt", "type": "Date"},
              "indexes": [["credentialID", "createdAt"]],
              "reserved": [
                {"numbers": [12], "names": ["old"], "cleanup": "delete"}
              ]
            }
          },
          "keys": {},
          "reserved": []
        }

        """)
    #expect(json.contains("\"fields.value\": {\"type\": \"String?\", \"number\": 2}"))
  }

  /// Older tools read the snapshots of apps without records.
  @Test func aStateWithoutRecordsHasTheFirstFormat() throws {
    var resolved = catalog.resolved
    (resolved.databases, resolved.records) = ([], [])
    let json = SnapshotWriter.write(CatalogState([resolved], title: ""), release: "1.0")
    #expect(json.hasPrefix("{\n  \"format\": 1,\n"))
    #expect(json.contains("\"fields.key\": {\"type\": \"String\"}"))
    #expect(!json.contains("records") && !json.contains("databases"))
    // A folder can have catalogs without records, although others of the run have some.
    var state = catalog.state
    (state.databases, state.records) = ([:], [:])
    #expect(SnapshotWriter.write(state, release: "1.0") == json)
  }

  @Test(arguments: [
    ("\"protection\": \"complete\"", "\"protection\": \"unprotected\"", "the database 'wallet'"),
    ("\"domain\": {\"fileSystem\"", "\"domain\": {\"cloud\"", "the database 'wallet'"),
    ("\"backup\": true", "\"backup\": 1", "the database 'wallet'"),
    ("\"algorithm\": \"chaCha20Poly1305\"", "\"algorithm\": \"rot13\"", "the database 'wallet'"),
    (
      "\"key\": \"id\",\n      \"owner\": \"Team\",\n      \"description\": \"A H", "\"key\": \"di\",\n\"x\": \"",
      "the record"
    ),
    ("\"fields.9\"", "\"fields.x\"", "the record 'History'"), ("\"fields.9\"", "\"fields.-9\"", "the record 'History'"),
    ("\"fields.9\"", "\"fields.02\"", "the record 'History'"),
    ("\"fields.9\"", "\"fields.99999999999999999999\"", "the record 'History'"),
    ("\"name\": \"count\"", "\"name\": \"logo\"", "the record 'History'"),
    ("\"type\": \"Int32\"", "\"kind\": \"Int32\"", "the record 'History'"),
    ("\"onDelete\": \"cascade\"", "\"onDelete\": \"drop\"", "the record 'History'"),
    ("\"encrypted\": true", "\"encrypted\": 1", "the record 'Credential'"),
    ("[\"credentialID\", \"createdAt\"]", "[\"credentialID\", \"updatedAt\"]", "the record 'History'"),
    ("\"database\": \"wallet\"", "\"data\": \"wallet\"", "the record"),
  ])
  func aDamagedSnapshotIsRefused(old: String, new: String, what: String) throws {
    let json = SnapshotWriter.write(catalog.state, release: "1.0")
    try #require(json.contains(old))
    do {
      _ = try RecordCatalog.read(json.replacing(old, with: new))
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains(what) && error.message.contains("is not complete"), "\(error.message)")
      #expect(error.place != nil)
    }
  }

  @Test func factsOfALaterVersionAreIgnored() throws {
    let json = SnapshotWriter.write(catalog.state, release: "1.0")
      .replacing("\"key\": \"id\",", with: "\"key\": \"id\",\n      \"compression\": {\"level\": 3},")
    #expect(try RecordCatalog.read(json).records == catalog.state.records)
  }

  // MARK: Shapes

  @Test func theShapeOfADatabase() throws {
    let shape = RecordShape(of: catalog.records, types: catalog.types)
    let credential = try #require(shape.records["Credential"])
    #expect(
      credential.columns == [
        1: .init("id", "TEXT"), 2: .init("format", "TEXT", default: "'sd'"), 4: .init("issuer.blind", "INTEGER"),
        0: .init("sealed", "BLOB"),
      ])
    #expect(credential.sealed == [3: "String", 4: "String"])
    #expect(credential.required == [0, 1, 3, 4])
    let history = try #require(shape.records["History"])
    #expect(
      history.columns == [
        9: .init("id", "BLOB"), 2: .init("credentialID", "TEXT"), 3: .init("count", "INTEGER", default: "0"),
        4: .init("claims", "BLOB"), 5: .init("logo", "TEXT"), 6: .init("createdAt", "REAL"),
      ])
    #expect(history.wire == [4: "[Claim]"])
    #expect(history.key == 9)
    #expect(history.required == [2, 4, 6, 9])
    #expect(history.references == [2: .init("Credential", .cascade)])
    #expect(history.indexes == [[2, 6]])
    #expect(history.reserved == [12: .delete])
  }

  @Test(
    arguments: [
      (.scalar(.string), "TEXT"), (.scalar(.url), "TEXT"), (.scalar(.decimal), "TEXT"), (.scalar(.bool), "INTEGER"),
      (.scalar(.int), "INTEGER"), (.scalar(.uint8), "INTEGER"), (.scalar(.double), "REAL"), (.scalar(.float), "REAL"),
      (.scalar(.date), "REAL"), (.scalar(.data), "BLOB"), (.scalar(.uuid), "BLOB"), (.declared("Format"), "TEXT"),
      (.declared("Claim"), "BLOB"), (.list(.scalar(.int)), "BLOB"), (.set(.scalar(.string)), "BLOB"),
      (.map(key: .scalar(.string), value: .declared("Claim")), "BLOB"), (.swift(.init("Models.Badge")), "TEXT"),
      (.optional(.scalar(.date)), "REAL"),
    ] as [(ValueType, String)])
  func typesOfColumns(type: ValueType, sql: String) throws {
    let catalog = catalog.with { $0.history["count"] = RecordCatalog.field("count", 3, type) }
    let expected = RecordShape(of: catalog.records, types: catalog.types)
    #expect(expected.records["History"]?.columns[3]?.type == sql)
    // A snapshot has the same shape, without the literals of defaults.
    let state = try catalog.release("1.0")
    var released = RecordShape(of: Array(state.records.values), types: state.types)
    released.records["Credential"]?.columns[2]?.defaultValue = "'sd'"
    #expect(released == expected)
  }
}
