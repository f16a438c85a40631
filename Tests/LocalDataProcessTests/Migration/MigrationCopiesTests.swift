#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  @testable import LocalData

  /// Tests that no copy of a moved value is left at its source: neither in a database, nor in the files beside it.
  @Suite struct MigrationCopiesTests {
    /// To where it is not to be seen.
    static let moves = [
      "preferences>keychain", "preferences>encryptedFiles", "sealedPreferences>encryptedFiles",
      "groupPreferences>keychain", "keychain>encryptedFiles", "keychain>sealedPreferences",
      "preferences+files>keychain",
      "preferences+keychain>groupFiles", "=sealedPreferences", "=encryptedFiles",
    ]

    @Test(arguments: moves) func noCopyIsLeft(_ word: String) async throws {
      let move = try #require(ProbeMove(word))
      let fixture = try StoreFixture()
      try probe(fixture, word, "set")
      let traces = try traces(fixture)
      let before = try files(fixture, holding: traces)
      #expect(traces.count >= 1 && !before.isEmpty, "nothing is found before: the test shows nothing")
      try probe(fixture, word, "migrate")
      #expect(try files(fixture, holding: traces) == [])
      try await MovedValue(move: move, folder: fixture.path("store")).expectToBeMoved(word)
    }

    @Test(arguments: moves) func norWhereItWasRemoved(_ word: String) async throws {
      let fixture = try StoreFixture()
      try probe(fixture, word, "set")
      let traces = try traces(fixture)
      try probe(fixture, word, "remove")
      // In its own place it is no migration's to remove.
      if ProbeMove(word)?.isInPlace == false { #expect(try files(fixture, holding: traces) == []) }
      #expect(try ChildProcess.probe("move", fixture.path("store"), word, "get").line == "nothing")
    }

    /// Ends as if killed: closing a database would empty its log.
    private func probe(_ fixture: StoreFixture, _ word: String, _ verb: String) throws {
      let end = try ChildProcess.probe("move", fixture.path("store"), word, verb, "--abandon")
      #expect(end.code == nil && !end.output.contains("'"), "\(end)")
    }

    /// Returns the bytes that must not be found afterwards: the secret itself, and a part of each database row that
    /// holds one, as it is stored.
    ///
    /// Reads a copy, because opening a database changes the files beside it.
    private func traces(_ fixture: StoreFixture) throws -> [Data] {
      let copy = fixture.path("copy-\(UUID().uuidString)")
      try FileManager.default.copyItem(atPath: fixture.path("store"), toPath: copy)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      var traces = [Data(ProbeMove.secret.utf8)]
      let folder = FolderLocation(root: StorageRoot(URL(fileURLWithPath: copy)), parts: [])
      for (database, query) in [
        ("data/preferences/standard.db", "SELECT bytes FROM preference"),
        ("groups/group.probe/preferences/standard.db", "SELECT bytes FROM preference"),
        ("data/keystore.db", "SELECT sealed FROM item"),
      ] where FileManager.default.fileExists(atPath: copy + "/" + database) {
        let location = FileLocation(folder: folder, name: database)
        let tables = query.contains("item") ? KeychainHelper.tables : UserDefaultsHelper.tables
        let rows = try SQLiteDatabase.shared(at: location, .killedProcess, schema: tables.schema).read {
          (connection) throws(StorageProblem) in
          var rows: [Data] = []
          try connection.rows(query) { (row) throws(StorageProblem) in
            rows.append(row.blob(0))
            return true
          }
          return rows
        }
        // The keystore also contains a master key, which stays.
        traces += (rows ?? []).filter { $0.count > 1_000 }.map { $0.subdata(in: 500..<600) }
      }
      return traces
    }

    private func files(_ fixture: StoreFixture, holding traces: [Data]) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: fixture.path("store")).sorted().filter { name in
        guard let content = FileManager.default.contents(atPath: fixture.path("store/" + name)) else { return false }
        return traces.contains { content.range(of: $0) != nil }
      }
    }
  }
#endif
