import Foundation
import LocalData
import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import ProbeKeys

/// A run of the probe that makes one call after the other while it is recorded, and marks when each begins and returns:
/// `storage-probe calls <folder> <writer> <first> <call>… [--abandon]`.
///
/// A call is a word whose parts are separated by colons, for example `set:files.1:3x100`.
struct PowerCutCommand {
  private let folder: String
  private let writer: String
  private let first: Int
  private let calls: [String]
  private let isAbandoned: Bool
  private let router: StorageRouter

  struct UnknownCall: Error {
    var word: String
  }

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count >= 5, words[0] == "calls", let first = Int(words[3]) else { return nil }
    (folder, writer) = (words[1], words[2])
    self.first = first
    isAbandoned = words.last == "--abandon"
    calls = Array(isAbandoned ? words[4...].dropLast() : words[4...])
    router = .probe(.probe(in: folder))
  }

  func run() async -> Int32 {
    do {
      for (step, call) in calls.enumerated() where step >= first {
        Self.mark("begin \(writer) \(step)")
        try await run(call.split(separator: ":", omittingEmptySubsequences: false).map(String.init), call)
        Self.mark("end \(writer) \(step)")
      }
    } catch {
      print(error)
      return 3
    }
    if isAbandoned { kill(getpid(), SIGKILL) }
    return 0
  }

  private func run(_ words: [String], _ call: String) async throws {
    switch words[0] {
    case "set", "remove", "together", "increment": try await change(words)
    case "source", "migrate": try await migrate(words)
    case "spoil", "quarantine", "restore": try await hold(words)
    case "rotate", "retire", "sweep": try await maintain(words[0])
    case "rows", "clear", "merge": try await changeRows(words)
    case "trips", "mergeTrips": try await changeTrips(words[0])
    case "cards": try await changeCards(words)
    default: throw UnknownCall(word: call)
    }
  }

  /// Adds a mark to the entries of the recorder, if the process is recorded.
  private static func mark(_ text: String) {
    #if os(Linux)
      guard let symbol = dlsym(nil, "powercut_mark") else { return }
      unsafeBitCast(symbol, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self)(text)
    #endif
  }

  // MARK: Values

  private func change(_ words: [String]) async throws {
    if words[0] == "together" {
      let changes = try words[1].split(separator: ",").map { try pair($0) }
      try await router.transaction { transaction in
        for (cell, text) in changes { try await transaction.set(text, for: cell.key) }
      }
      return
    }
    guard let cell = CutCell(words[1]) else { throw UnknownCall(word: words[1]) }
    switch words[0] {
    case "set": try await router.set(CutText.text(words[2]), for: cell.key)
    case "remove": try await router.remove(cell.key)
    default: try await router.update(cell.key) { $0 = String((Int($0 ?? "0") ?? 0) + 1) }
    }
  }

  private func pair(_ word: Substring) throws -> (CutCell, String) {
    let sides = word.split(separator: "=")
    guard sides.count == 2, let cell = CutCell(sides[0]) else { throw UnknownCall(word: String(word)) }
    return (cell, CutText.text(sides[1]))
  }

  private func migrate(_ words: [String]) async throws {
    guard let move = ProbeMove(words[1]), let index = Int(words[2]) else { throw UnknownCall(word: words[1]) }
    let router = StorageRouter.probe(.probe(in: folder, version: "2.0"))
    if words[0] == "source" {
      for (key, part) in zip(move.sourceKeys(index), move.parts(index)) { try await router.set(part, for: key) }
    } else {
      _ = try await router.get(move.key(index))
      try await router.forceMigration(for: move.key(index))
    }
  }

  /// A text where the release expects a number: it is moved aside and restored.
  private func hold(_ words: [String]) async throws {
    guard let address = ProbeAddress(rawValue: words[1]) else { throw UnknownCall(word: words[1]) }
    let router = StorageRouter.probe(.probe(in: folder))
    let number = CutCell.number(at: address)
    switch words[0] {
    case "spoil": try await router.set("abc", for: number.spoiling)
    case "quarantine": _ = try await router.get(number.quarantining)
    default:
      try ProbeCatalog.register(CutCell.spoiled, on: router)
      for value in try await router.maintenance.quarantined() { try await router.maintenance.restore(value) }
    }
  }

  private func maintain(_ verb: String) async throws {
    let router = StorageRouter.probe(.probe(in: folder))
    let cells = ProbeAddress.allCases.flatMap { address in (0..<2).map { CutCell(address, $0) } }
    try ProbeCatalog.register(cells.map { .key($0.key) }, on: router)
    switch verb {
    case "rotate": if let failure = try await router.maintenance.rotateKeys().failures.first { throw failure }
    case "retire": _ = try await router.maintenance.destroyRetiredKeys()
    default: if let failure = await router.maintenance.sweep().failures.first { throw failure }
    }
  }

  // MARK: Records

  private func changeRows(_ words: [String]) async throws {
    let router = StorageRouter.probe(.probe(in: folder))
    switch words[0] {
    case "merge": _ = try await ProbeRecordChange.merge.rows(on: router)
    case "clear": try await ProbeRecordChange.firstRelease(on: router).removeAll(in: ProbeFolder.Database.self)
    default:
      let changes = words[1].split(separator: ",").map { $0.split(separator: "/").map(String.init) }
      _ = try ProbeRecordChange.firstRelease(on: router)
      guard changes.count > 1 else { return try await changeRow(router, changes[0]) }
      try await router.transaction(in: ProbeFolder.Database.self) { probe in
        for change in changes { try Self.change(probe, change) }
      }
    }
  }

  private func changeRow(_ router: StorageRouter, _ words: [String]) async throws {
    switch words[0] {
    case "folder": try await router.folders.save(ProbeFolder(id: words[1], text: CutText.text(words[2])))
    case "page": try await router.pages.save(Self.page(words))
    case "-folder": try await router.folders.delete(id: words[1])
    default: try await router.pages.delete(id: Int(words[1]) ?? 0)
    }
  }

  private static func change(_ probe: RecordTransaction<ProbeFolder.Database>, _ words: [String]) throws {
    switch words[0] {
    case "folder": try probe.folders.save(ProbeFolder(id: words[1], text: CutText.text(words[2])))
    case "page": try probe.pages.save(page(words))
    case "-folder": try probe.folders.delete(id: words[1])
    default: try probe.pages.delete(id: Int(words[1]) ?? 0)
    }
  }

  private static func page(_ words: [String]) -> ProbePage {
    ProbePage(id: Int(words[1]) ?? 0, folder: words[2], secret: CutText.text(words[3]))
  }

  private func changeTrips(_ verb: String) async throws {
    guard verb == "trips" else {
      _ = try await ProbeTrip.router(in: folder, ProbeTrip.After.self).records(ProbeTrip.After.self).count()
      return
    }
    let router = try ProbeTrip.router(in: folder, ProbeTrip.Before.self)
    try await router.transaction(in: ProbeTrip.Before.Database.self) { trips in
      try trips.records(ProbeTrip.Guide<ProbeTrip.Before>.self).save(ProbeTrip.Guide<ProbeTrip.Before>(id: "g"))
      for trip in ProbeTrip.old { try trips.records(ProbeTrip.Before.self).save(trip) }
    }
  }

  private func changeCards(_ words: [String]) async throws {
    switch words[1] {
    case "one": try await changeCards(ProbeWallet.One.self, words)
    case "two": try await changeCards(ProbeWallet.Two.self, words)
    default: try await changeCards(ProbeWallet.Three.self, words)
    }
  }

  /// Saves a card, or reads all cards, which moves the database.
  private func changeCards<Home: RecordDatabase>(_ home: Home.Type, _ words: [String]) async throws {
    let cards = try StorageRouter.probe(.probe(in: folder)).cards(home)
    if words.count > 2 { try await cards.save(ProbeCard(words[2])) } else { _ = try await cards.count() }
  }
}
