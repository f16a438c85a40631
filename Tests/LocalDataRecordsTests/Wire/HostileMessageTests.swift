@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import TestSupport
import Testing

@Suite("Messages that protobuf does not write") struct HostileMessageTests {
  @Test(arguments: [
    ("field number 0", "0001"), ("number 0 with a length", "0200"), ("a tag of 33 bits", "888080801001"),
    ("a tag of 6 bytes", "90808080800001"),
    ("a varint of 11 bytes", "10ffffffffffffffffffff01"), ("a varint without end", "10ff"), ("a missing varint", "10"),
    ("a missing length", "0a"), ("a text that is too short", "0a0541"),
    ("a length of 64 bits", "0affffffffffffffffff01"),
    ("a length of 63 bits", "0affffffffffffffff7f"), ("a text that is not UTF-8", "0a01ff"),
    ("half a surrogate", "0a03eda080"), ("a fixed64 of 7 bytes", "3100000000000000"),
    ("a fixed32 of 3 bytes", "3d000000"),
    ("wire type 6", "f60100"), ("wire type 7", "f70100"), ("the end of a group alone", "f401"),
    ("a group without end", "f3010801"), ("a group with another end", "f301fc01"),
    ("a packed list that ends in a number", "720180"), ("packed reals of 7 bytes", "7a0700000000000000"),
    ("a date with too many nanoseconds", "4a06108094ebdc03"), ("a time that overflows", "4a0b0880808080808080808001"),
    ("a number that is no case", "980101"), ("a message that is too short", "8a010510"),
  ])
  func damageIsCorrupted(_ name: String, _ hex: String) {
    #expect(throws: StorageProblem.self, "\(name)") { try Sample(bytes: [UInt8](hex: hex)) }
  }

  @Test func bitsAfterTheLastAreDropped() throws {
    // The lower half of a number is the value of int32 and uint32. Bits after the 64th are no part of a number.
    #expect(try Sample(bytes: [UInt8](hex: "18ffffffff1f")).small == -1)
    #expect(try Sample(bytes: [UInt8](hex: "2881808080f0ffffffff7f")).natural == 1)
    #expect(try Sample(bytes: [UInt8](hex: "10808080808080808080" + "02")).flag == false)
    #expect(try Sample(bytes: [UInt8](hex: "1080" + "01")).flag == true)
  }

  @Test func smallIntegersAreInRange() throws {
    let message = [UInt8](hex: "088001")
    #expect(throws: StorageProblem.self) {
      try read(message) { (reader) throws(StorageProblem) in
        _ = try reader.next()
        return try reader.integer() as Int8
      }
    }
    let value = try read(message) { (reader) throws(StorageProblem) in
      _ = try reader.next()
      return try reader.unsigned() as UInt8
    }
    #expect(value == 128)
  }

  @Test func listsOfNumbersMayBePacked() throws {
    let message = [UInt8](
      hex: "7001" + "7202" + "0203" + "7004" + "a50100000040" + "a201040000803f" + "900101" + "92010100")
    let sample = try Sample(bytes: message)
    #expect(sample.numbers == [1, 2, 3, 4])
    #expect(sample.singles == [2, 1])
    #expect(sample.flags == [true, false])
  }

  @Test func theLastOfTwoValuesIsRead() throws {
    #expect(try Sample(bytes: [UInt8](hex: "0a0141" + "0a0142")).text == "B")
    // Protobuf merges these two to a key "A" with the value 2.
    let sample = try Sample(bytes: [UInt8](hex: "8a01030a0141" + "8a01021002"))
    #expect(sample.part == Part(key: "", value: 2))
  }

  @Test func fieldsOfAnotherWireTypeAreUnknown() throws {
    let message = [UInt8](hex: "0801" + "120141" + "f3010a0141f401" + "1800")
    let sample = try Sample(bytes: message)
    #expect(sample.text == "" && !sample.flag)
    #expect(sample.bytes == message.dropLast(2))
  }

  @Test func unknownFieldsCountForEquality() throws {
    let known = [UInt8](hex: "0a0141")
    let sample = try Sample(bytes: known + [UInt8](hex: "fa010141"))
    #expect(try sample != Sample(bytes: known))
    #expect(try sample == Sample(bytes: [UInt8](hex: "fa010141") + known))
    #expect(try Sample(bytes: sample.bytes) == sample)
    #expect("\(sample.unknownFields)" == "RecordUnknownFields(redacted)")
  }

  @Test(arguments: [100, 101, 100_000]) func messagesHaveALimitedDepth(_ depth: Int) throws {
    struct Node {
      var children: [Node] = []
      init(_ reader: inout WireReader) throws(StorageProblem) {
        while let field = try reader.next() {
          guard field.tag == 10 else { throw .corrupted }
          children.append(try reader.message { (reader) throws(StorageProblem) in try Node(&reader) })
        }
      }
    }
    var message: [UInt8] = []
    for _ in 0..<depth {
      message.insert(contentsOf: written { $0.data(Optional(Data()), 1) }.prefix(1) + varint(message.count), at: 0)
    }
    if depth <= 100 {
      _ = try read(message) { (reader) throws(StorageProblem) in try Node(&reader) }
    } else {
      #expect(throws: StorageProblem.self) {
        try read(message) { (reader) throws(StorageProblem) in try Node(&reader) }
      }
    }
    let groups = [UInt8](hex: String(repeating: "f301", count: depth) + String(repeating: "f401", count: depth))
    if depth <= 100 {
      #expect(try Sample(bytes: groups).bytes == groups)
    } else {
      #expect(throws: StorageProblem.self) { try Sample(bytes: groups) }
    }
  }

  @Test func damagedBytesNeverCrash() throws {
    var random = SeededRandom(seed: 7)
    let original = WireGoldenTests.sample.bytes
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0...4, using: &random))
      do throws(StorageProblem) {
        let sample = try Sample(bytes: bytes)
        // What is read can be written, and read again.
        #expect(try Sample(bytes: sample.bytes).bytes == sample.bytes)
      } catch {
        #expect(error == .corrupted || error == .newerValue)
      }
    }
  }

  private func varint(_ value: Int) -> [UInt8] {
    written { $0.integer(Optional(value), 1) }.dropFirst().map { $0 }
  }
}
