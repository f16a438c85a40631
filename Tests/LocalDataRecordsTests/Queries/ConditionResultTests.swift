@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import Testing

/// Conditions find the rows that the same condition finds among values in Swift.
@Suite("Rows that conditions find") struct ConditionResultTests {
  private static let texts = [
    "", "a", "A", "ab", "a%b", "a_b", "abc", "ä", "a\u{308}", "b", "a\u{0}b", "a\u{0}", "\u{D7FF}", "\u{D7FF}x",
    "\u{E000}",
    "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}x", "a\u{10FFFF}", "a\u{10FFFF}b", "🏳️‍🌈", "🏳️", "\u{FEFF}x", "ß", "SS", "ss", "%",
    "_",
  ]

  @Test(arguments: texts) func hasPrefixComparesScalars(_ prefix: String) throws {
    let notes = try Notes(texts: Self.texts)
    let expected = Self.texts.filter { $0.unicodeScalars.starts(with: prefix.unicodeScalars) }
    #expect(try notes.texts(Note.columns.text.hasPrefix(prefix)) == Set(expected.map(\.scalars)))
  }

  @Test(arguments: texts) func containsComparesScalars(_ part: String) throws {
    let notes = try Notes(texts: Self.texts)
    let expected = Self.texts.filter { text in
      let (text, part) = (text.scalars, part.scalars)
      return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
    }
    #expect(try notes.texts(Note.columns.text.contains(part)) == Set(expected.map(\.scalars)))
  }

  @Test(arguments: texts) func textsAreComparedByScalars(_ text: String) throws {
    let notes = try Notes(texts: Self.texts)
    let (all, column) = (Set(Self.texts.map(\.scalars)), Note.columns.text)
    #expect(try notes.texts(column == text) == [text.scalars])
    #expect(try notes.texts(column != text) == all.subtracting([text.scalars]))
    #expect(try notes.texts(column.isIn([text, "no such text"])) == [text.scalars])
    let smaller = all.filter { $0.lexicographicallyPrecedes(text.scalars) }
    #expect(try notes.texts(column < text) == smaller)
    #expect(try notes.texts(column <= text) == smaller.union([text.scalars]))
    #expect(try notes.texts(column >= text) == all.subtracting(smaller))
    #expect(try notes.texts(column > text) == all.subtracting(smaller).subtracting([text.scalars]))
  }

  @Test func aPrefixUsesTheIndex() throws {
    let notes = try Notes()
    let (sql, values) = try Note.columns.text.hasPrefix("a").condition.sql(notes.name, blindIndexes: { _, _ in [0] })
    let plan = try notes.database.connection.first("EXPLAIN QUERY PLAN SELECT * FROM Note WHERE \(sql)", values) {
      $0.text(3)
    }
    #expect(plan??.contains("USING INDEX") == true)
  }

  @Test func nilIsNeitherEqualNorSmaller() throws {
    let notes = try Notes()
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    try notes.insert(count: 1, endsAt: nil)
    try notes.insert(count: 2, endsAt: date)
    try notes.insert(count: 3, endsAt: date + 1)
    let column = Note.columns.endsAt
    #expect(try notes.counts(column == nil) == [1])
    #expect(try notes.counts(column != nil) == [2, 3])
    #expect(try notes.counts(column == date) == [2])
    #expect(try notes.counts(column != date) == [1, 3])
    #expect(try notes.counts(column < date + 1) == [2])
    #expect(try notes.counts(!(column < date + 1)) == [1, 3])
    #expect(try notes.counts(!(column < date + 1 || column == nil)) == [3])
    #expect(try notes.counts(!(column < date + 1 && column != nil)) == [1, 3])
    #expect(try notes.counts(column.isIn([date, date])) == [2])
    #expect(try notes.counts(!column.isIn([date])) == [1, 3])
    #expect(try notes.counts(column.isIn([])) == [])
    #expect(try notes.counts(!column.isIn([])) == [1, 2, 3])
  }

  @Test func aDateThatIsNoNumberEqualsNone() throws {
    let notes = try Notes()
    let none = Date(timeIntervalSinceReferenceDate: .nan)
    try notes.insert(count: 1, endsAt: nil)
    try notes.insert(count: 2, endsAt: Date())
    #expect(try notes.counts(Note.columns.endsAt == none) == [])
    #expect(try notes.counts(Note.columns.endsAt != none) == [1, 2])
    #expect(try notes.counts(Note.columns.endsAt > none) == [])
  }

  @Test func extremeNumbersAreCompared() throws {
    let notes = try Notes()
    for count in [Int32.min, -1, 0, .max] { try notes.insert(count: count) }
    #expect(try notes.counts(Note.columns.count >= 0) == [0, .max])
    #expect(try notes.counts(Note.columns.count < -1) == [.min])
    #expect(try notes.counts(Note.columns.count == .max) == [.max])
  }

  @Test func enumsAndIdentifiersAreCompared() throws {
    let notes = try Notes()
    let (one, two) = (UUID(), UUID())
    try notes.insert(id: one, count: 1, kind: .draft)
    try notes.insert(id: two, count: 2, kind: .letter)
    #expect(try notes.counts(Note.columns.kind == .draft) == [1])
    #expect(try notes.counts(Note.columns.kind.isIn([.draft, .letter])) == [1, 2])
    #expect(try notes.counts(Note.columns.id == one) == [1])
    #expect(try notes.counts(Note.columns.id.isIn([two, UUID()])) == [2])
  }

  @Test(arguments: ["1.0", "1", "0.10", "-0.50", "0", "100", "123456789012345678901234567890.5"])
  func equalDecimalsHaveOneText(_ text: String) throws {
    let number = try #require(Decimal(string: text))
    guard case .text(let stored) = number.recordLiteral.value else { return #expect(Bool(false)) }
    #expect(Decimal(string: stored) == number)
    #expect(!stored.contains(".") || !(stored.hasSuffix("0") || stored.hasSuffix(".")))
  }
}

extension String {
  fileprivate var scalars: [Unicode.Scalar] { Array(unicodeScalars) }
}
