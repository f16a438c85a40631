import Foundation
import LocalData
import LocalDataMaintenance
import ProbeKeys

/// A run of the probe through the functions of maintenance, over keys of each domain.
struct MaintenanceCommand {
  private let router: StorageRouter
  private let verb: String

  /// A clock that is some time behind.
  private struct LateClock: StorageClock {
    let seconds: TimeInterval

    var now: Date { Date().addingTimeInterval(-seconds) }
  }

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count >= 3, words[0] == "maintenance" else { return nil }
    router = StorageRouter(
      configuration: .probe(in: words[1]),
      clock: LateClock(seconds: words.count > 3 ? TimeInterval(words[3]) ?? 0 : 0),
      makeServices: StorageServices.live)
    verb = words[2]
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      try ProbeCatalog.register(ProbeAddress.allCases.map { .key($0.retained) }, on: router)
      switch verb {
      case "seed":
        for address in ProbeAddress.allCases { try await router.set("abc", for: address.retained) }
      case "remove":
        for address in ProbeAddress.allCases { try await router.remove(address.retained) }
        let quarantined = try await router.maintenance.quarantined()
        print(quarantined.map(\.size), try await router.maintenance.removeQuarantined(quarantined))
      case "sweep":
        if let failure = await router.maintenance.sweep().failures.first { throw failure }
      case "resecure":
        if let failure = await router.maintenance.resecure().failures.first { throw failure }
      case "rotate":
        if let failure = try await router.maintenance.rotateKeys().failures.first { throw failure }
      case "destroyRetired": print(try await router.maintenance.destroyRetiredKeys())
      case "abandonKeystores": print(try await router.maintenance.abandonKeystores().count)
      case "abandon": print(try await router.maintenance.abandonEncryptedData().keys.count)
      case "setAside":
        for address in [ProbeAddress.preferences, .keychain] {
          print(try await router.maintenance.setAsideDamaged(address.domain).files.count)
        }
      default: return 64
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }
}
