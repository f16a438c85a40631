import Foundation
import LocalData
import ProbeKeys

/// A run of the probe on values that move: the same keys in every process.
struct MigrationCommand {
  private let router: StorageRouter
  private let move: ProbeMove
  private let verb: String
  private let indices: Range<Int>
  /// A Boolean value that indicates whether the process ends as if it were killed: nothing is closed, and the files
  /// beside a database stay.
  private let isAbandoned: Bool

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count >= 4, words[0] == "move", let move = ProbeMove(words[2]) else { return nil }
    router = .probe(.probe(in: words[1], version: "2.0"))
    self.move = move
    verb = words[3]
    let numbers = words.dropFirst(4).compactMap { Int($0) }
    let (count, first) = (numbers.first ?? 1, numbers.dropFirst().first ?? 0)
    indices = first..<first + max(count, 0)
    isAbandoned = words.last == "--abandon"
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      switch verb {
      case "set": for index in indices { try await set(index) }
      case "migrate": for index in indices { try await migrate(index) }
      case "get": for index in indices { print(name(try await router.get(move.key(index)), index)) }
      case "remove": for index in indices { try await router.remove(move.key(index)) }
      case "sweep": try await sweep()
      default: return 64
      }
      if isAbandoned {
        fflush(nil)
        kill(getpid(), SIGKILL)
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }

  private func set(_ index: Int) async throws(StorageError) {
    for (key, part) in zip(move.sourceKeys(index), move.parts(index)) { try await router.set(part, for: key) }
  }

  /// By a read, and, what that has left, by force.
  private func migrate(_ index: Int) async throws(StorageError) {
    let key = move.key(index)
    print(name(try await router.get(key), index))
    try await router.forceMigration(for: key)
  }

  private func sweep() async throws(StorageError) {
    let keys = indices.map { AnyStorageKey.key(move.key($0)) }
    try ProbeCatalog.register(keys, on: router)
    let result = await router.migrations.migrateAll()
    if let failure = result.failures.first { throw failure }
    print(result.migrated.count, "moved")
  }

  private func name(_ value: String?, _ index: Int) -> String {
    value == move.value(index) ? "the value" : value == nil ? "nothing" : "another value"
  }
}
