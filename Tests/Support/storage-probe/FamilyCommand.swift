import Foundation
import LocalData
import ProbeKeys

/// A run of the probe on a family whose members move: the same members in every process.
struct FamilyCommand {
  private let router: StorageRouter
  private let family: ProbeFamily
  private let verb: String

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 4, words[0] == "family", let family = ProbeFamily(words[2]) else { return nil }
    router = .probe(.probe(in: words[1], version: "2.0"))
    (self.family, verb) = (family, words[3])
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      switch verb {
      case "set":
        for name in ProbeFamily.parameters { try await router.set(family.value(name), for: family.sourceKey(name)) }
      case "sweep":
        try ProbeCatalog.register([], [family.family], on: router)
        let result = await router.migrations.migrateAll()
        if let failure = result.failures.first { throw failure }
        print(result.migrated.count, "moved")
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }
}
