@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataSystem

/// A record as the generator emits it, with each kind of column.
struct Everything: StorageRecord {
  typealias Database = NoteDatabase

  enum Level: Int {
    case low = -1
    case high = 9_000_000_000
  }

  struct Mark: Codable, Hashable {
    var x = 0.5
    var name: String? = "m"
  }

  struct Columns {}

  var id: Int64
  var text = ""
  var flag = false
  var small: Int8 = 0
  var natural: UInt32 = 0
  var large = 0
  var real = 0.0
  var single: Float = 0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var data = Data()
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var url = URL(fileURLWithPath: "/")
  var decimal = Decimal(0)
  var kind = Note.Kind.draft
  var level = Level.low
  var mark = Mark()
  var part = Part(key: "", value: nil)
  var parts: [Part] = []
  var words: [String] = []
  var options = Options()

  /// The optional columns.
  struct Options: Hashable {
    var text: String?
    var flag: Bool?
    var small: Int8?
    var real: Double?
    var single: Float?
    var date: Date?
    var data: Data?
    var uuid: UUID?
    var url: URL?
    var decimal: Decimal?
    var kind: Note.Kind?
    var level: Level?
    var mark: Mark?
    var part: Part?
    var parts: [Part]?
    var words: [String]?
  }

  static var columns: Columns { Columns() }

  static let declaration: RecordDeclaration = {
    let kinds: [RecordDeclaration.Storage] = [
      .text, .integer, .integer, .integer, .integer, .real, .real, .real, .blob, .blob, .text, .text, .text, .integer,
      .text,
      .blob, .blob, .blob, .text, .integer, .integer, .real, .real, .real, .blob, .blob, .text, .text, .text, .integer,
      .text,
      .blob, .blob, .blob,
    ]
    return RecordDeclaration(
      "Everything", key: 1,
      [.init(1, "id", .integer)] + kinds.enumerated().map { .init($0.offset + 2, "c\($0.offset + 1)", $0.element) },
      maxSize: 1_000)
  }()

  init(id: Int64) { self.id = id }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    text = try row.text(1)
    flag = try row.bool(2)
    small = try row.integer(3)
    natural = try row.integer(4)
    large = try row.integer(5)
    real = try row.real(6)
    single = try row.float(7)
    date = try row.date(8)
    data = try row.data(9)
    uuid = try row.uuid(10)
    url = try row.url(11)
    decimal = try row.decimal(12)
    kind = try row.textEnumeration(13)
    level = try row.integerEnumeration(14)
    mark = try row.json(15)
    part = try row.message(16) { (reader) throws(StorageProblem) in try Part(&reader) }
    parts = try row.list(17, 1) { (reader) throws(StorageProblem) in try Part(&reader) }
    var words: [String] = []
    try row.wire(18) { (reader) throws(StorageProblem) in try Self.read(&words, &reader) }
    self.words = words
    options.text = row.isNull(19) ? nil : try row.text(19)
    options.flag = row.isNull(20) ? nil : try row.bool(20)
    options.small = row.isNull(21) ? nil : try row.integer(21)
    options.real = row.isNull(22) ? nil : try row.real(22)
    options.single = row.isNull(23) ? nil : try row.float(23)
    options.date = row.isNull(24) ? nil : try row.date(24)
    options.data = row.isNull(25) ? nil : try row.data(25)
    options.uuid = row.isNull(26) ? nil : try row.uuid(26)
    options.url = row.isNull(27) ? nil : try row.url(27)
    options.decimal = row.isNull(28) ? nil : try row.decimal(28)
    options.kind = row.isNull(29) ? nil : try row.textEnumeration(29)
    options.level = row.isNull(30) ? nil : try row.integerEnumeration(30)
    options.mark = row.isNull(31) ? nil : try row.json(31) as Mark
    options.part = row.isNull(32) ? nil : try row.message(32) { (reader) throws(StorageProblem) in try Part(&reader) }
    options.parts = row.isNull(33) ? nil : try row.list(33, 1) { (reader) throws(StorageProblem) in try Part(&reader) }
    words = []
    let hasWords = try row.optionalWire(34) { (reader) throws(StorageProblem) in try Self.read(&words, &reader) }
    options.words = hasWords ? words : nil
  }

  private static func read(_ words: inout [String], _ reader: inout WireReader) throws(StorageProblem) {
    while let field = try reader.next() {
      switch field.tag {
      case 10: words.append(try reader.text())
      default: try reader.skip(field)
      }
    }
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.text(text)
    row.bool(flag)
    row.integer(small)
    row.integer(natural)
    row.integer(large)
    try row.real(real)
    try row.float(single)
    try row.date(date)
    row.data(data)
    row.uuid(uuid)
    row.url(url)
    row.decimal(decimal)
    row.enumeration(kind)
    row.enumeration(level)
    try row.json(mark)
    row.message(part) { $0.write(to: &$1) }
    row.list(parts, 1) { $0.write(to: &$1) }
    row.wire { writer in for word in words { writer.text(Optional(word), 1) } }
    row.text(options.text)
    row.bool(options.flag)
    row.integer(options.small)
    try row.real(options.real)
    try row.float(options.single)
    try row.date(options.date)
    row.data(options.data)
    row.uuid(options.uuid)
    row.url(options.url)
    row.decimal(options.decimal)
    row.enumeration(options.kind)
    row.enumeration(options.level)
    try row.json(options.mark)
    row.message(options.part) { $0.write(to: &$1) }
    row.list(options.parts, 1) { $0.write(to: &$1) }
    if let words = options.words {
      row.wire { writer in for word in words { writer.text(Optional(word), 1) } }
    } else {
      row.null()
    }
  }
}
