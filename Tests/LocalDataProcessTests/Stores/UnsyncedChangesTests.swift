#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Nothing that an operation has changed is left to a later moment of the disk: each operation is traced, and its calls are
  /// held against the rules of ``UnsyncedChanges``.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct UnsyncedChangesTests {
    /// A command of the probe, and what was done before it.
    struct Operation: Sendable, CustomTestStringConvertible {
      var command: [String]
      var before: [[String]] = []
      /// Files that are damaged or removed before it.
      var damaged: [String] = []
      /// Databases of which the last page is damaged, which belongs to an index.
      var partlyDamaged: [String] = []
      var removed: [String] = []

      /// A Boolean value that indicates whether it moves a value from a file to preferences.
      var movesToPreferences: Bool {
        command[0] == "move" ? command[1].hasSuffix("references") : command.contains("restore")
      }

      var testDescription: String { command.joined(separator: " ") + (before.isEmpty ? ", nothing stored" : "") }
    }

    private static let verbs = ProbeAddress.allCases.flatMap { address -> [Operation] in
      func words(_ verb: String, _ number: String = "1") -> [String] { ["router", address.rawValue, verb, number] }
      let stored = [words("set")]
      var operations = [
        Operation(command: words("set")), Operation(command: words("create")),
        Operation(command: words("set", "2"), before: stored), Operation(command: words("increment"), before: stored),
        Operation(command: words("remove"), before: stored),
      ]
      guard address != .keychain else { return operations }
      let spoiled = [words("spoil")]
      let moved = spoiled + [words("quarantine")]
      operations += [
        Operation(command: words("quarantine"), before: spoiled),
        Operation(command: words("removeQuarantined"), before: moved),
        Operation(command: words("clearQuarantine"), before: moved),
        Operation(command: words("restore"), before: moved),
      ]
      return operations
    }

    private static let seed = [["maintenance", "seed"]]
    private static let old = [["maintenance", "seed", "\(400 * 86_400)"]]
    private static let keystores = ["data/", "groups/group.probe/"].flatMap { folder in
      StoreFixture.keystoreFiles.map { folder + $0 }
    }

    private static let maintenance = [
      Operation(command: ["maintenance", "sweep"], before: old),
      Operation(command: ["maintenance", "resecure"], before: seed),
      Operation(
        command: ["maintenance", "setAside"], before: seed,
        damaged: ["data/preferences/standard.db", "data/keystore.db", "data/keystore.key"]),
      Operation(
        command: ["maintenance", "setAside"], before: seed,
        partlyDamaged: ["data/preferences/standard.db", "data/keystore.db"]),
      Operation(
        command: ["maintenance", "rotate"],
        before: seed + [["router", "encryptedFiles", "spoil"], ["router", "encryptedFiles", "quarantine"]]),
      Operation(command: ["maintenance", "destroyRetired"], before: seed + [["maintenance", "rotate"]]),
      Operation(command: ["maintenance", "abandon"], before: seed, removed: keystores),
    ]

    private static let moves =
      [
        "preferences>files", "files>preferences", "preferences>keychain", "keychain>preferences", "files>keychain",
        "keychain>files", "=encryptedFiles", "=sealedPreferences", "preferences+files>encryptedFiles",
        "encryptedFiles>groupFiles", "files~keychain", "files~preferences",
      ].flatMap { move in
        [
          Operation(command: ["move", move, "migrate", "1"], before: [["move", move, "set", "1"]]),
          Operation(command: ["move", move, "remove", "1"], before: [["move", move, "set", "1"]]),
          // A custom migration has no plan.
        ]
          + (move.contains("~")
            ? [] : [Operation(command: ["move", move, "sweep", "2"], before: [["move", move, "set", "2"]])])
      }

    private static let others = [
      Operation(command: ["router", "files", "quarantineOvertaken"], before: [["router", "files", "spoil"]]),
      Operation(command: ["router", "synced", "set", "1"]),
      Operation(command: ["router", "synced", "set", "2"], before: [["router", "synced", "set", "1"]]),
      Operation(command: ["migrations", "append", "a", "5"]),
      Operation(command: ["rootKey", "change", "keyFile", "keystore"], before: [["router", "keychain", "set", "1"]]),
      Operation(
        command: ["rootKey", "change", "keystore", "keyFile"],
        before: [["router", "keychain", "set", "1"], ["rootKey", "change", "keyFile", "keystore"]]),
    ]

    @Test(arguments: Sweep.sample(verbs + maintenance + moves + others, quick: 12))
    func everyChangeIsSyncedBeforeTheOperationReturns(_ operation: Operation) throws {
      let fixture = try StoreFixture(isInMemory: true)
      let shim = try FaultShim(in: fixture)
      let credentials = fixture.path("credentials")
      try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
      try Data(repeating: 3, count: 40).write(to: URL(fileURLWithPath: credentials + "/keystore"))
      for words in operation.before {
        let end = try run(words, fixture)
        #expect(end.code == 0, "\(words): \(end)")
      }
      for name in operation.damaged {
        for suffix in ["-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: fixture.path("store/\(name)\(suffix)"))
        }
        try Data(repeating: 9, count: 9_000).write(to: URL(fileURLWithPath: fixture.path("store/\(name)")))
      }
      for name in operation.partlyDamaged { try damageLastPage(of: fixture.path("store/\(name)")) }
      for name in operation.removed { try? FileManager.default.removeItem(atPath: fixture.path("store/\(name)")) }
      let end = try run(operation.command, fixture, shim.environment("list"))
      #expect(end.code == 0, "\(end)")
      let changes = UnsyncedChanges(shim.calls(in: end.output), movesToPreferences: operation.movesToPreferences)
      Sweep.report("syncs of \(operation.testDescription)", "\(changes.syncs)")
      if operation.before.isEmpty { #expect(changes.syncs > 0) }
      #expect(changes.violations == [], "\(shim.calls(in: end.output))")
    }

    private func run(
      _ words: [String], _ fixture: StoreFixture, _ environment: [String: String] = [:]
    ) throws -> ChildProcess.End {
      try ChildProcess.run(
        ChildProcess.probe, [words[0], fixture.path("store")] + words.dropFirst(), environment: environment)
    }

    private func damageLastPage(of path: String) throws {
      try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(10)).checkpoint(truncating: true)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes.replaceSubrange((bytes.count - 4_096)..., with: repeatElement(0x55, count: 4_096))
      try bytes.write(to: URL(fileURLWithPath: path))
    }

    // MARK: The rules

    private static func calls(_ text: String) -> [FaultShim.Call] {
      text.split(separator: ",").map { line in
        let words = line.split(separator: " ").map(String.init)
        return FaultShim.Call(name: words[0], path: words[1], newPath: words.count > 2 ? words[2] : nil)
      }
    }

    @Test(arguments: [
      "write /a/.new,renameat /a/.new /a/b,fsync /a", "write /a/.new,fsync /a/.new,renameat /a/.new /a/b",
      "write /a/.new,fsync /a/.new,linkat /a/.new /a/b", "mkdirat /a", "unlinkat /a/b", "write /a/b",
      "renameat /a/b /c/b,fsync /a", "renameat /a/b /c/b,fsync /c",
      "renameat /a/b /a/c,unlinkat /d/e,fsync /a,fsync /d",
      "renameat /a/b /a/c,pwrite64 /k.db-wal,fsync /k.db-wal,fsync /a", "pwrite64 /k.db-wal",
      "pwrite64 /preferences/s.db-wal,pwrite64 /preferences/s.db,fsync /preferences/s.db", "pwrite64 /k.db",
      "fsync /a/b,write /a/b", "renameat /a/.x.new /a/.x,renameat /b/.y.new /b/y.db,fsync /a,fsync /b",
    ])
    func aMissingSyncIsAViolation(_ text: String) { #expect(UnsyncedChanges(Self.calls(text)).violations.count >= 1) }

    @Test(arguments: [
      "write /a/.new,fsync /a/.new,renameat /a/.new /a/b,fsync /a", "unlinkat /a/.x.new",
      "pwrite64 /preferences/s.db-wal",
      "renameat /a/b /c/b,fsync /a,fsync /c", "mkdirat /a/b,fsync /a", "write /a/b,fsync /a/b",
      "ftruncate64 /k.db-shm", "write /a/b,unlink /a/b", "ftruncate64 /k.db-wal",
      "unlinkat /a/b,unlinkat /a/c,fsync /a",
    ])
    func nothingIsMissing(_ text: String) {
      #expect(UnsyncedChanges(Self.calls(text)).violations == [])
    }
  }
#endif
