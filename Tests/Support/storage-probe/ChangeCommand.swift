import LocalData
import ProbeKeys

/// A run of the probe that makes one change, or stores what the change finds.
struct ChangeCommand {
  private let router: StorageRouter
  private let change: ProbeChange
  private let isSeed: Bool

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count >= 4, words[0] == "change", let address = ProbeAddress(rawValue: words[2]),
      let verb = ProbeChange.Verb(rawValue: words[3])
    else { return nil }
    router = .probe(.probe(in: words[1]))
    change = ProbeChange(verb, in: address)
    isSeed = words.last == "seed"
  }

  func run() async -> Int32 {
    do {
      if isSeed { try await change.seed(router) } else { try await change.run(on: router) }
      return 0
    } catch {
      print(error)
      return 3
    }
  }
}
