#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// The repair of damaged databases, in a process that is killed, or whose file calls fail, at each call in turn, and beside
  /// another process.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RepairSweepTests: RecoverySuite {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture(isInMemory: true) }

    /// At each moment every value outside of the damaged pages can be read, from the damaged databases or from the mended
    /// ones; and the damaged files are kept.
    @Test func aDatabaseIsDamagedOrMendedAndNeverAbsent() async throws {
      let (preferences, keystore) = ("data/preferences/standard.db", "data/keystore.db")
      var (damaged, lost): ([String: Data], [String: Set<String>]) = ([:], [:])
      var mended = 0
      try await sweep("setAside") { folder in
        for (file, table) in [(preferences, "preference"), (keystore, "item")] {
          let all = try fill(table, in: "\(folder)/\(file)")
          damaged[file] = try damageLeaf(of: table, in: "\(folder)/\(file)")
          lost[file] = all.subtracting(try readable(table, all, in: "\(folder)/\(file)"))
          #expect((1...100).contains(lost[file]?.count ?? 0), "\(lost)")
        }
      } check: { moment in
        // Before another process changes anything.
        for (file, table) in [(preferences, "preference"), (keystore, "item")] {
          let left = try readable(table, Self.rows(table), in: "\(moment.folder)/\(file)")
          #expect(left == Self.rows(table).subtracting(try #require(lost[file])), "\(moment): \(file)")
        }
        try await expectValues(of: router(moment.folder), "\(moment)")
        let isDone = moment.end.code == 0
        try probe(moment.folder, "setAside")
        for (file, table) in [(preferences, "preference"), (keystore, "item")] {
          let path = "\(moment.folder)/\(file)"
          let left = try readable(table, Self.rows(table), in: path)
          #expect(left == Self.rows(table).subtracting(try #require(lost[file])), "\(moment): \(file)")
          let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
          #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok", "\(moment): \(file)")
          let copies = try self.copies(of: path)
          #expect(!copies.isEmpty, "\(moment): \(file)")
          for copy in copies { #expect(copy == damaged[file], "\(moment): \(file)") }
          if isDone { #expect(copies.count == 1, "\(moment): \(file)") }
        }
        if isDone { mended += 1 }
        let next = try router(moment.folder)
        try await expectValues(of: next, "\(moment)")
        for address in ProbeAddress.allCases { try await next.set("new", for: address.retained) }
        let last = try router(moment.folder)
        for address in ProbeAddress.allCases {
          #expect(try await last.get(address.retained) == "new", "\(moment): \(address)")
        }
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
      Sweep.report("faults of a repair", "\(mended) repairs had ended")
    }

    /// The file is not cut further before the commit: SQLite could not open it then.
    @Test func aDatabaseThatIsCutShortCanBeReadUntilItIsMended() async throws {
      var damaged = Data()
      try await sweep("setAside") { folder in
        let path = folder + "/data/preferences/standard.db"
        _ = try fill("preference", in: path)
        damaged = try cutShort(path)
      } check: { moment in
        let path = moment.folder + "/data/preferences/standard.db"
        // Without those of the last page, which are lost.
        let left = try readable("preference", Self.rows("preference"), in: path)
        #expect((340..<400).contains(left.count), "\(moment): \(left.count)")
        try await expectValues(of: router(moment.folder), "\(moment)")
        try probe(moment.folder, "setAside")
        #expect(try readable("preference", Self.rows("preference"), in: path).isSubset(of: left), "\(moment)")
        let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
        let other = try connection.first(
          "SELECT count(*) FROM preference WHERE name LIKE 'preference.%' AND bytes <> ?",
          [.blob(Data(repeating: 7, count: 100))]
        ) { $0.integer(0) }
        #expect(other == 0, "\(moment)")
        let copies = try self.copies(of: path)
        #expect(!copies.isEmpty && copies.allSatisfy { $0 == damaged }, "\(moment)")
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
    }

    /// A file that cannot be opened or read now is not damaged.
    @Test func whatIsNotDamagedIsNeverSetAside() async throws {
      let sweep = try FaultSweep(["maintenance", "setAside"], in: fixture, FaultShim(in: fixture)) {
        try probe(fixture.path("store"), "seed")
      }
      let actions: [FaultSweep.Action] = [.eio, .emfile, .eacces, .eioOn, .emfileOn, .eaccesOn, .enospcOn]
      var count = 0
      for (number, action) in actions.enumerated() {
        count += try await sweep.run([action], each: number < 3 ? 1 : 5, after: number) { moment in
          #expect([0, 3].contains(moment.end.code), "\(moment): it crashed")
          let aside = try FileManager.default.subpathsOfDirectory(atPath: moment.folder).filter {
            $0.contains(".damaged-")
          }
          #expect(aside == [], "\(moment)")
          try await expectValues(of: router(moment.folder), "\(moment)")
        }
      }
      #expect(count >= Sweep.count(quick: 4, full: 20))
    }

    /// Another process mends the database of this one, which reads and writes it meanwhile.
    @Test func noValueIsAbsentOrLostWhileAnotherProcessMends() async throws {
      let folder = fixture.path("store")
      try probe(folder, "seed")
      let database = folder + "/data/preferences/standard.db"
      let (key, counter) = (ProbeAddress.preferences.retained, ProbeAddress.sealedPreferences.retained)
      let (reads, writes) = (Lock(0), Lock(0))
      _ = try fill("preference", in: database)
      try addRows(10_000, in: database)
      for number in 1...6 {
        _ = try damageLeaf(of: "preference", in: database)
        let (router, isDone) = (try router(folder), Lock(false))
        #expect(try await router.get(key) == "abc")
        let reading = Task { () async throws in
          repeat {
            #expect(try await router.get(key) == "abc")
            reads.withLock { $0 += 1 }
            // A preference is read without a wait, so the task would keep its thread.
            await Task.yield()
          } while !isDone.withLock(\.self)
        }
        let writing = Task { () async throws -> Int in
          var last = 0
          repeat {
            last = writes.withLock { writes in
              writes += 1
              return writes
            }
            try await router.set("\(last)", for: counter)
            #expect(try await router.get(counter) == "\(last)")
          } while !isDone.withLock(\.self)
          return last
        }
        let end = try await Task.detached {
          defer { isDone.withLock { $0 = true } }
          return try ChildProcess.run(ChildProcess.probe, ["maintenance", folder, "setAside"])
        }.value
        #expect(end.code == 0, "\(end)")
        try await reading.value
        let last = try await writing.value
        #expect(try await router.get(counter) == "\(last)")
        #expect(try await self.router(folder).get(counter) == "\(last)")
        let connection = try SQLiteConnection(path: database, isDurable: true, until: .now + .seconds(10))
        #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        #expect(try copies(of: database).count == number)
      }
      Sweep.report("calls beside a repair", "\(reads.withLock(\.self)) reads, \(writes.withLock(\.self)) writes")
    }
  }
#endif
