#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// Each function that may take long says how far it is.
  @Suite struct ProgressTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    /// The router of an app that uses one app group.
    private func launch() throws -> StorageRouter {
      let router = app.launch()
      try router.register(
        [.key(RetainedKey.of(.keychain, nil, name: "item"))]
          + CorruptionAddress.preferences.map { .key($0.key(.quarantine)) })
      return router
    }

    @Test func keystoresAreCounted() async throws {
      let (changes, abandoned) = (RecordedProgress(), RecordedProgress())
      let router = try launch()
      try await router.set("abc", for: RetainedKey.of(.keychain, nil, name: "item"))
      try #expect(await router.maintenance.changeRootKeySource(from: .keyFile, progress: changes.note) == 0)
      #expect(changes.count == 2)
      try #expect(await router.maintenance.abandonKeystores(progress: abandoned.note) == [])
      #expect(abandoned.count == 2)
    }

    @Test func removedValuesAreCounted() async throws {
      for address in CorruptionAddress.preferences {
        try await app.launch().set("abc", for: address.old("value"))
        #expect(try await app.launch().get(address.key(.quarantine, "value")) == 7)
      }
      let router = try launch()
      let values = try await router.maintenance.quarantined()
      #expect(values.count == 2)
      let progress = RecordedProgress()
      // One that is not there any more is done too.
      #expect(try await router.maintenance.removeQuarantined(values + values.prefix(1), progress: progress.note) == 2)
      #expect(progress.count == 3)
    }

    @Test func removedFilesAreCounted() async throws {
      let router = try launch()
      try await router.set("abc", for: RetainedKey.of(.keychain, nil, name: "item"))
      for name in ["files", "master-key"] {
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: app.fixture.path("data/.\(name).location")))
      }
      #expect(try await router.maintenance.setAsideDamaged(.keychain()).files.count == 2)
      let files = try await router.maintenance.setAsideFiles()
      #expect(files.count == 2)
      let progress = RecordedProgress()
      #expect(try await router.maintenance.removeSetAsideFiles(files + files.prefix(1), progress: progress.note) == 2)
      #expect(progress.count == 3)
    }
  }
#endif
