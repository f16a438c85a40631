import Foundation
import RuntimeTestSupport
import Testing

@testable import LocalData

/// A type of the app that is written as a number or as a list of numbers.
private enum Figures: Codable, Hashable {
  case one(Int)
  case many([Int])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { self = .one(try container.decode(Int.self)) } catch { self = .many(try container.decode([Int].self)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .one(let figure): try container.encode(figure)
    case .many(let figures): try container.encode(figures)
    }
  }
}

/// A value of one shape, and what is to hold of it.
struct PropertyListCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Written and read by this release.
  let roundTrip: @Sendable () throws -> Bool
  /// Written, kept as the object of UserDefaults, and read again.
  let throughObjects: @Sendable () throws -> Bool

  init<Value: Codable & Hashable & Sendable>(_ value: Value) {
    let serializer = Serializer<Value>.propertyList
    testDescription = "\(value) as \(Value.self)"
    roundTrip = { try serializer.decode(serializer.encode(value)) == value }
    throughObjects = {
      let bytes = try serializer.encode(value)
      let kept = try PropertyListObject.bytes(of: PropertyListObject.object(of: bytes))
      return try serializer.decode(kept) == value
    }
  }

  /// Types that do not decode a list as well as its element.
  static let plain: [PropertyListCase] = [
    .init(5), .init("a"), .init(true), .init(Data([1, 2])), .init(Date(timeIntervalSince1970: 1.5)),
    .init(URL(fileURLWithPath: "/a")), .init(UUID()), .init(Decimal(12)),
    .init([Int]()), .init([5]), .init([1, 2]), .init([[Int]]()), .init([[Int]]([[]])), .init([[1]]), .init([[1, 2]]),
    .init([[1], []]), .init([[[1]]]), .init(Set([7])), .init(["a": 1]), .init([String: Int]()),
    .init([["a": 1]]), .init([[String: Int]]([[:]])), .init(["a": [1]]), .init([Data([1])]), .init([[Data([1])]]),
    .init(EnvelopeHeader.magic), .init([EnvelopeHeader.magic]), .init([[EnvelopeHeader.magic]]),
    .init([EnvelopeHeader.magic, Data()]), .init(AnyCodable.integer(5)), .init(AnyCodable.null),
    .init(AnyCodable.array([])), .init(AnyCodable.array([5])), .init(AnyCodable.array([[5]])),
    .init(AnyCodable.array([[1, 2]])), .init(AnyCodable.array([1, 2])), .init(AnyCodable.array([[:]])),
    .init(AnyCodable.object([:])), .init(AnyCodable.object(["a": [1]])), .init([AnyCodable]([1, "a"])),
    .init([Int?]([1, nil])), .init(["a", "$nul", "null"]), .init([AnyCodable]()), .init([AnyCodable]([[1, 2], 3])),
    .init(Figures.many([])), .init(Figures.many([1, 2])),
  ]

  /// Texts of which Foundation's coders take one for nil.
  static let textsOfNil: [PropertyListCase] = [
    .init("$null"), .init(["$null"]), .init(["$null", "a"]), .init(["a": "$null"]), .init(["$null": "a"]),
    .init(["$null", "10000", "10001", "U$null"]), .init(["10000": "$null", "$null": "10000"]),
  ]

  /// Types that decode a list as well as its element.
  static let ambiguous: [PropertyListCase] = [
    .init(Figures.one(5)), .init(Figures.many([5])), .init([AnyCodable]([5])), .init([AnyCodable]([[5]])),
    .init([AnyCodable]([[]])), .init([AnyCodable]([[1, 2]])), .init([[[Int]]]([[]])), .init([[[Int]]]([[[]]])),
    .init([[Figures.one(1)]]), .init([Figures.many([1])]), .init([AnyCodable]([[:]])),
    .init([AnyCodable]([["a": 1]])),
  ]
}

@Suite struct PropertyListFormTests {
  @Test(arguments: PropertyListCase.plain + PropertyListCase.ambiguous) func isReadAsItWasStored(
    _ value: PropertyListCase
  ) throws {
    #expect(try value.roundTrip())
    #expect(try value.throughObjects())
  }

  /// A user may type the text that Foundation's coders take for nil.
  @Test(arguments: PropertyListCase.textsOfNil) func theTextOfNilIsAText(_ value: PropertyListCase) throws {
    #expect(try value.roundTrip())
    #expect(try value.throughObjects())
  }

  /// A value that would be read as another one, or not at all, must not replace one that can be read.
  @Test func theTextOfNilIsRefusedWhereItWouldBeLost() async throws {
    struct Note: Codable, Hashable { var title: String?, lines: [String?] }
    let note = StorageKey<Note?>(
      name: "note", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Tests",
      description: "A note.")
    let router = StorageRouter.inMemory()
    let kept = Note(title: nil, lines: [nil, "a"])
    try await router.set(kept, for: note)
    for lost in [Note(title: "$null", lines: []), Note(title: nil, lines: ["$null"])] {
      await #expect(throws: StorageError(.cannotEncode, .init(key: "note", domain: .userDefaults))) {
        try await router.set(lost, for: note)
      }
    }
    #expect(try await router.get(note) == kept)
    #expect(throws: (any Error).self) { try Serializer.propertyList.encode(["$null": 1]) }
  }

  @Test func noValueOfTheTypeIsAnError() throws {
    let lists: [[Int]] = [[], [5], [1, 2]]
    for list in lists {
      let bytes = try Serializer<[Int]>.propertyList.encode(list)
      #expect(throws: (any Error).self) { try Serializer<Int>.propertyList.decode(bytes) }
      #expect(throws: (any Error).self) { try Serializer<[String: Int]>.propertyList.decode(bytes) }
    }
    #expect(throws: (any Error).self) { try Serializer<Int>.propertyList.decode(Data("no list".utf8)) }
  }
}
