import Foundation
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

private struct Trip: Codable, Hashable {
  var name: String
  var begin: Date
  var end: Date?
}

struct DateFormTests {
  private let date = Date(timeIntervalSince1970: 1_700_000_000.25)
  private let whole = Date(timeIntervalSince1970: 1_700_000_000)

  private func strategy(_ form: DateForm) -> JSONEncoder.DateEncodingStrategy {
    switch form {
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .secondsSince2001: .deferredToDate
    case .iso8601: .iso8601
    }
  }

  /// The number or the text that an app stores without the library.
  private func plain(_ date: Date, _ form: DateForm) -> Any {
    switch form {
    case .secondsSince1970: date.timeIntervalSince1970
    case .millisecondsSince1970: date.timeIntervalSince1970 * 1_000
    case .secondsSince2001: date.timeIntervalSinceReferenceDate
    case .iso8601: ISO8601DateFormatter().string(from: date)
    }
  }

  private func check<Value: Codable & Equatable & Sendable>(_ value: Value, _ form: DateForm) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = strategy(form)
    let json = try encoder.encode(value)
    let serializer = Serializer<Value>.json(dates: form)
    #expect(try serializer.encode(value) == json)
    #expect(try serializer.decode(json) == value)
    let text = try Serializer<String>.propertyList.encode(String(decoding: json, as: UTF8.self))
    #expect(try Serializer<Value>.jsonText(dates: form).encode(value) == text)
    #expect(try Serializer<Value>.jsonText(dates: form).decode(text) == value)
  }

  @Test(arguments: DateForm.allCases) func jsonIsWhatFoundationWrites(_ form: DateForm) throws {
    let date = form == .iso8601 ? whole : date
    try check(date, form)
    try check([date, whole], form)
    try check(["a": date], form)
    try check(Set([date]), form)
    try check([Trip(name: "1700000000", begin: date, end: nil), Trip(name: "", begin: date, end: whole)], form)
  }

  @Test(arguments: DateForm.allCases) func propertyListsAreWhatFoundationWrites(_ form: DateForm) throws {
    let date = form == .iso8601 ? whole : date
    func check<Value: Codable & Equatable & Sendable>(_ value: Value, _ expected: Any) throws {
      let bytes = try Serializer<Value>.propertyList(dates: form).encode(value)
      let theirs = try PropertyListSerialization.data(fromPropertyList: expected, format: .binary, options: 0)
      let found = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? NSObject
      #expect(found == expected as? NSObject)
      #expect(try Serializer<Value>.propertyList(dates: form).decode(theirs) == value)
    }
    let plain = plain(date, form)
    try check(date, [plain] as NSArray)
    try check([date], [[plain]] as NSArray)
    try check([date, date], [plain, plain] as NSArray)
    try check([Date](), [] as NSArray)
    try check(["a": [date]], ["a": [plain]] as NSDictionary)
  }

  @Test func wholeNumbersAreDatesToo() throws {
    let bytes = try PropertyListSerialization.data(fromPropertyList: [1_700_000_000], format: .binary, options: 0)
    #expect(try Serializer<Date>.propertyList(dates: .secondsSince1970).decode(bytes) == whole)
    #expect(try Serializer<Date>.json(dates: .millisecondsSince1970).decode(Data("1700000000250".utf8)) == date)
  }

  @Test func fractionsOfSecondsAreRead() throws {
    let serializer = Serializer<Date>.json(dates: .iso8601)
    #expect(try serializer.decode(Data(#""2023-11-14T22:13:20.250Z""#.utf8)) == date)
    #expect(try serializer.decode(Data(#""2023-11-15T00:13:20+02:00""#.utf8)) == whole)
  }

  @Test(arguments: [#""yesterday""#, "true", #""1700000000""#, "null"]) func othersAreNoDates(_ json: String) {
    #expect(throws: (any Error).self) { try Serializer<Date>.json(dates: .iso8601).decode(Data(json.utf8)) }
    #expect(throws: (any Error).self) { try Serializer<Date>.json(dates: .secondsSince1970).decode(Data(json.utf8)) }
  }

  @Test func aPropertyListOfOtherValuesHasNoFormOfDates() throws {
    let trip = Trip(name: "a", begin: date, end: nil)
    #expect(throws: (any Error).self) { try Serializer<Trip>.propertyList(dates: .secondsSince1970).encode(trip) }
    let bytes = try Serializer<Date>.propertyList.encode(date)
    #expect(throws: (any Error).self) { try Serializer<Date>.propertyList(dates: .secondsSince1970).decode(bytes) }
  }

  /// Two releases, and a rollback to the first between two launches of the second.
  @Test func aReleaseReadsTheFormOfTheOneBefore() async throws {
    func key(_ name: String, _ serializer: Serializer<Date>, from source: StorageKey<Date?>? = nil) -> StorageKey<Date?>
    {
      let key = StorageKey<Date?>(
        name: name, domain: .userDefaults(), security: .none, serializer: serializer, owner: "Tests",
        description: "End.")
      return source.map { source in
        key.migrating { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) }
      } ?? key
    }
    let first = key("end", .jsonText(dates: .iso8601))
    let second = key("end_2", .propertyList(dates: .secondsSince1970), from: first)
    let seen = StorageKey<Double?>(
      name: "end_2", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Tests",
      description: "What other code of the app reads.")
    let router = StorageRouter.inMemory()
    try await router.set(whole, for: first)
    #expect(try await router.get(second) == whole)
    #expect(try await router.get(seen) == 1_700_000_000)
    let later = whole.addingTimeInterval(60)
    try await router.set(later, for: first)
    #expect(try await router.get(first) == later)
    #expect(try await router.get(second) == whole)
    try await router.set(later, for: second)
    #expect(try await router.get(seen) == 1_700_000_060)
  }
}

/// Values that property lists can hold, and JSON cannot.
struct AnyCodableDateTests {
  private let date = Date(timeIntervalSince1970: 1_700_000_000)

  @Test func propertyListsHoldDatesAndData() throws {
    let value: AnyCodable = ["end": .date(date), "list": [.data(Data([1, 2])), "a", 1, 1.5, true], "map": ["a": [:]]]
    let bytes = try Serializer<AnyCodable>.propertyList.encode(value)
    let theirs: [String: Any] = [
      "end": date, "list": [Data([1, 2]), "a", 1, 1.5, true] as [Any], "map": ["a": [String: Any]()],
    ]
    let found = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? NSDictionary
    #expect(found == theirs as NSDictionary)
    let list = try PropertyListSerialization.data(fromPropertyList: theirs, format: .binary, options: 0)
    #expect(try Serializer<AnyCodable>.propertyList.decode(list) == value)
    for scalar in [AnyCodable.date(date), .data(Data())] {
      #expect(try Serializer<AnyCodable>.propertyList.decode(Serializer.propertyList.encode(scalar)) == scalar)
    }
  }

  @Test func jsonRefusesDatesAndData() async throws {
    for value in [AnyCodable.date(date), [.data(Data([1]))], ["a": ["b": .date(date)]]] {
      for serializer in [Serializer<AnyCodable>.json, .jsonText, .json(dates: .iso8601)] {
        #expect(throws: (any Error).self) { try serializer.encode(value) }
      }
    }
    let json = Data(#"{"a":"2023-11-14T22:13:20Z","b":"AQI=","c":1}"#.utf8)
    #expect(
      try Serializer<AnyCodable>.json(dates: .iso8601).decode(json) == [
        "a": "2023-11-14T22:13:20Z", "b": "AQI=", "c": 1,
      ])
  }
}
