import ExampleKeys
import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataBackup
import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import LocalDataSystem
import TestSupport
import Testing

/// Values of an earlier release that allowed others.
struct NarrowedValueTests {
  private static let wide = StorageKey<Int>("level", .userDefaults(), .none, .propertyList, default: 5)
  private static let narrow = wide.valid("range 1...10") { (1...10).contains($0) }

  private static func backup(_ key: StorageKey<Int>) -> StorageBackup {
    StorageBackup("full", catalog: "Levels", isEncrypted: false, keys: { [.key(key)] })
  }

  /// A restore that stored a part, and could not store this value, would never end.
  @Test func theyAreRefusedBeforeAnythingChanges() async throws {
    let app = try RelaunchedApp()
    let router = app.launch()
    try await router.set(50, for: Self.wide)
    let file = try await router.backups.export(Self.backup(Self.wide))
    try await router.set(7, for: Self.wide)
    let error = await #expect(throws: BackupError.self) {
      try await router.backups.stage(Self.backup(Self.narrow), from: file.url)
    }
    #expect(error?.problem == .invalidValue)
    #expect(try await router.get(Self.narrow) == 7)
  }

  /// The release that began the restore allowed the value.
  @Test func anInterruptedRestoreLeavesThemOut() async throws {
    let app = try RelaunchedApp()
    let router = app.launch()
    let keys = RestoredKeys(.merge, [.init(name: "level", json: Data("50".utf8))])
    let counts = try await keys.store(Self.backup(Self.narrow), on: router)
    #expect(counts.leftOut == 1 && counts.new == 0)
    #expect(try await router.get(Self.narrow) == 5)
  }
}

