@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSystem

/// A struct as the generator emits it, with each kind of field of which Python has one.
struct Sample: Hashable {
  enum Level: Int {
    case low = 0
    case high = -7
  }

  var text = ""
  var flag = false
  var small: Int32 = 0
  var large: Int64 = 0
  var natural: UInt32 = 0
  var real = 0.0
  var single: Float = 0
  var data = Data()
  var date: Date?
  var note: String?
  var seconds: Date?
  var parts: [Part] = []
  var counts: [String: Int64] = [:]
  var numbers: [Int32] = []
  var reals: [Double] = []
  var words: [String] = []
  var part: Part?
  var flags: [Bool] = []
  var level: Level?
  var singles: [Float] = []
  var naturals: [UInt32] = []
  private(set) var unknownFields = RecordUnknownFields()

  init() {}

  init(_ reader: inout WireReader) throws(StorageProblem) {
    while let field = try reader.next() {
      switch field.tag {
      case 10: text = try reader.text()
      case 16: flag = try reader.bool()
      case 24: small = try reader.integer()
      case 32: large = try reader.integer()
      case 40: natural = try reader.unsigned()
      case 49: real = try reader.real()
      case 61: single = try reader.float()
      case 66: data = try reader.data()
      case 74: date = try reader.date()
      case 82: note = try reader.text()
      case 88: seconds = try reader.seconds()
      case 98: parts.append(try reader.message { (reader) throws(StorageProblem) in try Part(&reader) })
      case 106:
        let entry = try reader.message { (reader) throws(StorageProblem) in
          var entry = (key: "", value: Int64(0))
          while let field = try reader.next() {
            switch field.tag {
            case 10: entry.key = try reader.text()
            case 16: entry.value = try reader.integer()
            default: try reader.skip(field)
            }
          }
          return entry
        }
        counts[entry.key] = entry.value
      case 112: numbers.append(try reader.integer())
      case 114: try reader.packedIntegers(into: &numbers)
      case 121: reals.append(try reader.real())
      case 122: try reader.packedReals(into: &reals)
      case 130: words.append(try reader.text())
      case 138: part = try reader.message { (reader) throws(StorageProblem) in try Part(&reader) }
      case 144: flags.append(try reader.bool())
      case 146: try reader.packedBools(into: &flags)
      case 152: level = try reader.integerEnumeration()
      case 162: try reader.packedFloats(into: &singles)
      case 165: singles.append(try reader.float())
      case 168: naturals.append(try reader.unsigned())
      case 170: try reader.packedIntegers(into: &naturals)
      default: try unknownFields.keep(field, &reader)
      }
    }
  }

  func write(to writer: inout WireWriter) {
    writer.text(text, 1)
    writer.bool(flag, 2)
    writer.integer(small, 3)
    writer.integer(large, 4)
    writer.unsigned(natural, 5)
    writer.real(real, 6)
    writer.float(single, 7)
    writer.data(data, 8)
    writer.date(date, 9)
    writer.text(note, 10)
    writer.seconds(seconds, 11)
    writer.list(parts, 12) { $0.write(to: &$1) }
    for (key, value) in counts.sorted(by: { $0.key < $1.key }) {
      writer.message(13) { writer in
        writer.text(Optional(key), 1)
        writer.integer(Optional(value), 2)
      }
    }
    writer.packedIntegers(numbers, 14)
    writer.packedReals(reals, 15)
    for word in words { writer.text(Optional(word), 16) }
    writer.message(part, 17) { $0.write(to: &$1) }
    writer.packedBools(flags, 18)
    writer.integerEnumeration(level, 19)
    writer.packedFloats(singles, 20)
    writer.packedIntegers(naturals, 21)
    writer.unknown(unknownFields)
  }
}

struct Part: Hashable {
  var key = ""
  var value: Int32?
  private var unknownFields = RecordUnknownFields()

  init(key: String, value: Int32?) { (self.key, self.value) = (key, value) }

  init(_ reader: inout WireReader) throws(StorageProblem) {
    while let field = try reader.next() {
      switch field.tag {
      case 10: key = try reader.text()
      case 16: value = try reader.integer()
      default: try unknownFields.keep(field, &reader)
      }
    }
  }

  func write(to writer: inout WireWriter) {
    writer.text(key, 1)
    writer.integer(value, 2)
    writer.unknown(unknownFields)
  }
}

extension Sample {
  init(bytes: [UInt8]) throws(StorageProblem) {
    self = try read(bytes) { (reader) throws(StorageProblem) in try Sample(&reader) }
  }

  var bytes: [UInt8] { written { write(to: &$0) } }
}

/// Returns what `body` reads from a message.
func read<Value>(
  _ bytes: [UInt8], _ body: (inout WireReader) throws(StorageProblem) -> Value
) throws(StorageProblem) -> Value {
  let result = bytes.withUnsafeBytes { bytes in
    var reader = WireReader(bytes)
    do throws(StorageProblem) { return Result<Value, StorageProblem>.success(try body(&reader)) } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

/// Returns the message that `body` writes.
func written(_ body: (inout WireWriter) -> Void) -> [UInt8] {
  var writer = WireWriter()
  body(&writer)
  return writer.bytes
}
