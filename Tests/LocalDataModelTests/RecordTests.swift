import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary
import Testing

/// The databases and records of a wallet, value by value.
@Suite struct RecordTests {
  private let catalog: ResolvedCatalog

  init() throws {
    let run = try Run(GoldenCase.named("WalletRecords").catalogs)
    #expect(run.errors == "")
    catalog = try #require(run.catalogs.first)
  }

  private func record(_ name: String) throws -> ResolvedRecord {
    try #require(catalog.records.first { $0.name == name })
  }

  private func field(_ name: String, of record: String) throws -> ResolvedRecord.Field {
    try #require(try self.record(record).fields.first { $0.name == name })
  }

  @Test func database() {
    var wallet = ResolvedDatabase(
      member: "wallet", name: "wallet", line: 7, owner: "WalletTeam",
      description: "The credentials of the wallet, and their history.", access: .public,
      domain: .fileSystem(directory: .applicationSupport))
    wallet.protection = .complete
    #expect(catalog.databases == [wallet])
    #expect(catalog.databases.map(\.line) == [7])
    #expect(catalog.databases.map(\.typeName) == ["WalletDatabase"])
  }

  @Test func structsHaveNumbers() throws {
    guard case .structure(let fields) = try #require(catalog.types.last).form else { return unexpected("no struct") }
    #expect(fields.map(\.number) == [1, 2, 3])
  }

