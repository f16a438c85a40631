import Foundation
import Testing

@testable import LocalData

private enum Theme: String, Codable { case light, dark }

private struct Point: Codable, Hashable {
  var x: Double
  var y: Double?
}

private enum Reversed: CustomSerializer {
  static let name = "Reversed"
  static func encode(_ value: String) throws -> Data { Data(value.utf8.reversed()) }
  static func decode(_ data: Data) throws -> String { String(decoding: data.reversed(), as: UTF8.self) }
}

@Suite struct SerializerTests {
  private func roundTrip<Value: Equatable & Sendable>(_ value: Value, _ serializer: Serializer<Value>) throws {
    #expect(try serializer.decode(serializer.encode(value)) == value)
  }

  @Test func jsonOfScalarsAndContainers() throws {
    try roundTrip("a \u{1F600} \"b\"", .json)
    try roundTrip(Int64.min, .json)
    try roundTrip(UInt64.max, .json)
    try roundTrip(true, .json)
    try roundTrip(["b": [1, 2], "a": []], .json)
    try roundTrip(Theme.dark, .json)
    try roundTrip(Point(x: 0.1, y: nil), .json)
    try roundTrip(Date(timeIntervalSince1970: 1_700_000_000.123), .json)
  }

  @Test func jsonHasSortedKeys() throws {
    let data = try Serializer<[String: Int]>.json.encode(["b": 1, "a": 2])
    #expect(String(decoding: data, as: UTF8.self) == #"{"a":2,"b":1}"#)
  }

  @Test func jsonRefusesWhatIsNoNumber() {
    #expect(throws: (any Error).self) { try Serializer<Double>.json.encode(.nan) }
    #expect(throws: (any Error).self) { try Serializer<Decimal>.json.encode(.nan) }
    #expect(throws: (any Error).self) { try Serializer<[String: [Decimal?]]>.json.encode(["a": [1, .nan]]) }
  }

  @Test func jsonOfTextThatReadsAsNoNumber() throws {
    try roundTrip("NaN", .json)
    try roundTrip(["NaN": "\"NaN\""], .json)
  }

