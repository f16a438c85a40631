@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import Testing

@Suite("Rows") struct RowTests {
  static let large: Everything = {
    var record = Everything(id: .max)
    record.text = "a\u{0}b \u{FEFF}\u{10FFFF}e\u{301} '\"%_"
    record.flag = true
    record.small = .min
    record.natural = .max
    record.large = .min
    record.real = .greatestFiniteMagnitude
    record.single = .leastNonzeroMagnitude
    record.date = Date(timeIntervalSinceReferenceDate: 0.1.nextUp)
    record.data = Data([0, 0xFF])
    record.uuid = UUID()
    record.url = URL(string: "https://example.com/%C3%A9?q=%20#f") ?? record.url
    record.decimal = Decimal(string: "-0.00000000000000000000000000000000000001") ?? 0
    record.kind = .letter
    record.level = .high
    record.mark = Everything.Mark(x: -1.25, name: nil)
    record.part = Part(key: "k", value: .min)
    record.parts = [Part(key: "", value: nil), Part(key: "é\u{0}", value: 0)]
    record.words = ["", "two"]
    record.options = .init(
      text: "", flag: false, small: 0, real: -.infinity, single: .infinity, date: .distantFuture, data: Data(),
      uuid: UUID(), url: URL(fileURLWithPath: "/a b"), decimal: .greatestFiniteMagnitude, kind: .draft, level: .low,
      mark: .init(), part: Part(key: "", value: nil), parts: [], words: [])
    return record
  }()

  @Test func recordsAreReadAsTheyWereWritten() throws {
    let table = try RecordTable<Everything>()
    // In the order of their keys, which are the rowids.
    let records = [Everything(id: .min), Everything(id: 0), Self.large]
    for record in records { try table.insert(record) }
    #expect(try table.all() == records)
  }

  @Test func textsAndDataAreWrittenWhole() throws {
    let table = try RecordTable<Everything>()
    try table.insert(Self.large)
    let stored = try table.database.connection.first("SELECT c1, c9 FROM Everything") { ($0.text(0), $0.blob(1)) }
    #expect(stored?.0?.unicodeScalars.elementsEqual(Self.large.text.unicodeScalars) == true)
    #expect(stored?.1 == Self.large.data)
  }

  @Test func aValueThatIsNoNumberIsRefused() throws {
    let changes: [@Sendable (inout Everything) -> Void] = [
      { $0.real = .nan }, { $0.single = .nan }, { $0.date = Date(timeIntervalSinceReferenceDate: .nan) },
      { $0.options.real = .nan }, { $0.options.single = .nan },
      { $0.options.date = Date(timeIntervalSinceReferenceDate: .nan) }, { $0.mark.x = .nan },
      { $0.options.mark = .init(x: .nan) },
    ]
    let table = try RecordTable<Everything>()
    for change in changes {
      var record = Everything(id: 1)
      change(&record)
      #expect(throws: StorageProblem.cannotEncode) { try table.insert(record) }
    }
    #expect(try table.all() == [])
  }

  /// The limit of the record is 1,000 bytes.
  @Test func aRowHasALimitedSize() throws {
    let table = try RecordTable<Everything>()
    var record = Everything(id: 1)
    let changes: [@Sendable (inout Everything, Int) -> Void] = [
      { $0.text = String(repeating: "é", count: $1 / 2) }, { $0.data = Data(count: $1) },
      { $0.options.mark = .init(name: String(repeating: "a", count: $1)) },
      { $0.words = [String(repeating: "a", count: $1)] },
      { $0.options.parts = [Part(key: String(repeating: "a", count: $1), value: 0)] },
    ]
    for change in changes {
      record = Everything(id: record.id + 1)
      change(&record, 700)
      try table.insert(record)
      record.id += 1
      change(&record, 1_000)
      #expect(throws: StorageProblem.valueTooLarge(limit: Everything.declaration.maxSize)) { try table.insert(record) }
    }
    #expect(try table.all().count == changes.count)
  }

