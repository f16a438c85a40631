import Foundation
import LocalData
import ProbeKeys

/// A run of the probe on values that move: the same keys in every process.
struct MigrationCommand {
  private let router: StorageRouter
  private let move: ProbeMove
  private let verb: String
  private let count: Int

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count >= 4, words[0] == "move", let move = ProbeMove(words[2]) else { return nil }
    router = StorageRouter(
      configuration: StorageConfiguration(
        applicationName: "Probe", applicationVersion: "2.0", roots: StorageRoots(below: URL(fileURLWithPath: words[1]))
      ))
    self.move = move
    verb = words[3]
    count = words.count > 4 ? Int(words[4]) ?? 1 : 1
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      switch verb {
      case "set": for index in 0..<count { try await set(index) }
      case "migrate": for index in 0..<count { try await migrate(index) }
      case "get": for index in 0..<count { print(name(try await router.get(move.key(index)), index)) }
      case "remove": for index in 0..<count { try await router.remove(move.key(index)) }
      case "sweep": try await sweep()
      default: return 64
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
    for index in 0..<count { ProbeCatalog.keys.append(.key(move.key(index))) }
    let result = try await router.registerCatalog(ProbeCatalog.self, migrateImmediately: true)
    if let failure = result.failures.first { throw failure }
    print(result.migrated.count, "moved")
  }

  private func name(_ value: String?, _ index: Int) -> String {
    value == move.value(index) ? "the value" : value == nil ? "nothing" : "another value"
  }
}

/// The keys of one run.
enum ProbeCatalog: StorageKeyCatalog {
  /// Filled before the catalog is registered, by the only task there is.
  nonisolated(unsafe) static var keys: [AnyStorageKey] = []

  static var allKeys: [AnyStorageKey] { keys }
}
