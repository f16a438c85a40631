import ExampleKeys
import Foundation
import LocalData
@_spi(Generated) @testable import LocalDataBackup
import LocalDataRecords
import RuntimeTestSupport
import LocalDataSystem
import TestSupport
import Testing

struct RoundTripTests {
  @Test func sealedBackupRestoresANewDevice() async throws {
    let (old, new) = (try WalletApp(), try WalletApp())
    try await old.fill()
    let file = try await old.router.backups.export(.full, passphrase: WalletApp.passphrase)
    #expect(file.counts == ["Credential": 3, "SharingHistory": 4, "IdTokenSharingHistory": 1])
    #expect(file.keys == 1)
    let restore = try await new.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    #expect(try await new.router.credentials.count() == 0)
    let plan = try await restore.plan(for: .merge)
    #expect(try await new.router.credentials.count() == 0)
    let result = try await restore.apply(.merge)
    #expect(result == plan)
    #expect(plan.records["Credential"]?.new == 3)
    #expect(plan.keys.new == 1)
    #expect(try await new.content() == old.content())
  }

  @Test func damagedValueIsReplaced() async throws {
    let app = try WalletApp()
    try await app.fill()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let other = StorageKey<String?>(
      name: "use_dpop", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "o",
      description: "d")
    try await app.device.launch().set("no flag", for: other)
    await #expect(throws: StorageError.self) { try await app.router.get(.useDPoP) }
    let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    #expect(try await restore.apply(.merge).keys.replaced == 1)
    #expect(try await app.router.get(.useDPoP) == false)
  }

  @Test func secondRestoreChangesNothing() async throws {
    let app = try WalletApp()
    try await app.fill()
    let before = try await app.content()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    for policy in [RestorePolicy.merge, .keep] {
      let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
      let plan = try await restore.apply(policy)
      #expect(plan.records["Credential"] == kept(3))
      #expect(plan.keys == kept(1))
      #expect(try await app.content() == before)
    }
  }

  private func kept(_ count: Int) -> RestorePlan.Counts {
    var counts = RestorePlan.Counts()
    counts.kept = count
    return counts
  }

  @Test(arguments: RestorePolicy.allCases) func policiesTreatWhatIsStored(_ policy: RestorePolicy) async throws {
    let (old, new) = (try WalletApp(), try WalletApp())
    try await old.fill(credentials: 2, histories: 2)
    let file = try await old.router.backups.export(.full, passphrase: WalletApp.passphrase)
    var changed = WalletApp.credential(1)
    changed.iss = "https://other.example"
    try await new.router.credentials.save(changed)
    try await new.router.credentials.save(WalletApp.credential(7))
    try await new.router.sharingHistories.save(WalletApp.history(7, of: 7))
    try await new.router.set(true, for: .useDPoP)
    try await new.router.set(false, for: .useTrustList)
    let restore = try await new.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    let plan = try await restore.plan(for: policy)
    #expect(try await restore.apply(policy) == plan)
    let (content, backedUp) = (try await new.content(), try await old.content())
    switch policy {
    case .merge:
      #expect(content.credentials == backedUp.credentials.union([WalletApp.credential(7)]))
      #expect(content.histories.count == 3)
      #expect(plan.records["Credential"]?.replaced == 1)
    case .keep:
      #expect(content.credentials == [WalletApp.credential(0), changed, WalletApp.credential(7)])
      #expect(plan.records["Credential"]?.kept == 1)
    case .replace:
      #expect(content == backedUp)
      #expect(plan.records["Credential"]?.removed == 2)
    }
    #expect(try await new.router.get(.useDPoP) == (policy == .keep))
    #expect(try await new.router.get(.useTrustList) == (policy == .replace))
  }

