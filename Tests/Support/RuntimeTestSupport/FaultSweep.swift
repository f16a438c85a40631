#if os(Linux)
  import Foundation
  package import TestSupport

  /// A command of the probe, run again and again from one and the same state, each time with another of its file calls
  /// killed, cut short or failed.
  ///
  ///     let sweep = try FaultSweep(["files", "update", "value", "10000", "2"], in: fixture, shim) { … what is there before … }
  ///     let count = try await sweep.run([.kill]) { moment in #expect(…, "\(moment)") }
  ///
  /// The command works in `folder`, which is restored before each run. When a run is checked, what it left is in the
  /// moment's folder. To sweep another operation, name its command, what is there before, and what must hold
  /// afterwards.
  package final class FaultSweep {
    package enum Action: String, CaseIterable, Sendable, CustomStringConvertible {
      /// Ends the process instead of the call.
      case kill
      /// Writes half, and ends the process.
      case shortkill
      /// Writes half.
      case short
      case eio, enospc, eintr
      case edquot, eacces, erofs, emfile
      /// The same errors from one call on.
      case eioOn = "eio+"
      case enospcOn = "enospc+"
      case edquotOn = "edquot+"
      case eaccesOn = "eacces+"
      case erofsOn = "erofs+"
      case emfileOn = "emfile+"

      package var description: String { rawValue }

      /// Those that a single call of a store is swept with, at each of its calls.
      package static let basic: [Action] = [.kill, .shortkill, .short, .eio, .enospc, .eintr]

      package var isKill: Bool { self == .kill || self == .shortkill }

      fileprivate static let errors = allCases.filter { !$0.isKill && $0 != .short }

      /// Returns true if the action makes sense at a call. Only writes can be cut short, and no code checks the result
      /// of `close`.
      fileprivate func isWorthwhile(at call: FaultShim.Call) -> Bool {
        self == .short || self == .shortkill ? call.name.contains("write") : call.name != "close"
      }
    }

    /// The action of a run, the call that it was applied to, and how the process ended.
    package struct Moment: Sendable, CustomStringConvertible {
      package var action: Action
      package var number: Int
      package var call: FaultShim.Call
      package var end: ChildProcess.End
      /// The folder with what the process left. Each run has its own path, because a database is closed some time after
      /// its last use and then removes files by their paths.
      package var folder: String

      package var description: String { "\(action) at \(number), \(call), ended with \(end)" }
    }

    /// A shim that sees no change of a file shows nothing.
    package struct SeesNoWrite: Error {
      package var calls: [FaultShim.Call]
    }

    package struct CannotRun: Error {
      package var output: String
    }

    /// The folder that the command works in.
    package let folder: String
    /// The calls that the command makes if no action is applied to it.
    package let calls: [FaultShim.Call]
    /// The numbers of the first calls of their kind on a path.
    private let first: Set<Int>
    /// The numbers of the calls that change something that a later process reads. Those of syncs are among them. Of several
    /// writes of one file in a row only the first and the last are, because what they write counts as a whole.
    private let changes: [Int]
    /// The numbers of the calls that open a file that does not exist, and may create it.
    private let creations: Set<Int>
    private let command: [String]
    private let work: String
    private let before: String
    private let server: ChildProcess
    /// The number of runs of all actions.
    private var runs = 0
    /// The numbers of the calls that an action was applied to.
    private var covered: Set<Int> = []
    private var lookedAt: [String] = []

    /// - Parameters:
    ///   - command: The arguments of the probe. The folder is inserted as the second one.
    ///   - prepare: Makes `folder` as it is before each run; it may leave it out.
    package init(
      _ command: [String], in fixture: StoreFixture, _ shim: FaultShim, prepare: () throws -> Void = {}
    ) throws {
      self.command = command
      folder = fixture.path("store")
      work = fixture.path("sweep-\(UUID().uuidString)")
      before = work + "/before"
      try Self.remove(folder)
      try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
      try prepare()
      if !FileManager.default.fileExists(atPath: folder) {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      }
      try FileManager.default.moveItem(atPath: folder, toPath: before)

      let words = [command[0], folder] + command.dropFirst()
      try FileManager.default.copyItem(atPath: before, toPath: folder)
      let listed = try ChildProcess.run(ChildProcess.probe, words, environment: shim.environment("list"))
      guard listed.code == 0 else { throw CannotRun(output: listed.output) }
      let calls = shim.calls(in: listed.output)
      let names = ["write", "rename", "unlink", "link"]
      guard calls.contains(where: { call in names.contains { call.name.contains($0) } }) else {
        throw SeesNoWrite(calls: calls)
      }
      var seen: Set<String> = []
      first = Set(calls.indices.filter { calls[$0].name != "close" && seen.insert("\(calls[$0])").inserted })
      // The next process builds the shared memory of a database anew.
      let changes = calls.indices.filter {
        calls[$0].isChange && !calls[$0].isAbsent && !calls[$0].path.hasSuffix("-shm")
      }
      self.changes = changes.indices.filter { place in
        guard calls[changes[place]].name.contains("write"), place > 0, place + 1 < changes.count else { return true }
        return [place - 1, place + 1].contains { calls[changes[$0]] != calls[changes[place]] }
      }.map { changes[$0] }
      creations = Self.creations(in: calls, from: before)
      self.calls = calls
      server = try ChildProcess(ChildProcess.probe, words, environment: shim.server, isAsked: true)
    }

    deinit {
      Sweep.report(
        "faults of \(command.joined(separator: " "))", "\(runs) at \(covered.count) of \(calls.count) file calls")
      _ = server.wait()
      try? FileManager.default.removeItem(atPath: work)
    }

    /// Runs the command once for each action and each call that it makes sense for, and `check` after each of them. A kill
    /// makes sense at each change, and where a file is made: at another call it leaves the same files as at the next change.
    ///
    /// A quick run takes one call in 24 of those that a full one takes, and at least one for each action.
    ///
    /// - Parameters:
    ///   - stride: The distance between two calls that the command is run for.
    ///   - first: The number of calls that are left out before.
    ///   - isDivided: Whether a full run of one part of the sweeps takes its part of these calls, or all of them. A part of a few
    ///     calls may have none of those that matter.
    /// - Returns: The number of runs.
    package func run(
      _ actions: [Action], each stride: Int = 1, after first: Int = 0, isDivided: Bool = true,
      check: (Moment) async throws -> Void
    ) async throws -> Int {
      var count = 0
      let (part, parts) = isDivided ? (Sweep.part, Sweep.parts) : (0, 1)
      let step = stride * (Sweep.isFull ? parts : 24)
      for (place, action) in actions.enumerated() {
        let numbers = action == .kill ? killed : calls.indices.filter { action.isWorthwhile(at: calls[$0]) }
        guard !numbers.isEmpty else { continue }
        // Other calls for each action and each seed.
        let other = stride * (Sweep.isFull ? part : place * 5 + Int(Sweep.seed % 1_000))
        for index in Swift.stride(from: (first + other) % min(step, numbers.count), to: numbers.count, by: step) {
          try await run(action, at: numbers[index], check)
          count += 1
        }
      }
      return count
    }

    /// Runs the command so that each of its changes is killed and fails, and `check` after each of them.
    ///
    /// - Every write, removal, rename and change of an attribute is killed. So is the opening of each new file.
    /// - Every write is killed halfway. Of several writes of one file in a row, the first and the last stand for all.
    /// - Every change and sync fails, and so does the first call of each other kind on each path. The errors take turns from call
    ///   to call, and the first call of each kind also fails with EIO.
    ///
    /// A quick run takes five of the cases.
    ///
    /// - Returns: The number of runs.
    package func runEverywhere(check: (Moment) async throws -> Void) async throws -> Int {
      let cases = Sweep.sample(allCases, quick: 5)
      for (action, index) in cases { try await run(action, at: index, check) }
      return cases.count
    }

    /// Returns the numbers of the calls that open a file that was not there before, or that the command has removed.
    private static func creations(in calls: [FaultShim.Call], from before: String) -> Set<Int> {
      var (creations, exists): (Set<Int>, [String: Bool]) = ([], [:])
      for (index, call) in calls.enumerated() where !call.path.hasSuffix("-shm") {
        if call.name.hasPrefix("open") {
          let isFound = exists.updateValue(true, forKey: call.path)
          if !(isFound ?? FileManager.default.fileExists(atPath: before + call.path)) { creations.insert(index) }
        } else if call.name.contains("unlink") || call.name.contains("rename") {
          exists[call.path] = false
        }
      }
      return creations
    }

    /// The numbers of the calls at which a kill leaves other files than at the call before.
    private var killed: [Int] { creations.union(changes.filter { !calls[$0].name.contains("sync") }).sorted() }

    private var allCases: [(Action, Int)] {
      let writes = changes.filter { calls[$0].name.contains("write") }
      let errors = first.union(changes).sorted().enumerated().map { number, index in
        (Action.errors[number % Action.errors.count], index)
      }
      return killed.map { (.kill, $0) } + writes.map { (.shortkill, $0) }
        + writes.filter(first.contains).map { (.short, $0) } + errors + first.sorted().map { (.eio, $0) }
    }

    private func run(_ action: Action, at index: Int, _ check: (Moment) async throws -> Void) async throws {
      let end = try run(action.rawValue, at: index + 1)
      runs += 1
      covered.insert(index)
      let left = "\(work)/\(runs)"
      try FileManager.default.moveItem(atPath: folder, toPath: left)
      try await check(Moment(action: action, number: index + 1, call: calls[index], end: end, folder: left))
      lookedAt.append(left)
      // A connection that is closed right now may remove a file before; what stays is removed with the fixture.
      if lookedAt.count > 4 { try? FileManager.default.removeItem(atPath: lookedAt.removeFirst()) }
    }

    /// Runs the command while every call that takes space fails. What it leaves is in `folder`.
    package func runOnFullDisk() throws -> ChildProcess.End { try run("full", at: 0) }

    private func run(_ action: String, at number: Int) throws -> ChildProcess.End {
      try Self.remove(folder)
      try FileManager.default.copyItem(atPath: before, toPath: folder)
      let mark = "FIO END "
      let lines = server.ask("\(action) \(number)", until: mark)
      guard let status = lines.last.flatMap({ Int32($0.dropFirst(mark.count)) }) else {
        throw CannotRun(output: lines.joined(separator: "\n"))
      }
      return ChildProcess.End(code: status < 0 ? nil : status, output: lines.dropLast().joined(separator: "\n"))
    }

    private static func remove(_ path: String) throws {
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
  }
#endif
