#if os(Linux)
  import TestSupport
  import Testing

  /// A disk that has not made one of the syncs. Each is needed: without it, some state after a cut breaks a promise.
  @Suite(.enabled(if: PreloadedLibrary.isAvailable, "there is no C compiler to build the recorder with"))
  struct PlantedSyncTests {
    struct Sync: Sendable, CustomTestStringConvertible {
      var what: String
      var kind: CutRun.Kind
      /// The path of the file or folder.
      var path: String
      /// The beginning of a change that the sync puts on the disk, for example `rename .cards.db.new`. `nil` for all syncs of
      /// the path: some names are synced twice, by the library and by SQLite, or by the next writer.
      var change: String?
      /// A Boolean value that indicates whether the last of such syncs is missing alone.
      var isLast = false

      var testDescription: String { what }
    }

    private static let documents = "/data/documents"
    private static let preferences = "/data/preferences/standard.db"
    private static let records = "/data/documents/.records"
    private static let moved = "/data/support/.records"

    static let syncs = [
      Sync(what: "bytes of a file", kind: .files, path: documents + "/.local-data.0.new", change: "write"),
      Sync(what: "name of a file", kind: .files, path: documents, change: "rename .local-data.0.new"),
      Sync(what: "removal of a file", kind: .files, path: documents, change: "remove cell"),
      Sync(what: "names of folders", kind: .files, path: "/data"),
      Sync(what: "name of the folder above", kind: .files, path: ""),
      Sync(
        what: "bytes of a copy moved aside", kind: .files, path: "/data/.quarantine/.local-data.new", change: "write"),
      Sync(what: "name of a copy moved aside", kind: .files, path: "/data/.quarantine", change: "add"),
      Sync(what: "master key of a file", kind: .files, path: "/data/keystore.db-wal", change: "write"),
      Sync(what: "bytes of a keystore", kind: .items, path: "/data/.keystore.db.new", change: "write"),
      Sync(what: "names of a keystore", kind: .items, path: "/data"),
      Sync(what: "bytes of a key file", kind: .items, path: "/data/.keystore.key.new", change: "write"),
      Sync(what: "name of a key file", kind: .items, path: "/data", change: "rename .keystore.key.new"),
      Sync(what: "commit of an item", kind: .items, path: "/data/keystore.db-wal", change: "write"),
      Sync(what: "keystore before its log is emptied", kind: .items, path: "/data/keystore.db", change: "write"),
      Sync(what: "preferences that a value moves to", kind: .migrations, path: preferences + "-wal", change: "write"),
      Sync(
        what: "bytes of new preferences", kind: .migrations, path: "/data/preferences/.standard.db.new", change: "write"
      ),
      Sync(what: "file that a value moves to", kind: .migrations, path: documents, change: "rename"),
      Sync(what: "entry of a migration", kind: .migrations, path: "/data/.migrations.log", change: "write"),
      Sync(
        what: "preferences before keys are destroyed", kind: .rotations, path: preferences + "-wal", change: "write",
        isLast: true),
      Sync(what: "commit of a rotation", kind: .rotations, path: "/data/keystore.db-wal", change: "write"),
      Sync(what: "bytes of a database", kind: .records, path: records + "/.probe.db.new", change: "write"),
      Sync(what: "name of a database", kind: .records, path: records),
      Sync(what: "name of the folder of databases", kind: .records, path: documents),
      // A later sync, before the sealed fields are listed, would put the commit on the disk.
      Sync(what: "commits of rows", kind: .records, path: records + "/probe.db-wal"),
      Sync(what: "commits of a merge", kind: .merges, path: records + "/trips.db-wal"),
      Sync(
        what: "bytes of the copy of a moved database", kind: .moves, path: moved + "/..purse.db.moved.new",
        change: "write"),
      Sync(
        what: "name of the copy of a moved database", kind: .moves, path: moved, change: "rename ..purse.db.moved.new"),
      Sync(what: "bytes of the marker of a move", kind: .moves, path: records + "/.cards.db.new", change: "write"),
      Sync(what: "name of the marker of a move", kind: .moves, path: records, change: "rename .cards.db.new"),
      Sync(what: "names of a moved database", kind: .moves, path: moved),
    ]

    @Test(.findsHangs, arguments: Sweep.sample(syncs, quick: 4))
    func aMissingSyncIsFound(_ sync: Sync) async throws {
      let note = try #require(CutRecording.whole[sync.kind]).get()
      let syncs = try note.syncs { path, changes in
        path == sync.path && sync.change.map { change in changes.contains { $0.hasPrefix(change) } } ?? true
      }
      let missing = sync.isLast ? Set([try #require(syncs.max())]) : syncs
      #expect(!missing.isEmpty, "there is no such sync")
      var whole = try PowerCut(note)
      #expect(try await whole.check(around: []).map(\.description) == [])
      var cut = try PowerCut(note, without: missing)
      let violations = try await cut.check(around: missing)
      #expect(!violations.isEmpty, "\(cut.states) states keep the promises without \(missing.count) syncs")
    }
  }
#endif
