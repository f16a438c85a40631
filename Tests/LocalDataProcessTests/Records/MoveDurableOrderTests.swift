#if os(Linux)
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The order of file calls that makes the move of a database durable. If the power is lost, the rows are at one address or at
  /// the other.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct MoveDurableOrderTests {
    /// A release with another address than the first one, and the paths of its files.
    enum Release: String, CaseIterable, Sendable {
      /// The database is in the folder of an app group.
      case two
      /// The database has another name.
      case three

      var source: String { "/data/documents/.records/cards.db" }
      var folder: String {
        switch self {
        case .two: "/groups/group.tests/support/.records"
        case .three: "/data/support/.records"
        }
      }
      var name: String { self == .two ? "cards.db" : "purse.db" }
      var destination: String { "\(folder)/\(name)" }
      var copy: String { "\(folder)/.\(name).moved" }
      var draftOfCopy: String { "\(folder)/..\(name).moved.new" }
      var draftOfMarker: String { "/data/documents/.records/.cards.db.new" }
    }

    private let fixture: StoreFixture
    private let shim: FaultShim

    init() throws {
      fixture = try StoreFixture(isInMemory: true)
      shim = try FaultShim(in: fixture)
    }

    private func run(_ words: [String], _ environment: [String: String] = [:]) throws -> ChildProcess.End {
      try ChildProcess.run(ChildProcess.probe, ["cards", fixture.path("store")] + words, environment: environment)
    }

    /// Returns the calls of a run that succeeds.
    private func trace(_ words: String...) throws -> [FaultShim.Call] {
      let end = try run(words, shim.environment("list"))
      #expect(end.code == 0, "\(end)")
      return shim.calls(in: end.output)
    }

    private func save() throws { #expect(try run(["one", "save", "a"]).code == 0) }

    /// The copy and its name are on the disk before the marker replaces the source. The marker is on the disk before the copy
    /// becomes the database.
    @Test(arguments: Release.allCases) func theSourceIsReplacedWhenItsCopyIsOnTheDisk(_ release: Release) throws {
      try save()
      let calls = try trace(release.rawValue, "read")
      let folders = (source: "/data/documents/.records", destination: release.folder)
      _ = try calls[...].require(inOrder: [
        .init(name: "sync", path: release.draftOfCopy), .init(name: "renameat", path: release.draftOfCopy),
        .init(name: "fsync", path: folders.destination), .init(name: "sync", path: release.draftOfMarker),
        .init(name: "renameat", path: release.draftOfMarker), .init(name: "fsync", path: folders.source),
        .init(name: "renameat", path: release.copy), .init(name: "fsync", path: folders.destination),
      ])
      #expect(UnsyncedChanges(calls).violations == [], "\(calls)")
    }

    /// The process was killed before the copy became the database.
    @Test(arguments: Release.allCases) func theNextLaunchSyncsWhatItCompletes(_ release: Release) throws {
      try save()
      let whole = try StoreFixture(isInMemory: true)
      let other = try FaultShim(in: whole)
      let store = whole.path("store")
      _ = try ChildProcess.run(ChildProcess.probe, ["cards", store, "one", "save", "a"])
      let listed = try ChildProcess.run(
        ChildProcess.probe, ["cards", store, release.rawValue, "read"], environment: other.environment("list"))
      let calls = other.calls(in: listed.output)
      let last = try #require(calls.firstIndex { $0.name == "renameat" && $0.path == release.copy }, "\(calls)")
      #expect(try run([release.rawValue, "read"], shim.environment("kill", at: last + 1)).code == nil)
      let completion = try trace(release.rawValue, "read")
      _ = try completion[...].require(inOrder: [
        .init(name: "renameat", path: release.copy), .init(name: "fsync", path: release.folder),
      ])
      #expect(!completion.contains { $0.path == release.draftOfCopy }, "it was copied again: \(completion)")
      #expect(UnsyncedChanges(completion).violations == [], "\(completion)")
    }

    /// The first write of a new app leaves a marker at each earlier address, so that no earlier release creates a database.
    @Test(arguments: Release.allCases) func theMarkersOfANewDatabaseAreOnTheDisk(_ release: Release) throws {
      let calls = try trace(release.rawValue, "save", "a")
      _ = try calls[...].require(inOrder: [
        .init(name: "sync", path: release.draftOfMarker), .init(name: "renameat", path: release.draftOfMarker),
        .init(name: "fsync", path: "/data/documents/.records"), .init(name: "sync", path: release.destination + "-wal"),
      ])
      #expect(UnsyncedChanges(calls).violations == [], "\(calls)")
    }
  }
#endif
