#if os(Linux)
  import Foundation
  import ProbeKeys
  import StorageVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// The functions for keys that are lost or retired, in a process that is killed, or whose file calls fail, at each call in
  /// turn.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RecoverySweepTests {
    private static let sealed = [ProbePlace.sealedPreferences, .encryptedFiles]
    private static let keystore = ["keystore.db", "keystore.db-wal", "keystore.db-shm", "keystore.key"]

    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture(isInMemory: true) }

    // MARK: Lost keys

    /// Until the last value of the lost key is moved, no new master key is created; and its bytes are never lost.
    @Test func anAbandonmentThatIsKilledOrFailsIsDoneByTheNext() async throws {
      try await sweep("abandon") { folder in
        for name in Self.keystore { try remove(name, in: folder) }
      } check: { moment in
        let router = try router(moment.folder)
        try await expectValues(of: router, except: Self.sealed + [.keychain], "\(moment)")
        var left = 0
        for place in Self.sealed where try await isLost(place, router, "\(moment)") { left += 1 }
        let copies = try abandoned(in: moment.folder)
        #expect(copies.count >= Self.sealed.count - left, "\(moment): \(copies.count) copies, \(left) in their places")
        for copy in copies { #expect(copy.count > 32, "\(moment)") }
        if moment.end.code == 0 { #expect(left == 0, "\(moment)") }
        if left > 0 {
          for place in Self.sealed {
            await #expect(throws: StorageError.keyMaterialMissing(subject(place)), "\(moment): \(place)") {
              try await self.router(moment.folder).set("new", for: place.retained)
            }
          }
        }
        try probe(moment.folder, "abandon")
        try await expectNewValues(in: moment.folder, Self.sealed, "\(moment)")
        #expect(try abandoned(in: moment.folder).count >= Self.sealed.count, "\(moment)")
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
    }

    /// Another process abandons the same values, and stores new ones, between two moves of this one.
    @Test func valuesThatAreEncryptedMeanwhileStay() async throws {
      let folder = fixture.path("store")
      try probe(folder, "seed")
      for name in Self.keystore { try remove(name, in: folder) }
      let isFirst = Lock(true)
      let abandoned = try await router(folder).maintenance.abandonEncryptedData { _ in
        let isNow = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        guard isNow else { return }
        do {
          try probe(folder, "abandon")
          try probe(folder, "seed")
        } catch { Issue.record(error) }
      }
      #expect(abandoned.keys.count == 1)
      try await expectValues(of: router(folder), "after both")
    }

    @Test func aKeystoreIsInItsPlaceOrAside() async throws {
      try await sweep("abandonKeystores") { folder in
        try remove("keystore.key", in: folder)
      } check: { moment in
        let router = try router(moment.folder)
        try await expectValues(of: router, except: Self.sealed + [.keychain], "\(moment)")
        let isInPlace = FileManager.default.fileExists(atPath: moment.folder + "/data/keystore.db")
        #expect(try keystores(in: moment.folder).count == (isInPlace ? 0 : 1), "\(moment)")
        if moment.end.code == 0 { #expect(!isInPlace, "\(moment)") }
        try probe(moment.folder, "abandonKeystores")
        #expect(try keystores(in: moment.folder) == [["MasterKey", "retained_keychain"]], "\(moment)")

        let next = try self.router(moment.folder)
        for place in Self.sealed { #expect(try await isLost(place, next, "\(moment)"), "\(moment): \(place)") }
        try await expectNewValues(in: moment.folder, [.keychain], "\(moment)")
        let lost = try await next.maintenance.abandonEncryptedData().keys
        #expect(Set(lost) == Set(Self.sealed.map(subject)), "\(moment)")
        try await expectNewValues(in: moment.folder, Self.sealed, "\(moment)")
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
    }

    // MARK: Damaged pages

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
        for place in ProbePlace.allCases { try await next.set("new", for: place.retained) }
        let last = try router(moment.folder)
        for place in ProbePlace.allCases {
          #expect(try await last.get(place.retained) == "new", "\(moment): \(place)")
        }
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
      print("recovery: setAside succeeded \(mended) times")
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
      print("recovery: setAside of usable files, \(count) errors")
      #expect(count >= 20)
    }

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
      for place in ProbePlace.allCases {
        let isLost = place == .preferences || place == .sealedPreferences
        #expect(try await (router.get(place.retained) == nil) == isLost, "\(place)")
        try await router.set("new", for: place.retained)
      }
    }

    /// The damaged preferences are as they were, and the next call mends them.
    private func expectMended(_ folder: String, from damaged: Data, _ moment: String) throws {
      let path = folder + "/data/preferences/standard.db"
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged, "\(moment)")
      #expect(try copies(of: path) == [], "\(moment)")
      try probe(folder, "setAside")
      #expect(try copies(of: path) == [damaged], "\(moment)")
      #expect(try readable("preference", Self.rows("preference"), in: path).count > 300, "\(moment)")
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
      #expect(failed >= 10)
    }

    /// The disk fails while the rows are copied. The database is not damaged more than before.
    ///
    /// A number says which of the reads of a page fails; the second one is made when the damaged pages are replaced.
    @Test(arguments: [(50, nil), (5_000, nil), (200_000, nil), (200_000, 2), (1_000_000, nil)])
    func aDraftThatCannotBeRead(_ offset: Int, _ number: Int?) async throws {
      let folder = fixture.path("store")
      try probe(folder, "seed")
      let path = folder + "/data/preferences/standard.db"
      _ = try fill("preference", in: path)
      try addRows(30_000, in: path)
      let damaged = try damageLeaf(of: "preference", in: path)
      var environment = try FaultShim(in: fixture).environment("eio", at: 0)
      environment["FIO_BAD"] = "/.standard.db.new:\(offset)"
      environment["FIO_BAD_AT"] = number.map { "\($0)" }
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

    /// Another process mends the database of this one, which reads and writes it meanwhile.
    @Test func noValueIsAbsentOrLostWhileAnotherProcessMends() async throws {
      let folder = fixture.path("store")
      try probe(folder, "seed")
      let database = folder + "/data/preferences/standard.db"
      let (key, counter) = (ProbePlace.preferences.retained, ProbePlace.sealedPreferences.retained)
      let (reads, writes) = (Lock(0), Lock(0))
      _ = try fill("preference", in: database)
      try addRows(10_000, in: database)
      for number in 1...6 {
        _ = try damageLeaf(of: "preference", in: database)
        let (router, isDone) = (try router(folder), Lock(false))
        #expect(try await router.get(key) == "abc")
        let reading = Task { () async throws in
          while !isDone.withLock({ $0 }) {
            #expect(try await router.get(key) == "abc")
            reads.withLock { $0 += 1 }
          }
        }
        let writing = Task { () async throws -> Int in
          var last = 0
          while !isDone.withLock({ $0 }) {
            last = writes.withLock { writes in
              writes += 1
              return writes
            }
            try await router.set("\(last)", for: counter)
            #expect(try await router.get(counter) == "\(last)")
          }
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
      print("recovery: \(reads.withLock { $0 }) reads and \(writes.withLock { $0 }) writes while a process mends")
      #expect(reads.withLock { $0 } > 100)
    }

    private func addRows(_ count: Int, in path: String) throws {
      let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
      try connection.execute("BEGIN")
      for number in 0..<count {
        try connection.run(
          "INSERT INTO preference VALUES (?, ?)", [.text("more \(number)"), .blob(Data(repeating: 1, count: 100))])
      }
      try connection.execute("COMMIT")
    }

    private static func rows(_ table: String) -> Set<String> { Set((0..<400).map { "\(table).\($0)" }) }

    /// Adds rows to a table, more than fit on a few pages.
    private func fill(_ table: String, in path: String) throws -> Set<String> {
      let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
      let text = SQLiteValue.blob(Data(repeating: 7, count: 100))
      try connection.execute("BEGIN")
      for name in Self.rows(table).sorted() {
        if table == "preference" {
          try connection.run("INSERT INTO preference VALUES (?, ?)", [.text(name), text])
        } else {
          // In another service, so that no key opens it.
          try connection.run("INSERT INTO item VALUES ('', 'other', ?, ?)", [.text(name), text])
        }
      }
      try connection.execute("COMMIT")
      return Self.rows(table)
    }

    /// Overwrites a page of rows that were added, and returns the file.
    private func damageLeaf(of table: String, in path: String) throws -> Data {
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
    private func cutShort(_ path: String) throws -> Data {
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
    private func readable(_ table: String, _ names: Set<String>, in path: String) throws -> Set<String> {
      let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10))
      let (bytes, name) =
        table == "item" ? ("sealed", "access_group = '' AND service = 'other' AND account") : ("bytes", "name")
      return try names.filter { row in
        do throws(StorageFault) {
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
    private func copies(of path: String) throws -> [Data] {
      let url = URL(fileURLWithPath: path)
      return try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        .filter { $0.hasPrefix(".\(url.lastPathComponent).damaged-") && !$0.hasSuffix("-wal") }
        .map { try Data(contentsOf: url.deletingLastPathComponent().appendingPathComponent($0)) }
    }

    // MARK: Retired keys

    @Test func noValueIsLostWithARetiredKey() async throws {
      var destroyed = 0
      try await sweep("destroyRetired") { folder in
        try probe(folder, "rotate")
      } check: { moment in
        let router = try router(moment.folder)
        try await expectValues(of: router, "\(moment)")
        let retired = try router.maintenance.sealedValues().reduce(0) { count, values in
          count + (try values.encryption.storedRecord(of: values.keyset)?.keys.count ?? 1) - 1
        }
        #expect(retired <= 2, "\(moment)")
        if moment.end.code == 0 { #expect(retired == 0, "\(moment)") }
        destroyed += 2 - retired
        #expect(try await router.maintenance.destroyRetiredKeys() == retired, "\(moment)")
        let next = try self.router(moment.folder)
        try await expectValues(of: next, "\(moment)")
        try await next.set("later", for: ProbePlace.encryptedFiles.retained)
        #expect(try await self.router(moment.folder).get(ProbePlace.encryptedFiles.retained) == "later", "\(moment)")
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
      #expect(destroyed >= 10)
    }

    // MARK: Parts

    private func sweep(
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
      print("recovery: \(verb), \(count) kills and errors")
      #expect(count >= 20)
    }

    private func router(_ folder: String) throws -> StorageRouter {
      let router = StorageRouter.probe(in: folder)
      try ProbeCatalog.register(ProbePlace.allCases.map { .key($0.retained) }, on: router)
      return router
    }

    private func probe(_ folder: String, _ verb: String) throws {
      let end = try ChildProcess.run(ChildProcess.probe, ["maintenance", folder, verb])
      #expect(end.code == 0, "\(verb): \(end)")
    }

    private func remove(_ name: String, in folder: String) throws {
      let path = "\(folder)/data/\(name)"
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    private func subject(_ place: ProbePlace) -> StorageError.Subject { AnyStorageKey(place.retained).subject }

    /// Returns true if a value is stored and its key is lost, or false if the value is not there.
    private func isLost(_ place: ProbePlace, _ router: StorageRouter, _ moment: String) async throws -> Bool {
      do throws(StorageError) {
        let found = try await router.get(place.retained)
        #expect(found == nil, "\(moment): \(place)")
        return false
      } catch {
        #expect(error == .keyMaterialMissing(subject(place)), "\(moment): \(place)")
        return true
      }
    }

    private func expectValues(
      of router: StorageRouter, except lost: [ProbePlace] = [], _ moment: String
    ) async throws {
      for place in ProbePlace.allCases where !lost.contains(place) {
        #expect(try await router.get(place.retained) == "abc", "\(moment): \(place)")
      }
    }

    /// The values are absent, and can be set again.
    private func expectNewValues(in folder: String, _ places: [ProbePlace], _ moment: String) async throws {
      let router = try router(folder)
      for place in places { #expect(try await router.get(place.retained) == nil, "\(moment): \(place)") }
      for place in places { try await router.set("new", for: place.retained) }
      let next = try self.router(folder)
      for place in places { #expect(try await next.get(place.retained) == "new", "\(moment): \(place)") }
    }

    private func expectNoDrafts(in folder: String, _ moment: String) async throws {
      #expect(await (try router(folder)).maintenance.sweep().failures == [], "\(moment)")
      let left = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".new") }
      #expect(left.isEmpty, "\(moment): \(left)")
    }

    private func abandoned(in folder: String) throws -> [Data] {
      try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { $0.contains("/.abandoned/") && !($0 as NSString).lastPathComponent.hasPrefix(".") }
        .map { try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")) }
    }

    /// The accounts in each keystore that was moved aside, with its log.
    private func keystores(in folder: String) throws -> [[String]] {
      try FileManager.default.contentsOfDirectory(atPath: folder + "/data")
        .filter { $0.hasPrefix(".keystore.db.damaged-") && $0.split(separator: "-").last?.count == 12 }
        .map { name in
          let connection = try SQLiteConnection(
            path: "\(folder)/data/\(name)", isDurable: true, until: .now + .seconds(10))
          var accounts: [String] = []
          try connection.rows("SELECT account FROM item ORDER BY account") { (row) throws(StorageFault) in
            accounts.append(row.text(0) ?? "")
            return true
          }
          return accounts
        }
    }
  }
#endif
