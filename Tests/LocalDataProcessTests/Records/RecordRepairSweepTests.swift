#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataMaintenance
  import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataSQLite
  import TestSupport
  import Testing

  /// Repairs of databases of records whose process is killed, or whose file calls fail: no row is lost that was there.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RecordRepairSweepTests {
    private static let file = "/data/documents/.records/probe.db"
    private static let change = ProbeRecordChange.save

    private func sweep(
      _ verb: String, prepare: (_ folder: String) throws -> Void,
      check: (_ folder: String, _ isDone: Bool, _ moment: String) async throws -> Void
    ) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["records", verb], in: fixture, FaultShim(in: fixture)) {
        let folder = fixture.path("store")
        let end = try ChildProcess.run(ChildProcess.probe, ["records", folder, Self.change.rawValue, "seed"])
        #expect(end.code == 0, "\(end)")
        try prepare(folder)
      }
      let count = try await sweep.runEverywhere { moment in
        #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
        try await check(moment.folder, moment.end.code == 0, "\(moment)")
      }
      #expect(count >= Sweep.count(quick: 5, full: 30))
    }

    /// Changes the bytes of the file, with everything in it.
    private func damage(_ folder: String, _ change: (inout Data) -> Void) throws -> Data {
      let path = folder + Self.file
      try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10)).checkpoint(truncating: true)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      change(&bytes)
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      #expect(FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
      return bytes
    }

    private func copies(in folder: String) throws -> [Data] {
      let url = URL(fileURLWithPath: folder + Self.file).deletingLastPathComponent()
      return try FileManager.default.contentsOfDirectory(atPath: url.path)
        .filter { $0.hasPrefix(".probe.db.damaged-") && !$0.hasSuffix("-wal") }
        .map { try Data(contentsOf: url.appendingPathComponent($0)) }
    }

    @Test(arguments: [true, false]) func noRowIsLostByARepair(isHeader: Bool) async throws {
      var damaged = Data()
      try await sweep("repair") { folder in
        damaged = try damage(folder) { bytes in
          if isHeader {
            bytes.replaceSubrange(0..<100, with: repeatElement(0, count: 100))
          } else {
            // The number of another program.
            bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
          }
        }
      } check: { folder, isDone, moment in
        let router = StorageRouter.probe(in: folder)
        try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
        let result = try await router.maintenance.setAsideDamaged(ProbeFolder.Database.declaration.domain)
        if isDone { #expect(result.files.isEmpty, "\(moment)") }
        #expect(try await Self.change.rows(on: .probe(in: folder)) == Self.change.before, "\(moment)")
        // The first copy is that of the damaged file.
        #expect(try copies(in: folder).contains(damaged), "\(moment)")
        try await Self.change.run(on: .probe(in: folder))
        #expect(try await Self.change.rows(on: .probe(in: folder)) == Self.change.after, "\(moment)")
        #expect(await router.maintenance.sweep().failures == [], "\(moment)")
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".new") }
        #expect(left.isEmpty, "\(moment): \(left)")
      }
    }

    @Test func plainFieldsStayWhenEncryptedOnesAreAbandoned() async throws {
      try await sweep("abandon") { folder in
        for name in StoreFixture.keystoreFiles { try? FileManager.default.removeItem(atPath: folder + "/data/" + name) }
        try? FileManager.default.removeItem(atPath: folder + "/data/.master-key-created.location")
      } check: { folder, _, moment in
        let router = StorageRouter.probe(in: folder)
        try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
        try await router.maintenance.abandonEncryptedData()
        #expect(try await router.folders.fetchAll().map(\.id) == ["a", "b"], "\(moment)")
        #expect(try await router.pages.fetchAll().map(\.folder) == ["a", "a", "b"], "\(moment)")
        #expect(try await router.pages.fetchAll().allSatisfy { $0.secret.isEmpty }, "\(moment)")
        #expect(try !copies(in: folder).isEmpty, "\(moment)")
        try await router.pages.save(ProbePage(id: 1, folder: "a", secret: "new"))
        let later = try ProbeRecordChange.firstRelease(on: .probe(in: folder))
        #expect(try await later.pages.fetch(id: 1)?.secret == "new", "\(moment)")
      }
    }
  }
#endif
