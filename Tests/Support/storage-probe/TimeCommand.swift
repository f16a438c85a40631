import Foundation
import LocalData
import ProbeKeys

/// A run of the probe that times what becomes of many small values: `storage-probe time <folder> <move> <verb> <count>`.
///
/// The verbs: `set` stores the sources; `sweep` migrates all of them; `byHand` reads, writes and removes each; `copy`
/// does so without removing. Prints seconds, and how often a sweep reported.
struct TimeCommand {
  private let router: StorageRouter
  private let move: ProbeMove
  private let verb: String
  private let count: Int

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 5, words[0] == "time", var move = ProbeMove(words[2]), let count = Int(words[4]) else {
      return nil
    }
    move.repetitions = 1
    router = StorageRouter(configuration: .probe(in: words[1], version: "2.0"))
    self.move = move
    self.count = count
    verb = words[3]
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      switch verb {
      case "set": for index in 0..<count { try await router.set(move.parts(index)[0], for: move.sourceKeys(index)[0]) }
      case "sweep": return try await sweep()
      case "byHand": try await moveByHand(isRemoved: true)
      case "copy": try await moveByHand(isRemoved: false)
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }

  private func sweep() async throws(StorageError) -> Int32 {
    try ProbeCatalog.register((0..<count).map { .key(move.key($0)) }, on: router)
    let start = ContinuousClock.now
    let result = await router.migrations.migrateAll { progress in
      // Reporting is part of it.
      print("\(progress.completed) of \(progress.total)")
    }
    print(ContinuousClock.now - start)
    return result.migrated.count == count && result.success ? 0 : 3
  }

  private func moveByHand(isRemoved: Bool) async throws(StorageError) {
    let start = ContinuousClock.now
    for index in 0..<count {
      let source = move.sourceKeys(index)[0]
      try await router.set(try await router.get(source), for: move.plainKey(index))
      if isRemoved { try await router.remove(source) }
    }
    print(ContinuousClock.now - start)
  }
}
