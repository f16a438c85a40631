#if os(Linux)
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// A process that is forked after it has used a store.
  @Suite struct ForkTests {
    /// SQLite's locks belong to the process that opened the database: a child would read and write without them.
    @Test(arguments: ["preferences", "keychain"]) func aChildDoesNotUseTheDatabaseOfItsParent(_ store: String) throws {
      let fixture = try StoreFixture()
      let end = try ChildProcess.probe(store, fixture, "fork", "value", "5", "1")
      #expect(
        end.line.split(separator: "\n") == [
          "child cannot read: forkedProcess", "child cannot write: forkedProcess", "parent reads 5 bytes",
          "parent writes",
        ])
      #expect(try ChildProcess.probe(store, fixture, "read", "value").line == "5 bytes of 1")
    }

    @Test func aChildUsesFiles() throws {
      let fixture = try StoreFixture()
      let end = try ChildProcess.probe("files", fixture, "fork", "value", "5", "1")
      #expect(
        end.line.split(separator: "\n") == [
          "child reads 5 bytes", "child writes", "parent reads 5 bytes", "parent writes",
        ])
    }

    /// The child has none of the threads that the calls of the parent use.
    @Test(arguments: ["preferences", "keychain"]) func aCallOfAChildEnds(_ address: String) throws {
      let fixture = try StoreFixture()
      let end = try ChildProcess.probe("router", fixture.path("store"), address, "fork", "5")
      let lines = end.line.split(separator: "\n")
      #expect(lines.count == 6 && lines.starts(with: ["parent sets", "parent gets 5"]))
      for (line, start) in zip(lines.dropFirst(2), ["child cannot set: ", "child cannot get: "]) {
        #expect(line.hasPrefix(start) && line.contains("the process was forked"))
      }
      #expect(lines.suffix(2) == ["parent sets", "parent gets 5"])
    }
  }
#endif
