#if os(Linux)
  import Foundation
  import TestSupport

  /// A power cut at every moment of a recorded run.
  struct PowerCut {
    /// A state that breaks a promise.
    struct Violation: CustomStringConvertible {
      var run: CutRun
      /// The number of the entry after which the power was cut.
      var entry: Int
      var choice: String
      var what: [String]

      var description: String {
        "\(run.testDescription) of \(run.calls), cut after entry \(entry), \(choice): \(what.joined(separator: "; "))"
      }
    }

    private let note: CutRecording
    private let trace: [CutTrace.Entry]
    private let missing: Set<Int>
    private var outcomes: [Int: CutOutcome] = [:]
    private let scratch: ScratchFolder
    private(set) var checks = 0

    /// The number of different states that were opened.
    var states: Int { outcomes.count }

    /// - Parameter missing: The numbers of the entries of syncs that the disk has not made.
    init(_ note: CutRecording, without missing: Set<Int> = []) throws {
      self.note = note
      self.missing = missing
      scratch = try ScratchFolder(isInMemory: true)
      trace = note.trace.entries
    }

    /// Returns the paths at which the model of the disk differs from what the run has left: a change that was not recorded.
    func unrecorded() throws -> [String] {
      let disk = CutDisk(root: note.root)
      for entry in trace { try disk.apply(entry) }
      return CutState(disk, .all).differences(from: note.left)
    }

    /// Checks states at moments of the run.
    ///
    /// - Parameters:
    ///   - limit: The number of violations after which the check ends.
    ///   - choices: Returns the states to check after an entry.
    mutating func check(
      limit: Int = 3, _ choices: (_ entry: Int, _ isMark: Bool, CutDisk) -> [CutChoice]
    ) async throws -> [Violation] {
      let disk = CutDisk(root: note.root)
      var progress = CutModel.Progress()
      var violations: [Violation] = []
      for (number, entry) in trace.enumerated() {
        if !missing.contains(number) { try disk.apply(entry) }
        var isMark = false
        if case .mark(let text) = entry {
          isMark = true
          progress.apply(text)
        }
        for choice in choices(number, isMark, disk) {
          let outcome = try await outcome(CutState(disk, choice))
          checks += 1
          let what = outcome.errors + note.run.model.violations(outcome.texts, progress)
          if what.isEmpty { continue }
          violations.append(Violation(run: note.run, entry: number, choice: "\(choice)", what: what))
          if violations.count == limit { return violations }
        }
      }
      return violations
    }

    /// The outcome of a state. Equal states are opened once.
    private mutating func outcome(_ state: CutState) async throws -> CutOutcome {
      let digest = state.digest
      if let known = outcomes[digest] { return known }
      let folder = "\(scratch.url.path)/\(outcomes.count)"
      try state.write(to: folder)
      // One in four, because a write takes longer than the reads.
      let outcome = await CutOutcome(note.run, in: folder, isWriting: digest % 4 == 0)
      // A connection that is closed right now may remove a file before; what stays is removed with the other ones.
      try? FileManager.default.removeItem(atPath: folder)
      outcomes[digest] = outcome
      return outcome
    }
  }

  extension PowerCut {
    /// Checks a number of states that are chosen at random, half of them at marks.
    mutating func sample(_ count: Int, seed: UInt64, limit: Int = 3) async throws -> [Violation] {
      var random = SeededRandom(seed: seed)
      let marks = trace.indices.filter { if case .mark = trace[$0] { true } else { false } }
      var wanted = [trace.count - 1: 1]
      for place in 1..<max(count, 2) {
        let moment = place % 2 == 0 ? marks.randomElement(using: &random) : trace.indices.randomElement(using: &random)
        wanted[moment ?? 0, default: 0] += 1
      }
      return try await check(limit: limit) { number, isMark, disk in
        (0..<(wanted[number] ?? 0)).map { $0 == 0 && isMark ? .none : .random(disk, &random) }
      }
    }

    /// Checks the states without the changes of one file or folder, and those with what was synced when a call has returned.
    ///
    /// - Parameter missing: The syncs of the file or folder that the disk has not made.
    mutating func check(around missing: Set<Int>) async throws -> [Violation] {
      var nodes: [Int: CutDisk.Node] = [:]
      let trace = trace
      return try await check(limit: 1) { number, isMark, disk in
        if missing.contains(number), case .sync(let node) = trace[number], let found = disk.known(node) {
          nodes[found.number] = found
        }
        let changed = nodes.values.filter { !$0.pending.isEmpty }.sorted { $0.number < $1.number }
        return changed.map { .allBut($0) } + (isMark ? [.none] : [])
      }
    }

    /// Checks the states without what the killed process of the run left, whatever the next one has done since.
    mutating func checkAfterKill() async throws -> [Violation] {
      var left: [CutDisk.Node] = []
      var begun: Set<String> = []
      let trace = trace
      return try await check { number, isMark, disk in
        // The next process begins with the call that was interrupted.
        if case .mark(let text) = trace[number], text.hasPrefix("begin"), !begun.insert(text).inserted {
          left = disk.changed
        }
        let missing = left.filter { !$0.pending.isEmpty }
        return missing.map { .allBut($0) } + (isMark || number == trace.count - 1 ? [.none] : [])
      }
    }

    /// Checks every prefix, with everything and with what was synced, and a number of other states.
    mutating func checkEverything(_ count: Int, seed: UInt64) async throws -> [Violation] {
      var random = SeededRandom(seed: seed)
      let each = (count + trace.count - 1) / trace.count
      return try await check { _, _, disk in
        [.all, .none] + (0..<each).map { _ in .random(disk, &random) }
      }
    }
  }
#endif