  @Test func aMissingOrWrongValueIsCorrupted() throws {
    let table = try RecordTable<Everything>()
    let columns = Everything.declaration.columns
    for (index, column) in columns.enumerated() where index > 0 {
      try table.execute("DELETE FROM Everything")
      try table.insert(Self.large)
      try table.execute("UPDATE Everything SET \(column.name) = NULL")
      if index <= 18 {
        #expect(throws: StorageProblem.corrupted, "\(index)") { try table.all() }
      } else {
        #expect(try table.all() != [Self.large])
      }
    }
  }

  @Test(arguments: [
    "c1 = CAST(x'FF41' AS TEXT)", "c2 = 2", "c2 = -1", "c3 = 128", "c4 = -1", "c4 = 4294967296", "c7 = 0.1",
    "c7 = 1e300",
    "c10 = x'00'", "c10 = zeroblob(17)", "c11 = ''", "c11 = 'http://[::1'", "c12 = '1-2'", "c12 = ''", "c12 = '1e3'",
    "c12 = ' 1'",
    "c12 = '1.'", "c16 = x'FF'", "c17 = x'0A05'", "c18 = x'0A01FF'", "c20 = 2",
    "c26 = x''",
    "c34 = x'08'",
  ])
  func aValueThatDoesNotFitIsCorrupted(_ change: String) throws {
    let table = try RecordTable<Everything>()
    try table.insert(Self.large)
    try table.execute("UPDATE Everything SET \(change)")
    #expect(throws: StorageProblem.corrupted) { try table.all() }
  }

  @Test(arguments: ["c13 = 'x'", "c13 = ''", "c14 = 0"])
  func aCaseThatDoesNotExistIsOfALaterRelease(_ change: String) throws {
    let table = try RecordTable<Everything>()
    try table.insert(Self.large)
    try table.execute("UPDATE Everything SET \(change)")
    #expect(throws: StorageProblem.newerValue) { try table.all() }
  }

  @Test func jsonThatTheTypeDoesNotDecodeIsAFault() throws {
    let table = try RecordTable<Everything>()
    try table.insert(Self.large)
    try table.execute("UPDATE Everything SET c15 = '{}'")
    #expect(throws: StorageProblem.cannotDecode) { try table.all() }
  }

  @Test func aRecordMustWriteAllColumns() throws {
    let table = try RecordTable<Everything>()
    try table.execute("ALTER TABLE Everything ADD COLUMN other TEXT")
    #expect(throws: StorageProblem.self) {
      try table.database.connection.run(
        "INSERT INTO Everything VALUES (\(Array(repeating: "?", count: 36).joined(separator: ",")))"
      ) {
        (bindings) throws(StorageProblem) in try RecordWriter.bind(Everything(id: 1), to: &bindings)
      }
    }
    #expect(throws: StorageProblem.self) {
      try table.database.connection.run("INSERT INTO Everything (id) VALUES (?)") {
        (bindings) throws(StorageProblem) in try RecordWriter.bind(Everything(id: 1), to: &bindings)
      }
    }
    #expect(try table.database.connection.first("SELECT count(*) FROM Everything") { $0.integer(0) } == 0)
  }

  @Test func keysHaveCanonicalBytes() {
    let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    #expect("é\u{0}".canonicalBytes == Data([0xC3, 0xA9, 0]))
    #expect(uuid.canonicalBytes == Data(0..<16))
    #expect(Int64(-2).canonicalBytes == Data([255, 255, 255, 255, 255, 255, 255, 254]))
    #expect(258.canonicalBytes == Data([0, 0, 0, 0, 0, 0, 1, 2]))
    #expect((-0.0).recordLiteral.value.canonicalBytes == 0.0.recordLiteral.value.canonicalBytes)
    #expect(String?.none.recordLiteral.value.canonicalBytes == nil)
  }
}
