import LocalDataSystem
import Testing

@testable import LocalDataSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct SQLiteFaultTests {
  /// All result codes of errors, by their numbers in SQLite's documentation.
  private static let codes: [(codes: [Int32], fault: StorageProblem)] = [
    // BUSY, LOCKED, PROTOCOL, INTERRUPT, ABORT, SCHEMA, a file that was moved: another call may succeed.
    ([5, 261, 517, 773, 6, 262, 518, 15, 9, 4, 516, 17, 1_032], .busy),
    ([13], .outOfSpace),
    // CORRUPT, FORMAT, NOTADB, damage that the file system reports.
    ([11, 267, 523, 779, 24, 26, 8_202, 8_458], .databaseDamaged),
    // CONSTRAINT and MISMATCH: tables of the library have neither CHECK, nor NOT NULL for a value that may be nil, nor other types.
    ([19, 275, 531, 1_043, 1_299, 2_323, 2_835, 3_091, 20], .databaseDamaged),
    ([787], .missingReference), ([1_811], .stillReferenced),
    ([1_555, 2_067, 2_579], .alreadyStored(column: nil)),
    // READONLY.
    ([8, 264, 520, 776, 1_288, 1_544], .accessDenied),
    // PERM, AUTH.
    ([3, 23, 279], StorageProblem(errno: EPERM)),
    ([18], .valueTooLarge(limit: nil)), ([7, 3_082], .io(errno: ENOMEM)), ([22], .io(errno: EFBIG)),
    // IOERR, CANTOPEN.
    (
      [
        10, 266, 522, 778, 1_034, 1_290, 1_546, 1_802, 2_058, 2_314, 2_570, 2_826, 3_338, 3_594, 3_850, 4_106, 4_362,
        4_618, 4_874, 5_130, 5_386, 5_642, 5_898, 6_154, 6_410, 6_666, 6_922, 7_178, 7_434, 7_690, 7_946, 14, 270, 526,
        782, 1_038,
        1_294,
      ], .io(errno: EIO)
    ),
    ([1_550], .io(errno: ELOOP)),
    // A statement that cannot run, for a reason that only SQLite's text gives. And what no call of the library causes: INTERNAL,
    // NOTFOUND, EMPTY, MISUSE, RANGE.
    ([1, 257, 513, 769, 2, 12, 16, 21, 25], .io(errno: EINVAL)),
  ]

  @Test func eachCodeHasItsMeaning() {
    for (codes, fault) in Self.codes {
      for code in codes { #expect(StorageProblem(sqlite: code, nil) == fault, "\(code)") }
    }
    let primary = Set(Self.codes.flatMap(\.codes).map { $0 & 0xff })
    #expect(primary == Set(1...26), "each primary code of an error is in the table")
  }

  /// SQLite has one code for all of these.
  @Test(
    arguments: [
      ("SELECT * FROM missing", StorageProblem.databaseDamaged), ("SELECT missing FROM t", .databaseDamaged),
      ("INSERT INTO t (missing) VALUES (1)", .databaseDamaged), ("CREATE TABLE t (x)", .databaseDamaged),
      ("DROP INDEX missing", .databaseDamaged), ("INSERT INTO v VALUES (1)", .databaseDamaged),
      ("ALTER TABLE t ADD COLUMN id", .databaseDamaged),
      ("DELETE FROM t WHERE id = 1", .stillReferenced),
      ("SELECT 1 WHERE \(Array(repeating: "1", count: 1_100).joined(separator: " = "))", .queryTooLarge),
      ("SELECT abs(-9223372036854775807 - 1)", .io(errno: EINVAL)), ("COMMIT", .io(errno: EINVAL)),
    ] as [(String, StorageProblem)])
  func aStatementThatCannotRun(_ sql: String, _ fault: StorageProblem) throws {
    let connection = try SQLiteConnection(
      path: ":memory:", isDurable: false, until: nil, kind: .memory,
      format: SQLiteFormat(applicationID: 1, version: 1, hasForeignKeys: true))
    try connection.execute(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t (id) ON DELETE CASCADE)")
    try connection.execute("CREATE VIEW v AS SELECT id FROM t; INSERT INTO t VALUES (1, NULL)")
    for id in 2...Int64(1_100) { try connection.run("INSERT INTO t VALUES (?, ?)", [.integer(id), .integer(id - 1)]) }
    #expect(throws: fault) { () throws(StorageProblem) in try connection.run(sql) }
  }
}
