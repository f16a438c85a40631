#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataMaintenance
  import LocalDataRecords
  import LocalDataSync
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataSQLite
  import Testing

  /// A call of a public verb by the app's main actor.
  struct MainThreadVerb: Sendable, CustomTestStringConvertible {
    typealias Body = @MainActor @Sendable (MainThreadApp) async throws -> Void

    let name: String
    var usesStores = true
    /// Spoils what is stored before the app is launched.
    var damage: (@Sendable (RelaunchedApp) throws -> Void)?
    let body: Body

    init(
      _ name: String, usesStores: Bool = true, damage: (@Sendable (RelaunchedApp) throws -> Void)? = nil,
      _ body: @escaping Body
    ) {
      (self.name, self.usesStores, self.damage, self.body) = (name, usesStores, damage, body)
    }

    var testDescription: String { name }

    static let all = values + migrations + records + maintenance + sync
  }

  /// An app with a value for most keys, records, and a paired watch. Its router has used no store yet.
  @MainActor final class MainThreadApp {
    let app: RelaunchedApp
    let uses: StoreUses
    let router: StorageRouter
    let linked = LinkedTransports()
    let context = MigrationContext(now: Date(timeIntervalSinceReferenceDate: 800_000_000))
    /// A payload of the watch with another number.
    private(set) var payload = Data()

    typealias Keys = MainThreadCatalog

    init(_ verb: MainThreadVerb? = nil) async throws {
      app = try RelaunchedApp()
      // SQLite names a database by its path without links.
      uses = try #require(StoreUses(in: app.fixture.folder.resolvingSymlinksInPath().path))
      let first = Self.router(app, .phone)
      try await Self.fill(first)
      try verb?.damage?(app)
      router = Self.router(app, .phone, uses)
      try router.registerCatalog(Keys.self)
      router.sync.setTransport(linked.phone)
      try await sendFromWatch()
    }

    /// Launches the app again.
    func relaunch() -> StorageRouter { Self.router(app, .phone, uses) }

    private static func router(_ app: RelaunchedApp, _ platform: StoragePlatform, _ uses: StoreUses? = nil)
      -> StorageRouter
    {
      let configuration = StorageConfiguration(
        applicationName: "Test", applicationVersion: "1.0", platform: platform,
        roots: StorageRoots(below: app.fixture.folder))
      return StorageRouter(configuration: configuration, clock: app.clock) { setup in
        var services = StorageServices.live(setup)
        if let uses { services.files = StoreUses.Files(store: services.files, uses: uses) }
        return services
      }
    }

    private static func fill(_ router: StorageRouter) async throws {
      // An earlier release has stored these, before the catalog declared other keys.
      try await router.set("early", for: Keys.old)
      try await router.set("no number", for: Keys.counter.spoiling)
      try router.registerCatalog(Keys.self)
      try await router.set("plain", for: Keys.text)
      try await router.set("secret", for: Keys.sealed)
      try await router.set(1, for: Keys.shared)
      for number in 1...2 { try await router.set("page \(number)", for: Keys.page(number)) }
      _ = try await router.get(Keys.counter.quarantining)
      for id in ["a", "b"] { try await router.folders.save(ProbeFolder(id: id, text: "plain text")) }
      for id in 1...3 { try await router.pages.save(ProbePage(id: id, folder: "a", secret: "open sesame")) }
    }

    private func sendFromWatch() async throws {
      let other = try RelaunchedApp()
      let watch = Self.router(other, .watch)
      try watch.registerCatalog(Keys.self)
      watch.sync.setTransport(linked.watch)
      try await watch.set(2, for: Keys.shared)
      payload = try #require(linked.phone.arrivals().last)
    }

    /// Changes a value by another task until the sequence of the caller has an element.
    func changing(_ body: () async throws -> Void) async throws {
      let (router, clock) = (router, ContinuousClock())
      let task = Task.detached {
        for number in 0... {
          try await router.set("text \(number)", for: Keys.text)
          try await clock.sleep(for: .milliseconds(20))
        }
      }
      defer { task.cancel() }
      try await body()
    }
  }

  /// An expectation in a closure, which the compiler takes for one that throws nothing if `try` is in a macro.
  private func expect(_ isTrue: Bool, _ location: SourceLocation = #_sourceLocation) {
    #expect(isTrue, sourceLocation: location)
  }

  extension MainThreadVerb {
    private typealias Keys = MainThreadCatalog

    private static let values: [Self] = [
      Self("StorageRouter.get(_:)") {
        expect(try await $0.router.get(Keys.text) == "plain")
        expect(try await $0.router.get(Keys.sealed) == "secret")
        expect(try await $0.router.get(Keys.sealed) == "secret")
        expect(try await $0.router.get(Keys.text) == "plain")
      },
      Self("StorageRouter.get(_:orSet:)") { _ = try await $0.router.get(Keys.page(7), orSet: "new") },
      Self("StorageRouter.snapshot(of:)") {
        let values = try await $0.router.snapshot(of: Keys.self)
        expect(try values.get(Keys.sealed) == "secret")
      },
      Self("StorageRouter.set(_:for:)") {
        try await $0.router.set("new", for: Keys.text)
        try await $0.router.set("new", for: Keys.sealed)
      },
      Self("StorageProviding.set(_:for:)") { app in
        func set(_ storage: some StorageProviding) async throws { try await storage.set("new", for: Keys.text) }
        try await set(app.router)
      },
      Self("StorageRouter.update(_:_:)") { try await $0.router.update(Keys.sealed) { $0 = "new" } },
      Self("StorageRouter.update(_:_:)") {
        try await $0.router.update(Keys.text) { value in
          if value == nil { throw CancellationError() } else { value = "new" }
        }
      },
      Self("StorageRouter.remove(_:)") { try await $0.router.remove(Keys.sealed) },
      Self("StorageRouter.remove(_:)") { try await $0.router.remove(.key(Keys.text)) },
      Self("StorageRouter.removeAll(of:)") { try await $0.router.removeAll(of: Keys.untyped) },
      Self("StorageRouter.removeAll(in:includingKept:)") { try await $0.router.removeAll(in: Keys.self) },
      Self("StorageRouter.removeAll(where:includingKept:)") {
        try await $0.router.removeAll(where: ["number": 1])
      },
      Self("StorageRouter.exists(_:)") {
        expect(try await $0.router.exists(Keys.text))
        expect(try await $0.router.exists(Keys.sealed))
      },
      Self("StorageRouter.members(of:)") { expect(try await $0.router.members(of: Keys.untyped).count == 2) },
      Self("StorageRouter.members(of:)") { expect(try await $0.router.members(of: Keys.pages).count == 2) },
      Self("StorageRouter.lock()", usesStores: false) { await $0.router.lock() },
      Self("StorageRouter.authenticated(reason:_:)") { app in
        let router = app.router
        let text = try await app.router.authenticated(reason: "test") { try await router.get(Keys.sealed) }
        #expect(text == "secret")
      },
      Self("StorageRouter.transaction(_:)") {
        try await $0.router.transaction { transaction in
          expect(try await transaction.get(Keys.text) == "plain")
          try await transaction.set("new", for: Keys.text)
        }
      },
      Self("StorageTransaction.get(_:)") {
        try await $0.router.transaction { @MainActor in expect(try await $0.get(Keys.text) == "plain") }
      },
      Self("StorageTransaction.set(_:for:)") {
        try await $0.router.transaction { @MainActor in try await $0.set("new", for: Keys.text) }
      },
      Self("StorageTransaction.remove(_:)") {
        try await $0.router.transaction { @MainActor in try await $0.remove(Keys.text) }
      },
      Self("StorageValues.Iterator.next()") {
        for try await value in $0.router.values(of: Keys.sealed) {
          #expect(value == "secret")
          break
        }
      },
      Self("StorageChanges.Iterator.next()") { app in
        try await app.changing { for try await _ in app.router.changes(in: Keys.self) { break } }
      },
    ]

    private static let migrations: [Self] =
      [
        Self("StorageRouter.registerCatalog(_:migrateImmediately:progress:)") {
          expect(try await $0.relaunch().registerCatalog(Keys.self, migrateImmediately: true).success)
        },
        Self("StorageRouter.forceMigration(for:)") {
          expect(try await $0.router.forceMigration(for: Keys.moved).success)
        },
        Self("StorageRouter.Migrations.migrateAll(progress:)") {
          expect(await $0.router.migrations.migrateAll().success)
        },
        Self("StorageRouter.Migrations.history()", usesStores: false) { _ = try await $0.router.migrations.history() },
        Self("StorageRouter.Migrations.plan()") { _ = try await $0.router.migrations.plan() },
      ]
      + [
        ("SimpleLegacyMigration", SimpleLegacyMigration(destinationKey: Keys.text, sourceKey: .key(Keys.old))),
        ("TransformingMigration", TransformingMigration(destinationKey: Keys.text, sourceKey: Keys.old) { $0 }),
        (
          "AggregatingMigration",
          AggregatingMigration(destinationKey: Keys.text, sourceKeys: (Keys.old, Keys.sealed)) { $0 ?? $1 }
        ),
        (
          "AppVersionConditionalMigration",
          AppVersionConditionalMigration(
            destinationKey: Keys.text, condition: .below(2, 0),
            migration: AnyStorageMigration(SimpleLegacyMigration(destinationKey: Keys.text, sourceKey: .key(Keys.old))))
        ),
      ].flatMap { (name: String, migration: any StorageMigration<String?>) in
        [
          Self("\(name).shouldMigrate(using:context:)") {
            _ = try await migration.shouldMigrate(using: $0.router, context: $0.context)
          },
          Self("\(name).migrate(using:context:)") {
            _ = try await migration.migrate(using: $0.router, context: $0.context)
          },
        ]
      }

    private static let records: [Self] = [
      Self("Records.save(_:)") { try await $0.router.folders.save(ProbeFolder(id: "c", text: "new")) },
      Self("Records.insert(_:)") { try await $0.router.pages.insert(ProbePage(id: 9, folder: "a", secret: "new")) },
      Self("Records.update(id:_:)") { _ = try await $0.router.pages.update(id: 1) { $0.secret = "new" } },
      Self("Records.update(id:_:)") {
        _ = try await $0.router.folders.update(id: "a") { if $0.count > 0 { throw CancellationError() } }
      },
      // When the database is open and its keys are known, a short read waits for no thread.
      Self("Records.fetch(id:)") {
        for _ in 1...2 { expect(try await $0.router.pages.fetch(id: 1)?.secret == "open sesame") }
      },
      Self("Records.fetch(ids:)") { expect(try await $0.router.folders.fetch(ids: ["a", "b"]).count == 2) },
      Self("Records.fetchAll()") { expect(try await $0.router.pages.fetchAll().count == 3) },
      Self("Records.count()") { expect(try await $0.router.folders.count() == 2) },
      Self("Records.grouped(by:)") { expect(try await $0.router.folders.grouped { @Sendable in $0.id }.count == 2) },
      Self("Records.delete(id:)") { expect(try await $0.router.folders.delete(id: "a")) },
      Self("RecordQuery.fetchAll()") { expect(try await pages($0).fetchAll().count == 3) },
      Self("RecordQuery.first()") { for _ in 1...2 { expect(try await pages($0).first() != nil) } },
      Self("RecordQuery.fetchFirst(ofEach:)") {
        expect(try await pages($0).fetchFirst { @Sendable in $0.folder }.count == 1)
      },
      Self("RecordQuery.count()") { for _ in 1...2 { expect(try await pages($0).count() == 3) } },
      Self("RecordQuery.exists()") { for _ in 1...2 { expect(try await pages($0).exists()) } },
      Self("RecordQuery.grouped(by:)") { expect(try await pages($0).grouped { @Sendable in $0.folder }.count == 1) },
      Self("RecordQuery.delete()") { expect(try await pages($0).delete() == 3) },
      Self("RecordValues.Iterator.next()") {
        for try await folders in $0.router.folders.values() {
          #expect(folders.count == 2)
          break
        }
      },
      Self("RecordPages.Iterator.next()") {
        for try await folders in $0.router.folders.pages(of: 1) { #expect(folders.count == 1) }
      },
      Self("StorageRouter.read(_:_:)") {
        expect(try await $0.router.read(ProbeFolder.Database.self) { try $0.folders.fetchAll().count } == 2)
      },
      Self("StorageRouter.transaction(in:_:)") {
        try await $0.router.transaction(in: ProbeFolder.Database.self) {
          try $0.folders.save(ProbeFolder(id: "c", text: "new"))
        }
      },
      Self("StorageRouter.copy(of:to:)") {
        try await $0.router.copy(
          of: ProbeFolder.Database.self, to: $0.app.fixture.folder.appendingPathComponent("copy.db"))
      },
      Self("StorageRouter.removeAll(in:includingKept:)") {
        try await $0.router.removeAll(in: ProbeFolder.Database.self)
      },
      Self("Maintenance.databases(progress:)") { expect(await $0.router.maintenance.databases().count == 1) },
      Self("Maintenance.damagedRecords(progress:)", damage: exchangeSecrets) {
        expect(await $0.router.maintenance.damagedRecords().values.count == 1)
      },
      Self("Maintenance.removeDamagedRecords(_:)", damage: exchangeSecrets) {
        let damaged = await $0.router.maintenance.damagedRecords().values
        expect(try await $0.router.maintenance.removeDamagedRecords(damaged) == 1)
      },
    ]

    @MainActor private static func pages(_ app: MainThreadApp) -> RecordQuery<ProbePage> {
      app.router.pages.where { $0.folder == "a" }
    }

    @Sendable private static func exchangeSecrets(_ app: RelaunchedApp) throws {
      let path = app.fixture.path("data/documents/.records/probe.db")
      let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
      try file.execute("UPDATE Page SET sealed = (SELECT sealed FROM Page WHERE id = 3) WHERE id = 2")
    }

    @Sendable private static func spoilLocation(_ app: RelaunchedApp) throws {
      try Data("garbage".utf8).write(to: URL(fileURLWithPath: app.fixture.path("data/.files.location")))
    }

    private static let maintenance: [Self] = [
      Self("Maintenance.inventory(progress:)") { expect(await !$0.router.maintenance.inventory().isEmpty) },
      Self("Maintenance.orphans(progress:)") { _ = await $0.router.maintenance.orphans() },
      Self("Maintenance.sweep(progress:)") { _ = await $0.router.maintenance.sweep() },
      Self("Maintenance.resecure(progress:)") { _ = await $0.router.maintenance.resecure() },
      Self("Maintenance.rotateKeys(progress:)") { _ = try await $0.router.maintenance.rotateKeys() },
      Self("Maintenance.destroyRetiredKeys(progress:)") { _ = try await $0.router.maintenance.destroyRetiredKeys() },
      Self("Maintenance.quarantined()", usesStores: false) {
        expect(try await $0.router.maintenance.quarantined().count == 1)
      },
      Self("Maintenance.restore(_:replacing:)") {
        // To this release, the bytes are a value.
        let router = $0.relaunch()
        try router.registerCatalog(MainThreadTextCatalog.self)
        let value = try #require(try await router.maintenance.quarantined().first)
        expect(try await router.maintenance.restore(value))
      },
      Self("Maintenance.removeQuarantined(_:progress:)", usesStores: false) {
        let values = try await $0.router.maintenance.quarantined()
        expect(try await $0.router.maintenance.removeQuarantined(values) == 1)
      },
      Self("Maintenance.setAsideDamaged(_:progress:)", damage: spoilLocation) {
        _ = try await $0.router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
      },
      Self("Maintenance.setAsideFiles()", damage: spoilLocation) {
        _ = try await $0.router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
        expect(try await $0.router.maintenance.setAsideFiles().count == 1)
      },
      Self("Maintenance.removeSetAsideFiles(_:progress:)", damage: spoilLocation) {
        _ = try await $0.router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
        let files = try await $0.router.maintenance.setAsideFiles()
        expect(try await $0.router.maintenance.removeSetAsideFiles(files) == 1)
      },
      Self("Maintenance.abandonEncryptedData(includingDamaged:progress:)") {
        _ = try await $0.router.maintenance.abandonEncryptedData()
      },
      Self("Maintenance.abandonKeystores(progress:)") { _ = try await $0.router.maintenance.abandonKeystores() },
      Self("Maintenance.changeRootKeySource(from:progress:)") {
        _ = try await $0.router.maintenance.changeRootKeySource(from: .keyFile)
      },
      Self("Maintenance.forgetKeyMaterial(of:)") {
        _ = try await $0.router.maintenance.forgetKeyMaterial(of: KeyMaterialSource(id: "none"))
      },
    ]

    private static let sync: [Self] = [
      Self("StorageSync.receive(_:)") {
        let events = await $0.router.sync.receive($0.payload)
        #expect(!events.isEmpty)
      },
      Self("StorageSync.receive(_:)") {
        let events = await $0.router.sync.receive([StorageSync.contextKey: $0.payload])
        #expect(!events.isEmpty)
      },
      Self("StorageSync.send(_:)") { try await $0.router.sync.send(Keys.shared) },
      Self("StorageSync.sendAll()") { try await $0.router.sync.sendAll() },
      Self("SyncEvents.Iterator.next()") { app in
        let events = app.router.sync.events
        try await app.router.sync.sendAll()
        for await event in events {
          _ = event
          break
        }
      },
    ]
  }
#endif
