import Foundation
import Testing

@testable import LocalData

/// The short way for numbers and Boolean values gives what Foundation's coders give.
@Suite struct PlainJSONTests {
  static let numbers =
    [0, 1, -1, 9, 10, -10, 99, 123_456_789, Int.max, Int.min]
    + (1...18).flatMap { digits in
      let power = (0..<digits).reduce(1) { power, _ in power * 10 }
      return [power - 1, power, -power, 1 - power]
    }

  @Test(arguments: numbers) func writesAndReadsNumbers(_ number: Int) throws {
    let bytes = try #require(PlainJSON.bytes(of: number))
    #expect(bytes == (try JSONEncoder().encode(number)))
    #expect(try Serializer<Int>.json.decode(bytes) == number)
    // The smallest number has no positive one, and is left to Foundation.
    #expect(PlainJSON.value(of: bytes, Int.self) == (number == Int.min ? nil : number))
  }

  /// On a watch of 32 bits, an `Int` of another device may be too large.
  @Test func readsNoNumberThatIsTooLarge() {
    for number in Int(Int8.min)...Int(Int8.max) {
      let read = PlainJSON.number(of: Data("\(number)".utf8), Int8.self)
      #expect(read == (number == Int8.min ? nil : Int8(number)))
    }
    for text in ["128", "-129", "255", "256", "1000", "2560", "99999999999999999999"] {
      #expect(PlainJSON.number(of: Data(text.utf8), Int8.self) == nil, "\(text)")
    }
    #expect(PlainJSON.number(of: Data("2147483647".utf8), Int32.self) == .max)
    #expect(PlainJSON.number(of: Data("1700000000000".utf8), Int32.self) == nil)
  }

  @Test(arguments: [true, false]) func writesAndReadsBooleanValues(_ value: Bool) throws {
    let bytes = try #require(PlainJSON.bytes(of: value))
    #expect(bytes == (try JSONEncoder().encode(value)))
    #expect(PlainJSON.value(of: bytes, Bool.self) == value)
  }

  /// Other texts are left to Foundation, or mean the same to it.
  @Test func readsNothingThatFoundationDoesNot() throws {
    let parts = [
      "", "0", "1", "7", "00", "-", "--", "+", " ", "\n", ".", "e", "E", "1.0", "true", "false", "tru", "null", "\"",
      "\u{0}", "٣",
    ]
    var count = 0
    for one in parts {
      for two in parts {
        for three in parts {
          let bytes = Data((one + two + three).utf8)
          if let number = PlainJSON.value(of: bytes, Int.self) {
            #expect(try JSONDecoder().decode(Int.self, from: bytes) == number, "\(one + two + three)")
            count += 1
          }
          if let value = PlainJSON.value(of: bytes, Bool.self) {
            #expect(try JSONDecoder().decode(Bool.self, from: bytes) == value, "\(one + two + three)")
            count += 1
          }
        }
      }
    }
    #expect(count > 50)
  }

  @Test func leavesOtherTypesToFoundation() throws {
    #expect(PlainJSON.bytes(of: Int8(1)) == nil)
    #expect(PlainJSON.bytes(of: 1.0) == nil)
    #expect(PlainJSON.bytes(of: Int?.some(1)) == nil)
    #expect(PlainJSON.value(of: Data("1".utf8), UInt.self) == nil)
    #expect(PlainJSON.value(of: Data("true".utf8), Int.self) == nil)
    #expect(PlainJSON.value(of: Data("1".utf8), Bool.self) == nil)
    let slice = Data("x17".utf8).dropFirst()
    #expect(PlainJSON.value(of: slice, Int.self) == 17)
  }
}