/// Backups that another release of the app has written.
struct EarlierReleaseTests {
  private static func backup(_ records: [any StorageRecord.Type], label: String = "") -> StorageBackup {
    StorageBackup(
      "full", catalog: "Probe",
      schema: #"""
        {"records":{"Folder":[[1,"id","String"],[2,"text","String"],[3,"count","Int"]\#(label)],\#
        "Page":[[1,"id","Int"],[2,"folder","String"],[3,"secret","String"]],"Label":[[1,"id","String"]]},"types":{}}
        """#,
      records: { records })
  }

  static var first: StorageBackup { backup([ProbeFolder.self, ProbePage.self]) }

  private static var second: StorageBackup {
    backup([ProbeLabelledFolder.self, ProbePage.self, ProbeLabel.self], label: #",[4,"label","String"]"#)
  }

  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func export() async throws -> BackupFile {
    let router = app.launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    try await router.folders.save(ProbeFolder(id: "a", text: "first", count: 7))
    try await router.pages.save(ProbePage(id: 1, folder: "a", secret: "secret"))
    return try await router.backups.export(Self.first, passphrase: WalletApp.passphrase)
  }

  @Test func rowsAreUpgraded() async throws {
    let file = try await export()
    let router = try RelaunchedApp().launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeLabelledFolder>.self)
    let restore = try await router.backups.stage(Self.second, from: file.url, passphrase: WalletApp.passphrase)
    try await restore.apply(.merge)
    let folder = try #require(try await router.records(ProbeLabelledFolder.self).fetch(id: "a"))
    #expect((folder.text, folder.count, folder.label) == ("first", 7, "none"))
  }

  @Test func laterReleaseIsRefused() async throws {
    _ = try await export()
    let router = app.launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeLabelledFolder>.self)
    let later = try await router.backups.export(Self.second, passphrase: WalletApp.passphrase)
    let earlier = try RelaunchedApp().launch()
    try earlier.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    await #expect(throws: BackupError(.newerRelease, "Label", line: 1)) {
      try await earlier.backups.stage(Self.first, from: later.url, passphrase: WalletApp.passphrase)
    }
    #expect(try await earlier.folders.count() == 0)
  }
}

/// Backups with records and keys that the app no longer has.
struct EndedNameTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func backup(_ record: any StorageRecord.Type, ended: String) -> StorageBackup {
    StorageBackup("full", catalog: "Probe", records: { [record] }, ended: [ended])
  }

  private func export() async throws -> BackupFile {
    let router = app.launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    for id in ["a", "b"] { try await router.folders.save(ProbeFolder(id: id, text: "text")) }
    try await router.pages.save(ProbePage(id: 1, folder: "a", secret: "secret"))
    return try await router.backups.export(EarlierReleaseTests.first, passphrase: WalletApp.passphrase)
  }

  @Test func rowsOfARemovedRecordAreLeftOut() async throws {
    let file = try await export()
    let router = try RelaunchedApp().launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    let restore = try await router.backups.stage(
      backup(ProbeFolder.self, ended: "Page"), from: file.url, passphrase: WalletApp.passphrase)
    let plan = try await restore.plan(for: .replace)
    #expect(try await restore.apply(.replace) == plan)
    #expect(plan.records["Page"]?.leftOut == 1)
    #expect(plan.records["Folder"]?.new == 2)
    #expect(try await router.folders.fetchAll().map(\.id).sorted() == ["a", "b"])
    #expect(try await router.pages.count() == 0)
  }

  @Test func rowsThatReferredToOneAreRestored() async throws {
    let file = try await export()
    let router = try RelaunchedApp().launch()
    try router.registerCatalog(ProbeRecordCatalog<LonePage>.self)
    let restore = try await router.backups.stage(
      backup(LonePage.self, ended: "Folder"), from: file.url, passphrase: WalletApp.passphrase)
    let plan = try await restore.apply(.merge)
    #expect(plan.records["Folder"]?.leftOut == 2)
    #expect(plan.records["Page"]?.new == 1)
    #expect(try await router.records(LonePage.self).fetchAll().map(\.secret) == ["secret"])
  }

  private static func key(
    _ name: String, migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: name, domain: .userDefaults(), security: .none, owner: "Tests", description: "A color.",
      migration: migration)
  }

  private func settings(_ key: StorageKey<String?>, ended: Set<String> = []) -> StorageBackup {
    StorageBackup("settings", catalog: "Probe", isEncrypted: false, keys: { [.key(key)] }, endedKeys: ended)
  }

  @Test func keysAreFoundByEarlierNames() async throws {
    let (old, router) = (Self.key("tint"), app.launch())
    try await router.set("red", for: old)
    let file = try await router.backups.export(settings(old))
    let new = Self.key("color") {
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old)))
    }
    let later = try RelaunchedApp().launch()
    try await later.backups.stage(settings(new), from: file.url).apply(.merge)
    #expect(try await later.get(new) == "red")
    #expect(try await later.backups.stage(settings(new), from: file.url).apply(.merge).keys.kept == 1)
  }

  /// The old key has another type.
  @Test func keysAreTransformedFromEarlierNames() async throws {
    let router = app.launch()
    let old = StorageKey<Int?>(
      name: "tint", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number of a color.")
    try await router.set(7, for: old)
    let file = try await router.backups.export(
      StorageBackup("settings", catalog: "Probe", isEncrypted: false, keys: { [.key(old)] }))
    let new = Self.key("color") { destination in
      AnyStorageMigration(
        TransformingMigration(destinationKey: destination, sourceKey: old) { (number: Int) in
          guard number < 9 else { throw CancellationError() }
          return "color \(number)"
        })
    }
    let later = try RelaunchedApp().launch()
    try await later.backups.stage(settings(new), from: file.url).apply(.merge)
    #expect(try await later.get(new) == "color 7")
    #expect(try await later.backups.stage(settings(new), from: file.url).apply(.merge).keys.kept == 1)
    // A value that the transform refuses.
    try await router.set(9, for: old)
    let other = try await router.backups.export(
      StorageBackup("settings", catalog: "Probe", isEncrypted: false, keys: { [.key(old)] }))
    await #expect(throws: BackupError(.invalidValue, "tint", line: 5)) {
      try await later.backups.stage(settings(new), from: other.url)
    }
  }

  @Test func keysThatWereRemovedAreLeftOut() async throws {
    let (old, router) = (Self.key("tint"), app.launch())
    try await router.set("red", for: old)
    let file = try await router.backups.export(settings(old))
    let (other, later) = (Self.key("color"), try RelaunchedApp().launch())
    await #expect(throws: BackupError(.unknownName, "tint", line: 5)) {
      try await later.backups.stage(settings(other), from: file.url)
    }
    let plan = try await later.backups.stage(settings(other, ended: ["tint"]), from: file.url).apply(.merge)
    #expect(plan.keys.leftOut == 1)
    #expect(try await later.get(other) == nil)
  }
}

/// A page of a release without folders.
private struct LonePage: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "probe", .fileSystem(directory: .documents), records: { [LonePage.self] })
  }
  struct Columns: Sendable {}

  static let declaration = RecordDeclaration(
    "Page", key: 1, [.init(1, "id", .integer), .init(0, "sealed", .sealed)], sealed: [.init(3, "String")],
    reserved: [.init(2)])
  static var columns: Columns { Columns() }

  var id: Int
  var secret = ""

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    var found = ""
    try row.sealed(1, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 26 { found = try reader.text() } else { try reader.skip(field) }
      }
    }
    secret = found
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in writer.text(secret, 3) }
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
    await #expect(throws: BackupError(.restoreEnded, "full")) { try await restore.apply(.replace) }
    #expect(try await app.router.credentials.count() == 0)
    #expect(try await app.router.get(.useDPoP) == true)
  }

  /// Private keys are staged in memory. Another process may sign out.
  @Test func signOutEndsRestoresOfPrivateKeys() async throws {
    let app = try WalletApp()
    let passphrase = "a long passphrase for keys"
    try await app.router.set("some words", for: .seed)
    let file = try await app.router.backups.export(.recovery, passphrase: passphrase)
    let restore = try await app.router.backups.stage(.recovery, from: file.url, passphrase: passphrase)
    #expect(try await restore.plan(for: .merge).keys.kept == 1)
    try await app.relaunched().removeAll(in: app.catalog)
    await #expect(throws: BackupError(.restoreEnded, "recovery")) { try await restore.plan(for: .merge) }
    await #expect(throws: BackupError(.restoreEnded, "recovery")) { try await restore.apply(.merge) }
    #expect(try await app.router.get(.seed) == nil)
    #expect(try files(app) == [])
  }

  @Test func restoreIsAppliedOnce() async throws {
    let app = try WalletApp()
    try await app.fill()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    try await restore.apply(.merge)
    await #expect(throws: BackupError(.restoreEnded, "full")) { try await restore.apply(.merge) }
  }

  /// Each has a journal at the same address.
  @Test func secondRestoreWaitsForTheFirst() async throws {
    let (old, new) = (try WalletApp(), try WalletApp())
    try await old.fill()
    let file = try await old.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let restore = try await new.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    let store = try #require(try StorageBackups(router: try new.relaunched()).store(of: .full))
    let turn = try #require(try store.takeTurn())
    async let plan = restore.apply(.merge)
    try await Task.sleep(for: .milliseconds(200))
    #expect(try await new.router.credentials.count() == 0)
    turn.end()
    #expect(try await plan.keys.new == 1)
    #expect(try await new.content() == old.content())
  }

  /// Files that another process has staged are in use.
  @Test func stagedBackupsStayBesideEachOther() async throws {
    let app = try WalletApp()
    try await app.fill()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let before = try await app.content()
    let copy = app.device.fixture.folder.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: file.url, to: copy)
    try await app.router.credentials.delete(id: "urn:0")
    var restores: [StagedRestore] = []
    for router in [app.router, try app.relaunched(), try app.relaunched()] {
      restores.append(try await router.backups.stage(.full, from: copy, passphrase: WalletApp.passphrase))
    }
    _ = try await app.relaunched().backups.export(.full, passphrase: WalletApp.passphrase)
    #expect(try await restores[0].apply(.merge).records["Credential"]?.new == 1)
    #expect(try await restores[1].apply(.merge).records["Credential"]?.kept == 3)
    #expect(try await restores[2].plan(for: .merge).records["Credential"]?.kept == 3)
    #expect(try await app.content() == before)
  }

  @Test func restoreWhoseRowsWereRemovedHasEnded() async throws {
    let app = try WalletApp()
    try await app.fill()
    let before = try await app.content()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    for name in try files(app) where name.contains(".staged-") {
      try FileManager.default.removeItem(at: app.device.fixture.folder.appendingPathComponent(name))
    }
    await #expect(throws: BackupError(.restoreEnded, "full")) { try await restore.apply(.replace) }
    #expect(try await app.content() == before)
  }

  @Test func sweepRemovesWhatKilledProcessesLeft() async throws {
    let app = try WalletApp()
    try await app.fill()
    let file = try await app.router.backups.export(.full, passphrase: WalletApp.passphrase)
    let restore = try await app.router.backups.stage(.full, from: file.url, passphrase: WalletApp.passphrase)
    let before = try files(app)
    // The same files of a process that holds no lock any more.
    for name in before.sorted() where name.contains("staged") {
      let copy = name.replacing(#/[0-9A-F]{8}(-[0-9A-F]+)+/#, with: "00000000-0000-0000-0000-000000000000")
      let folder = app.device.fixture.folder
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(name), to: folder.appendingPathComponent(copy))
    }
    #expect(try files(app).count > before.count + 1)
    #expect(await app.router.maintenance.sweep().failures == [])
    #expect(try files(app) == before)
    try await Task.sleep(for: .milliseconds(50))
    let next = try app.relaunched()
    #expect(await next.maintenance.sweep().failures == [])
    #expect(try files(app) == before.filter { !$0.hasSuffix(".ldbackup") })
    try await restore.apply(.merge)
    #expect(try files(app) == [])
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
