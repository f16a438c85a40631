import ExampleKeys
import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataBackup
import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import TestSupport
import Testing

/// Backups that another release of the app has written.
struct EarlierReleaseTests {
  private func backup(_ records: [any StorageRecord.Type], label: String = "") -> StorageBackup {
    StorageBackup(
      "full", catalog: "Probe",
      schema: #"""
        {"records":{"Folder":[[1,"id","String"],[2,"text","String"],[3,"count","Int"]\#(label)],\#
        "Page":[[1,"id","Int"],[2,"folder","String"],[3,"secret","String"]],"Label":[[1,"id","String"]]},"types":{}}
        """#,
      records: { records })
  }

  private var first: StorageBackup { backup([ProbeFolder.self, ProbePage.self]) }

  private var second: StorageBackup {
    backup([ProbeLabelledFolder.self, ProbePage.self, ProbeLabel.self], label: #",[4,"label","String"]"#)
  }

  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func export() async throws -> BackupFile {
    let router = app.launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    try await router.folders.save(ProbeFolder(id: "a", text: "first", count: 7))
    try await router.pages.save(ProbePage(id: 1, folder: "a", secret: "secret"))
    return try await router.backups.export(first, passphrase: WalletApp.passphrase)
  }

  @Test func rowsAreUpgraded() async throws {
    let file = try await export()
    let router = try RelaunchedApp().launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeLabelledFolder>.self)
    let restore = try await router.backups.stage(second, from: file.url, passphrase: WalletApp.passphrase)
    try await restore.apply(.merge)
    let folder = try #require(try await router.records(ProbeLabelledFolder.self).fetch(id: "a"))
    #expect((folder.text, folder.count, folder.label) == ("first", 7, "none"))
  }

  @Test func laterReleaseIsRefused() async throws {
    _ = try await export()
    let router = app.launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeLabelledFolder>.self)
    let later = try await router.backups.export(second, passphrase: WalletApp.passphrase)
    let earlier = try RelaunchedApp().launch()
    try earlier.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    await #expect(throws: BackupError(.newerRelease, "Label", line: 1)) {
      try await earlier.backups.stage(first, from: later.url, passphrase: WalletApp.passphrase)
    }
    #expect(try await earlier.folders.count() == 0)
  }
}

/// What exports and restores leave on the disk.
struct LeftFileTests {
  private func files(_ app: WalletApp) throws -> Set<String> {
    let names = try app.device.fixture.permissions().keys
    return Set(
      names.filter {
        $0.contains(".staged-") || $0.contains(".backups/") || $0.contains(".restore_") && !$0.contains(".lock")
      })
  }

  @Test func signOutRemovesFilesAndEndsRestores() async throws {
    let app = try WalletApp()
    try await app.fill()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    #expect(try files(app).count >= 2)
    try await app.router.removeAll(in: app.catalog)
    #expect(try files(app) == [])
    await #expect(throws: BackupError.self) { try await restore.apply(.replace) }
    #expect(try await app.router.credentials.count() == 0)
    #expect(try await app.router.get(.useDPoP) == true)
  }

  @Test func sweepRemovesFilesOfEarlierLaunches() async throws {
    let app = try WalletApp()
    try await app.fill()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    let before = try files(app)
    #expect(await app.router.maintenance.sweep().failures == [])
    #expect(try files(app) == before)
    try await Task.sleep(for: .milliseconds(50))
    let next = try app.relaunched()
    #expect(await next.maintenance.sweep().failures == [])
    #expect(try files(app) == [])
    restore.discard()
  }

  @Test func interruptedRestoreIsFinished() async throws {
    let app = try WalletApp()
    try await app.fill()
    let backups = app.router.backups
    #expect(try await backups.finishRestore(of: .full) == nil)
    // A restore whose rows were not committed.
    let keys = RestoredKeys(.merge, [.init(name: "use_dpop", json: Data("true".utf8))])
    try await app.router.set(try JSONEncoder().encode(keys), for: StorageBackup.full.journal)
    #expect(try await backups.finishRestore(of: .full) == .discarded)
    #expect(try await app.router.get(.useDPoP) == false)
    #expect(try await backups.finishRestore(of: .full) == nil)
  }
}
