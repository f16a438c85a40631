@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import Testing

/// The bytes of messages. They are those of Google's protobuf for the same values.
@Suite("Bytes of the wire format") struct WireGoldenTests {
  /// What `protobuf_messages.py golden` prints.
  static let all = """
    0a0774657374696e67100118ffffffffffffffffff01208080808080808080800128ffffffff0f3100000000000000803d0000c03f420200ff\
    4a1108ffffffffffffffffff011080afd0e50252005800620062050a016b10006a050a001096016a050a01621000\
    720b01ffffffffffffffffff017a08000000000000f07f820100820102c3a98a010092010201009801f9ffffffffffffffff01\
    a201040000803faa0102ac02
    """

  static var sample: Sample {
    var sample = Sample()
    sample.text = "testing"
    sample.flag = true
    sample.small = -1
    sample.large = .min
    sample.natural = .max
    sample.real = -0.0
    sample.single = 1.5
    sample.data = Data([0, 255])
    sample.date = Date(timeIntervalSince1970: -0.25)
    sample.note = ""
    sample.seconds = Date(timeIntervalSince1970: 0)
    sample.parts = [Part(key: "", value: nil), Part(key: "k", value: 0)]
    sample.counts = ["b": 0, "": 150]
    sample.numbers = [1, -1]
    sample.reals = [.infinity]
    sample.words = ["", "é"]
    sample.part = Part(key: "", value: nil)
    sample.flags = [true, false]
    sample.level = .high
    sample.singles = [1]
    sample.naturals = [300]
    return sample
  }

  @Test func aMessageHasTheBytesOfProtobuf() throws {
    #expect(Self.sample.bytes.hex == Self.all)
    #expect(try Sample(bytes: [UInt8](hex: Self.all)) == Self.sample)
  }

  @Test func anEmptyMessageHasNoBytes() throws {
    #expect(Sample().bytes == [])
    #expect(try Sample(bytes: []) == Sample())
  }

  @Test func zeroIsWrittenIfTheValueIsOptional() {
    let message = written { writer in
      writer.text(Optional(""), 1)
      writer.bool(Optional(false), 2)
      writer.integer(Optional(Int32(0)), 3)
      writer.unsigned(Optional(UInt8(0)), 4)
      writer.real(Optional(0), 5)
      writer.float(Optional(0), 6)
      writer.data(Optional(Data()), 7)
    }
    #expect(message.hex == "0a001000180020002900000000000000003500000000" + "3a00")
  }

  /// The types that protobuf does not have.
  @Test func otherTypesHaveTheDocumentedForms() throws {
    let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))
    let url = try #require(URL(string: "https://example.com/a?b=%20#c"))
    let message = written { writer in
      writer.uuid(uuid, 1)
      writer.url(url, 2)
      writer.decimal(Decimal(string: "-10.50"), 3)
      writer.textEnumeration(Note.Kind.letter, 4)
      writer.json([1, 2], 5)
      writer.json(Optional<[Int]>.none, 6)
    }
    #expect(
      message.hex == "0a10000102030405060708090a0b0c0d0eff"
        + "121d68747470733a2f2f6578616d706c652e636f6d2f613f623d2532302363"
        + "1a052d31302e35" + "22016c" + "2a055b312c325d")
    try read(message) { (reader) throws(StorageProblem) in
      _ = try reader.next()
      #expect(try reader.uuid() == uuid)
      _ = try reader.next()
      #expect(try reader.url() == url)
      _ = try reader.next()
      #expect(try reader.decimal() == Decimal(string: "-10.5"))
      _ = try reader.next()
      #expect(try reader.textEnumeration() == Note.Kind.letter)
      _ = try reader.next()
      #expect(try reader.json() == [1, 2])
      #expect(try reader.next()?.tag == nil)
    }
  }

  @Test(arguments: [127, 128, 16_383, 16_384, 3_000_000]) func aMessageOfAnyLengthIsRead(_ length: Int) throws {
    let part = Part(key: String(repeating: "a", count: length), value: 1)
    var sample = Sample()
    sample.parts = [part, part]
    sample.note = "end"
    #expect(try Sample(bytes: sample.bytes) == sample)
  }

  @Test(arguments: [
    Date(timeIntervalSinceReferenceDate: 0), .distantPast, .distantFuture, Date(timeIntervalSince1970: -0.000_000_1),
    Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_789), Date(timeIntervalSinceReferenceDate: -1e17),
    Date(timeIntervalSinceReferenceDate: 9e18),
  ])
  func aDateIsRead(_ date: Date) throws {
    var sample = Sample()
    sample.date = date
    #expect(try Sample(bytes: sample.bytes).date == date)
  }

  /// Encrypted fields and columns refuse the same dates. The last two are refused as whole seconds.
  @Test(arguments: [.nan, .infinity, -.infinity, 1e19, -1e19, 9.223_372_036_854_775e18, 800_000_000.627_8, -0.5])
  func aDateHasOneRule(_ time: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: time)
    let connection = try RecordTable<Everything>().database.connection
    for isTimestamp in [true, false] {
      let isRefused = !isTimestamp || !(abs(time) < 1e9)
      var writer = WireWriter()
      if isTimestamp { writer.date(date, 1) } else { writer.seconds(date, 1) }
      #expect(writer.fault == (isRefused ? .cannotEncode : nil))
      var fault: StorageProblem?
      do throws(StorageProblem) {
        try connection.run("SELECT ?") { (bindings) throws(StorageProblem) in
          try RecordWriter.bind(Everything.declaration, to: &bindings) { (column) throws(StorageProblem) in
            if isTimestamp { try column.date(date) } else { try column.seconds(date) }
          }
        }
      } catch { fault = error }
      #expect(fault == writer.fault)
    }
  }

  @Test func aFractionThatRoundsUpIsTheNextSecond() throws {
    let time = Date(timeIntervalSinceReferenceDate: 1.0.nextDown).sinceUnixEpoch
    #expect(time?.seconds == 978_307_201)
    #expect(time?.nanoseconds == 0)
  }
}
