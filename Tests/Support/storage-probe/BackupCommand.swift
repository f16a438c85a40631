import Foundation
import LocalData
import LocalDataBackup
import ProbeKeys

/// A run of the probe that exports or restores a backup. `weigh` exports and restores a number of rows, and prints the largest
/// memory of the process.
struct BackupCommand {
  private let router: StorageRouter
  private let words: [String]

  init?(_ arguments: ArraySlice<String>) {
    words = Array(arguments)
    guard words.count >= 3, words[0] == "backup" else { return nil }
    router = .probe(.probe(in: words[1]))
  }

  func run() async -> Int32 {
    do {
      let backup = try ProbeBackup(router, words[1])
      // A million rows take longer than two minutes.
      if ["fill", "weigh"].contains(words[2]) { alarm(0) }
      switch words[2] {
      case "seed": try await backup.seed()
      case "export": try await backup.export()
      case "restore": try await backup.restore()
      case "fill": try await backup.fill(Int(words.last ?? "") ?? 0)
      case "weigh":
        try await backup.restore(from: backup.export())
        print(try Self.peak)
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }

  /// The largest memory of the process since its start, for example `VmHWM: 40000 kB`.
  private static var peak: String {
    get throws {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      return status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }.map(String.init) ?? ""
    }
  }
}
