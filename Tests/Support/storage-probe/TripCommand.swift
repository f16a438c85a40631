import LocalData
@_spi(Generated) import LocalDataRecords
import ProbeKeys

/// A run of the probe that opens a database of an earlier release: `storage-probe trips <folder>`. It prints the number of rows.
struct TripCommand {
  private let folder: String

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 2, words[0] == "trips" else { return nil }
    folder = words[1]
  }

  func run() async -> Int32 {
    do {
      let router = try ProbeTrip.router(in: folder, ProbeTrip.After.self)
      print(try await router.records(ProbeTrip.After.self).count())
      return 0
    } catch {
      print("fault: \(error)")
      return 3
    }
  }
}
