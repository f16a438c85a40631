import Foundation
import Testing

@testable import LocalDataStores

@Suite struct SuiteSizeLimitTests {
  /// Objects of a property list, and a name.
  static let objects: [[String: any Sendable]] = [
    [:], ["a": true], ["number": 5.5], ["date": Date(timeIntervalSince1970: 0)], ["data": Data(count: 70_000)],
    ["text": String(repeating: "a", count: 5000)], ["text": String(repeating: "é", count: 5000)],
    ["text": String(repeating: "a", count: 5000) + "漢"], [String(repeating: "name", count: 200): 1],
    ["list": (0..<500).map { $0 }], ["lists": [["a", "b"], ["c"]]], ["dictionary": ["a": 1, "b": 2]],
  ]

  @Test(arguments: objects.indices)
  func aSizeIsNotBelowThatOfThePropertyList(_ index: Int) throws {
    let object = Self.objects[index]
    let encoded = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0).count
    let size = SuiteSizeLimit.size(of: object)
    // The header and the trailer of a file have 40 bytes.
    #expect(size >= encoded - 40, "\(size) for \(encoded) bytes")
  }

  @Test func aSuiteMayBecomeSmallerWhateverItsSize() throws {
    let stored: [String: Any] = ["a": Data(count: 900), "b": Data(count: 900)]
    #expect(throws: StorageProblem.preferencesFull) {
      try SuiteSizeLimit.size(of: stored, setting: ["c": 1], limit: 1000)
    }
    #expect(throws: StorageProblem.preferencesFull) {
      try SuiteSizeLimit.size(of: stored, setting: ["a": Data(count: 901)], limit: 1000)
    }
    #expect(try SuiteSizeLimit.size(of: stored, setting: ["a": Data(count: 899)], limit: 1000) > 1000)
    #expect(try SuiteSizeLimit.size(of: stored, setting: ["a": 1, "b": 1], limit: 1000) < 200)
    #expect(try SuiteSizeLimit.size(of: [:], setting: ["a": Data(count: 900)], limit: 1000) <= 1000)
  }

  @Test func valuesAreMeasuredAtFirstAndFromTimeToTime() {
    let start = ContinuousClock.now
    var space = SuiteSizeLimit()
    func takes(_ count: Int, at time: ContinuousClock.Instant = start, limit: Int = 1 << 20) -> Bool {
      space.take(count, at: time, limit: limit)
    }
    #expect(!takes(1), "before the first measurement")
    space.measure(10, at: start)
    #expect(takes(1, at: start + .seconds(9)))
    #expect(!takes(1, at: start + .seconds(10)), "after a while")
    space.measure(10, at: start)
    #expect(takes(60 << 10))
    #expect(!takes(5 << 10), "after 64 KiB")
    space.measure(900, at: start)
    #expect(takes(100, limit: 1000))
    #expect(!takes(1, limit: 1000), "at the limit")
  }
}
