@testable import LocalDataRecords
import LocalDataShapes
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary
import Testing

/// References and unique indexes that a release adds to rows of an earlier one.
struct AddedConstraintTests {
  /// Folders with notes. A folder may be in another one.
  private static func shape(
    _ change: (inout RecordShape.Record, inout RecordShape.Record) -> Void = { _, _ in }
  ) -> RecordShape {
    var folder = RecordShape.Record(key: 1, columns: [1: .init("id", "TEXT"), 2: .init("parent", "TEXT")])
    var note = RecordShape.Record(
      key: 1,
      columns: [
        1: .init("id", "INTEGER"), 2: .init("folder", "TEXT"), 3: .init("rowid", "TEXT"), 4: .init("new er", "BLOB"),
      ])
    (folder.indexes, note.indexes) = ([[2]], [[2, 3], [4]])
    change(&folder, &note)
    return RecordShape(records: ["Folder": folder, "Note": note])
  }

  private static let rows = """
    INSERT INTO Folder VALUES ('a', NULL), ('b', 'a'), ('c', 'lost'), ('d', 'c');
    INSERT INTO Note VALUES (5, 'a', 'x', x'01'), (4, 'z', 'y', x'02'), (3, NULL, 'x', x'03'), (2, 'a', 'x', x'04'),
      (1, 'd', 'x', x'05');
    """

  /// Returns the rows of the notes after a merge into the first release, and the definition of the table.
  private func merged(
    _ declared: RecordShape, _ sql: String = rows,
    query: String = "SELECT id || ifnull(folder, '-') FROM Note ORDER BY id"
  ) throws -> [String] {
    let memory = SQLiteMemory(
      SQLiteFormat(applicationID: 1, version: 1, hasForeignKeys: true), patience: .seconds(60)
    ) { (connection) throws(StorageProblem) in
      let merge: RecordMerge
      do throws(RecordMerge.Refusal) { merge = try RecordShape().merging(Self.shape()) } catch { throw .newerSchema }
      for step in merge.steps { try connection.execute(merge.shape.sql(step)) }
      try connection.execute(sql)
    }
    let merge = try Self.shape().merging(declared)
    return try memory.write { (connection) throws(StorageProblem) in
      for step in merge.steps { try connection.run(step, of: merge) }
      #expect(try connection.first("PRAGMA foreign_key_check", [], { _ in true }) == nil)
      #expect(merge.shape.isShape(of: try connection.statements()))
      var result: [String] = []
      try connection.rows(query) { (row) throws(StorageProblem) in
        result.append(row.text(0) ?? "")
        return true
      }
      return result
    }
  }

  @Test(arguments: [
    (DeletionPolicy.cascade, ["1d", "2a", "3-", "5a"]), (.setNull, ["1d", "2a", "3-", "4-", "5a"]),
  ])
  func rowsThatReferToNothingFollowThePolicy(onDelete: DeletionPolicy, expected: [String]) throws {
    let declared = Self.shape { $1.references[2] = .init("Folder", onDelete) }
    #expect(try merged(declared) == expected)
    let columns = try merged(declared, query: "SELECT name FROM pragma_table_info('Note') ORDER BY name")
    #expect(columns == ["folder", "id", "new er", "rowid"], "columns of other releases stay")
    let values = try merged(declared, query: "SELECT hex(\"new er\") FROM Note ORDER BY id")
    #expect(values == (onDelete == .cascade ? ["05", "04", "03", "01"] : ["05", "04", "03", "02", "01"]))
    let indexes = try merged(
      declared, query: "SELECT name FROM pragma_index_list('Note') WHERE origin = 'c' ORDER BY 1")
    #expect(indexes == ["Note.folder.rowid", "Note.new er"])
  }

  @Test func theReferenceHoldsAfterwards() throws {
    let declared = Self.shape { $1.references[2] = .init("Folder", .cascade) }
    let query = "SELECT \"table\" || on_delete FROM pragma_foreign_key_list('Note')"
    #expect(try merged(declared, query: query) == ["FolderCASCADE"])
  }

