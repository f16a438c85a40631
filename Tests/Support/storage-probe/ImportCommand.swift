import LocalData
import LocalDataImport
import LocalDataRecords
import ProbeKeys

/// A run of the probe that imports the rows of an earlier release, or removes them.
struct ImportCommand {
  private let router: StorageRouter
  private let verb: String

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 3, words[0] == "imports" else { return nil }
    router = .probe(.probe(in: words[1]))
    verb = words[2]
  }

  func run() async -> Int32 {
    do {
      try router.registerNotes()
      switch verb {
      case "read": print(try await router.notes.count())
      case "again": try await router.imports.runAgain()
      case "removeAll": try await router.removeAll(in: ProbeNote.Database.self)
      case "removeSources": print(try await router.imports.removeSources())
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }
}
