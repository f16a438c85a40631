import Foundation
import LocalData
import TestSupport
import Testing

/// The order of file calls that makes a file durable.
@Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
struct DurableOrderTests {
  @Test(arguments: ["write", "update"]) func replacing(_ verb: String) throws {
    let calls = try trace(isFresh: false, verb)
    try expect(calls, inOrder: Self.replacement)
  }

  /// Where folders are new, their names are on the disk before the value is.
  @Test func creating() throws {
    let calls = try trace(isFresh: true, "write")
    try expect(
      calls,
      inOrder: [
        .init(name: "mkdirat", path: "/data"), .init(name: "fsync", path: ""),
        .init(name: "mkdirat", path: "/data/documents"), .init(name: "fsync", path: "/data"),
      ] + Self.replacement)
  }

  @Test func removing() throws {
    let calls = try trace(isFresh: false, "remove")
    try expect(
      calls,
      inOrder: [
        .init(name: "unlinkat", path: "/data/documents/value"), .init(name: "fsync", path: "/data/documents"),
      ])
  }

  private static let replacement: [FaultShim.Call] = [
    .init(name: "write", path: "/data/documents/.local-data.new"),
    .init(name: "fsync", path: "/data/documents/.local-data.new"),
    .init(name: "renameat", path: "/data/documents/.local-data.new"),
    .init(name: "fsync", path: "/data/documents"),
  ]

  private func trace(isFresh: Bool, _ verb: String) throws -> [FaultShim.Call] {
    let fixture = try StoreFixture()
    let shim = try FaultShim(in: fixture)
    let words = ["files", fixture.path("store"), verb, "value", "10000", "2"]
    if !isFresh {
      let first = try ChildProcess.run(
        ChildProcess.probe, ["files", fixture.path("store"), "write", "value", "1", "1"])
      #expect(first.code == 0)
    }
    let end = try ChildProcess.run(ChildProcess.probe, words, environment: shim.environment("list"))
    #expect(end.code == 0)
    return shim.calls(in: end.output)
  }

  private func expect(_ calls: [FaultShim.Call], inOrder wanted: [FaultShim.Call]) throws {
    var rest = calls[...]
    for call in wanted {
      let index = try #require(rest.firstIndex(of: call), "\(call) is not in its place in \(calls)")
      rest = rest[(index + 1)...]
    }
  }
}
