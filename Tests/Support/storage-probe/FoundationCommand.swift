import Foundation
import LocalData

/// A run of the probe as an app that used Foundation's own UserDefaults: `storage-probe foundation <folder> write <suite>`
/// writes a value of each kind, where Foundation's environment says; `read <suite> <name>` reads one back with our store.
/// The suite `-` is the app's own.
struct FoundationCommand {
  private let folder: URL
  private let words: [String]

  init?(_ arguments: ArraySlice<String>) {
    words = Array(arguments)
    guard words.count >= 4, words[0] == "foundation" else { return nil }
    folder = URL(fileURLWithPath: words[1])
  }

  private var suite: String? { words[3] == "-" ? nil : words[3] }

  func run() -> Int32 {
    switch words[2] {
    case "write": write() ? 0 : 3
    case "read": read(words.count > 4 ? words[4] : "")
    default: 64
    }
  }

  private func write() -> Bool {
    guard let defaults = suite.map({ UserDefaults(suiteName: $0) }) ?? UserDefaults.standard else { return false }
    defaults.set("text é", forKey: "string")
    defaults.set(true, forKey: "bool")
    defaults.set(42, forKey: "int")
    defaults.set(0.1, forKey: "double")
    defaults.set(Date(timeIntervalSince1970: 1_700_000_000), forKey: "date")
    defaults.set(Data([1, 2, 3]), forKey: "data")
    defaults.set(["a", "b"], forKey: "array")
    defaults.set([7], forKey: "arrayOfOne")
    defaults.set(["a": 1, "b": 2], forKey: "dictionary")
    return defaults.synchronize()
  }

  private func read(_ name: String) -> Int32 {
    #if os(Linux)
      let roots = StorageRoots(
        data: folder.appendingPathComponent("data"), caches: folder.appendingPathComponent("caches"),
        groups: folder.appendingPathComponent("groups"))
      let locations = StorageLocations(
        StorageConfiguration(applicationName: "Probe", roots: roots), FileStorageConfiguration())
      do throws(StorageFault) {
        let bytes = try FoundationDefaults(in: locations.foundationDefaults).read(
          StorageAddress(container: .preferences(suite: suite), name: name), StorageAttributes())
        print(bytes.map { $0.map(String.init).joined(separator: " ") } ?? "absent")
        return 0
      } catch {
        print("fault: \(error)")
        return 3
      }
    #else
      return 64
    #endif
  }
}
