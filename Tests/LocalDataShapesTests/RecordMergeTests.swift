import LocalDataShapes
import LocalDataVocabulary
import Testing

/// The merge of one release into the tables of a database.
struct RecordMergeTests {
  private static func shape(_ change: (inout RecordShape.Record) -> Void = { _ in }) -> RecordShape {
    var record = RecordShape.Record(
      key: 9, columns: [9: .init("id", "BLOB"), 1: .init("party", "TEXT"), 2: .init("count", "INTEGER", default: "0")])
    record.required = [1]
    record.indexes = [[1]]
    change(&record)
    return RecordShape(records: ["Visit": record])
  }

  private func sql(_ declared: RecordShape, into recorded: RecordShape) throws -> [String] {
    let merge = try recorded.merging(declared)
    return merge.steps.map(merge.shape.sql)
  }

  @Test func anEmptyDatabaseGetsTheTables() throws {
    #expect(
      try sql(Self.shape(), into: RecordShape()) == [
        #"CREATE TABLE "Visit" ("id" BLOB NOT NULL PRIMARY KEY, "party" TEXT, "count" INTEGER DEFAULT 0) STRICT"#,
        #"CREATE INDEX "Visit.party" ON "Visit" ("party")"#,
      ])
    #expect(try RecordShape().merging(Self.shape()).shape == Self.shape())
  }

  @Test func equalShapesNeedNoStep() throws {
    #expect(try Self.shape().merging(Self.shape()) == RecordMerge(shape: Self.shape()))
  }

  @Test func aFieldIsAddedWithItsDefaultAndReference() throws {
    let declared = Self.shape {
      $0.columns[3] = .init("note", "TEXT", default: "'it''s'")
      $0.columns[4] = .init("parent", "BLOB")
      $0.references[4] = .init("Visit", .setNull)
    }
    #expect(
      try sql(declared, into: Self.shape()) == [
        #"ALTER TABLE "Visit" ADD COLUMN "note" TEXT DEFAULT 'it''s'"#,
        #"ALTER TABLE "Visit" ADD COLUMN "parent" BLOB REFERENCES "Visit" ("id") ON DELETE SET NULL"#,
      ])
  }

  /// A newer release has created the table without the field, which it has reserved.
  @Test func aFieldThatANewTableNeverHadIsRefusedIfItsRowsNeedIt() throws {
    func newer(_ cleanup: RecordShape.Cleanup) -> RecordShape {
      Self.shape {
        $0.columns[1] = nil
        ($0.required, $0.indexes, $0.reserved) = ([], [], [1: cleanup])
      }
    }
    let refusal = RecordMerge.Refusal(record: "Visit", number: 1, reason: .retired)
    for cleanup in RecordShape.Cleanup.allCases {
      #expect(throws: refusal) { try newer(cleanup).merging(Self.shape()) }
    }
    let optional = Self.shape { $0.required = [] }
    #expect(throws: refusal) { try newer(.delete).merging(optional) }
    #expect(try newer(.keep).merging(optional).steps.first == .addColumn("Visit", 1))
  }

  @Test func aRenamedFieldKeepsItsColumn() throws {
    let declared = Self.shape { $0.columns[1]?.name = "verifier" }
    let merge = try Self.shape().merging(declared)
    #expect(merge.steps == [])
    #expect(merge.shape.records["Visit"]?.columns[1]?.name == "party")
  }

  /// SQLite does not distinguish the case of column names.
  @Test(arguments: ["party", "PARTY"]) func aNewFieldWithTheNameOfAnotherColumnGetsAnotherOne(name: String) throws {
    let declared = Self.shape {
      $0.columns[1]?.name = "verifier"
      $0.columns[13] = .init(name, "TEXT")
    }
    #expect(try sql(declared, into: Self.shape()) == [#"ALTER TABLE "Visit" ADD COLUMN "\#(name).13" TEXT"#])
  }

  @Test func numbersOfANewerReleaseAreKept() throws {
    let newer = Self.shape {
      $0.columns[3] = .init("note", "TEXT")
      $0.indexes = [[1], [3]]
    }
    #expect(try newer.merging(Self.shape()) == RecordMerge(shape: newer))
  }

  @Test func anIndexOfKnownFieldsIsDropped() throws {
    let merge = try Self.shape().merging(Self.shape { $0.indexes = [[2, 1]] })
    #expect(
      merge.steps.map(merge.shape.sql) == [
        #"DROP INDEX "Visit.party""#, #"CREATE INDEX "Visit.count.party" ON "Visit" ("count", "party")"#,
      ])
    #expect(merge.shape.records["Visit"]?.indexes == [[2, 1]])
  }

  @Test(arguments: [
    (1, RecordShape.Cleanup.keep, [1], 0), (1, .delete, [1], 1), (2, .keep, [], 0), (2, .delete, [2], 1),
  ])
  func aReservedNumberIsRetiredIfOlderReleasesNeedIt(
    number: Int, cleanup: RecordShape.Cleanup, retired: [Int], deletions: Int
  ) throws {
    let declared = Self.shape {
      $0.columns[number] = nil
      $0.required = []
      $0.indexes = []
      $0.reserved = [number: cleanup]
    }
    let merge = try Self.shape { $0.indexes = [] }.merging(declared)
    #expect(merge.shape.records["Visit"]?.retired == retired)
    #expect(merge.steps == Array(repeating: .deleteValues("Visit", number), count: deletions))
    if retired.isEmpty {
      _ = try merge.shape.merging(Self.shape())
    } else {
      #expect(throws: RecordMerge.Refusal(record: "Visit", number: number, reason: .retired)) {
        try merge.shape.merging(Self.shape())
      }
    }
  }

  /// A second release may delete what the first one kept.
  @Test func valuesThatWereKeptAreDeletedLater() throws {
    func declared(_ cleanup: RecordShape.Cleanup) -> RecordShape {
      Self.shape {
        $0.columns[1] = nil
        ($0.required, $0.indexes, $0.reserved) = ([], [], [1: cleanup])
      }
    }
    let kept = try Self.shape().merging(declared(.keep)).shape
    let deleted = try kept.merging(declared(.delete))
    #expect(deleted.steps == [.deleteValues("Visit", 1)])
    #expect(try deleted.shape.merging(declared(.delete)).steps == [])
    #expect(try deleted.shape.merging(declared(.keep)) == RecordMerge(shape: deleted.shape))
  }

  @Test(arguments: [
    (1, RecordMerge.Refusal.Reason.typeChanged, shape { $0.columns[1]?.type = "INTEGER" }),
    (2, .typeChanged, shape { $0.wire[2] = "[Int]" }),
    (1, .keyChanged, shape { $0.key = 1 }),
    (9, .keyChanged, shape { $0.reserved = [9: .keep] }),
    (2, .newUnique, shape { $0.unique = [[2]] }),
    (
      3, .unknownReference, shape { ($0.columns[3], $0.references[3]) = (.init("a", "TEXT"), .init("Other", .cascade)) }
    ),
    (1, .encryptionChanged, shape { ($0.columns[1], $0.sealed[1]) = (nil, "String") }),
    (1, .encryptionChanged, shape { $0.sealed[1] = "String" }),
  ])
  func anythingElseIsRefused(number: Int, reason: RecordMerge.Refusal.Reason, declared: RecordShape) {
    #expect(throws: RecordMerge.Refusal(record: "Visit", number: number, reason: reason)) {
      try Self.shape().merging(declared)
    }
  }

  @Test func everyRowHasASealedPart() throws {
    let sealed = Self.shape {
      $0.columns[0] = .init("sealed", "BLOB")
      $0.sealed = [5: "String"]
      $0.required = [0, 1]
    }
    #expect(try Self.shape().merging(sealed).steps == [.addColumn("Visit", 0), .sealRows("Visit")])
    #expect(throws: RecordMerge.Refusal(record: "Visit", number: 0, reason: .unsealed)) {
      try sealed.merging(Self.shape())
    }
    let ended = try sealed.merging(Self.shape { $0.reserved = [5: .keep] }).shape
    #expect(ended.records["Visit"]?.required == [1])
    #expect(throws: RecordMerge.Refusal(record: "Visit", number: 5, reason: .retired)) { try ended.merging(sealed) }
    #expect(
      try RecordShape().merging(sealed).steps == [.createTable("Visit"), .createIndex("Visit", [1], isUnique: false)])
  }

  @Test func encryptedFieldsAreAddedAndNotChanged() throws {
    let recorded = Self.shape { ($0.sealed, $0.columns[0]) = ([5: "String"], .init("sealed", "BLOB")) }
    #expect(try sql(recorded, into: Self.shape()) == [#"ALTER TABLE "Visit" ADD COLUMN "sealed" BLOB"#])
    var declared = recorded
    declared.records["Visit"]?.sealed[5] = "Date"
    #expect(throws: RecordMerge.Refusal(record: "Visit", number: 5, reason: .typeChanged)) {
      try recorded.merging(declared)
    }
    declared = recorded
    declared.records["Visit"]?.columns[5] = .init("a.blind", "INTEGER")
    #expect(throws: RecordMerge.Refusal(record: "Visit", number: 5, reason: .blindIndexChanged)) {
      try recorded.merging(declared)
    }
    declared.records["Visit"]?.sealed = [:]
    #expect(throws: RecordMerge.Refusal(record: "Visit", number: 5, reason: .encryptionChanged)) {
      try recorded.merging(declared)
    }
    declared = recorded
    declared.records["Visit"]?.sealed[6] = "String"
    declared.records["Visit"]?.columns[6] = .init("b.blind", "INTEGER")
    #expect(try sql(declared, into: recorded) == [#"ALTER TABLE "Visit" ADD COLUMN "b.blind" INTEGER"#])
  }
}