  @Test func rowsThatReferToNothingPreventARestriction() throws {
    let declared = Self.shape { $1.references[2] = .init("Folder", .restrict) }
    #expect(throws: StorageProblem.missingReference) { try merged(declared) }
    let sound = "INSERT INTO Folder VALUES ('a', NULL); INSERT INTO Note VALUES (1, 'a', NULL, NULL)"
    #expect(try merged(declared, sound) == ["1a"])
  }

  /// Rows that refer to a deleted row are deleted too, in its own table and in others.
  @Test func aRecordMayReferToItself() throws {
    let declared = Self.shape {
      $0.references[2] = .init("Folder", .cascade)
      $1.references[2] = .init("Folder", .cascade)
    }
    #expect(try merged(declared, query: "SELECT id FROM Folder ORDER BY id") == ["a", "b"])
    #expect(try merged(declared) == ["2a", "3-", "5a"])
  }

  /// SQLite itself deletes no chain of more than 1,000 rows.
  @Test(arguments: [true, false]) func aMergeDeletesALongChain(ofDuplicates: Bool) throws {
    let chain = Self.shape {
      $0.references[2] = .init("Folder", .cascade)
      $1.references[2] = .init("Folder", .cascade)
    }
    // The first folder of the chain equals another one, or refers to nothing.
    let rows = """
      INSERT INTO Folder VALUES ('kept', NULL), ('f1', \(ofDuplicates ? "NULL" : "'lost'"));
      WITH RECURSIVE n(x) AS (VALUES (2) UNION ALL SELECT x + 1 FROM n WHERE x < 1500)
        INSERT INTO Folder SELECT 'f' || x, 'f' || (x - 1) FROM n;
      INSERT INTO Note VALUES (1, 'kept', 'x', NULL), (2, 'f1500', 'x', NULL)
      """
    let query = "SELECT (SELECT group_concat(id) FROM Folder) || (SELECT group_concat(id) FROM Note)"
    var later = chain
    guard ofDuplicates else { return #expect(try merged(chain, rows, query: query) == ["kept1"]) }
    later.records["Folder"]?.columns[3] = .init("name", "TEXT", default: "'a'")
    later.records["Folder"]?.unique = [[3]]
    var existing = RecordShape.Existing.keepFirst
    existing.cascades = true
    later.records["Folder"]?.existing = [[3]: existing]
    #expect(try merged(later, rows, query: query) == ["kept1"])
  }

  @Test func aTableThatIsNewCanBeReferredTo() throws {
    let declared = Self.shape { $1.references[2] = .init("Zone", .setNull) }
    var both = declared
    both.records["Zone"] = .init(key: 1, columns: [1: .init("id", "TEXT")])
    #expect(try merged(both) == ["1-", "2-", "3-", "4-", "5-"])
  }

  /// A missing value equals no other. SQLite orders rows with a whole number as their key by that.
  @Test(arguments: [
    (RecordShape.Existing.keepFirst, ["1d", "2a", "3-", "4z", "6-", "7z", "8z"]),
    (.keepLast, ["1d", "3-", "4z", "5a", "6-", "7z", "8z"]),
  ])
  func equalRowsAreRemoved(existing: RecordShape.Existing, expected: [String]) throws {
    let declared = Self.shape { ($1.unique, $1.existing) = ([[2, 3]], [[2, 3]: existing]) }
    let missing = "INSERT INTO Note VALUES (6, NULL, 'x', NULL), (7, 'z', NULL, NULL), (8, 'z', NULL, NULL)"
    #expect(try merged(declared, "\(Self.rows); \(missing)") == expected)
  }

  @Test func theRowThatWasInsertedFirstStays() throws {
    let rows = "INSERT INTO Folder VALUES ('c', 'x'), ('b', 'x'), ('a', 'x')"
    let query = "SELECT id FROM Folder"
    for (existing, expected) in [(RecordShape.Existing.keepFirst, "c"), (.keepLast, "a")] {
      let declared = Self.shape { folder, _ in
        (folder.indexes, folder.unique, folder.existing) = ([], [[2]], [[2]: existing])
      }
      #expect(try merged(declared, rows, query: query) == [expected])
    }
  }
}
