#if os(Linux)
  import Foundation
  import LocalDataTesting
  import StorageVocabulary
  import Testing

  @testable import LocalData

  /// Files move with the configured sub-directory, all of them and nothing else.
  @Suite struct RelocationTests {
    let app: MaintenanceFixture

    init() throws { app = try MaintenanceFixture() }

    private static let domains: [StorageDomain] = [
      .fileSystem(directory: .documents), .fileSystem(directory: .applicationSupport), .fileSystem(directory: .caches),
      .fileSystem(directory: .custom("Reports/2026")), .encryptedFileSystem(directory: .documents),
      .appGroupFileSystem(identifier: "group.t", directory: .documents),
    ]

    private static let keys = domains.enumerated().map { index, domain in
      StorageKey<Int?>(
        name: index == 0 ? String(repeating: "long", count: 100) : "key\(index)", domain: domain,
        security: index == 1 ? .none : .recommended,
        owner: "Tests", description: "A number.")
    }

    private func launch(_ subDirectory: String?) throws -> StorageRouter {
      let router = app.launch()
      try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: subDirectory))
      try router.register(Self.keys.map { .key($0) })
      return router
    }

    @Test(
      arguments: [
        (nil, "a"), ("a", nil), ("a", "b"), ("a", "a/b"), ("a/b", "a"), ("a/b", "c/d/e"), (nil, nil),
      ] as [(String?, String?)])
    func everyValueMoves(_ from: String?, _ to: String?) async throws {
      let before = try launch(from)
      for (index, key) in Self.keys.enumerated() { try await before.set(index, for: key) }
      let foreign = app.fixture.path("data/documents/\(from ?? "")/Not A Value.txt")
      try Data("text".utf8).write(to: URL(fileURLWithPath: foreign))
      let after = try launch(to)
      if from != to {
        await #expect(throws: StorageError.self) { try await after.get(Self.keys[0]) }
      }
      let progress = Lock<[Maintenance.Progress]>([])
      let count = try await after.maintenance.relocate { step in progress.withLock { $0.append(step) } }
      #expect(count == (from == to ? 0 : Self.keys.count))
      #expect(progress.withLock(\.self).map(\.completed) == [1, 2])
      for (index, key) in Self.keys.enumerated() { #expect(try await after.get(key) == index, "\(key)") }
      #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "text")
      #expect(try await after.maintenance.relocate() == 0)
      if from != to {
        await #expect(throws: StorageError.self) { try await self.launch(from).get(Self.keys[0]) }
      }
    }

    /// The folders of the app may contain files whose names could be those of values.
    @Test func filesOfOtherProgramsStay() async throws {
      try await launch(nil).set(1, for: Self.keys[4])
      let foreign = ["documents/index.db", "documents/inner/list.db", "support/Other/log.db"].map {
        app.fixture.path("data/" + $0)
      }
      for path in foreign {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
      }
      // Nothing that is registered now has this value, and it is an envelope.
      let former = StorageKey<Int?>(
        name: "former", domain: .encryptedFileSystem(directory: .documents), owner: "Tests", description: "A number.")
      try await app.launch().set(2, for: former)
      #expect(try await launch("a").maintenance.relocate() == 2)
      for path in foreign { #expect(try String(contentsOfFile: path, encoding: .utf8) == "text", "\(path)") }
      let after = app.launch()
      try after.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "a"))
      #expect(try await after.get(former) == 2)
    }

    /// Creates a file of another program in the folder `a`, which is new.
    private func addForeignFile(_ name: String) throws -> String {
      let folder = app.fixture.path("data/documents/a")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
      return folder + "/" + name
    }

    private static let inTheWay = StorageError.io(
      .init(key: "key4", domain: .encryptedFileSystem), .write, errno: EEXIST)

    /// The files of the app stay, so that the earlier configuration can still be used. Those of the group move.
    @Test func aFileThatIsInTheWayIsNotReplaced() async throws {
      let before = try launch(nil)
      for (index, key) in Self.keys.enumerated() { try await before.set(index, for: key) }
      let foreign = try addForeignFile("key4")
      let router = try launch("a")
      let progress = RecordedProgress()
      await #expect(throws: Self.inTheWay) { try await router.maintenance.relocate(progress: progress.note) }
      #expect(progress.count == 2)
      #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "mine")
      for (index, key) in Self.keys.prefix(5).enumerated() {
        #expect(try await launch(nil).get(key) == index, "\(key)")
      }
      #expect(try await router.get(Self.keys[5]) == 5)
      try FileManager.default.removeItem(atPath: foreign)
      #expect(try await router.maintenance.relocate() == 5)
      for (index, key) in Self.keys.enumerated() { #expect(try await router.get(key) == index, "\(key)") }
      #expect(try await router.maintenance.relocate() == 0)
    }

    /// The process that began the move was killed, and another program has added the file since.
    @Test func theOtherFilesOfABegunMoveAreMoved() async throws {
      try await beginMove(from: nil, to: "a", of: [Self.keys[1]])
      let foreign = try addForeignFile("key4")
      let router = try launch("a")
      for _ in 0..<2 { await #expect(throws: Self.inTheWay) { try await router.maintenance.relocate() } }
      #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "mine")
      #expect(FileManager.default.fileExists(atPath: try path(of: Self.keys[3], in: "a")))
      // No call takes the last one for absent.
      for release in [nil, "a"] {
        await #expect(throws: StorageError.configurationConflict(.init(key: "key4", domain: .encryptedFileSystem))) {
          try await self.launch(release).get(Self.keys[4])
        }
      }
      try FileManager.default.removeItem(atPath: foreign)
      #expect(try await router.maintenance.relocate() == 1)
      for key in Self.keys.prefix(5) { #expect(try await router.get(key) != nil, "\(key)") }
    }

    private func locations(_ subDirectory: String?) throws -> StorageLocations {
      StorageLocations(
        try launch(nil).setup.withLock(\.storage), FileStorageConfiguration(subDirectory: subDirectory))
    }

    private func path(of key: StorageKey<Int?>, in subDirectory: String?) throws -> String {
      let storage = try launch(nil).setup.withLock(\.storage)
      return try locations(subDirectory).path(
        of: try StorageAddress(of: .key(key), storage, defaultAccessGroup: nil))
    }

    /// Stores every value, and moves some of them as a process does that is killed after that.
    ///
    /// - Parameter hasCopy: False if an earlier release has begun the move, which writes no copy of the record.
    private func beginMove(
      from: String?, to: String?, of moved: [StorageKey<Int?>], hasCopy: Bool = true
    ) async throws {
      let before = try launch(from)
      for (index, key) in Self.keys.enumerated() { try await before.set(index, for: key) }
      for key in moved {
        let (old, new) = (try path(of: key, in: from), try path(of: key, in: to))
        try FileManager.default.createDirectory(
          atPath: URL(fileURLWithPath: new).deletingLastPathComponent().path, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        try FileManager.default.moveItem(atPath: old, toPath: new)
      }
      var record = RecordedLocation(subDirectory: to)
      record.movedFrom = [RecordedLocation(subDirectory: from)]
      let file = try locations(to).record("files", of: .app)
      for file in hasCopy ? [file.copyOfMove, file] : [file] { try record.replace(in: file) }
    }

    /// The file of a member, or of a value that nothing declares, is in the way: the error names no parameter.
    @Test func aFileInTheWayOfAMemberIsThatOfItsFamily() async throws {
      let family = StorageKeyFamily(name: "draft_{id}", domain: .fileSystem(directory: .documents), security: .none)
      let member = StorageKey<Int?>(
        name: "draft_jane", domain: .fileSystem(directory: .documents), security: .none, owner: "Tests",
        description: "A number.")
      let sealed = StorageKey<Int?>(
        name: "former", domain: .encryptedFileSystem(directory: .documents), owner: "Tests", description: "A number.")
      for (key, named) in [(member, "draft_{id}"), (sealed, nil)] as [(StorageKey<Int?>, String?)] {
        try await app.launch().set(1, for: key)
        let foreign = try addForeignFile(key.name)
        let router = app.launch()
        try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "a"))
        try router.register([], [family])
        await #expect(throws: StorageError.io(.init(key: named, domain: .fileSystem), .write, errno: EEXIST)) {
          try await router.maintenance.relocate()
        }
        try FileManager.default.removeItem(atPath: foreign)
        // With the other value.
        let count = named == nil ? 2 : 1
        #expect(try await router.maintenance.relocate() == count)
        let old = app.launch()
        try old.register([], [family])
        #expect(try await old.maintenance.relocate() == count)
      }
    }

    /// The record of a move that has not ended is damaged: the earlier location is known nevertheless.
    @Test(arguments: [nil, "b"] as [String?], ["garbage", "", nil])
    func aDamagedRecordOfAMoveLosesNoFile(_ from: String?, _ damage: String?) async throws {
      try await beginMove(from: from, to: "a", of: [Self.keys[1]])
      let router = try launch("a")
      let record = app.fixture.path("data/.files.location")
      if let damage {
        try Data(damage.utf8).write(to: URL(fileURLWithPath: record))
        await #expect(throws: StorageError.self) { try await self.launch("a").get(Self.keys[4]) }
        #expect(try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents)).files.count == 1)
      } else {
        try FileManager.default.removeItem(atPath: record)
      }
      for release in [from, "a", "c"] {
        let conflict = StorageError.configurationConflict(.init(key: "key4", domain: .encryptedFileSystem))
        await #expect(throws: conflict) { try await self.launch(release).get(Self.keys[4]) }
        await #expect(throws: conflict) { try await self.launch(release).set(7, for: Self.keys[4]) }
      }
      // Four files of the app, and one of the group.
      #expect(try await router.maintenance.relocate() == 5)
      for (index, key) in Self.keys.enumerated() { #expect(try await router.get(key) == index, "\(key)") }
      // Nothing is left of the move.
      let names = try FileManager.default.contentsOfDirectory(atPath: app.fixture.path("data"))
      #expect(names.filter { $0.hasPrefix(".files.location") && !$0.contains(".damaged-") } == [".files.location"])
    }

    /// A process was killed when some files had moved.
    @Test(
      arguments: [
        (nil, "a", nil), (nil, "a", "a"), (nil, "a", "b"), (nil, "a", "a/b"), ("a", nil, "a"), ("a", "a/b", "c"),
        ("a/b", "a", nil), ("a/b", "c", "a"),
      ] as [(String?, String?, String?)])
    func anyReleaseEndsAMove(_ from: String?, _ to: String?, _ last: String?) async throws {
      try await beginMove(from: from, to: to, of: [Self.keys[1], Self.keys[3], Self.keys[4]], hasCopy: false)
      for release in [from, to, last] {
        let conflict = StorageError.configurationConflict(.init(key: Self.keys[1].name, domain: .fileSystem))
        await #expect(throws: conflict) { try await self.launch(release).get(Self.keys[1]) }
        await #expect(throws: conflict) { try await self.launch(release).set(7, for: Self.keys[1]) }
      }
      let after = try launch(last)
      try await after.maintenance.relocate()
      for (index, key) in Self.keys.enumerated() { #expect(try await after.get(key) == index, "\(key)") }
      #expect(try await after.maintenance.relocate() == 0)
    }

    @Test func aSubDirectoryThatIsACustomDirectoryIsRefused() async throws {
      try await launch(nil).set(1, for: Self.keys[3])
      let router = try launch("Reports")
      await #expect(throws: StorageError.configurationConflict(.init(key: nil, domain: .fileSystem))) {
        try await router.maintenance.relocate()
      }
      #expect(try await launch(nil).get(Self.keys[3]) == 1)
    }

    /// A scan for encrypted files looks where the configuration says.
    @Test(arguments: [keys[4], encryptedGroupKey])
    func noKeyIsDestroyedBeforeTheFilesAreMoved(_ key: StorageKey<Int?>) async throws {
      func launch(_ subDirectory: String?) throws -> StorageRouter {
        let router = app.launch()
        try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: subDirectory))
        try router.register([.key(key)])
        return router
      }
      let domain: StorageDomain.Kind = key.domain.kind == .encryptedFileSystem ? .fileSystem : .appGroupFileSystem
      let conflict = StorageError.configurationConflict(.init(key: nil, domain: domain))
      try await launch(nil).set(1, for: key)
      let old = try #require(try app.stored(key))
      try await launch(nil).maintenance.rotateKeys()
      // A backup restores the file.
      let folder = key.domain.kind == .encryptedFileSystem ? "data" : "groups/group.t"
      try old.write(to: URL(fileURLWithPath: app.fixture.path("\(folder)/documents/\(key.name)")))
      let release = try launch("Account")
      await #expect(throws: conflict) { try await release.maintenance.destroyRetiredKeys() }
      await #expect(throws: conflict) { try await release.maintenance.rotateKeys() }
      #expect(try await release.maintenance.relocate() == 1)
      #expect(try await release.maintenance.rotateKeys().isComplete)
      #expect(try await release.maintenance.destroyRetiredKeys() == 2)
      #expect(try await launch("Account").get(key) == 1)
    }

    private static let encryptedGroupKey = StorageKey<Int?>(
      name: "sealed", domain: .appGroupFileSystem(identifier: "group.t", directory: .documents), security: .recommended,
      owner: "Tests", description: "A number.")

    @Test func noMasterKeyIsCreatedBesideFilesThatWereNotMoved() async throws {
      try await launch(nil).set(1, for: Self.keys[4])
      let keystore = StoreFixture.keystoreFiles
      for name in keystore + [".master-key-created.location"] {
        try? FileManager.default.removeItem(atPath: app.fixture.path("data/" + name))
      }
      let note = StorageKey<Int?>(
        name: "note", domain: .userDefaults(), security: .recommended, owner: "Tests", description: "A number.")
      let release = app.launch()
      try release.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "Account"))
      try release.register(Self.keys.map { .key($0) } + [.key(note)])
      await #expect(throws: StorageError.configurationConflict(.init(key: "note", domain: .userDefaults))) {
        try await release.set(2, for: note)
      }
      await #expect(throws: StorageError.configurationConflict(.init(key: nil, domain: .fileSystem))) {
        try await release.maintenance.abandonEncryptedData()
      }
      #expect(try await release.maintenance.relocate() == 1)
      await #expect(throws: StorageError.keyMaterialMissing(.init(key: "note", domain: .userDefaults))) {
        try await release.set(2, for: note)
      }
      let lost = try await release.maintenance.abandonEncryptedData().keys
      #expect(lost == [.init(key: "key4", domain: .encryptedFileSystem)])
      try await release.set(2, for: note)
      #expect(try await release.get(note) == 2)
    }
  }
#endif
