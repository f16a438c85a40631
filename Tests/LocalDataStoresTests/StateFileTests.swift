import Foundation
import LocalDataTesting
import RuntimeTestSupport
import Testing

@testable import LocalDataStores

@Suite struct StateFileTests {
  private struct State: Codable, Equatable {
    var name: String
    var number: Int?
  }

  private struct LaterState: Codable {
    var name: String
    var color: String
  }

  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private var location: FileLocation { FileLocation(folder: fixture.locations.appFolder, name: ".state") }
  private var file: StateFile<State> { StateFile(location) }
  private var url: URL { URL(fileURLWithPath: fixture.path("data/.state")) }
  private func text() throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

  @Test func theFirstCreatorDecidesAndAChangeReplaces() throws {
    #expect(try file.read() == nil)
    #expect(try file.create(State(name: "a")) == State(name: "a"))
    #expect(try text() == #"{"checksum":3101868916,"format":1,"name":"a"}"#)
    #expect(try file.create(State(name: "b")) == State(name: "a"))
    try file.change { $0.map { State(name: $0.name, number: 3) } }
    try file.change { _ in nil }
    #expect(try file.read() == State(name: "a", number: 3))
    #expect(try fixture.permissions()["data/.state"] == 0o600)
  }

  /// The checksum covers it.
  @Test func aFieldOfALaterVersionIsIgnoredAndChecked() throws {
    _ = try StateFile<LaterState>(location).create(LaterState(name: "a", color: "red"))
    #expect(try file.read() == State(name: "a"))
    try Data(try text().replacing("red", with: "bed").utf8).write(to: url)
    #expect(throws: StorageProblem.locationsDamaged) { try file.read() }
  }

  @Test func everyChangedBitIsFound() throws {
    _ = try file.create(State(name: "a", number: 1))
    let bytes = try Data(contentsOf: url)
    for offset in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[offset] ^= 1 << bit
        try changed.write(to: url)
        do throws(StorageProblem) {
          _ = try file.read()
          Issue.record("\(offset): it is read")
        } catch {
          // The number of another format is the exception.
          let isLater = String(decoding: changed, as: UTF8.self).contains(/"format":[2-9]/)
          #expect(error == (isLater ? .unknownFormatVersion : .locationsDamaged), "byte \(offset), bit \(bit)")
        }
      }
    }
  }

  @Test(arguments: [
    ("", StorageProblem.locationsDamaged), ("[]", .locationsDamaged), ("{}", .locationsDamaged),
    (#"{"format":1,"name":"a"}"#, .locationsDamaged), (#"{"format":0}"#, .locationsDamaged),
    (#"{"format":2}"#, .unknownFormatVersion), (String(repeating: " ", count: 2 << 20), .locationsDamaged),
  ])
  func damageIsNeitherReadNorReplaced(_ content: String, _ fault: StorageProblem) throws {
    _ = try file.create(State(name: "a"))
    try Data(content.utf8).write(to: url)
    #expect(throws: fault) { try file.read() }
    #expect(throws: fault) { try file.create(State(name: "b")) }
    #expect(throws: fault) { try file.change { _ in State(name: "b") } }
    #expect(try text() == content)
  }
}
