@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import ProbeKeys

/// A run of the probe that saves or reads the cards of a release, or changes their keys.
struct CardCommand {
  private let router: StorageRouter
  private let words: [String]

  init?(_ arguments: ArraySlice<String>) {
    words = Array(arguments)
    guard words.count >= 4, words[0] == "cards" else { return nil }
    router = .probe(.probe(in: words[1]))
  }

  func run() async -> Int32 {
    switch words[2] {
    case "one": await run(ProbeWallet.One.self)
    case "two": await run(ProbeWallet.Two.self)
    case "three": await run(ProbeWallet.Three.self)
    default: 64
    }
  }

  private func run<Home: RecordDatabase>(_ home: Home.Type) async -> Int32 {
    do {
      let cards = try router.cards(home)
      for id in words.dropFirst(4) { try await cards.save(ProbeCard(id)) }
      if words[3] == "read" { print(try await cards.fetchAll().map(\.id).sorted().joined(separator: " ")) }
      if words[3] == "rotate", let failure = try await router.maintenance.rotateKeys().failures.first { throw failure }
      return 0
    } catch {
      print(error)
      return 3
    }
  }
}
