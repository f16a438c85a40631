import Foundation
import LocalData

/// A run of the probe on the app's log of migrations: `storage-probe migrations <folder> append <key> <count> [batches]`,
/// or `read`, which prints how many places it knows and how many records.
struct MigrationLogCommand {
  private let log: MigrationLog
  private let words: [String]

  init?(_ arguments: ArraySlice<String>) {
    words = Array(arguments)
    guard words.count >= 3, words[0] == "migrations" else { return nil }
    let roots = StorageRoots(below: URL(fileURLWithPath: words[1]))
    let locations = StorageLocations(
      StorageConfiguration(applicationName: "Probe", roots: roots), FileStorageConfiguration())
    do throws(StorageProblem) {
      log = MigrationLog(in: try locations.migrationLog(of: .app), patience: .seconds(60))
    } catch { return nil }
  }

  func run() -> Int32 {
    do throws(StorageProblem) {
      guard words[2] == "append", words.count >= 5 else {
        print(Set(try log.entries().map(\.address)).count, try log.events().count)
        return 0
      }
      let batches = words.count > 5 ? Int(words[5]) ?? 1 : 1
      for batch in 0..<batches { try log.append(Self.entries(of: words[3], count: Int(words[4]) ?? 1, batch)) }
      return 0
    } catch {
      print("fault: \(error)")
      return 3
    }
  }

  /// Entries of places of their own.
  private static func entries(of key: String, count: Int, _ batch: Int) -> [MigrationEntry] {
    (0..<count).map { index in
      MigrationEntry(
        address: AddressID(
          StorageAddress(container: .directory(.documents), name: "\(key) \(batch) \(index)")),
        steps: [], phase: .completed, moved: [], launch: UUID(),
        event: MigrationEvent(
          key: key, domain: .fileSystem, sources: [], outcome: .moved, date: Date(timeIntervalSince1970: 1),
          appVersion: "1"))
    }
  }
}
