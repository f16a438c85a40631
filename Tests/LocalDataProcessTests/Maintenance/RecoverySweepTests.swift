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

  /// The functions for keys that are lost or retired, in a process that is killed, or whose file calls fail, at each call in
  /// turn.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RecoverySweepTests: RecoverySuite {
    private static let sealed = [ProbeAddress.sealedPreferences, .encryptedFiles]
    private static let keystore = StoreFixture.keystoreFiles

    let fixture: StoreFixture

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
        for address in Self.sealed where try await isLost(address, router, "\(moment)") { left += 1 }
        let copies = try abandoned(in: moment.folder)
        #expect(copies.count >= Self.sealed.count - left, "\(moment): \(copies.count) copies, \(left) in their places")
        for copy in copies { #expect(copy.count > 32, "\(moment)") }
        if moment.end.code == 0 { #expect(left == 0, "\(moment)") }
        if left > 0 {
          for address in Self.sealed {
            await #expect(throws: StorageError(.keyMaterialMissing, subject(address)), "\(moment): \(address)") {
              try await self.router(moment.folder).set("new", for: address.retained)
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
        for address in Self.sealed { #expect(try await isLost(address, next, "\(moment)"), "\(moment): \(address)") }
        try await expectNewValues(in: moment.folder, [.keychain], "\(moment)")
        let lost = try await next.maintenance.abandonEncryptedData().keys
        #expect(Set(lost) == Set(Self.sealed.map(subject)), "\(moment)")
        try await expectNewValues(in: moment.folder, Self.sealed, "\(moment)")
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
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
        try await next.set("later", for: ProbeAddress.encryptedFiles.retained)
        #expect(try await self.router(moment.folder).get(ProbeAddress.encryptedFiles.retained) == "later", "\(moment)")
        try await expectNoDrafts(in: moment.folder, "\(moment)")
      }
      #expect(destroyed >= Sweep.count(quick: 1, full: 10))
    }

    // MARK: Parts

    private func remove(_ name: String, in folder: String) throws {
      let path = "\(folder)/data/\(name)"
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    private func subject(_ address: ProbeAddress) -> StorageError.Subject { AnyStorageKey(address.retained).subject }

    /// Returns true if a value is stored and its key is lost, or false if the value is not there.
    private func isLost(_ address: ProbeAddress, _ router: StorageRouter, _ moment: String) async throws -> Bool {
      do throws(StorageError) {
        let found = try await router.get(address.retained)
        #expect(found == nil, "\(moment): \(address)")
        return false
      } catch {
        #expect(error == StorageError(.keyMaterialMissing, subject(address)), "\(moment): \(address)")
        return true
      }
    }

    /// The values are absent, and can be set again.
    private func expectNewValues(in folder: String, _ addresses: [ProbeAddress], _ moment: String) async throws {
      let router = try router(folder)
      for address in addresses { #expect(try await router.get(address.retained) == nil, "\(moment): \(address)") }
      for address in addresses { try await router.set("new", for: address.retained) }
      let next = try self.router(folder)
      for address in addresses { #expect(try await next.get(address.retained) == "new", "\(moment): \(address)") }
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
          try connection.rows("SELECT account FROM item ORDER BY account") { (row) throws(StorageProblem) in
            accounts.append(row.text(0) ?? "")
            return true
          }
          return accounts
        }
    }
  }
#endif
