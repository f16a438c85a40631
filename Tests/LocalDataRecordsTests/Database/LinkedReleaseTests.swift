@_spi(Generated) @testable import LocalDataRecords
import LocalDataShapes
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary
import Testing

/// Two releases of a hotel on one file, whose rows refer to each other.
struct LinkedReleaseTests {
  private typealias Column = RecordDeclaration.Column

  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture(isInMemory: true) }

  private static func guest(
    _ more: Column..., unique: [[Int]] = [], keepFirst: [[Int]] = [], keepLast: [[Int]] = [], cascading: [[Int]] = []
  ) -> RecordDeclaration {
    RecordDeclaration(
      "Guest", key: 1, [.init(1, "id", .text), .init(2, "nick", .text, isOptional: true)] + more, unique: unique,
      keepFirst: keepFirst, keepLast: keepLast, cascading: cascading)
  }

  /// - Parameter onDelete: The effect of deleting the guest; nil without a reference.
  private static func booking(
    _ onDelete: DeletionPolicy? = .restrict, unique: [[Int]] = [], transforms: [RecordTransform] = []
  ) -> RecordDeclaration {
    RecordDeclaration(
      "Booking", key: 1,
      [
        .init(1, "id", .text),
        .init(
          2, "guestID", .text, isOptional: true, references: onDelete == nil ? nil : "Guest",
          onDelete: onDelete ?? .restrict), .init(3, "day", .integer, isOptional: true),
      ], unique: unique, keepFirst: unique, transforms: transforms)
  }

  private static func line(_ onDelete: DeletionPolicy) -> RecordDeclaration {
    RecordDeclaration(
      "Line", key: 1,
      [
        .init(1, "id", .text),
        .init(2, "bookingID", .text, isOptional: true, references: "Booking", onDelete: onDelete),
      ]
    )
  }

  private static let guests = """
    INSERT INTO Guest (id, nick) VALUES ('1', 'Ada'), ('2', 'Ada'), ('3', NULL), ('4', NULL), ('5', 'Eve'), ('6', 'Ada')
    """
  private static let bookings = """
    INSERT INTO Booking (id, guestID, day) VALUES ('a', '1', 1), ('b', '2', 1), ('c', '3', 1), ('d', '5', 1), ('e', '6', 2),
    ('f', NULL, 1), ('g', '2', 3)
    """
  private static let lines = "INSERT INTO Line VALUES ('x', 'a'), ('y', 'b'), ('z', 'e')"

  /// Fills the tables of a release, and returns what the next one finds.
  private func update(
    _ first: [RecordDeclaration], _ rows: String..., to second: [RecordDeclaration], _ query: String
  ) throws -> [String] {
    let location = FileLocation(folder: try fixture.locations.folder(of: .directory(.documents)), name: "hotel.db")
    func file(_ declarations: [RecordDeclaration]) throws(StorageProblem) -> RecordFile {
      try RecordFile(
        RecordDatabaseDeclaration("hotel", .fileSystem(directory: .documents), records: { declarations }), at: location,
        patience: .seconds(60), clock: SystemClock())
    }
    let obstacle = try file(first).write { (session) throws(StorageProblem) in
      for row in rows { try session.use(changing: true).execute(row) }
    }
    #expect(obstacle == nil)
    var found: [String] = []
    // The second launch of the update finds the same.
    for _ in 0..<2 {
      found = []
      let obstacle = try file(second).read { (session) throws(StorageProblem) in
        try session.use().rows(query) { (row) throws(StorageProblem) in
          found.append(row.text(0) ?? "-")
          return true
        }
      }
      if case .refused(let refusal) = obstacle { throw refusal }
      #expect(obstacle == nil)
    }
    return found
  }

  private static let bookingsOfGuests = "SELECT id || ':' || ifnull(guestID, '-') FROM Booking ORDER BY id"

  // MARK: New unique indexes

  @Test(arguments: [DeletionPolicy.restrict, .cascade, .setNull])
  func childrenOfADroppedRowReferToTheKeptOne(onDelete: DeletionPolicy) throws {
    let second = [Self.guest(unique: [[2]], keepLast: [[2]]), Self.booking(onDelete), Self.line(.restrict)]
    let found = try update(
      [Self.guest(), Self.booking(onDelete), Self.line(.restrict)], Self.guests, Self.bookings, Self.lines, to: second,
      Self.bookingsOfGuests)
    #expect(found == ["a:6", "b:6", "c:3", "d:5", "e:6", "f:-", "g:6"])
  }

  @Test func theFirstRowIsKeptWithItsChildren() throws {
    let second = [Self.guest(unique: [[2]], keepFirst: [[2]]), Self.booking()]
    let found = try update(
      [Self.guest(), Self.booking()], Self.guests, Self.bookings, to: second,
      "SELECT group_concat(id) FROM Guest UNION ALL \(Self.bookingsOfGuests.dropLast(12)) ORDER BY 1")
    #expect(found == ["1,3,4,5", "a:1", "b:1", "c:3", "d:5", "e:1", "f:-", "g:1"])
  }

  /// The reference itself restricts, and the declaration of the unique index decides.
  @Test func childrenOfADroppedRowMayBeDeleted() throws {
    let second = [
      Self.guest(unique: [[2]], keepLast: [[2]], cascading: [[2]]), Self.booking(), Self.line(.setNull),
    ]
    let found = try update(
      [Self.guest(), Self.booking(), Self.line(.setNull)], Self.guests, Self.bookings, Self.lines, to: second,
      "\(Self.bookingsOfGuests.dropLast(12)) UNION ALL SELECT id || ifnull(bookingID, '-') FROM Line ORDER BY 1")
    #expect(found == ["c:3", "d:5", "e:6", "f:-", "x-", "y-", "ze"])
  }

  /// A record that only an earlier release declares keeps its rows, and refers to the kept row too.
  @Test func rowsOfAnEndedRecordReferToTheKeptOne() throws {
    let found = try update(
      [Self.guest(), Self.booking()], Self.guests, Self.bookings, to: [Self.guest(unique: [[2]], keepLast: [[2]])],
      Self.bookingsOfGuests)
    #expect(found == ["a:6", "b:6", "c:3", "d:5", "e:6", "f:-", "g:6"])
  }

  /// The bookings of equal guests are equal afterwards, and are unique in the same release.
  @Test func childrenThatBecomeEqualAreRemovedToo() throws {
    let second = [Self.guest(unique: [[2]], keepLast: [[2]]), Self.booking(unique: [[2, 3]]), Self.line(.restrict)]
    let found = try update(
      [Self.guest(), Self.booking(), Self.line(.restrict)], Self.guests, Self.bookings, Self.lines, to: second,
      "\(Self.bookingsOfGuests.dropLast(12)) UNION ALL SELECT id || bookingID FROM Line ORDER BY 1")
    #expect(found == ["a:6", "c:3", "d:5", "e:6", "f:-", "g:6", "xa", "ya", "ze"])
  }

  /// Folders of equal names in one folder: their folders become equal in turn.
  @Test(arguments: [
    (false, ["1:-", "3:1", "5:3", "7:-", "8:7"]), (true, ["1:-", "3:1", "7:-", "8:7"]),
  ])
  func aRecordMayReferToItself(cascades: Bool, expected: [String]) throws {
    func folder(_ unique: [[Int]]) -> RecordDeclaration {
      RecordDeclaration(
        "Folder", key: 1,
        [
          .init(1, "id", .integer), .init(2, "name", .text),
          .init(3, "parent", .integer, isOptional: true, references: "Folder", onDelete: .cascade),
          .init(4, "side", .text, isOptional: true),
        ], unique: unique, keepFirst: unique, cascading: cascades ? unique : [])
    }
    let rows = """
      INSERT INTO Folder VALUES (1, 'a', NULL, 'l'), (2, 'a', NULL, 'l'), (3, 'b', 1, NULL), (4, 'b', 2, NULL),
      (5, 'c', 4, NULL), (6, 'c', 4, NULL), (7, 'a', NULL, 'r'), (8, 'b', 7, NULL)
      """
    let found = try update(
      [folder([])], rows, to: [folder([[2, 3], [2, 4]])],
      "SELECT id || ':' || ifnull(parent, '-') FROM Folder ORDER BY id")
    #expect(found == expected)
  }

  /// The unique field is the reference itself, so that each removal may make further rows equal.
  @Test func aReferenceToTheSameRecordMayBecomeUnique() throws {
    func node(_ unique: [[Int]]) -> RecordDeclaration {
      RecordDeclaration(
        "Node", key: 1,
        [.init(1, "id", .integer), .init(2, "next", .integer, isOptional: true, references: "Node")], unique: unique,
        keepLast: unique)
    }
    let rows = """
      PRAGMA defer_foreign_keys = ON; INSERT INTO Node VALUES (0, 6), (1, 3), (2, 1), (3, 0), (4, NULL), (5, NULL), (6, 0),
      (7, 5)
      """
    let found = try update(
      [node([])], rows, to: [node([[2]])], "SELECT id || ':' || ifnull(next, '-') FROM Node ORDER BY id")
    #expect(found == ["1:6", "4:-", "5:-", "6:1", "7:5"])
  }

  // MARK: New references

  /// The rows that a new reference deletes take others with them, through another reference.
  @Test func deletedOrphansTakeTheirChildrenWithThem() throws {
    func node(_ parent: String?) -> RecordDeclaration {
      RecordDeclaration(
        "Node", key: 1,
        [
          .init(1, "id", .integer),
          .init(2, "parent", .integer, isOptional: true, references: parent, onDelete: .cascade),
          .init(3, "group", .integer, isOptional: true, references: "Node", onDelete: .cascade),
        ])
    }
    let rows = """
      INSERT INTO Node VALUES (0, NULL, NULL), (1, 99, NULL), (2, NULL, 1), (3, 2, NULL), (4, 3, 0), (5, 0, 0)
      """
    let found = try update([node(nil)], rows, to: [node("Node")], "SELECT id FROM Node ORDER BY id")
    #expect(found == ["0", "5"])
  }

  /// A value that a transform makes may refer to nothing.
  @Test(arguments: [
    (DeletionPolicy.setNull, ["a:1", "b:2", "c:-", "d:-"]), (.cascade, ["a:1", "b:2", "d:-"]),
  ])
  func aMadeReferenceToNothingFollowsThePolicy(onDelete: DeletionPolicy, expected: [String]) throws {
    func stay(_ columns: [Column], _ transforms: [RecordTransform] = []) -> RecordDeclaration {
      RecordDeclaration(
        "Stay", key: 1, [.init(1, "id", .text)] + columns, reserved: transforms.isEmpty ? [] : [.init(2)],
        transforms: transforms)
    }
    let transform = RecordTransform(3, from: [.init(2, .text, isOptional: true)]) { row, _, column in
      column.text((row.isNull(0) ? nil : try row.text(0)).map { String($0.dropFirst(6)) })
    }
    let second = [
      Self.guest(),
      stay([.init(3, "guestID", .text, isOptional: true, references: "Guest", onDelete: onDelete)], [transform]),
    ]
    let found = try update(
      [Self.guest(), stay([.init(2, "guest", .text, isOptional: true)])], Self.guests,
      "INSERT INTO Stay VALUES ('a', 'guest 1'), ('b', 'guest 2'), ('c', 'guest 99'), ('d', NULL)", to: second,
      "SELECT id || ':' || ifnull(guestID, '-') FROM Stay ORDER BY id")
    #expect(found == expected)
  }

  /// SQLite cannot add such a column, and no row need have the key. The error is that of a release that does not fit.
  @Test func aNewReferenceWithADefaultIsRefused() throws {
    let second = [
      RecordDeclaration(
        "Guest", key: 1,
        [
          .init(1, "id", .text), .init(2, "nick", .text, isOptional: true),
          .init(3, "roomID", .text, default: "'r'", references: "Room"),
        ]), RecordDeclaration("Room", key: 1, [.init(1, "id", .text)]),
    ]
    #expect(throws: RecordMerge.Refusal(record: "Guest", number: 3, reason: .referenceChanged)) {
      try update([Self.guest()], Self.guests, to: second, "SELECT id FROM Guest")
    }
  }
}
