#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// The parts that the tests of the recovery share. Each has a store that a process of the probe has filled.
  protocol RecoverySuite: Sendable {
    var fixture: StoreFixture { get }
  }

  extension RecoverySuite {
    func sweep(
      _ verb: String, prepare: (String) throws -> Void, check: (FaultSweep.Moment) async throws -> Void
    ) async throws {
      let sweep = try FaultSweep(["maintenance", verb], in: fixture, FaultShim(in: fixture)) {
        try probe(fixture.path("store"), "seed")
        try prepare(fixture.path("store"))
      }
      var count = 0
      for (number, action) in [FaultSweep.Action.kill, .shortkill, .eio, .enospcOn, .eaccesOn].enumerated() {
        count += try await sweep.run([action], each: action.isKill ? 2 : 7, after: number) { moment in
          #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
          try await check(moment)
        }
      }
      #expect(count >= Sweep.count(quick: 3, full: 20))
    }

    func router(_ folder: String) throws -> StorageRouter {
      let router = StorageRouter.probe(in: folder)
      try ProbeCatalog.register(ProbeAddress.allCases.map { .key($0.retained) }, on: router)
      return router
    }

    func probe(_ folder: String, _ verb: String) throws {
      let end = try ChildProcess.run(ChildProcess.probe, ["maintenance", folder, verb])
      #expect(end.code == 0, "\(verb): \(end)")
    }

    func expectValues(
      of router: StorageRouter, except lost: [ProbeAddress] = [], _ moment: String
    ) async throws {
      for address in ProbeAddress.allCases where !lost.contains(address) {
        #expect(try await router.get(address.retained) == "abc", "\(moment): \(address)")
      }
    }

    func expectNoDrafts(in folder: String, _ moment: String) async throws {
      #expect(await (try router(folder)).maintenance.sweep().failures == [], "\(moment)")
      let left = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".new") }
      #expect(left.isEmpty, "\(moment): \(left)")
    }
  }

  /// Databases with many rows, and their damage.
  extension RecoverySuite {
    static func rows(_ table: String) -> Set<String> { Set((0..<400).map { "\(table).\($0)" }) }

    /// Adds rows to a table, more than fit on a few pages.
    func fill(_ table: String, in path: String) throws -> Set<String> {
      let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
      let text = SQLiteValue.blob(Data(repeating: 7, count: 100))
      try connection.execute("BEGIN")
      for name in Self.rows(table).sorted() {
        if table == "preference" {
          try connection.run("INSERT INTO preference VALUES (?, 1, ?)", [.text(name), text])
        } else {
          // In another service, so that no key opens it.
          try connection.run("INSERT INTO item VALUES ('', 'other', ?, ?)", [.text(name), text])
        }
      }
      try connection.execute("COMMIT")
      return Self.rows(table)
    }

    func addRows(_ count: Int, in path: String) throws {
      let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
      try connection.execute("BEGIN")
      for number in 0..<count {
        try connection.run(
          "INSERT INTO preference VALUES (?, 1, ?)",
          [.text("more \(number)"), .blob(Data(repeating: 1, count: 100))])
      }
      try connection.execute("COMMIT")
    }

    /// Overwrites a page of rows that were added, and returns the file.
    func damageLeaf(of table: String, in path: String) throws -> Data {
      try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10)).checkpoint(truncating: true)
      let url = URL(fileURLWithPath: path)
      var bytes = try Data(contentsOf: url)
      let leaves = (2...(bytes.count / SalvageFixture.pageSize)).filter { number in
        let page = bytes.page(number)
        return page.first == 0x0d && page.range(of: Data("\(table).".utf8)) != nil
          && page.range(of: Data("retained".utf8)) == nil && page.range(of: Data("MasterKey".utf8)) == nil
      }
      bytes.overwrite(try #require(leaves.isEmpty ? nil : leaves[leaves.count / 2]))
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try bytes.write(to: url)
      return bytes
    }

    /// Removes the end of the last page, which contains a value, and returns the file.
    func cutShort(_ path: String) throws -> Data {
      try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10)).checkpoint(truncating: true)
      let url = URL(fileURLWithPath: path)
      var bytes = try Data(contentsOf: url)
      #expect(bytes.page(bytes.count / SalvageFixture.pageSize).first == 0x0d)
      bytes.removeLast(90)
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try bytes.write(to: url)
      return bytes
    }

    /// Returns the names of rows that can be read one by one.
    func readable(_ table: String, _ names: Set<String>, in path: String) throws -> Set<String> {
      let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
      let (bytes, name) =
        table == "item" ? ("sealed", "access_group = '' AND service = 'other' AND account") : ("bytes", "name")
      return try names.filter { row in
        do throws(StorageProblem) {
          let found = try connection.first("SELECT \(bytes) FROM \(table) WHERE \(name) = ?", [.text(row)]) {
            $0.blob(0)
          }
          return found == Data(repeating: 7, count: 100)
        } catch {
          guard error == .databaseDamaged else { throw error }
          return false
        }
      }
    }

    /// The content of the files that were set aside.
    func copies(of path: String) throws -> [Data] {
      let url = URL(fileURLWithPath: path)
      return try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        .filter { $0.hasPrefix(".\(url.lastPathComponent).damaged-") && !$0.hasSuffix("-wal") }
        .map { try Data(contentsOf: url.deletingLastPathComponent().appendingPathComponent($0)) }
    }
  }
#endif
