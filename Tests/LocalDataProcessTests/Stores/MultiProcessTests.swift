#if os(Linux)
  import Foundation
  import LocalData
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Tests of eight processes that use one store at the same time.
  @Suite struct MultiProcessTests {
    @Test(arguments: ["files", "preferences"]) func updatesAreAllKept(_ store: String) throws {
      let (fixture, count) = (try StoreFixture(), Sweep.count(quick: 40, full: 1_000))
      try expectAll(store, fixture, ["increment", "count", "\(count)"])
      let bytes = Data("\(8 * count)".utf8)
      let end = try ChildProcess.probe(store, fixture, "read", "count")
      #expect(end.line == "\(bytes.count) bytes of \(bytes[0])")
      #expect(try value(store, fixture) == bytes)
    }

    @Test(arguments: ["files", "preferences"]) func firstOpeningTogether(_ store: String) throws {
      // The store does not exist yet. The race is short, so the test runs it many times.
      for round in 0..<Sweep.count(quick: 2, full: 25) {
        let fixture = try StoreFixture()
        try expectAll(store, fixture, ["increment", "count", "1"])
        #expect(try value(store, fixture) == Data("8".utf8), "round \(round)")
      }
    }

    @Test(arguments: ["files", "preferences"]) func anotherProcessReadsWhatOneWrote(_ store: String) throws {
      let fixture = try StoreFixture()
      #expect(try ChildProcess.probe(store, fixture, "read", "value").line == "absent")
      #expect(try ChildProcess.probe(store, fixture, "write", "value", "70000", "9").code == 0)
      #expect(try ChildProcess.probe(store, fixture, "read", "value").line == "70000 bytes of 9")
    }

    private func expectAll(_ store: String, _ fixture: StoreFixture, _ words: [String]) throws {
      let children = try (0..<8).map { _ in
        try ChildProcess(ChildProcess.probe, [store, fixture.folder.path] + words)
      }
      for child in children {
        let end = child.wait()
        #expect(end == ChildProcess.End(code: 0, output: ""))
      }
    }

    private func value(_ store: String, _ fixture: StoreFixture) throws -> Data? {
      #if os(Linux)
        if store == "preferences" {
          return try UserDefaultsHelper(fixture.locations).read(.preference("count"), StorageAttributes())
        }
      #endif
      return try FileStorageHelper(fixture.locations).read(.file("count"), StorageAttributes())
    }
  }
#endif
