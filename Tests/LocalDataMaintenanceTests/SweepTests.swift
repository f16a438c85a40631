#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A sweep removes what is no longer to be kept, and nothing else.
  @Suite struct SweepTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    @Test func valuesWhoseRetentionHasEndedAreRemovedInEachDomain() async throws {
      let keys = ProbeAddress.allCases.map { RetainedKey.of($0, .maxAge(seconds: 60), name: "old-\($0)") }
      let young = RetainedKey.of(.files, .maxAge(seconds: 600), name: "young")
      let kept = RetainedKey.of(.files, nil, name: "kept")
      let router = app.launch()
      try router.register((keys + [young, kept]).map { .key($0) })
      for key in keys + [young, kept] { try await router.set("abc", for: key) }
      app.clock.advance(by: 60)
      let sweep = await app.registered(keys + [young, kept]).maintenance.sweep()
      #expect(sweep.failures == [])
      #expect(Set(sweep.ended.map(\.key)) == Set(keys.map(\.name)))
      for key in keys { #expect(try app.stored(key) == nil, "\(key)") }
      #expect(try await router.get(young) == "abc")
      #expect(try await router.get(kept) == "abc")
      #expect(await router.maintenance.sweep() == Maintenance.Sweep())
    }

    @Test func membersOfFamiliesAreRemovedButNoOthers() async throws {
      let family = StorageKeyFamily(
        name: "draft_{id}", domain: .fileSystem(directory: .documents), security: .none,
        members: { name in
          .key(
            StorageKey<String?>(
              name: name, domain: .fileSystem(directory: .documents), security: .none, owner: "Tests",
              description: "A draft.",
              options: StorageKeyOptions(declaredName: "draft_{id}", retention: .maxAge(seconds: 60))))
        })
      let pinned = RetainedKey.of(.files, nil, name: "draft_pinned")
      let unregistered = RetainedKey.of(.files, nil, name: "letter")
      let writer = app.launch()
      for name in ["draft_1", "draft_2"] {
        try await writer.set("abc", for: RetainedKey.of(.files, .untilRelaunch, name: name))
      }
      try await writer.set("abc", for: pinned)
      try await writer.set("abc", for: unregistered)
      app.clock.advance(by: 60)
      let router = app.launch()
      try router.register([.key(pinned)], [family])
      let sweep = await router.maintenance.sweep()
      #expect(sweep.ended.map(\.key) == ["draft_{id}", "draft_{id}"])
      #expect(sweep.failures == [])
      #expect(try app.stored(pinned) != nil)
      #expect(try app.stored(unregistered) != nil)
      #expect(try app.stored(RetainedKey.of(.files, nil, name: "draft_1")) == nil)
    }

    @Test func aFamilyOfACatalogHasTheRetentionOfItsDescriptor() async throws {
      let family = StorageKeyFamily(name: "page_{n}", domain: .userDefaults(), security: .none)
      let descriptor = StorageKeyDescriptor(
        member: "page", name: "page_{n}", valueType: "String", domain: .userDefaults(), security: .none,
        serializer: .json, owner: "Tests", description: "A page.", retention: .maxAge(seconds: 60),
        parameters: [.init(name: "n", type: "Int")])
      let key = RetainedKey.of(.preferences, .maxAge(seconds: 60), name: "page_1")
      try await app.launch().set("abc", for: key)
      app.clock.advance(by: 60)
      let router = app.launch()
      try router.register([], [family], descriptors: [descriptor])
      #expect(await router.maintenance.sweep().ended.map(\.key) == ["page_{n}"])
      #expect(try app.stored(key) == nil)
    }

    @Test func leftoversOfReservedNamesAreRemovedIfTheCatalogSaysSo() async throws {
      let names = ["session", "session_2", "kept", "cache_1", "cache_2", "cached"]
      for name in names { try await app.launch().set("abc", for: RetainedKey.of(.preferences, nil, name: name)) }
      let used = RetainedKey.of(.preferences, nil, name: "cache_2")
      let router = app.launch()
      try router.register(
        [.key(used)],
        reserved: [
          StorageReservedName(name: "session", domain: .userDefaults(), deletesLeftovers: true),
          StorageReservedName(name: "kept", domain: .userDefaults()),
          StorageReservedName(name: "cache_{id}", domain: .userDefaults(), deletesLeftovers: true),
        ])
      let sweep = await router.maintenance.sweep()
      #expect(sweep.leftovers.map(\.key) == ["session", "cache_{id}"])
      #expect(sweep.failures == [])
      let left = try names.filter { try app.stored(RetainedKey.of(.preferences, nil, name: $0)) != nil }
      #expect(left == ["session_2", "kept", "cache_2", "cached"])
    }

    // MARK: Drafts

    private func draft(in folder: String, _ name: String = ".local-data.new") throws -> String {
      let path = app.fixture.path(folder)
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data("a part of a value".utf8).write(to: URL(fileURLWithPath: path + "/" + name))
      return path + "/" + name
    }

    @Test(arguments: [true, false])
    func theDraftOfAKilledWriterIsRemovedByTheNextRemove(_ isStored: Bool) async throws {
      let key = RetainedKey.of(.files, nil)
      let router = app.launch()
      if isStored { try await router.set("abc", for: key) }
      let draft = try draft(in: "data/documents")
      try await router.remove(key)
      #expect(!FileManager.default.fileExists(atPath: draft))
      #expect(try app.stored(key) == nil)
    }

    @Test func draftsAreRemovedByASweep() async throws {
      // Of the keystore too: it has the keys of the encryption.
      let keys = [ProbeAddress.files, .groupFiles, .preferences].map { RetainedKey.of($0, nil) }
      let drafts = [
        try draft(in: "data/documents"), try draft(in: "groups/group.probe/documents"), try draft(in: "data"),
        try draft(in: "data/preferences", ".standard.db.new"), try draft(in: "data", ".keystore.key.new"),
        try draft(in: "data", ".keystore.db.new-wal"), try draft(in: "data/.abandoned"),
      ]
      let sweep = await app.registered(keys).maintenance.sweep()
      #expect(sweep.failures == [])
      #expect(sweep.drafts == drafts.count)
      for draft in drafts { #expect(!FileManager.default.fileExists(atPath: draft), "\(draft)") }
    }

    // MARK: Failures

    @Test func whatCannotBeRemovedDoesNotKeepTheOthersFromIt() async throws {
      let keys = [RetainedKey.of(.files, .maxAge(seconds: 60)), RetainedKey.of(.preferences, .maxAge(seconds: 60))]
      for key in keys { try await app.launch().set("abc", for: key) }
      app.clock.advance(by: 60)
      let router = app.launch(failing: .update, with: .accessDenied)
      try router.register(keys.map { .key($0) })
      let progress = Lock<[Maintenance.Progress]>([])
      let sweep = await router.maintenance.sweep { step in progress.withLock { $0.append(step) } }
      #expect(sweep.failures == [StorageError(.accessDenied, .init(key: "value", domain: .fileSystem))])
      #expect(sweep.ended == [.init(key: "value", domain: .userDefaults)])
      #expect(progress.withLock(\.self).map(\.completed) == [1, 2, 3])
    }

    /// A value that cannot be read now may have ended. Nothing else says that the sweep has not looked at it.
    @Test func whatCannotBeReadIsReported() async throws {
      let key = RetainedKey.of(.files, .maxAge(seconds: 60))
      try await app.launch().set("abc", for: key)
      app.clock.advance(by: 60)
      let router = app.launch(failing: .read, with: .locked)
      try router.register([.key(key)])
      let subject = StorageError.Subject(key: "value", domain: .fileSystem)
      #expect(await router.maintenance.sweep() == Maintenance.Sweep(failures: [StorageError(.locked, subject)]))
      #expect(await app.registered([key]).maintenance.sweep() == Maintenance.Sweep(ended: [subject]))
    }
  }

  extension RelaunchedApp {
    /// Launches the app with registered keys. What cannot be registered is not.
    func registered(_ keys: [StorageKey<String?>]) -> StorageRouter {
      let router = launch()
      #expect(throws: Never.self) { try router.register(keys.map { .key($0) }) }
      return router
    }
  }
#endif
