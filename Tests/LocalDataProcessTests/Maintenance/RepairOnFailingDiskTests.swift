#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// The repair of damaged databases on a disk that does not give or take bytes.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RepairOnFailingDiskTests: RecoverySuite {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture(isInMemory: true) }

    /// A part of a database that the disk does not give cannot be copied. What other databases contain stays.
    @Test(arguments: [2, 3]) func aBadSectorSetsTheWholeDatabaseAside(_ page: Int) async throws {
      let folder = fixture.path("store")
      try probe(folder, "seed")
      let path = folder + "/data/preferences/standard.db"
      try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10)).checkpoint(truncating: true)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      var environment = try FaultShim(in: fixture).environment("eio", at: 0)
      environment["FIO_BAD"] = "/data/preferences/standard.db:\(page * SalvageFixture.pageSize - 100)"
      for isFirst in [true, false] {
        let end = try ChildProcess.run(
          ChildProcess.probe, ["maintenance", folder, "setAside"], environment: environment)
        #expect(end.code == 0, "\(end)")
        #expect(try copies(of: path) == [bytes], "\(isFirst)")
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      let router = try router(folder)
      for address in ProbeAddress.allCases {
        let isLost = address == .preferences || address == .sealedPreferences
        #expect(try await (router.get(address.retained) == nil) == isLost, "\(address)")
        try await router.set("new", for: address.retained)
      }
    }

    /// No copy is left on a disk that is full, so that a call that is tried again does not fill it.
    @Test func aDiskThatCannotBeWrittenLeavesADamagedDatabaseAsItWas() async throws {
      var damaged = Data()
      let sweep = try FaultSweep(["maintenance", "setAside"], in: fixture, FaultShim(in: fixture)) {
        let folder = fixture.path("store")
        try probe(folder, "seed")
        _ = try fill("preference", in: folder + "/data/preferences/standard.db")
        damaged = try damageLeaf(of: "preference", in: folder + "/data/preferences/standard.db")
      }
      let full = try sweep.runOnFullDisk()
      #expect(full.code == 3 && full.output.contains("no space is left"), "\(full)")
      try expectMended(sweep.folder, from: damaged, "a full disk")

      let texts: [(FaultSweep.Action, String)] = [
        (.enospc, "no space is left"), (.edquot, "no space is left"), (.eio, "errno 5"), (.erofs, "access is refused"),
      ]
      var failed = 0
      for (number, (action, text)) in texts.enumerated() {
        _ = try await sweep.run([action], each: 5, after: number) { moment in
          let isDraft = moment.call.path.contains("/.standard.db.")
          let isLog = moment.call.path.hasSuffix("/standard.db-wal")
          guard moment.call.name.contains("write"), isDraft || isLog, moment.end.code != 0 else { return }
          failed += 1
          #expect(moment.end.code == 3 && moment.end.output.contains(text), "\(moment)")
          try expectMended(moment.folder, from: damaged, "\(moment)")
        }
      }
      #expect(failed >= Sweep.count(quick: 1, full: 10))
    }

    /// The disk fails while the rows are copied, or while the damaged pages are replaced. The database is not damaged more than
    /// before.
    @Test(arguments: [50, 5_000, 200_000, 1_000_000]) func aDraftThatCannotBeRead(_ offset: Int) async throws {
      let folder = fixture.path("store")
      try probe(folder, "seed")
      let path = folder + "/data/preferences/standard.db"
      _ = try fill("preference", in: path)
      try addRows(30_000, in: path)
      let damaged = try damageLeaf(of: "preference", in: path)
      var environment = try FaultShim(in: fixture).environment("eio", at: 0)
      environment["FIO_BAD"] = "/.standard.db.new:\(offset)"
      let end = try ChildProcess.run(ChildProcess.probe, ["maintenance", folder, "setAside"], environment: environment)
      #expect(end.code == 3 && end.output.contains("(errno 5)"), "\(end)")
      try expectMended(folder, from: damaged, "\(offset)")
    }

    /// A part that the disk does not give once is read the next time.
    @Test func aReadThatFailsOnce() async throws {
      let path = "/data/preferences/standard.db"
      let damaged = try seedDamaged()
      var mended = 0
      for number in 1...16 {
        let (folder, end) = try setAside(["FIO_BAD": "\(path):9000", "FIO_BAD_AT": "\(number)"])
        #expect(end.code == 0, "\(number): \(end)")
        #expect(try readable("preference", Self.rows("preference"), in: folder + path).count > 300, "\(number)")
        #expect(try copies(of: folder + path) == [damaged], "\(number)")
        mended += 1
      }
      #expect(mended == 16)
    }

    /// Also of the calls that copy the files, of which SQLite knows nothing.
    @Test(arguments: [(ENOMEM, "(errno 12)"), (EACCES, "access is refused"), (ENOSPC, "no space is left")])
    func theErrnoOfAReadIsThatOfTheError(_ errno: Int32, _ text: String) async throws {
      let path = "/data/preferences/standard.db"
      let damaged = try seedDamaged()
      var failed = 0
      for number in 1...40 {
        let (folder, end) = try setAside([
          "FIO_BAD": "\(path):9000", "FIO_BAD_AT": "\(number)", "FIO_BAD_ERRNO": "\(errno)",
        ])
        if end.code == 0 { break }
        failed += 1
        #expect(end.code == 3 && end.output.contains(text), "\(number): \(end)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + path)) == damaged, "\(number)")
        #expect(try copies(of: folder + path) == [], "\(number)")
      }
      #expect((3..<40).contains(failed))
    }

    // MARK: Parts

    /// The damaged preferences are as they were, and the next call mends them.
    private func expectMended(_ folder: String, from damaged: Data, _ moment: String) throws {
      let path = folder + "/data/preferences/standard.db"
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged, "\(moment)")
      #expect(try copies(of: path) == [], "\(moment)")
      try probe(folder, "setAside")
      #expect(try copies(of: path) == [damaged], "\(moment)")
      #expect(try readable("preference", Self.rows("preference"), in: path).count > 300, "\(moment)")
    }

    /// Prepares a store with damaged preferences, and returns their file.
    private func seedDamaged() throws -> Data {
      let folder = fixture.path("before")
      try probe(folder, "seed")
      _ = try fill("preference", in: folder + "/data/preferences/standard.db")
      return try damageLeaf(of: "preference", in: folder + "/data/preferences/standard.db")
    }

    /// Sets damaged files aside in a copy of the prepared store, with failing reads.
    private func setAside(_ reads: [String: String]) throws -> (folder: String, end: ChildProcess.End) {
      let folder = fixture.path("store-\(UUID().uuidString)")
      try FileManager.default.copyItem(atPath: fixture.path("before"), toPath: folder)
      let environment = try FaultShim(in: fixture).environment("eio", at: 0).merging(reads) { $1 }
      let end = try ChildProcess.run(ChildProcess.probe, ["maintenance", folder, "setAside"], environment: environment)
      return (folder, end)
    }
  }
#endif