  @Test func credential() throws {
    let record = try record("Credential")
    #expect(record.storedName == "Credential")
    #expect(record.member == "credentials")
    #expect(record.line == 26)
    #expect(record.owner == "WalletTeam")
    #expect(record.description == "A verifiable credential, and what is needed to renew it.")
    #expect(record.access == .public)
    #expect(record.sensitivity == .credential)
    #expect(record.database == "wallet")
    #expect(record.key == "id")
    #expect(record.fields.map(\.number) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    #expect(
      record.sealedFields.map(\.name) == [
        "format", "credential", "cNonce", "cNonceExpiresIn", "iss", "type", "accessToken", "credentialIssuerMetadata",
      ])
    #expect(record.fields.filter { $0.encryption == .blind }.map(\.name) == ["iss", "type"])
    #expect(record.fields.filter(\.isInSeconds).map(\.name) == ["iat", "exp"])
    #expect(record.fields.filter(\.isOptional).map(\.name) == ["cNonce", "cNonceExpiresIn", "exp", "accessToken"])
    // The index of `type` and `iat` serves queries by `type` alone.
    #expect(record.expires == "exp")
    #expect(record.indexes == [[9, 7], [6], [7], [8]])
    #expect(record.unique == [])
    #expect(record.reserved == [])
    #expect(try field("credentialIssuerMetadata", of: "Credential").defaultValue == .value(.string("")))
    #expect(try field("credential", of: "Credential").description == "The credential as the issuer signed it.")
    #expect(try field("id", of: "Credential").sensitivity == .internal)
    #expect(try field("iss", of: "Credential").sensitivity == .credential)
    #expect(try field("cNonceExpiresIn", of: "Credential").type == .optional(.scalar(.int32)))
  }

  @Test func sharingHistory() throws {
    let record = try record("SharingHistory")
    #expect(record.member == "sharingHistories")
    #expect(record.fieldsInOrder.map(\.number) == [9, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(record.retention == .dated(by: "createdAt", maxAge: 180 * 86_400, maxCount: 5_000))
    #expect(record.indexes == [[1, 3], [4], [3]])
    #expect(record.reserved == [.init(numbers: [12], names: ["oldPayload"], deletesValues: false)])
    #expect(
      try field("credentialID", of: "SharingHistory").reference
        == .init(record: "Credential", storedName: "Credential", onDelete: .cascade))
    #expect(try field("id", of: "SharingHistory").defaultValue == .new)
    #expect(try field("accountIndex", of: "SharingHistory").defaultValue == .value(.integer("0")))
    #expect(try field("claims", of: "SharingHistory").type == .list(.declared("Claim")))
    #expect(try field("claims", of: "SharingHistory").defaultValue == .value(.list([])))
  }

  @Test func aStoredNameAndAMember() throws {
    let record = try record("IDTokenHistory")
    #expect(record.storedName == "IdTokenSharingHistory")
    #expect(record.member == "idTokenHistories")
    #expect(record.sensitivity == .internal)
  }

  // MARK: Defaults of the language

  private func resolved(_ text: String) throws -> ResolvedCatalog {
    let run = try Run(
      "localdata: 1\ncatalog: Test\ndefaults: {owner: Team}\ndatabases:\n"
        + "  main: {domain: {fileSystem: {directory: applicationSupport}}, description: Everything that is stored.}\n"
        + text)
    #expect(run.errors == "")
    return try #require(run.catalogs.first)
  }

  @Test(arguments: [
    ("Credential", "credentials"), ("SharingHistory", "sharingHistories"), ("IDToken", "idTokens"), ("URL2", "url2s"),
    ("Box", "boxes"), ("Class", "classes"), ("Branch", "branches"), ("Wish", "wishes"), ("Quiz", "quizes"),
    ("Day", "days"), ("HTTPReply", "httpReplies"), ("A", "as"),
  ])
  func aMemberIsAPlural(type: String, member: String) throws {
    let catalog = try resolved("records:\n  \(type): {description: What it is., fields: {id: {type: Int, number: 1}}}")
    #expect(catalog.records.map(\.member) == [member])
  }

  @Test func theOnlyDatabaseOfTheRunContainsTheRecords() throws {
    let record = try #require(
      try resolved("records:\n  Note: {description: What it is., fields: {id: {type: UUID, number: 1}}}").records.first)
    #expect(record.database == "main")
    #expect(record.key == "id")
    #expect(record.maxSize == nil)
    #expect(record.access == .internal)
  }

  @Test func whatAFieldWritesBecomesIndexes() throws {
    let record = try #require(
      try resolved(
        """
        records:
          Note:
            key: code
            name: notes_2
            maxSize: 4096
            expires: written
            onCorruption: skip
            retention: {until: relaunch}
            description: What the user wrote.
            fields:
              code: {type: Int64, number: 5}
              title: {type: String, number: 2, name: heading, unique: true}
              written: {type: Date, number: 3, index: true}
              folder: {type: "Int64?", number: 4, references: Note, onDelete: setNull}
            indexes: [[title, written]]
            unique: [[folder, written]]
            reserved: [{numbers: [1]}, {names: [old], cleanup: delete}]
        """
      ).records.first)
    #expect(record.storedName == "notes_2")
    #expect(record.maxSize == 4096)
    #expect(record.expires == "written")
    #expect(record.retention == .untilRelaunch)
    #expect(record.skipsDamaged)
    #expect(record.indexes == [[2, 3], [3]], "the date of `expires` has an index already")
    #expect(record.unique == [[4, 3], [2]])
    #expect(record.fields.map(\.storedName) == ["code", "heading", "written", "folder"])
    #expect(record.fields[3].reference == .init(record: "Note", storedName: "notes_2", onDelete: .setNull))
    #expect(
      record.reserved == [
        .init(numbers: [1], names: [], deletesValues: false), .init(numbers: [], names: ["old"], deletesValues: true),
      ])
  }

  /// A record finds databases, types and records in every catalog of the run, also in later ones.
  @Test func namesAreVisibleInEveryCatalog() throws {
    let run = try Run([
      SourceFile(
        path: "A.yaml",
        bytes: Array(
          """
          localdata: 1
          catalog: A
          records:
            Note:
              owner: Team
              description: What the user wrote.
              fields:
                id: {type: UUID, number: 1}
                folder: {type: UUID, number: 2, references: Folder}
                mood: {type: Mood, number: 3}
          """.utf8)),
      SourceFile(
        path: "B.yaml",
        bytes: Array(
          """
          localdata: 1
          catalog: B
          types: {Mood: {enum: [good, bad]}}
          databases:
            main:
              owner: Team
              domain: {appGroupFileSystem: {identifier: group.com.example, directory: documents}}
              description: Everything that is stored.
          records:
            Folder: {owner: Team, description: A folder of notes., fields: {id: {type: UUID, number: 1}}}
          """.utf8)),
    ])
    #expect(run.findings == "")
    try #require(run.catalogs.map(\.records.count) == [1, 1])
    #expect(run.catalogs.map(\.databases.count) == [0, 1])
    #expect(run.catalogs[0].records[0].database == "main")
    #expect(run.catalogs[0].records[0].fields[1].reference?.record == "Folder")
  }

  @Test func aDatabaseWithAllItsFields() throws {
    let run = try Run(
      """
      localdata: 1
      catalog: Test
      access: public
      databases:
        shared:
          name: shared_2
          domain: {appGroupFileSystem: {identifier: group.com.example, directory: {custom: Data}}}
          protection: completeUnlessOpen
          sealing: {encrypted: {algorithm: aes256GCM, keySource: {external: remote.key}}}
          backup: false
          owner: Team
          access: internal
          description: What the app and its widget read.
      """)
    #expect(run.findings == "")
    var shared = ResolvedDatabase(
      member: "shared", name: "shared_2", line: 5, owner: "Team", description: "What the app and its widget read.",
      access: .internal,
      domain: .appGroupFileSystem(identifier: "group.com.example", directory: .custom("Data")))
    shared.protection = .completeUnlessOpen
    shared.sealing = .encrypted(
      .init(algorithm: .aes256GCM, keySource: .external(KeyMaterialSource(id: "remote.key"))))
    shared.isInBackup = false
    #expect(run.catalogs.first?.databases == [shared])
  }

  @Test func defaultsAreInherited() throws {
    let run = try Run(
      """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, sensitivity: health, privacy: {collected: false}, access: package, database: two}
      databases:
        one: {domain: {fileSystem: {directory: documents}}, description: The first one., protection: complete}
        two: {domain: {fileSystem: {directory: documents}}, description: The second one., protection: complete}
      records:
        Note:
          description: What the user wrote.
          fields: {id: {type: UUID, number: 1}, text: {type: String, number: 2, encrypted: true}}
        Word:
          database: one
          owner: OtherTeam
          sensitivity: public
          privacy: none
          access: internal
          description: A word that the user looked up.
          fields: {id: {type: UUID, number: 1, sensitivity: personal}}
      """)
    #expect(run.findings == "")
    let records = try #require(run.catalogs.first?.records)
    try #require(records.count == 2)
    #expect(run.catalogs.first?.databases.map(\.access) == [.package, .package])
    #expect(records.map(\.database) == ["two", "one"])
    #expect(records.map(\.owner) == ["Team", "OtherTeam"])
    #expect(records.map(\.sensitivity) == [.health, .public])
    #expect(records.map(\.privacy) == [ResolvedPrivacy(isCollected: false), nil])
    #expect(records.map(\.access) == [.package, .internal])
    #expect(records[0].fields.map(\.sensitivity) == [.health, .health])
    #expect(records[0].fields[1].privacy == ResolvedPrivacy(isCollected: false))
    #expect(records[1].fields[0].sensitivity == .personal)
  }
}
