@_spi(Generated) @testable import LocalDataRecords
import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import Testing

@Suite("Conditions of queries") struct PredicateTests {
  @Test func theNameComesFromTheFile() throws {
    let columns = Note.columns
    let condition = columns.text == "x" && columns.count > 3
    let (sql, values) = try condition.condition.sql({ "c\"\($0)" }, blindIndexes: { _, _ in [0] })
    #expect(sql == #""c""1" = ? AND "c""3" > ?"#)
    #expect(values.count == 2)
    #expect(RecordShape.quoted("a\"\u{301}").unicodeScalars.elementsEqual("\"a\"\"\u{301}\"".unicodeScalars))
    #expect(columns.createdAt.descending.term.sql { "c\($0)" } == #""c4" DESC"#)
    #expect(columns.kind.ascending.term.sql { "c\($0)" } == #""c6""#)
  }

  @Test func parenthesesFollowTheOperators() throws {
    let a = Note.columns.text == "a"
    #expect(try sql(a && a && a) == "t = ? AND t = ? AND t = ?")
    #expect(try sql(a && (a || a) && a) == "t = ? AND (t = ? OR t = ?) AND t = ?")
    #expect(try sql((a && a) || a) == "(t = ? AND t = ?) OR t = ?")
    #expect(try sql(!(a || a)) == "(t = ? OR t = ?) IS NOT TRUE")
    #expect(try sql(!a && a) == "(t = ?) IS NOT TRUE AND t = ?")
  }

  @Test func aBlindColumnComparesTheIndexOfTheValue() throws {
    let condition = Note.columns.owner == "me"
    let (sql, values) = try condition.condition.sql({ _ in "owner.blind" }) { value, number in
      guard case .text("me") = value, number == 9 else { return [] }
      return [17, 18]
    }
    // One index for each record key.
    #expect(sql == #""owner.blind" IN (?, ?)"#)
    guard case .integer(17) = try #require(values.first) else { return #expect(Bool(false)) }
    #expect(values.count == 2)
    #expect(try self.sql(Note.columns.owner == nil) == "t IS NULL")
    #expect(try self.sql(Note.columns.owner != "me") == "(t IN (?)) IS NOT TRUE")
    #expect(try self.sql(Note.columns.owner.isIn(["me", "you", "her"])) == "t IN (?, ?, ?, ?)")
    #expect(try self.sql(Note.columns.owner.isIn([])) == "FALSE")
  }

  @Test func aBlindIndexThatCannotBeComputedFails() {
    let condition = Note.columns.owner == "me"
    #expect(throws: StorageProblem.locked) {
      try condition.condition.sql({ _ in "" }, blindIndexes: { _, _ throws(StorageProblem) in throw .locked })
    }
  }

  @Test func descriptionsContainNoValue() {
    let condition = Note.columns.text == "secret"
    #expect("\(condition)" == "RecordPredicate(redacted)")
    var dumped = ""
    dump(condition, to: &dumped)
    dump("secret".recordLiteral, to: &dumped)
    #expect(!dumped.contains("secret"))
  }

  @Test(arguments: [500, 501]) func aConditionHasALimitedNumberOfComparisons(_ count: Int) throws {
    let notes = try Notes()
    try notes.insert(text: "0")
    let all = (0..<count).map { Note.columns.text == "\($0)" }
    let condition = all.dropFirst().reduce(all[0]) { $0 || $1 }
    if count <= 500 {
      #expect(try notes.count(condition) == 1)
    } else {
      #expect(throws: StorageProblem.queryTooLarge) { try notes.count(condition) }
    }
  }

  @Test(arguments: [20, 21]) func aConditionHasALimitedDepth(_ depth: Int) throws {
    let notes = try Notes()
    try notes.insert(text: "0")
    let isZero = Note.columns.text == "0"
    let condition = (0..<depth).reduce(isZero) { $1.isMultiple(of: 2) ? isZero && !$0 : isZero || !$0 }
    let reversed = (0..<depth).reduce(isZero) { condition, index in
      index.isMultiple(of: 2) ? condition && isZero || isZero : (condition || isZero) && isZero
    }
    if depth <= 20 {
      #expect(try notes.count(condition) == 1)
      #expect(try notes.count(reversed) == 1)
    } else {
      #expect(throws: StorageProblem.queryTooLarge) { try notes.count(condition) }
    }
  }

  @Test(arguments: [3, 16_385, 30_000, 30_001]) func aListOfValuesHasALimitedLength(_ count: Int) throws {
    let notes = try Notes()
    try notes.insert(count: 2)
    let condition = Note.columns.count.isIn(Int32(0)..<Int32(count))
    if count <= 30_000 {
      #expect(try notes.count(condition) == 1)
    } else {
      #expect(throws: StorageProblem.queryTooLarge) { try notes.count(condition) }
    }
  }

  private func sql(_ condition: RecordPredicate<Note>) throws -> String {
    try condition.condition.sql({ _ in "t" }, blindIndexes: { _, _ in [0] }).sql.replacing("\"t\"", with: "t")
  }
}
