#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The file calls of a migration are killed, cut short or failed in turn, SQLite's too, for every pair of domains.
  /// Whatever happens, the whole value is at its source or at its destination, and the next read moves it to the
  /// destination.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct MigrationFaultTests {
    /// From every place to one.
    private static func moves(to destination: ProbeAddress) -> [ProbeMove] {
      ProbeAddress.allCases.map { ProbeMove([$0], to: destination) }
    }

    /// Returns true for three moves from each address, which are three to each, and for those that are no pair.
    private static func isKilledEverywhere(_ move: ProbeMove) -> Bool {
      let all = ProbeAddress.allCases
      guard !move.isCustom, move.sources.count == 1, let source = move.sources.first.flatMap(all.firstIndex),
        let destination = all.firstIndex(of: move.destination)
      else { return true }
      return [0, 1, 3].contains((destination + all.count - source) % all.count)
    }

    /// In their own places, and of several parts.
    private static let others =
      ["=sealedPreferences", "=groupPreferences", "=encryptedFiles", "=groupFiles"]
      + ["preferences+files>keychain", "keychain+preferences>encryptedFiles"]
      + ["preferences~keychain", "files~sealedPreferences", "keychain~groupFiles"]

    /// Pieces that run beside each other.
    private static let all: [[ProbeMove]] =
      ProbeAddress.allCases.map { moves(to: $0) } + [others.compactMap { ProbeMove($0) }]

    /// The migrations of one test. A quick run takes every eighth of them, and each test takes other ones.
    private static func moves(from first: Int) -> [[ProbeMove]] {
      Sweep.isFull
        ? all
        : all.enumerated().map { piece, moves in
          moves.enumerated().filter { (piece + $0.offset + first) % 8 == 0 }.map(\.element)
        }
    }

    @Test func killedAtEveryFileCall() async throws {
      let moves = Self.moves(from: 0)
      let counts = try await sweep(moves, "migrate") { sweep, move in
        // Other pairs of the same source, and others of the same destination, are killed at every call.
        let stride = Self.isKilledEverywhere(move) ? 1 : 4
        return try await sweep.run([.kill], each: stride, after: move.description.utf8.count % stride) { moment in
          #expect(moment.end.code == nil, "\(move): \(moment)")
          try await MovedValue(move: move, folder: moment.folder).expectToSurvive("\(move): \(moment)")
        }
      }
      let sum = counts.values.reduce(0, +)
      #expect(counts.count == moves.joined().count)
      #expect(sum >= Sweep.count(quick: 6, full: 600))
    }

    @Test func failedAtSomeFileCalls() async throws {
      let counts = try await sweep(Self.moves(from: 1), "migrate") { sweep, move in
        // Not the same calls for all of them.
        let first = move.description.utf8.count
        return try await sweep.run([.shortkill, .short, .eio, .enospc, .eintr], each: 41, after: first) { moment in
          let text = "\(move): \(moment)"
          switch moment.end.code {
          case 0: #expect(moment.end.line == "the value", "\(text)")
          case 3: #expect(moment.end.line.contains("'value0'") || moment.end.line.contains("'part"), "\(text)")
          default: #expect(moment.action.isKill, "it crashed: \(text)")
          }
          try await MovedValue(move: move, folder: moment.folder).expectToSurvive(text)
        }
      }
      #expect(counts.values.reduce(0, +) >= counts.count)
    }

    /// Removes a value that was not moved yet, and one that is at both places.
    @Test func aRemovalKilledAtEveryFileCall() async throws {
      for others in [[], ["migrate", "set"]] {
        let counts = try await sweep(Self.some, "remove", before: others) { sweep, move in
          try await sweep.run([.kill]) { moment in
            try await MovedValue(move: move, folder: moment.folder).expectToBeRemovable("\(move): \(moment)")
          }
        }
        #expect(counts.values.reduce(0, +) >= counts.count)
      }
    }

    @Test func manyAtOnceKilledAtEveryFileCall() async throws {
      let counts = try await sweep(Self.some, "sweep", of: 3) { sweep, move in
        try await sweep.run([.kill]) { moment in
          for index in 0..<3 {
            try await MovedValue(move: move, folder: moment.folder, index: index)
              .expectToSurvive("\(index), \(move): \(moment)")
          }
        }
      }
      #expect(counts.values.reduce(0, +) >= counts.count)
    }

    /// A run over a family lists its members and moves them all.
    @Test(arguments: ["preferences>keychain", "files>encryptedFiles", "=encryptedFiles", "keychain>preferences"])
    func aFamilyKilledAtEveryFileCall(_ word: String) async throws {
      let family = try #require(ProbeFamily(word))
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["family", word, "sweep"], in: fixture, FaultShim(in: fixture)) {
        let end = try ChildProcess.probe("family", fixture.path("store"), word, "set")
        #expect(end.code == 0)
      }
      let count = try await sweep.run([.kill]) { moment in
        #expect(moment.end.code == nil, "\(moment)")
        try await MovedFamily(family: family, folder: moment.folder).expectToSurvive("\(moment)")
      }
      #expect(count >= Sweep.count(quick: 3, full: 50))
    }

    @Test func aFamilyOnAFullDisk() async throws {
      let family = try #require(ProbeFamily("files>encryptedFiles"))
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["family", family.description, "sweep"], in: fixture, FaultShim(in: fixture)) {
        let end = try ChildProcess.probe("family", fixture.path("store"), family.description, "set")
        #expect(end.code == 0)
      }
      let end = try sweep.runOnFullDisk()
      #expect(end.code == 3)
      #expect(end.line.contains("no space") || end.line.contains("space"), "\(end.line)")
      try await MovedFamily(family: family, folder: fixture.path("store")).expectToSurvive("full disk")
    }

    private static let some = ["preferences>encryptedFiles", "files>keychain", "keychain+preferences>files"]
      .compactMap { ProbeMove($0) }.map { [$0] }

    @Test func aSweepThatSeesNoWriteFails() throws {
      let fixture = try StoreFixture()
      #expect(throws: FaultSweep.SeesNoWrite.self) {
        _ = try FaultSweep(["move", "preferences>keychain", "get"], in: fixture, FaultShim(in: fixture))
      }
    }

    /// Runs `body` for every migration, the pieces beside each other; what it counts.
    private func sweep(
      _ pieces: [[ProbeMove]], _ verb: String, of count: Int = 1, before others: [String] = [],
      _ body: @escaping @Sendable (FaultSweep, ProbeMove) async throws -> Int
    ) async throws -> [String: Int] {
      try await withThrowingTaskGroup(of: [String: Int].self) { group in
        for piece in pieces {
          group.addTask {
            let fixture = try StoreFixture(isInMemory: true)
            let shim = try FaultShim(in: fixture)
            var counts: [String: Int] = [:]
            for move in piece {
              let sweep = try FaultSweep(["move", move.description, verb, "\(count)"], in: fixture, shim) {
                for verb in ["set"] + others {
                  let end = try ChildProcess.probe("move", fixture.path("store"), move.description, verb, "\(count)")
                  #expect(end.code == 0)
                }
              }
              counts[move.description] = try await body(sweep, move)
            }
            return counts
          }
        }
        return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
      }
    }
  }
#endif
