#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// Calls of a router in a process whose file calls are killed, cut short or failed, once and from one call on.
  ///
  /// Each file call of each operation is met by some of the actions: which ones, differs from operation to operation.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct CrashSafetyTests {
    struct Operation: Sendable, CustomStringConvertible {
      var address: ProbeAddress
      var verb: String
      var isFresh: Bool

      var description: String { "\(verb) in \(address), \(isFresh ? "nothing stored" : "over a value")" }
      var command: [String] { ["router", address.rawValue, verb, verb == "increment" ? "1" : "41"] }
      var old: Int { isFresh ? 0 : 40 }
      /// The value after the operation. A removed value reads as the default.
      var new: Int { verb == "remove" ? 0 : verb == "increment" ? old + 1 : 41 }
    }

    private struct Count {
      var kills = 0
      var errors = 0
      var operations = 0
    }

    private static let kills: [FaultSweep.Action] = [.kill, .shortkill]
    private static let errors = FaultSweep.Action.allCases.filter { !$0.isKill }

    private static let operations = ProbeAddress.allCases.flatMap { address in
      [
        Operation(address: address, verb: "set", isFresh: true),
        Operation(address: address, verb: "set", isFresh: false),
        Operation(address: address, verb: "increment", isFresh: false),
        Operation(address: address, verb: "remove", isFresh: false),
      ]
    }

    @Test func everyOperationLeavesTheOldValueOrTheNewOne() async throws {
      let total = Lock(Count())
      try await withThrowingTaskGroup(of: Void.self) { group in
        // A full run takes a part of the file calls of each.
        let all = Array(Self.operations.enumerated())
        let operations = Sweep.isFull ? all : Sweep.sample(all, quick: 12)
        for (number, (index, operation)) in operations.enumerated() {
          if number >= 3 { try await group.next() }
          group.addTask {
            let count = try await sweep(operation, index)
            total.withLock { total in
              total.kills += count.kills
              total.errors += count.errors
              total.operations += 1
            }
          }
        }
        try await group.waitForAll()
      }
      let count = total.withLock(\.self)
      #expect(count.kills >= Sweep.count(quick: 8, full: 160))
      #expect(count.errors >= Sweep.count(quick: 15, full: 1_000))
    }

    private func sweep(_ operation: Operation, _ index: Int) async throws -> Count {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(operation.command, in: fixture, FaultShim(in: fixture)) {
        guard !operation.isFresh else { return }
        let end = try ChildProcess.run(
          ChildProcess.probe, ["router", fixture.path("store"), operation.address.rawValue, "set", "40"])
        #expect(end.code == 0, "\(end)")
      }
      var count = Count()
      count.kills = try await sweep.run(Self.kills, each: 6, after: index) { try await check(operation, $0) }
      for (number, action) in Self.errors.enumerated() {
        guard Sweep.isFull || (index + number) % 3 == 0 else { continue }
        count.errors += try await sweep.run([action], each: 17, after: index + number) { moment in
          try await check(operation, moment)
        }
      }
      return count
    }

    private func check(_ operation: Operation, _ moment: FaultSweep.Moment) async throws {
      let router = router(moment.folder)
      let key = counter(operation.address)
      let found = try await router.get(key)
      switch moment.end.code {
      case 0: #expect(found == operation.new, "\(operation), \(moment): it succeeded")
      case 3: #expect(found == operation.old || found == operation.new, "\(operation), \(moment): \(found)")
      default:
        #expect(moment.action.isKill, "\(operation), \(moment): it crashed")
        #expect(found == operation.old || found == operation.new, "\(operation), \(moment): \(found)")
      }
      // A later write works, and nothing unfinished is left.
      try await router.set(7, for: key)
      try ProbeCatalog.register([.key(key)], on: router)
      let failures = await router.maintenance.sweep().failures
      #expect(failures == [], "\(operation), \(moment)")
      let read = try await self.router(moment.folder).get(key)
      #expect(read == 7, "\(operation), \(moment): a later write is lost")
      let left = try FileManager.default.subpathsOfDirectory(atPath: moment.folder).filter { $0.contains(".new") }
      #expect(left.isEmpty, "\(operation), \(moment): \(left)")
    }

    private func router(_ folder: String) -> StorageRouter { .probe(in: folder) }

    private func counter(_ address: ProbeAddress) -> StorageKey<Int> {
      StorageKey(
        name: "counter", domain: address.domain, security: address.security, default: 0, owner: "Tests",
        description: "A counter that processes share.")
    }

    // MARK: Values that do not decode

    /// A move of bytes that are no value, or the removal of what was moved.
    struct Quarantining: Sendable, CustomTestStringConvertible {
      var address: ProbeAddress
      var verb: String

      var testDescription: String { "\(verb) in \(address)" }
      var isRemoval: Bool { verb == "removeQuarantined" }

      static let all: [Quarantining] =
        ProbeAddress.allCases.filter { $0 != .keychain }.flatMap { address in
          ["quarantine", "removeQuarantined"].map { Quarantining(address: address, verb: $0) }
        } + [Quarantining(address: .preferences, verb: "quarantineNow")]
    }

    @Test(arguments: Sweep.isFull ? Quarantining.all : Sweep.sample(Quarantining.all, quick: 6))
    func bytesThatAreMovedAsideAreNeverLost(_ quarantining: Quarantining) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      func probe(_ folder: String, _ verb: String) throws {
        let end = try ChildProcess.run(
          ChildProcess.probe, ["router", folder, quarantining.address.rawValue, verb, "1"])
        #expect(end.code == 0, "\(end)")
      }
      let command = ["router", quarantining.address.rawValue, quarantining.verb]
      let sweep = try FaultSweep(command, in: fixture, FaultShim(in: fixture)) {
        try probe(fixture.path("store"), "spoil")
        if quarantining.isRemoval { try probe(fixture.path("store"), "quarantine") }
      }
      let actions: [FaultSweep.Action] = [.kill, .shortkill, .eio, .enospcOn, .eaccesOn]
      var count = 0
      for (number, action) in actions.enumerated() {
        count += try await sweep.run([action], each: action.isKill ? 1 : 3, after: action.isKill ? 0 : number) {
          moment in
          try await check(quarantining, moment)
        }
      }
      #expect(count >= Sweep.count(quick: 2, full: 18))
    }

    private func check(_ quarantining: Quarantining, _ moment: FaultSweep.Moment) async throws {
      #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
      let (router, key) = (router(moment.folder), counter(quarantining.address))
      func copies() throws -> [Data] {
        try FileManager.default.subpathsOfDirectory(atPath: moment.folder)
          .filter { $0.contains(".quarantine/") && !($0 as NSString).lastPathComponent.hasPrefix(".") }
          .map { try Data(contentsOf: URL(fileURLWithPath: "\(moment.folder)/\($0)")) }
      }
      if quarantining.isRemoval {
        // The call that failed is done by the next one.
        try await router.remove(key)
        #expect(try copies() == [], "\(moment)")
        #expect(try await router.get(key) == 0, "\(moment)")
        return
      }
      let before = try copies()
      #expect(before.count <= 1, "\(moment)")
      if try await router.exists(key) {
        let text = try await router.get(key.spoiling)
        #expect(text == "abc", "\(moment)")
        #expect(moment.end.code != 0, "\(moment): it succeeded")
      } else {
        #expect(before.count == 1, "\(moment): neither the value nor the copy is there")
      }
      // The next read ends what was begun.
      #expect(try await router.get(key.quarantining) == -1, "\(moment)")
      let after = try copies()
      #expect(after.count == 1, "\(moment)")
      #expect(before.isEmpty || before == after, "\(moment)")
      if quarantining.address.security == .none {
        #expect(after.first?.suffix(5) == Data(#""abc""#.utf8), "\(moment)")
      }
      try await router.set(7, for: key)
      #expect(try await router.get(key) == 7, "\(moment)")
      try await router.remove(key)
      #expect(try copies() == [], "\(moment)")
      try ProbeCatalog.register([.key(key)], on: router)
      #expect(await router.maintenance.sweep().failures == [], "\(moment)")
      let left = try FileManager.default.subpathsOfDirectory(atPath: moment.folder).filter { $0.contains(".new") }
      #expect(left.isEmpty, "\(moment): \(left)")
    }

    // MARK: Maintenance

    /// A function of maintenance, and what is stored before it.
    struct Function: Sendable, CustomTestStringConvertible {
      var verb: String
      /// The age of the values before, in seconds.
      var age: TimeInterval = 0
      /// Files that are damaged before.
      var damaged: [String] = []
      /// The values that are there when the function has ended.
      var kept = Set(ProbeAddress.allCases)
      /// A Boolean value that indicates whether the values can be read before the function has ended.
      var isReadable = true

      var testDescription: String { verb }
    }

    static let functions = [
      Function(verb: "sweep", age: 400 * 86_400, kept: []),
      Function(verb: "resecure"),
      Function(
        verb: "setAside", damaged: ["data/preferences/standard.db", "data/keystore.db"],
        kept: [.files, .groupPreferences, .groupFiles], isReadable: false),
    ]

    @Test(arguments: functions)
    func aFunctionOfMaintenanceThatIsKilledOrFailsIsDoneByTheNext(_ function: Function) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["maintenance", function.verb], in: fixture, FaultShim(in: fixture)) {
        try seed(function, fixture.path("store"))
      }
      let actions: [FaultSweep.Action] = [.kill, .eio, .enospcOn, .eaccesOn]
      var count = 0
      for (number, action) in actions.enumerated() {
        count += try await sweep.run([action], each: action == .kill ? 4 : 9, after: number) { moment in
          try await check(function, moment)
        }
      }
      #expect(count >= Sweep.count(quick: 2, full: 20))
    }

    private func seed(_ function: Function, _ folder: String) throws {
      let words = ["maintenance", folder, "seed", "\(function.age)"]
      let end = try ChildProcess.run(ChildProcess.probe, words)
      #expect(end.code == 0, "\(end)")
      for name in function.damaged {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: "\(folder)/\(name)\(suffix)") }
        try Data(repeating: 9, count: 9_000).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
    }

    private func check(_ function: Function, _ moment: FaultSweep.Moment) async throws {
      #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
      if function.isReadable {
        for address in ProbeAddress.allCases where function.kept.contains(address) {
          let found = try await router(moment.folder).get(address.retained)
          #expect(found == "abc", "\(moment): \(address)")
        }
      }
      // Once more, without a fault.
      let end = try ChildProcess.run(ChildProcess.probe, ["maintenance", moment.folder, function.verb])
      #expect(end.code == 0, "\(moment): \(end)")
      let router = router(moment.folder)
      for address in ProbeAddress.allCases where function.kept.contains(address) {
        let found = try await router.get(address.retained)
        #expect(found == "abc", "\(moment): \(address)")
      }
      for address in ProbeAddress.allCases where !function.kept.contains(address) {
        // What was encrypted with a key that was set aside cannot be read, and is not absent either.
        if !function.damaged.isEmpty, address == .encryptedFiles { continue }
        let found = try await router.get(address.retained)
        #expect(found == nil, "\(moment): \(address)")
      }
    }
  }
#endif