  /// A value that nothing decodes must not replace one that can be read.
  @Test func whatIsNoNumberLeavesTheStoredValue() async throws {
    let price = StorageKey<Decimal?>(
      name: "price", domain: .userDefaults(), security: .none, owner: "Tests", description: "A price.")
    let router = StorageRouter.inMemory()
    try await router.set(9.5, for: price)
    await #expect(throws: StorageError(.cannotEncode, .init(key: "price", domain: .userDefaults))) {
      try await router.set(.nan, for: price)
    }
    #expect(try await router.get(price) == 9.5)
  }

  @Test func propertyListsWrapScalarsAndListsOfOne() throws {
    func top<Value: Codable & Sendable>(_ value: Value) throws -> Any {
      let data = try Serializer<Value>.propertyList.encode(value)
      #expect(data.starts(with: Data("bplist00".utf8)))
      return try PropertyListSerialization.propertyList(from: data, format: nil)
    }
    #expect(try top("text") as? [String] == ["text"])
    #expect(try top(7) as? [Int] == [7])
    #expect(try top(Theme.light) as? [String] == ["light"])
    #expect(try top(["a": 1]) as? [String: Int] == ["a": 1])
    #expect(try top(["a"]) as? [[String]] == [["a"]])
    #expect(try top(["a", "b"]) as? [String] == ["a", "b"])
    #expect(try top([[String]]()) as? [String] == [])
    #expect(try top([["a": 1]]) as? [[[String: Int]]] == [[["a": 1]]])
    #expect(try top(AnyCodable.array(["a", "b"])) as? [String] == ["a", "b"])
  }

  /// Other libraries write these texts, so each is compared with what Foundation writes.
  @Test func jsonTextsAreTheJSONOfTheValue() throws {
    func text<Value: Codable & Equatable & Sendable>(_ value: Value) throws -> String? {
      try roundTrip(value, .jsonText)
      let bytes = try Serializer<Value>.jsonText.encode(value)
      let text = (try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String])?.first
      let other = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
      #expect(text == other)
      let theirs = try PropertyListEncoder().encode([other])
      #expect(try Serializer<Value>.jsonText.decode(theirs) == value)
      return text
    }
    #expect(try text(true) == "true")
    #expect(try text(-7) == "-7")
    #expect(try text(0.5) == "0.5")
    #expect(try text(Theme.dark) == #""dark""#)
    #expect(try text("$null") == #""$null""#)
    #expect(try text(["a \u{1F600}"]) == "[\"a \u{1F600}\"]")
    #expect(try text(Point(x: 1, y: nil)) == #"{"x":1}"#)
    #expect(try text(Data([1, 2])) == #""AQI=""#)
    #expect(try text([String: Int]()) == "{}")
  }

  @Test(arguments: ["", "dark", "{", "\"dark\" 1", "[true]"]) func textsThatAreNoJSONOfTheTypeAreNotDecoded(
    _ text: String
  ) async throws {
    let theirs = StorageKey<String?>(
      name: "theme", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "o", description: "d")
    let theme = StorageKey<Theme>(
      name: "theme", domain: .userDefaults(), security: .none, serializer: .jsonText, default: .light, owner: "o",
      description: "d")
    let lenient = StorageKey<Theme>(
      name: "theme", domain: .userDefaults(), security: .none, serializer: .jsonText, default: .light, owner: "o",
      description: "d", options: StorageKeyOptions(onCorruption: .useDefault))
    let router = StorageRouter.inMemory()
    try await router.set(text, for: theirs)
    await #expect(throws: StorageError(.cannotDecode, .init(key: "theme", domain: .userDefaults))) {
      try await router.get(theme)
    }
    #expect(try await router.get(lenient) == .light)
    #expect(try await router.get(theirs) == text)
    try await router.set(.dark, for: theme)
    #expect(try await router.get(theirs) == #""dark""#)
  }

  @Test func propertyListsReadBackWhatTheyWrote() throws {
    try roundTrip("text", .propertyList)
    try roundTrip(["one"], .propertyList)
    try roundTrip([["one"]], .propertyList)
    try roundTrip([String](), .propertyList)
    try roundTrip(Theme.dark, .propertyList)
    try roundTrip(Point(x: 1.5, y: 2), .propertyList)
    try roundTrip(Date(timeIntervalSince1970: 1_700_000_000.123), .propertyList)
    try roundTrip(Data([0, 1, 255]), .propertyList)
    try roundTrip(AnyCodable.string("a"), .propertyList)
    try roundTrip(AnyCodable.array(["a"]), .propertyList)
    try roundTrip(UUID(), .propertyList)
    try roundTrip(true, .propertyList)
  }

  @Test func aListOfTwoIsNoScalar() throws {
    let two = try Serializer<[Int]>.propertyList.encode([1, 2])
    #expect(throws: (any Error).self) { try Serializer<Int>.propertyList.decode(two) }
  }

  @Test func dataIsTheBytesAndUTF8() throws {
    #expect(try Serializer<String>.data.encode("ü") == Data([0xC3, 0xBC]))
    #expect(throws: (any Error).self) { try Serializer<String>.data.decode(Data([0xFF])) }
    try roundTrip(Data([0, 255]), .data)
    try roundTrip("", .data)
  }

  @Test func aSerializerOfTheAppsOwn() throws {
    let serializer = Serializer<String>.custom(Reversed.self)
    #expect(serializer.kind == .custom("Reversed"))
    #expect(try serializer.encode("ab") == Data("ba".utf8))
    try roundTrip("abc", serializer)
  }

  @Test func anyCodableKeepsShapes() throws {
    let value: AnyCodable = [
      "n": nil, "b": true, "i": -3, "d": 1.5, "s": "x", "l": [1, "a", [:]], "u": .unsigned(.max),
    ]
    try roundTrip(value, .json)
  }
}
