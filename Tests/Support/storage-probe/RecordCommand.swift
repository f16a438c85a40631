import Foundation
import LocalData
import LocalDataMaintenance
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
      case "move": try await move(RecordPoints(router: router), .milliseconds(number))
      case "read": print("\(try await router.folders.count()) folders")
      case "repair":
        print(try await router.maintenance.setAsideDamaged(ProbeFolder.Database.declaration.domain).files.count)
      case "abandon": print(try await router.maintenance.abandonEncryptedData().records.count)
      case "check": try await check(RecordPoints(router: router), .milliseconds(number))
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }

  /// Moves points from one folder to the other until the time is over.
  private func move(_ points: RecordPoints, _ time: Duration) async throws {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end { try await points.move() }
  }

  /// Reads the folders until the time is over. Each tenth time it copies the log into the file.
  private func check(_ points: RecordPoints, _ time: Duration) async throws {
    let end = ContinuousClock.now + time
    var reads = 0
    while ContinuousClock.now < end {
      try await points.check()
      reads += 1
      if reads % 10 == 0 { try await points.checkpoint(Int(getpid())) }
    }
  }
}
