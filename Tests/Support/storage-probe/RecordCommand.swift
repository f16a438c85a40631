import Foundation
import LocalData
import LocalDataRecords
import ProbeKeys

/// A run of the probe that reads and changes records.
struct RecordCommand {
  private let router: StorageRouter
  private let verb: String
  private let last: String

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count >= 3, words[0] == "records" else { return nil }
    router = .probe(.probe(in: words[1]))
    (verb, last) = (words[2], words.last ?? "")
  }

  func run() async -> Int32 {
    do {
      if let change = ProbeRecordChange(rawValue: verb) {
        if last == "seed" { try await change.seed(on: router) } else { try await change.run(on: router) }
        // What happens after the change does not matter to a test of the order of calls.
        if last == "--abandon" { kill(getpid(), SIGKILL) }
        return 0
      }
      let router = try ProbeRecordChange.firstRelease(on: router)
      let number = Int(last) ?? 0
      switch verb {
      case "increment": for _ in 0..<number { try await router.folders.update(id: "a") { $0.count += 1 } }
      case "move": try await move(router, .milliseconds(number))
      case "check": try await check(router, .milliseconds(number))
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }

  /// Moves points from one folder to the other until the time is over.
  private func move(_ router: StorageRouter, _ time: Duration) async throws {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
      try await router.transaction(in: ProbeFolder.Database.self) { probe in
        let points = Int.random(in: 1...9)
        try probe.folders.update(id: "a") { $0.count -= points }
        try probe.folders.update(id: "b") { $0.count += points }
      }
    }
  }

  /// Reads the folders until the time is over, whose points must sum up to zero. Each tenth time it deletes a page, which
  /// copies the log into the file.
  private func check(_ router: StorageRouter, _ time: Duration) async throws {
    let end = ContinuousClock.now + time
    let id = Int(getpid())
    var reads = 0
    while ContinuousClock.now < end {
      let sum = try await router.read(ProbeFolder.Database.self) { probe in
        try probe.folders.fetchAll().reduce(0) { $0 + $1.count }
      }
      guard sum == 0 else {
        print("the sum is \(sum)")
        exit(4)
      }
      reads += 1
      guard reads % 10 == 0 else { continue }
      try await router.pages.save(ProbePage(id: id, folder: "a", secret: "\(reads)"))
      try await router.pages.delete(id: id)
    }
  }
}