  @Test func equalDataGivesEqualBytes() async throws {
    let app = try WalletApp()
    try await app.fill()
    var documents: [[Substring]] = []
    for _ in 0..<2 {
      let file = try await app.router.backups.export(WalletApp.plain)
      let text = try String(contentsOf: file.url, encoding: .utf8)
      documents.append(text.split(separator: "\n").dropFirst().dropLast())
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(documents[0] == documents[1])
    #expect(documents[0].count > 10)
  }

  @Test func onlyOneExportIsKeptAndNobodyElseReadsIt() async throws {
    let app = try WalletApp()
    try await app.fill()
    let first = try await app.router.backups.export(WalletApp.plain)
    let second = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    #expect(!FileManager.default.fileExists(atPath: first.url.path))
    let attributes = try FileManager.default.attributesOfItem(atPath: second.url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let bytes = try Data(contentsOf: second.url)
    for secret in ["secret-", "Ada", "verifier.example", "use_dpop"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil)
    }
  }

  @Test func discardedRestoreLeavesNoFile() async throws {
    let app = try WalletApp()
    try await app.fill()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    #expect(try staged(in: app).count > 0)
    restore.discard()
    #expect(try staged(in: app) == [])
    await #expect(throws: BackupError.self) { try await restore.apply(.merge) }
  }

  /// A call ends after a minute of waiting. A million rows take longer than that.
  @Test func longCopyIsNotWaiting() async throws {
    let app = try WalletApp()
    try await app.fill(credentials: 1_100, histories: 0)
    let store = try #require(try app.router.backups.store(of: .full))
    let isRenewed = try await store.read(store.callOnAll) { (session) throws(StorageProblem) in
      let end = CallDeadline.end(of: CallDeadline.ordinaryPatience)
      var position = 0
      _ = try session.copy(Credential.self, position: &position) { (_, _, _) throws(StorageProblem) in }
      return CallDeadline.end(of: CallDeadline.ordinaryPatience) > end
    }
    #expect(isRenewed)
  }

  private func staged(in app: WalletApp) throws -> [String] {
    try app.device.fixture.permissions().keys.filter { $0.contains(".staged-") }
  }

  @Test func recoveryHasTheSeedAlone() async throws {
    let (old, new) = (try WalletApp(), try WalletApp())
    try await old.router.set("abandon ability able", for: .seed)
    let passphrase = "a long passphrase for keys"
    await #expect(throws: BackupError(.weakPassphrase(minimum: 15))) {
      try await old.router.backups.export(.recovery, passphrase: "14 characters.")
    }
    let file = try await old.router.backups.export(.recovery, passphrase: passphrase)
    let restore = try await new.router.backups.stage(.recovery, from: file.url, passphrase: passphrase)
    try await restore.apply(.merge)
    #expect(try await new.router.get(.seed) == "abandon ability able")
    // A stored private key stays.
    try await new.router.set("other words", for: .seed)
    try await new.router.backups.stage(.recovery, from: file.url, passphrase: passphrase).apply(.merge)
    #expect(try await new.router.get(.seed) == "other words")
  }
}

struct SalvageTests {
  /// A backup of more than three chunks, with damage in the middle.
  private func damaged(_ app: WalletApp, at offset: Int) async throws -> URL {
    try await app.fill(credentials: 1_200, histories: 1_200)
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    var bytes = try Data(contentsOf: file.url)
    try #require(bytes.count > 4 * 65_552)
    bytes[offset] ^= 1
    let url = app.device.fixture.folder.appendingPathComponent("damaged")
    try bytes.write(to: url)
    return url
  }

  @Test func undamagedChunksAreRestored() async throws {
    let (old, new) = (try WalletApp(), try WalletApp())
    let url = try await damaged(old, at: 76 + 65_552 + 500)
    await #expect(throws: BackupError(.damagedChunk(1))) {
      try await new.router.backups.stage(.full, from: url, passphrase: WalletApp.passphrase)
    }
    let restore = try await new.router.backups.stage(
      .full, from: url, passphrase: WalletApp.passphrase, salvage: true)
    #expect(restore.lostChunks == [1])
    let lost = try #require(restore.lost["Credential"])
    #expect(lost > 0)
    await #expect(throws: BackupError(.incomplete)) { try await restore.apply(.replace) }
    try await restore.apply(.merge)
    let content = try await new.content()
    #expect(content.credentials.count == 1_200 - lost)
    #expect(content.credentials.isSubset(of: try await old.content().credentials))
    // Rows whose credential is lost are left out.
    #expect(content.histories.count == 1_200 - (restore.lost["SharingHistory"] ?? 0))
    #expect(restore.lost["SharingHistory"] ?? 0 >= lost)
  }

  /// Nothing shows which lines are missing.
  @Test func salvagedPlainDocumentReplacesNothing() async throws {
    let app = try WalletApp()
    try await app.fill()
    let before = try await app.content()
    let file = try await app.router.backups.export(WalletApp.plain)
    var lines = String(decoding: try Data(contentsOf: file.url), as: UTF8.self).split(separator: "\n")
    lines.remove(at: 3)
    let url = app.device.fixture.folder.appendingPathComponent("cut")
    try Data(lines.joined(separator: "\n").utf8).write(to: url)
    let restore = try await app.router.backups.stage(WalletApp.plain, from: url, salvage: true)
    await #expect(throws: BackupError(.incomplete)) { try await restore.apply(.replace) }
    #expect(try await app.content() == before)
    try await restore.apply(.merge)
    #expect(try await app.content() == before)
  }

  @Test func nothingIsSalvagedWithoutTheFirstChunk() async throws {
    let app = try WalletApp()
    let url = try await damaged(app, at: 80)
    await #expect(throws: BackupError(.damagedChunk(0))) {
      try await app.router.backups.stage(.full, from: url, passphrase: WalletApp.passphrase, salvage: true)
    }
  }
}
