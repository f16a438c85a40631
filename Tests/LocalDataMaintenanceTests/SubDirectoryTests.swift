#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// Files that are moved to another sub-directory by hand, as ``FileStorageConfiguration`` describes it.
  @Suite struct SubDirectoryTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private static let domains: [StorageDomain] = [
      .fileSystem(directory: .documents), .fileSystem(directory: .applicationSupport), .fileSystem(directory: .caches),
      .fileSystem(directory: .custom("Reports/2026")), .encryptedFileSystem(directory: .documents),
      .appGroupFileSystem(identifier: "group.t", directory: .documents),
    ]

    private static let keys = domains.enumerated().map { index, domain in
      key(index == 0 ? String(repeating: "long", count: 100) : "key\(index)", domain, index == 1 ? .none : .recommended)
    }

    private static func key(_ name: String, _ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<Int?> {
      StorageKey<Int?>(name: name, domain: domain, security: security, owner: "Tests", description: "A number.")
    }

    private func launch(_ subDirectory: String?, _ keys: [StorageKey<Int?>] = Self.keys) throws -> StorageRouter {
      let router = app.launch()
      try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: subDirectory))
      try router.register(keys.map { .key($0) })
      return router
    }

    /// Copies what the old sub-directory contains to the new one, and deletes the records.
    private func moveByHand(from old: String?, to new: String?) throws {
      let files = FileManager.default
      for folder in ["data/documents", "data/support", "caches", "groups/group.t/documents"] {
        func path(_ part: String?) -> String { app.fixture.path(folder) + (part.map { "/\($0)" } ?? "") }
        guard files.fileExists(atPath: path(old)) else { continue }
        let names = try files.contentsOfDirectory(atPath: path(old))
        try files.createDirectory(
          atPath: path(new), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in names where !name.hasPrefix(".") {
          try files.copyItem(atPath: path(old) + "/" + name, toPath: path(new) + "/" + name)
        }
      }
      for folder in ["data", "groups/group.t"] {
        let record = app.fixture.path("\(folder)/.files.location")
        if files.fileExists(atPath: record) { try files.removeItem(atPath: record) }
      }
    }

    @Test(arguments: [(nil, "a"), ("a", nil), ("a", "b"), ("a/b", "c/d/e")] as [(String?, String?)])
    func everyValueIsReadAfterTheMove(_ from: String?, _ to: String?) async throws {
      let before = try launch(from)
      for (index, key) in Self.keys.enumerated() { try await before.set(index, for: key) }
      for key in Self.keys {
        let conflict = StorageError(.configurationConflict, .init(key: key.name, domain: key.domain.kind))
        await #expect(throws: conflict) { try await launch(to).get(key) }
      }
      try moveByHand(from: from, to: to)
      let after = try launch(to)
      for (index, key) in Self.keys.enumerated() { #expect(try await after.get(key) == index, "\(key)") }
      for (index, key) in Self.keys.enumerated() { try await after.set(index + 10, for: key) }
      for (index, key) in Self.keys.enumerated() { #expect(try await launch(to).get(key) == index + 10, "\(key)") }
      await #expect(throws: StorageError.self) { try await launch(from).get(Self.keys[0]) }
    }

    /// A scan for encrypted files looks where the configuration says.
    @Test(arguments: [keys[4], keys[5]])
    func noKeyIsDestroyedBeforeTheFilesAreMoved(_ key: StorageKey<Int?>) async throws {
      let domain: StorageDomain.Kind = key.domain.kind == .encryptedFileSystem ? .fileSystem : .appGroupFileSystem
      let conflict = StorageError(.configurationConflict, .init(key: nil, domain: domain))
      try await launch(nil, [key]).set(1, for: key)
      let old = try #require(try app.stored(key))
      try await launch(nil, [key]).maintenance.rotateKeys()
      // A backup restores the file.
      let folder = key.domain.kind == .encryptedFileSystem ? "data" : "groups/group.t"
      try old.write(to: URL(fileURLWithPath: app.fixture.path("\(folder)/documents/\(key.name)")))
      let release = try launch("Account", [key])
      await #expect(throws: conflict) { try await release.maintenance.destroyRetiredKeys() }
      await #expect(throws: conflict) { try await release.maintenance.rotateKeys() }
      try moveByHand(from: nil, to: "Account")
      let moved = try launch("Account", [key])
      #expect(try await moved.maintenance.rotateKeys().isComplete)
      #expect(try await moved.maintenance.destroyRetiredKeys() == 2)
      #expect(try await launch("Account", [key]).get(key) == 1)
    }

    @Test func noMasterKeyIsCreatedBesideFilesThatWereNotMoved() async throws {
      try await launch(nil).set(1, for: Self.keys[4])
      for name in StoreFixture.keystoreFiles + [".master-key-created.location"] {
        try? FileManager.default.removeItem(atPath: app.fixture.path("data/" + name))
      }
      let note = Self.key("note", .userDefaults(), .recommended)
      let release = try launch("Account", Self.keys + [note])
      await #expect(throws: StorageError(.configurationConflict, .init(key: "note", domain: .userDefaults))) {
        try await release.set(2, for: note)
      }
      await #expect(throws: StorageError(.configurationConflict, .init(key: nil, domain: .fileSystem))) {
        try await release.maintenance.abandonEncryptedData()
      }
      try moveByHand(from: nil, to: "Account")
      let moved = try launch("Account", Self.keys + [note])
      await #expect(throws: StorageError(.keyMaterialMissing, .init(key: "note", domain: .userDefaults))) {
        try await moved.set(2, for: note)
      }
      let lost = try await moved.maintenance.abandonEncryptedData().keys
      #expect(lost == [.init(key: "key4", domain: .encryptedFileSystem)])
      try await moved.set(2, for: note)
      #expect(try await moved.get(note) == 2)
    }
  }
#endif
